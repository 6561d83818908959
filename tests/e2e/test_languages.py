"""Programs in other languages on the embedded engine, with a component of a package in Python.

They need no cluster: the component has no resource of a provider.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from devcluster.engine import Engine
from devcluster.parts import ENGINE_PARTS, SDK_GENERATOR, YAML
from devcluster.toolchain import Toolchain, ensure
from tests.e2e.program import Program

LANGUAGES = Path(__file__).parent / "languages"
PACKAGE = ("PulumiPlugin.yaml", "__main__.py")
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
    files = {file.name: file.read_text() for file in (LANGUAGES / language).iterdir() if file.is_file()}
    package = {f"package/{name}": (LANGUAGES / "package" / name).read_text() for name in PACKAGE}
    return InALanguage(tools, folder, None, source=files | package)


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


def run(*command: str | Path, **options: Any) -> str:
    words = [str(word) for word in command]
    done: subprocess.CompletedProcess[str] = subprocess.run(
        words, capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def schema(tools: Toolchain, tmp_path: Path) -> Path:
    """A file with the schema of the package."""
    env = program(tools, tmp_path / "schema", "yaml").engine.env
    file = tmp_path / "schema.json"
    file.write_text(run(tools.binary("pulumi"), "package", "get-schema", LANGUAGES / "package", env=env))
    return file


@pytest.fixture
def more_tools(tools: Toolchain) -> Toolchain:
    """What is built on demand, and the engine; both at once, since they share Go's library."""
    return ensure([*ENGINE_PARTS, YAML, SDK_GENERATOR])


@pytest.fixture
def generate_sdk(more_tools: Toolchain) -> Path:
    """The program that writes SDKs."""
    return more_tools.binary("generate-sdk")


def test_the_schema_of_a_package_comes_from_its_folder(schema: Path) -> None:
    assert json.loads(schema.read_text())["resources"]["greetings:index:Greeting"]["requiredInputs"] == ["whom"]


@pytest.mark.parametrize(
    ("language", "file"),
    [("python", "pulumi_greetings/greeting.py"), ("nodejs", "greeting.ts"), ("go", "greetings/greeting.go")],
)
def test_an_sdk_is_generated_of_the_schema(
    schema: Path, generate_sdk: Path, tmp_path: Path, language: str, file: str
) -> None:
    run(generate_sdk, language, schema, tmp_path / "sdk")
    assert "greetings:index:Greeting" in (tmp_path / "sdk" / file).read_text()


def test_a_program_in_python_hands_all_its_providers_to_a_component(tmp_path: Path, tools: Toolchain) -> None:
    """The SDK of 3.259 handed on that of the component's own package alone; the engine has no part in it.

    Source: https://github.com/pulumi/pulumi/issues/24423.
    """
    whole_life(program(tools, tmp_path, "python"), providers=["greetings", "kubernetes"])


def test_a_program_in_yaml(tmp_path: Path, more_tools: Toolchain) -> None:
    whole_life(program(more_tools, tmp_path, "yaml"))


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


def test_a_program_in_typescript(tmp_path: Path, tools: Toolchain, npm: str, schema: Path, generate_sdk: Path) -> None:
    typescript = program(tools, tmp_path, "typescript")
    run(generate_sdk, "nodejs", schema, typescript.folder / "sdk")
    # Nothing of the packages is run for their installation.
    run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=typescript.folder)
    whole_life(typescript)
