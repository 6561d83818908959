"""The examples in other languages on the embedded cluster, and what a program in each is told about its mistakes."""

import base64
import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest
import yaml

from devcluster.cluster import Cluster
from devcluster.parts import ENGINE_PARTS, SDK_GENERATOR, YAML
from devcluster.toolchain import Toolchain, ensure
from tests.e2e.objects import Objects
from tests.e2e.other_languages import (
    EXAMPLES,
    HOSTS,
    compile_go,
    find_npm,
    installed_packages,
    source,
)
from tests.e2e.program import Program
from tests.e2e.secret_values import leaks, secret_values

PROGRAMS = Path(__file__).parent / "languages"
MISTAKES = PROGRAMS / "mistakes.json"
NAME = "hpc"
"""The namespace of the examples' clusters."""
ANOTHER_LANGUAGE = pytest.mark.repeats("tests/e2e/test_other_languages.py, from YAML")
WHOLE_CLUSTER = 25
"""Lines at most of a program in YAML for a whole cluster."""
REASONS = (
    "SlurmClusterArgs has 11 errors:",
    "property spec.name with value '{Hpc Cluster}' has a problem: Kubernetes would refuse this name. Use lower-case",
    "property spec.operatorVersion with value '{0.9.0}' has a problem: this release of slurm-operator is not known",
    "property spec.slurmVersion with value '{19.05}' has a problem: this Slurm version is not known here. Write one of",
    "property spec.nodeSets[0].machine.memory with value '{57 GB}' has a problem: this is not a Kubernetes quantity.",
    "property spec.nodeSets[0].replicas with value '{-1}' has a problem: this is too small. Write 0 or more.",
    "property spec.nodeSets[1].name with value '{GPU_1}' has a problem: Kubernetes would refuse this name. Use lower-",
    "property spec.nodeSets[1].machine.cpus with value '{0}' has a problem: this is too small. Write 1 or more.",
    "property spec.nodeSets[1].weight with value '{-5}' has a problem: this is too small. Write 0 or more.",
    "property spec.partitions[0].maxTime with value '{soon}' has a problem: this is not a time that Slurm reads. Write",
    "property spec.partitions[0].defMemPerCpu with value '{lots}' has a problem: this is not an amount of memory that",
    "property pools[0].taints[0].key with value '{gpu present}' has a problem: Kubernetes would refuse this key. Write",
)


@pytest.fixture(autouse=True)
def _embedded(tools: Toolchain) -> None:
    if tools.official:
        pytest.skip("an official pulumi makes the plugin's environment by itself")


@pytest.fixture(scope="module")
def more_tools() -> Toolchain:
    """What is built on demand, and the engine; both at once, since they share Go's library."""
    return ensure([*ENGINE_PARTS, YAML, SDK_GENERATOR])


