"""Which cluster each command looks at: the one that its command line names, else the stack's file, else the current."""

import argparse
import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.__main__ import COMMANDS, _module
from tests.slurmd.rest import token
from tests.unit.adopting.chart import objects, record
from tests.unit.commands.stub_kubectl import calls, put_stub_kubectl
from tests.unit.importing.command_line import Result, run
from tests.unit.providers.nodes import node

CONFIG: dict[str, Any] = {
    "slurm:kind": "kubernetes",
    "slurm:rootKey": {"secure": "AAABAI"},
    "slurm:pools": [{"name": "cpu", "machine": {"cpus": 2, "memory": "4Gi"}, "nodeLabels": {"a": "b"}}],
    "slurm:cluster": {
        "name": "c",
        "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 2}],
        "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
        "tokens": [{"name": "admin", "username": "slurm"}],
    },
}
OUTSIDE = {
    "controller": {"external": {"host": "a", "port": 6817}},
    "keys": {name: {"existing": {"name": name, "key": "key"}} for name in ("slurm", "jwt")},
}
SLURM_CONF = "ClusterName=c\nSlurmctldHost=a\nNodeName=n1 CPUs=2\nPartitionName=p Nodes=n1\n"


@dataclass(frozen=True)
class World:
    """A folder with a kubectl, a stack's file and a slurm.conf."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "Pulumi.c.yaml"

    @property
    def slurm_conf(self) -> Path:
        return self.folder / "slurm.conf"

    @property
    def outside(self) -> Path:
        return self.folder / "Pulumi.outside.yaml"

    def write(self, **cluster: str) -> None:
        """Write stacks' files, of which one has slurmctld outside, with keys by which they name their cluster."""
        config = {**CONFIG, **{f"slurm:{name}": value for name, value in cluster.items()}}
        self.file.write_text(yaml.safe_dump({"config": config}))
        config["slurm:cluster"] = {**CONFIG["slurm:cluster"], **OUTSIDE}
        self.outside.write_text(yaml.safe_dump({"config": config}))

    def call(self, command: str, *options: object) -> tuple[Result, list[list[str]]]:
        """Return what a command does, and with which options of a cluster it calls kubectl."""
        done = run(command, *CALLS[command](self), *options)
        asked = calls(self.folder)
        return done, [[word for word in words if word.startswith(("--context", "--kubeconfig"))] for words in asked]


CALLS: Mapping[str, Callable[[World], list[object]]] = {
    "adopt": lambda world: [],
    "check": lambda world: [world.file],
    "check-outside": lambda world: [world.slurm_conf, world.outside],
    "diff": lambda world: [world.slurm_conf, world.slurm_conf],
    "drift": lambda world: [world.file],
    "import": lambda world: [world.slurm_conf],
    "pools": lambda world: [],
    "prove": lambda world: [world.file],
    "rehearse": lambda world: [world.file],
    "render": lambda world: [world.file, "-o", world.folder / "rendered"],
    "status": lambda world: [world.file],
    "review": lambda world: ["--offline", world.file, world.file],
}
"""How each command is called: without files in place of a cluster, where it takes a cluster too."""


def usage(command: str) -> str:
    parser = argparse.ArgumentParser(prog="x", usage=None)
    _module(command).add_arguments(parser)
    return parser.format_usage()


LOOK = sorted(command for command in COMMANDS if "--context" in usage(command))
WITH_FILE = [command for command in LOOK if "Pulumi.<stack>.yaml" in usage(command)]
WRITES: Mapping[str, list[object]] = {
    "adopt": ["-o", "Pulumi.new.yaml"],
    "drift": ["--adopt"],
    "prove": [],
    "rehearse": [],
}
"""By which options commands that look at a cluster write something, into a file or into the cluster."""
HAS = {"context": "of-file", "kubeconfig": "/of/file"}
IS_TOLD = {"context": "told", "kubeconfig": "/told"}
SOME = [(), ("context",), ("kubeconfig",), BOTH := ("context", "kubeconfig")]
WAYS = [*((has, ()) for has in SOME), *((BOTH, told) for told in SOME[1:]), ((), BOTH)]
"""What the file has, and what the command line says."""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World(tmp_path)
    encoded = base64.b64encode(token(b"k", "slurm").encode()).decode()
    items = [*objects({}), record(objects({}, helm=False)), node("n", labels={"pool": "a"})]
    pod = {"containers": [{"name": "slurmctld", "image": "slurmctld:25.11-x"}]}
    put_stub_kubectl(tmp_path, {"kind": "List", "items": items, "data": {"SLURM_JWT": encoded}, "spec": pod})
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    for name in ("SLURM_JWT", "KUBE_CONTEXT"):
        monkeypatch.delenv(name, raising=False)
    world.slurm_conf.write_text(SLURM_CONF)
    world.write()
    return world


