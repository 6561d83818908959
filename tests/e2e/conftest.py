"""The real engine, API server and operator: one embedded cluster for the session, one Pulumi home per stack."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain, ensure
from tests.e2e.objects import Objects
from tests.e2e.program import Program, without_pulumi_settings
from tests.e2e.release_crds import install, remove
from tests.e2e.remaining_objects import check_nothing_left


@pytest.fixture(scope="session")
def tools() -> Toolchain:
    without_pulumi_settings()
    return ensure()


@pytest.fixture(scope="session")
def shared_cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), tools)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="module")
def cluster(shared_cluster: Cluster) -> Cluster:
    """The session's cluster, whole again if a test before has broken it."""
    if not shared_cluster.running:
        shared_cluster.start()
    return shared_cluster


@pytest.fixture(scope="module")
def objects(cluster: Cluster) -> Objects:
    return Objects(cluster.api)


@pytest.fixture(scope="module")
def release_crds(objects: Objects) -> Iterator[None]:
    """The schemas of the operator's other releases, see `tests.e2e.release_crds`."""
    names = install(objects)
    yield
    remove(objects, names)


class NewProgram(Protocol):
    """Makes a program whose cluster and namespace have the given name; it is destroyed at the end of the test."""

    def __call__(self, name: str, **options: Any) -> Program: ...


@pytest.fixture
def new_program(tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path) -> Iterator[NewProgram]:
    programs: dict[str, Program] = {}

    def make(name: str, **options: Any) -> Program:
        objects.namespace(name)
        programs[name] = Program(tools, tmp_path / name, options.pop("kubeconfig", cluster.kubeconfig), **options)
        return programs[name]

    yield make
    for name, program in programs.items():
        dispose(program, objects, name)


@pytest.fixture(scope="module")
def module_program(
    request: pytest.FixtureRequest,
    tools: Toolchain,
    cluster: Cluster,
    objects: Objects,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Program]:
    """One program for all tests of a module; its cluster and namespace have the name that the module gives as NAME."""
    name: str = request.module.NAME
    objects.namespace(name)
    program = Program(tools, tmp_path_factory.mktemp(name), cluster.kubeconfig)
    yield program
    dispose(program, objects, name)


def dispose(program: Program, objects: Objects, namespace: str) -> None:
    """Destroy a stack, see that nothing of it is left, and remove the namespace that the test made for it."""
    program.engine.release()
    program.destroy()
    check_nothing_left(objects, namespace)
    objects.delete("Namespace", None, namespace)