@pytest.fixture(scope="module")
def packages(more_tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what programs in TypeScript use, the SDK in it."""
    folder = tmp_path_factory.mktemp("packages")
    installed_packages(more_tools, find_npm(), folder)
    return folder


class NewProgram(Protocol):
    """Makes a program in another language, which is destroyed at the end of the test."""

    def __call__(self, name: str, files: Mapping[str, str], **options: Any) -> Program: ...


@pytest.fixture
def new_program(more_tools: Toolchain, cluster: Cluster, tmp_path: Path) -> Iterator[NewProgram]:
    programs: list[Program] = []

    def make(name: str, files: Mapping[str, str], **options: Any) -> Program:
        program = Program(more_tools, tmp_path / name, cluster.kubeconfig, source=files, plugins=[HOSTS], **options)
        programs.append(program)
        return program

    yield make
    for program in reversed(programs):
        program.engine.release()
        program.destroy()


def with_packages(program: Program, packages: Path) -> Program:
    for name in ("node_modules", "sdks"):
        (program.folder / name).symlink_to(packages / name)
    return program


@pytest.mark.repeats("tests/clouds/test_gke_examples.py, with a Kubernetes cluster that exists")
def test_a_cluster_in_yaml_and_a_node_set_in_typescript(
    new_program: NewProgram, packages: Path, objects: Objects
) -> None:
    files = source(EXAMPLES / "yaml_cluster")
    assert len(files["Pulumi.yaml"].splitlines()) <= WHOLE_CLUSTER
    cluster = new_program("cluster", files)
    cluster.up()
    assert cluster.up(None, "--expect-no-changes").changes == {}
    assert objects.names("NodeSet", NAME) == {"hpc-worker-cpu"}

    gpus = new_program("gpus", source(EXAMPLES / "typescript_node_set"), stack="gpus")
    with_packages(gpus, packages)
    # A stack reference looks into the backend that its own stack has.
    gpus.home = cluster.home
    gpus.up({"hpc-gpus:cluster": f"organization/hpc/{cluster.stack}"})
    assert gpus.outputs() == {"slurmName": "gpu"}
    assert gpus.up(None, "--expect-no-changes").changes == {}
    assert objects.names("NodeSet", NAME) == {"hpc-worker-cpu", "hpc-worker-gpu"}
    assert cluster.up(None, "--expect-no-changes").changes == {}

    gpus.destroy()
    assert objects.names("NodeSet", NAME) == {"hpc-worker-cpu"}
    cluster.destroy()
    assert cluster.resources() == []


@pytest.mark.repeats("tests/e2e/test_other_languages.py, with a whole cluster in TypeScript")
def test_a_cluster_in_typescript_keeps_its_secret(new_program: NewProgram, packages: Path, objects: Objects) -> None:
    cluster = new_program("cluster", source(EXAMPLES / "typescript_cluster"))
    with_packages(cluster, packages)
    key = base64.b64encode(secrets.token_bytes(32)).decode()
    cluster.configure({})
    cluster.run("config", "set", "--secret", "hpc:rootKey", key)
    cluster.run("up", "--yes", "--skip-preview")
    assert cluster.run("up", "--yes", "--skip-preview", "--expect-no-changes").changes == {}
    assert objects.names("NodeSet", NAME) == {"hpc-worker-cpu"}
    files = {str(file): file.read_bytes() for file in cluster.state.rglob("*") if file.is_file()}
    assert leaks(files, secret_values(key, NAME)) == []
    cluster.destroy()


def mistakes(folder: str) -> dict[str, str]:
    """Return the files of a program with the cluster in mistakes.json."""
    return {**source(PROGRAMS / folder), "mistakes.json": MISTAKES.read_text()}


def check_refusal(program: Program) -> None:
    run = program.preview(check=False)
    assert run.code, str(run)
    assert "Traceback" not in run.output, str(run)
    assert [reason for reason in REASONS if reason not in run.output] == [], str(run)


def test_mistakes_from_yaml(new_program: NewProgram) -> None:
    cluster = {"type": "slurm:SlurmCluster", "properties": json.loads(MISTAKES.read_text())}
    project = {**yaml.safe_load(source(EXAMPLES / "yaml_cluster")["Pulumi.yaml"]), "resources": {"hpc": cluster}}
    check_refusal(new_program("mistakes", {"Pulumi.yaml": json.dumps({**project, "outputs": {}})}))


@ANOTHER_LANGUAGE
def test_mistakes_from_typescript(new_program: NewProgram, packages: Path) -> None:
    program = new_program("mistakes", source(EXAMPLES / "typescript_cluster") | mistakes("mistakes_in_typescript"))
    with_packages(program, packages)
    check_refusal(program)


@ANOTHER_LANGUAGE
def test_mistakes_from_go(new_program: NewProgram, more_tools: Toolchain) -> None:
    program = new_program("mistakes", source(EXAMPLES / "go_operator") | mistakes("mistakes_in_go"))
    compile_go(more_tools, PROGRAMS / "mistakes_in_go", program.folder)
    check_refusal(program)
