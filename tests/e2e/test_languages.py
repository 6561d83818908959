"""Programs in other languages on the embedded engine, with a component of a package in Python.

They need no cluster: the component has no resource of a provider.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from devcluster.engine import Engine
from devcluster.parts import ENGINE_PARTS, YAML
from devcluster.toolchain import Toolchain, ensure
from tests.e2e.program import Program

LANGUAGES = Path(__file__).parent / "languages"
HOSTS = Path(__file__).parent / "hosts"
"""The folder of the language host for Node, which runs for tests alone."""
NODE = 20
"""The oldest release of Node that the SDK in package-lock.json takes."""


class InALanguage(Program):
    """A program that may be one for Node."""

    @property
    def engine(self) -> Engine:
        engine = super().engine
        engine.env["PATH"] = os.pathsep.join([engine.env["PATH"], str(HOSTS)])
        return engine


def program(tools: Toolchain, folder: Path, language: str) -> Program:
    """Return the program in a language, with the package beside it."""
    files = {file.relative_to(LANGUAGES / language): file for file in (LANGUAGES / language).iterdir()}
    files |= {file.relative_to(LANGUAGES): file for file in (LANGUAGES / "package").iterdir()}
    return InALanguage(tools, folder, None, source={str(name): file.read_text() for name, file in files.items()})


@pytest.fixture(autouse=True)
def packages_need_the_embedded_engine(tools: Toolchain) -> None:
    if tools.official:
        pytest.skip("an official pulumi makes the package's environment by itself")


def whole_life(program: Program, **outputs: object) -> None:
    """Make the program's resources, see that nothing changes by itself, change them, and remove them."""
    program.up({"greeter:whom": "Slurm"})
    assert program.outputs() == {"text": "Hello, Slurm", **outputs}
    assert program.up(None, "--expect-no-changes").changes == {}
    program.up({"greeter:whom": "world"})
    assert program.outputs() == {"text": "Hello, world", **outputs}
    program.destroy()
    assert program.resources() == []


def test_the_schema_of_a_package_comes_from_its_folder(tools: Toolchain, tmp_path: Path) -> None:
    env = program(tools, tmp_path, "yaml").engine.env
    command = [str(tools.binary("pulumi")), "package", "get-schema", str(LANGUAGES / "package")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["resources"]["greetings:index:Greeting"]["requiredInputs"] == ["whom"]


def test_a_program_in_python_hands_all_its_providers_to_a_component(tmp_path: Path, tools: Toolchain) -> None:
    """The SDK of 3.259 handed on that of the component's own package alone; the engine has no part in it.

    Source: https://github.com/pulumi/pulumi/issues/24423.
    """
    whole_life(program(tools, tmp_path, "python"), providers=["greetings", "kubernetes"])


def test_a_program_in_yaml(tmp_path: Path, tools: Toolchain) -> None:
    whole_life(program(ensure([*ENGINE_PARTS, YAML]), tmp_path, "yaml"))


@pytest.fixture
def npm() -> str:
    """Return npm, where there is a Node that can be used."""
    npm, node = shutil.which("npm"), shutil.which("node")
    have = "none"
    if npm and node:
        have = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        if int(have.removeprefix("v").split(".")[0]) >= NODE:
            return npm
    missing = f"a program in TypeScript needs Node {NODE} or newer, with npm, on PATH (found: {have})"
    if os.environ.get("CI"):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


def test_a_program_in_typescript(tmp_path: Path, tools: Toolchain, npm: str) -> None:
    typescript = program(tools, tmp_path, "typescript")
    # Nothing of the packages is run for their installation.
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=typescript.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    whole_life(typescript)
