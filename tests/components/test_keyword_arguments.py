"""Three ways to give the arguments of a component, and what type checkers say of each."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import jedi
import pulumi
import pytest

from devcluster.folders import CHECKOUT, cache_folder
from pulumi_slurm import NodeSetSpec, SlurmCluster, SlurmClusterArgs, SlurmSpec
from tests.components.conftest import Build
from tests.components.loosely import loosely
from tests.doc_blocks import blocks
from tests.stack_configuration import ROOT_KEY
from tools import generate_dicts

SPEC = {"name": "hpc", "node_sets": [{"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}]}
PROGRAMS = [block for block in blocks("program") if block.file.name in ("README.md", "programs.md")]


def test_each_way_makes_the_same(build: Build) -> None:
    def made(*args: Any, **fields: Any) -> Any:
        # Pulumi registers side by side, so what comes first may differ.
        registered = build(lambda: loosely(SlurmCluster)("hpc", *args, **fields))
        return {resource.urn: (resource.inputs, resource.parent, resource.depends_on) for resource in registered}

    by_model = made(SlurmClusterArgs(spec=SlurmSpec.model_validate(SPEC), root_key=ROOT_KEY))
    assert made({"spec": SPEC, "root_key": ROOT_KEY}) == by_model
    assert made(spec=SPEC, root_key=ROOT_KEY) == by_model
    assert made(spec=SlurmSpec.model_validate(SPEC), rootKey=ROOT_KEY) == by_model


@pytest.mark.parametrize(
    ("args", "fields", "message"),
    [
        ((), {}, "spec: this field is required"),
        ((), {"spec": {**SPEC, "name": "Hpc"}}, 'spec.name = "Hpc"'),
        ((), {"spec": SPEC, "poools": []}, 'Did you mean "pools"?'),
        (({"spec": SPEC},), {"pools": []}, "args: other arguments are given by name: pools. Write all in one"),
        ((pulumi.ResourceOptions(),), {"spec": SPEC}, "args: these are options, not arguments. Pass them as opts=..."),
        ((), {"spec": SPEC, "provider": 1}, "provider: this is an option, not an argument. Pass opts=pulumi.Res"),
    ],
)
def test_mistakes_are_named(build: Build, args: tuple[Any, ...], fields: dict[str, Any], message: str) -> None:
    with pytest.raises(pulumi.RunError) as refused:
        build(lambda: loosely(SlurmCluster)("hpc", *args, **fields))
    assert message in str(refused.value)


def test_signatures_have_the_names_of_python() -> None:
    # What `help`, notebooks and completion at run time show.
    of_model, of_component = inspect.signature(NodeSetSpec).parameters, inspect.signature(SlurmCluster).parameters
    assert {"scaling_mode", "slurmd_args"} & {*of_model}
    assert "scalingMode" not in of_model
    assert of_model["name"].default is inspect.Parameter.empty
    NodeSetSpec(name="cpu")
    assert inspect.signature(NodeSetSpec).parameters == of_model
    assert [*of_component][:4] == ["resource_name", "args", "opts", "spec"]


def test_notebooks_complete_the_arguments() -> None:
    def completed(call: str) -> list[str]:
        (signature, *_) = jedi.Interpreter(
            call, [{"NodeSetSpec": NodeSetSpec, "SlurmCluster": SlurmCluster}]
        ).get_signatures()
        return [parameter.name for parameter in signature.params]

    assert completed("SlurmCluster(")[:5] == ["resource_name", "args", "opts", "spec", "pools"]
    assert completed("NodeSetSpec(")[:3] == ["name", "pool", "machine"]


def test_types_of_mappings_are_those_of_the_models() -> None:
    stale = [str(file) for file, text in generate_dicts.files() if file.read_text() != text]
    assert not stale, "run: make generate"


MISTAKES = """\
import pulumi
from pulumi_slurm import NodeSet, SlurmCluster, SlurmClusterArgs

SlurmCluster("hpc")
SlurmCluster("hpc", spec={"name": "hpc", "nodesets": []})
SlurmCluster("hpc", spec={"name": "hpc", "node_sets": [{"name": "cpu", "scaling_mode": "Daemonset"}]})
SlurmCluster("hpc", {"spec": {"name": 1}})
SlurmCluster("hpc", {"spec": {"name": "hpc"}}, create_namespace=False)
SlurmCluster("hpc", spec={"name": "hpc"}, poools=[])
NodeSet("cpu", cluster={"name": "hpc"}, node_set={"name": "cpu", "machine": {"cpus": "many", "memory": "8Gi"}})
"""
GOOD = """\
import pulumi
from pulumi_slurm import NodeSet, NodeSetSpec, NodeSetSpecDict, ScalingMode, SlurmCluster, SlurmClusterArgs, SlurmSpec
from pulumi_slurm.gke import GkeCapacityOptionSpec, GkePoolSpecDict

SlurmCluster("a", SlurmClusterArgs(spec=SlurmSpec(name="a")), pulumi.ResourceOptions())
SlurmCluster("b", {"spec": {"name": "b", "node_sets": [{"name": "cpu", "scaling_mode": "DaemonSet"}]}})
SlurmCluster("c", spec={"name": "c"}, root_key=pulumi.Output.secret("x"), opts=pulumi.ResourceOptions())
NodeSet("d", cluster={"name": "hpc"}, node_set={"name": "cpu", "scaling_mode": ScalingMode.DAEMON_SET})
NodeSetSpec(name="cpu", scaling_mode="DaemonSet", claims_when_deleted="Retain")
GkeCapacityOptionSpec(capacity="spot", host_maintenance="as-needed")


def workers(name: str, cpus: int) -> NodeSetSpecDict:
    return {"name": name, "machine": {"cpus": cpus, "memory": "8Gi"}}


def pool(name: str) -> GkePoolSpecDict:
    return {"name": name, "machine_type": "n2-standard-8"}


SlurmCluster("e", spec={"name": "e", "node_sets": [workers("small", 4), workers("large", 64)]})
"""


def test_type_checkers_take_what_is_right_and_refuse_each_mistake(tmp_path: Path) -> None:
    pages = {f"{block.file.stem}_{block.line}": block.text for block in PROGRAMS}
    programs = {**pages, "good": GOOD, "mistakes": MISTAKES}
    for name, text in programs.items():
        (tmp_path / f"{name}.py").write_text(text)
    cache = cache_folder() / "mypy-programs"
    # As on a user's machine: without the plugin of pydantic, which the project's own configuration has.
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}"]
    files = [f"{name}.py" for name in programs]
    paths = {"MYPYPATH": f"{CHECKOUT / 'components'}:{CHECKOUT / 'stacks'}", "PATH": ""}
    done = subprocess.run([*command, *files], cwd=tmp_path, env=paths, capture_output=True, text=True, check=False)
    found = {line.split(": error:")[0] for line in done.stdout.splitlines() if ": error:" in line and line[0] != "/"}
    wrong = [number for number, line in enumerate(MISTAKES.splitlines(), 1) if number > 3]
    assert found == {f"mistakes.py:{number}" for number in wrong}, done.stdout + done.stderr
