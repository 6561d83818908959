"""A component package in Python on the embedded engine: its schema, and what a program hands to its component.

They need no cluster: the component has no resource of a provider.
"""

import json
from pathlib import Path

import pytest

from devcluster.toolchain import Toolchain
from tests.commands import run
from tests.e2e.program import Program

LANGUAGES = Path(__file__).parent / "languages"
PACKAGE = ("PulumiPlugin.yaml", "__main__.py")


@pytest.fixture
def program(tools: Toolchain, tmp_path: Path) -> Program:
    """The program in Python, with the package beside it."""
    if tools.official:
        pytest.skip("an official pulumi makes the package's environment by itself")
    files = {file.name: file.read_text() for file in (LANGUAGES / "python").iterdir() if file.is_file()}
    package = {f"package/{name}": (LANGUAGES / "package" / name).read_text() for name in PACKAGE}
    return Program(tools, tmp_path, None, source=files | package)


def test_the_schema_of_a_package_comes_from_its_folder(program: Program) -> None:
    folder = program.folder / "package"
    text = run(program.tools.binary("pulumi"), "package", "get-schema", folder, env=program.engine.env)
    assert json.loads(text)["resources"]["greetings:index:Greeting"]["requiredInputs"] == ["whom"]


def test_a_program_in_python_hands_all_its_providers_to_a_component(program: Program) -> None:
    """The SDK of 3.259 handed on that of the component's own package alone; the engine has no part in it.

    Source: https://github.com/pulumi/pulumi/issues/24423.
    """
    run = program.up({"greeter:whom": "Slurm"})
    # It warns of one that isn't beside it.
    assert "using pulumi-language-python" not in run.output
    providers = {"greetings": "own", "kubernetes": "files", "standby": "other-files"}
    assert program.outputs() == {"text": "Hello, Slurm", "providers": providers}
    assert program.up(None, "--expect-no-changes").changes == {}
    program.up({"greeter:whom": "world"})
    assert program.outputs()["text"] == "Hello, world"
    program.destroy()
    assert program.resources() == []
