"""One cluster with nodes that run pods, and one Slurm cluster on it, for all tests of this folder.

A test begins with the configuration of `Pulumi.local.yaml`: the cluster is brought back to it where a test before has
changed it. One with the marker ``from_any_settings`` begins with what it finds, and with an update of its own, since it
compares nothing with what was before; that saves the way back and forth. Each leaves the cluster able to run jobs.

Those in `own_cluster/` have clusters of their own. Where the machine can't have such nodes, the tests fail in CI and
are skipped elsewhere, with what is missing.
"""

import contextlib
import copy
import json
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster import node_choice
from devcluster.cluster import Cluster
from devcluster.login import Login
from devcluster.real_nodes import DEFAULT_REAL_NODES, remove_cgroups
from devcluster.toolchain import Toolchain, ensure
from pulumi_slurm_cli.proof import Verdict
from tests.e2e.objects import Objects
from tests.e2e.program import Program, without_pulumi_settings
from tests.jobs.slurm import Daemons, Slurm
from tests.shipped_stacks import shipped
from tests.unit.importing.command_line import run

Settings = dict[str, Any]
Proof = Callable[..., dict[str, list[dict[str, Any]]]]
"""Proves the cluster; returns what the steps came to by verdict."""


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Toolchain:
    missing = node_choice.obstacles(tmp_path_factory.mktemp("choice"))
    if missing and os.environ.get("CI"):
        pytest.fail("real nodes cannot run here: " + "; ".join(missing), pytrace=False)
    if missing:
        pytest.skip("real nodes cannot run here: " + "; ".join(missing))
    without_pulumi_settings()
    return ensure()


@contextlib.contextmanager
def running(cluster: Cluster) -> Iterator[Cluster]:
    """Start a cluster, and leave nothing of it behind."""
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        remove_cgroups(cluster.folder)


@pytest.fixture(scope="session")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(Cluster(tmp_path_factory.mktemp("nodes"), tools, nodes=(), real_nodes=DEFAULT_REAL_NODES)) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def objects(cluster: Cluster) -> Objects:
    return Objects(cluster.api)


@pytest.fixture(scope="session")
def program(tools: Toolchain, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tools, tmp_path_factory.mktemp("jobs"), cluster.kubeconfig)
    program.up(shipped("local"))
    return program


@pytest.fixture(scope="session")
def slurm_with_any_settings(cluster: Cluster, program: Program) -> Slurm:
    """Slurm as the user sees it, once the stack is up."""
    login = Login(cluster)
    login.add_user()
    return Slurm(cluster, "slurm", login)


@pytest.fixture
def slurm(request: pytest.FixtureRequest, program: Program, slurm_with_any_settings: Slurm) -> Slurm:
    """The same with the shipped configuration, unless the test begins with any."""
    slurm = slurm_with_any_settings
    if program.settings != shipped("local") and not request.node.get_closest_marker("from_any_settings"):
        program.engine.release()
        program.up(shipped("local"))
        slurm.wait_for_pods()
        slurm.wait_for_nodes({"cpu-0": "idle", "cpu-1": "idle", "gpu-0": "idle"})
    return slurm


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a failure how Slurm was at that time."""
    report = yield
    slurm = getattr(item, "funcargs", {}).get("slurm")
    if report.failed and isinstance(slurm, Daemons):
        try:
            seen = slurm.seen()
        except Exception as error:
            seen = f"nothing: {error!r}"
        report.sections.append(("Slurm at that time", seen))
    return report


@pytest.fixture
def settings() -> Settings:
    """The shipped configuration, to be changed by a test."""
    return copy.deepcopy(shipped("local"))


@pytest.fixture
def changed(program: Program, slurm: Slurm) -> Iterator[Program]:
    """The program for a test that changes the configuration."""
    yield program
    slurm.cancel_all()


@pytest.fixture
def long_job(slurm: Slurm) -> Iterator[int]:
    """A job on the node cpu-0 that runs longer than any test."""
    job = slurm.submit("sleep 3600", "-w", "cpu-0")
    slurm.wait_for(job, "RUNNING")
    yield job
    slurm.cancel_all()


@pytest.fixture
def proof(cluster: Cluster, slurm: Slurm, settings: Settings, tmp_path: Path) -> Proof:
    """Prove the cluster; return what the steps came to by verdict."""

    def proved(wanted: Settings | None = None, *arguments: str) -> dict[str, list[dict[str, Any]]]:
        file = tmp_path / "Pulumi.local.yaml"
        file.write_text(yaml.safe_dump({"config": wanted or settings}))
        done = run("prove", file, "--kubeconfig", cluster.kubeconfig, "--json", *arguments)
        assert done.returncode in (0, 1), done.stderr
        results = json.loads(done.stdout)["results"]
        assert done.returncode == int(any(one["verdict"] in ("FAIL", "SLOW") for one in results))
        return {verdict: [one for one in results if one["verdict"] == verdict] for verdict in Verdict}

    return proved
