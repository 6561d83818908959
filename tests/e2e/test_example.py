"""Programs of somebody else's, with the package from its built wheel in an environment of its own."""

import sys
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.engine import Engine
from devcluster.environments import Packages, environment
from devcluster.folders import CHECKOUT
from devcluster.toolchain import Toolchain
from tests.commands import run
from tests.doc_blocks import blocks
from tests.e2e.conftest import dispose
from tests.e2e.objects import Objects
from tests.e2e.other_languages import for_the_operator_here
from tests.e2e.program import Program
from tests.e2e.remaining_objects import check_nothing_left
from tests.e2e.stack_settings import small

EXAMPLE = CHECKOUT / "examples" / "existing_cluster"
NAME = "wheel"


class Installed(Program):
    """A program whose Python has nothing but the wheel and what it requires."""

    python: Path

    @property
    def engine(self) -> Engine:
        engine = super().engine
        engine.env["PATH"] = f"{self.python.parent}:{engine.env['PATH']}"
        engine.env.pop("PYTHONPATH", None)
        return engine


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with nothing but the wheel and what it requires.

    The requirements are those of the programs' lock, and are taken from where they are installed already.
    """
    folder = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(*pip, "--wheel-dir", folder / "wheel", CHECKOUT)
    (wheel,) = (folder / "wheel").glob("*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    ours, theirs = map(site_packages, (python, environment(Packages.BASE)))
    (ours / "requirements.pth").write_text(f"{theirs}\n")
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
    run(python, "-m", "pip", "check")
    return python


def site_packages(python: Path) -> Path:
    (folder,) = python.parent.parent.glob("lib/python*/site-packages")
    return folder


def test_the_example_runs_from_the_built_wheel(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path, python: Path
) -> None:
    source = {name: for_the_operator_here((EXAMPLE / name).read_text()) for name in ("__main__.py", "Pulumi.yaml")}
    assert len(source["__main__.py"].splitlines()) < 20
    program = Installed(tools, tmp_path / "program", cluster.kubeconfig, stack="dev", source=source)
    program.python = python
    program.configure({})
    program.up()
    assert program.outputs() == {"partitions": ["main"]}
    assert objects.get("StatefulSet", "example", "example-controller")["status"]["readyReplicas"] == 1
    program.destroy()
    check_nothing_left(objects, "example")


def test_a_stack_runs_from_the_built_wheel(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path, python: Path
) -> None:
    (program_of_two_lines,) = [block.text for block in blocks("stacks")]
    objects.namespace(NAME)
    source = {"__main__.py": program_of_two_lines, "Pulumi.yaml": (CHECKOUT / "Pulumi.yaml").read_text()}
    program = Installed(tools, tmp_path / "program", cluster.kubeconfig, source=source)
    program.python = python
    program.up(small(NAME))
    assert program.outputs()["namespace"] == NAME
    assert objects.get("StatefulSet", NAME, f"{NAME}-controller")["status"]["readyReplicas"] == 1
    dispose(program, objects, NAME)