def options(told: tuple[str, ...]) -> list[str]:
    return [f"--{name}={IS_TOLD[name]}" for name in told]


def test_all_commands_are_here() -> None:
    assert CALLS.keys() == COMMANDS.keys()
    assert WRITES.keys() <= {*LOOK}
    # The others ask for a file, or a cluster, and have no stack.
    assert {*LOOK} - {*WITH_FILE} == {"adopt", "pools", "review"}


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {*LOOK}))
def test_a_command_that_takes_no_cluster_looks_at_none(world: World, command: str) -> None:
    world.write(**HAS)
    done, asked = world.call(command)
    assert (done.returncode in (0, 1), asked) == (True, []), done.stderr


@pytest.mark.parametrize(("has", "told"), WAYS, ids=str)
@pytest.mark.parametrize("command", WITH_FILE)
def test_a_stack_s_cluster_is_that_of_its_file_unless_the_command_line_names_another(
    world: World, command: str, has: tuple[str, ...], told: tuple[str, ...]
) -> None:
    world.write(**{name: HAS[name] for name in has})
    done, asked = world.call(command, *options(told))
    if not has and not told and command in WRITES and not WRITES[command]:
        assert (done.returncode, asked) == (2, [])
        return
    expected = {**{name: HAS[name] for name in has}, **{name: IS_TOLD[name] for name in told}}
    wanted = [f"--{name}={expected[name]}" for name in HAS if name in expected]
    # A token, slurmrestd and objects; a pod's files, its state, and a namespace; or a script, and the end of jobs.
    # A status asks for pods, and goes on where one is ready.
    assert len(asked) >= (1 if command == "status" else 2), done.stderr
    assert asked == [wanted] * len(asked)


@pytest.mark.parametrize("told", SOME, ids=str)
@pytest.mark.parametrize("command", ["adopt", "pools"])
def test_without_a_stack_the_cluster_is_that_of_the_command_line(
    world: World, command: str, told: tuple[str, ...]
) -> None:
    done, asked = world.call(command, *options(told))
    assert asked
    assert asked == [options(told)] * len(asked)
    config = yaml.safe_load(done.stdout)["config"]
    assert {name: config.get(f"slurm:{name}") for name in HAS} == {
        name: IS_TOLD[name] if name in told else None for name in HAS
    }


@pytest.mark.parametrize("told", SOME, ids=str)
def test_a_review_looks_at_a_cluster_that_the_command_line_names_alone(world: World, told: tuple[str, ...]) -> None:
    world.write(**HAS)
    base = world.file.read_text()
    world.file.write_text(base.replace("replicas: 2", "replicas: 3"))
    (world.folder / "base").mkdir()
    (world.folder / "base" / "Pulumi.c.yaml").write_text(base)
    done = run("review", "--offline", world.folder / "base" / "Pulumi.c.yaml", world.file, *options(told))
    asked = [[word for word in words if word.startswith(("--context", "--kube"))] for words in calls(world.folder)]
    assert asked == [options(told)] * (2 if told else 0), done.stderr


@pytest.mark.parametrize("command", WRITES)
def test_nothing_is_written_of_a_cluster_that_nobody_names(world: World, command: str) -> None:
    before = {file: file.read_bytes() for file in world.folder.iterdir()}
    done, asked = world.call(command, *WRITES[command])
    assert (done.returncode, done.stdout, asked) == (2, "", [])
    assert done.stderr.endswith("--context, as `kubectl config get-contexts` lists them\n")
    assert {file: file.read_bytes() for file in world.folder.iterdir()} == before
    # Of a cluster that is named, something is.
    _, asked = world.call(command, "--context=told", *WRITES[command])
    assert asked


def test_a_stack_that_makes_its_own_cluster_names_none_that_kubectl_knows(world: World) -> None:
    done = run("drift", CHECKOUT / "Pulumi.gke.yaml", "--adopt")
    assert (done.returncode, calls(world.folder)) == (2, [])
    assert "Pulumi.gke.yaml: it names no cluster, and the current one can be any. Write --context, as" in done.stderr


def test_the_file_s_kubeconfig_is_that_of_the_stack(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for written, meant in {"~/k": "/home/me/k", "k": str(tmp_path / "k"), "/k": "/k"}.items():
        world.write(kubeconfig=written)
        _, asked = world.call("drift")
        assert asked[0] == [f"--kubeconfig={meant}"]


@pytest.mark.parametrize("command", LOOK)
def test_the_environment_names_the_cluster_as_for_the_stack(
    world: World, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBE_CONTEXT", "of-environment")
    _, asked = world.call(command)
    assert asked == [["--context=of-environment"]] * len(asked)
    assert bool(asked) == (command != "review")
