"""Components by the plugin `slurm`, as the engine makes them for a program in any language.

The program is in Python, and asks the engine for each as generated SDKs do: it knows token and arguments alone.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from devcluster.parts import ENGINE_PARTS, SDK_GENERATOR
from devcluster.toolchain import Toolchain, ensure
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.e2e.secret_values import leaks, secret_values
from tests.e2e.stack_settings import CPU_POOL, small
from tools.package_schema import FILE

NAME = "remote"
MAIN = """
import json
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s


class Remote(pulumi.ComponentResource):
    def __init__(self, kind, name, inputs, outputs, opts):
        inputs = {**dict.fromkeys(outputs), **inputs}
        super().__init__(f"slurm:index:{kind}", name, inputs, opts, remote=True)


provider = k8s.Provider("kubernetes", enable_secret_mutable=True, cluster_identifier="embedded")
opts = pulumi.ResourceOptions(providers=[provider])
args = json.loads((Path(__file__).parent / "cluster.json").read_text())
"""
CLUSTER = """
args["rootKey"] = pulumi.Config("slurm").require_secret("rootKey")
cluster = Remote("SlurmCluster", "hpc", args, ["restUrl", "namespace", "keySecrets"], opts)
pulumi.export("restUrl", cluster.restUrl)
pulumi.export("keySecrets", cluster.keySecrets)
token = {"cluster": {"name": NAME, "namespace": cluster.namespace, "operatorVersion": "1.1.0"}}
token["token"] = {"name": "ci", "username": "slurm"}
Remote("Token", "ci", token, ["secretName"], pulumi.ResourceOptions(providers=[provider], depends_on=[cluster]))
"""
UNKNOWN = """
made = k8s.core.v1.ConfigMap("made", metadata={"namespace": "default"}, opts=pulumi.ResourceOptions(provider=provider))
args["spec"]["nodeSets"][0]["replicas"] = made.id
Remote("SlurmCluster", "hpc", args, [], opts)
"""
WRONG_KEY = """
args["rootKey"] = pulumi.Output.secret("HUNTER2")
Remote("SlurmCluster", "hpc", args, [], opts)
"""
TWICE = """
others = pulumi.ResourceOptions(providers=[PROVIDER])
Remote("SlurmCluster", "one", args, [], opts)
Remote("SlurmCluster", "two", {**args, "spec": {**args["spec"], "name": "two"}}, [], others)
"""
MISTAKES = """
Remote("SlurmCluster", "hpc", args, [], opts)
"""
WRONG: dict[str, Any] = {
    "spec": {
        "name": "Hpc Cluster",
        "namespace": NAME,
        "operatorVersion": "0.9.0",
        "nodeSets": [
            {"name": "cpu", "pool": "cpu", "replicas": -1},
            {"name": "gpu", "machine": {"cpus": 1.5, "memory": "8 GB"}, "scalingMode": "Daemonset"},
            {"name": "old", "machine": "big", "replcas": 2},
        ],
        "partitions": [{"name": "main", "nodeSets": "ALL", "maxTime": "soon"}],
    },
    "pools": [{**CPU_POOL, "taints": [{"key": "gpu", "effect": "Never"}]}],
}
REASONS = (
    "SlurmClusterArgs has 11 errors:",
    "property spec.name with value '{Hpc Cluster}' has a problem: Kubernetes would refuse this name. Use lower-case",
    "property spec.operatorVersion with value '{0.9.0}' has a problem: this release of slurm-operator is not known",
    "property spec.nodeSets[0].replicas with value '{-1}' has a problem: this is too small. Write 0 or more.",
    "property spec.nodeSets[1].machine.cpus with value '{1.5}' has a problem: this is not a whole number. Write a",
    "property spec.nodeSets[1].machine.memory with value '{8 GB}' has a problem: this is not a Kubernetes quantity.",
    "property spec.nodeSets[1].scalingMode with value '{Daemonset}' has a problem: this is not one of the",
    "property spec.nodeSets[2].machine  has a problem: this is not a mapping. Write a mapping of field names",
    'property spec.nodeSets[2].replcas  has a problem: there is no such field. Did you mean "replicas"?',
    "property spec.partitions[0].maxTime with value '{soon}' has a problem: this is not a time that Slurm reads. Write",
    "property spec.partitions[0].nodeSets with value '{ALL}' has a problem: this is not a list. Write a list.",
    "property pools[0].taints[0].effect with value '{Never}' has a problem: this is not one of the choices. Write",
)


@pytest.fixture
def program(new_program: NewProgram, tmp_path: Path) -> Program:
    source = {"__main__.py": MAIN, "Pulumi.yaml": f"name: {NAME}\nruntime: python\n", "cluster.json": ""}
    plugin = tmp_path / "plugins" / "pulumi-resource-slurm"
    plugin.parent.mkdir()
    made = new_program(NAME, source=source, plugins=[plugin.parent])
    plugin.write_text(f'#!/bin/sh\nexec {made.python} {CHECKOUT / "provider"} "$@"\n')
    plugin.chmod(0o755)
    return made


def write(program: Program, code: str, args: dict[str, Any]) -> None:
    (program.folder / "__main__.py").write_text(MAIN + code.replace("NAME", repr(NAME)))
    (program.folder / "cluster.json").write_text(json.dumps(args))


def refused(program: Program, code: str, args: dict[str, Any]) -> str:
    """Return what the engine says of a program in a preview that fails."""
    write(program, code, args)
    run = program.preview(check=False)
    assert run.code, str(run)
    # Pulumi's SDK for Python shows one of its own in the end, that the engine is gone.
    told, _, _ = run.output.partition("Program failed with an unhandled exception")
    assert "Traceback" not in told, str(run)
    # The engine says where its language host is, which is in the checkout too.
    assert str(CHECKOUT / "components") not in run.output, str(run)
    return run.output


@pytest.mark.repeats("tests/e2e/test_other_languages.py, with accounting, a token and a change")
def test_components_are_made_changed_and_removed_for_a_program_that_knows_tokens_alone(
    program: Program, objects: Objects
) -> None:
    spec = small(NAME, accounting={})["slurm:cluster"]
    args = {"spec": spec, "pools": [CPU_POOL], "createNamespace": False}
    write(program, CLUSTER, args)
    program.up()
    assert program.up().changes == {}
    assert objects.get("StatefulSet", NAME, f"{NAME}-controller")["status"]["readyReplicas"] == 1
    assert program.outputs()["restUrl"].startswith("http://")
    assert program.outputs()["keySecrets"]["slurm"]

    made = {resource["urn"].partition("::remote::")[2]: resource for resource in program.resources()}
    assert "slurm:index:SlurmCluster::hpc" in made
    (node_set,) = [resource for urn, resource in made.items() if urn.endswith(":NodeSet::hpc-cpu-nodeset")]
    assert "pulumi:providers:kubernetes::kubernetes::" in node_set["provider"]

    files = {str(file): file.read_bytes() for file in program.state.rglob("*") if file.is_file()}
    assert leaks(files, secret_values(program.root_key(), NAME)) == []

    spec["nodeSets"][0]["replicas"] = 2
    write(program, CLUSTER, args)
    assert program.up().replaced == set()
    assert objects.get("StatefulSet", NAME, f"{NAME}-controller")["status"]["readyReplicas"] == 1


@pytest.mark.repeats("tests/e2e/test_cluster_name.py, by the plugin")
def test_another_name_than_that_of_the_state_is_refused_here_too(program: Program) -> None:
    spec = small(NAME)["slurm:cluster"]
    args = {"spec": spec, "pools": [CPU_POOL], "createNamespace": False}
    write(program, CLUSTER, args)
    program.up()
    spec["clusterName"] = "other"
    assert f'clusterName = "other": the volume has the state of "{NAME}"' in refused(program, CLUSTER, args)


@pytest.mark.repeats("tests/components/test_component_provider.py, with the engine")
def test_mistakes_are_told_in_the_output_of_the_engine(program: Program) -> None:
    output = refused(program, MISTAKES, WRONG)
    assert [reason for reason in REASONS if reason not in output] == [], output

    right = {"spec": small(NAME)["slurm:cluster"], "pools": [CPU_POOL]}
    output = refused(program, UNKNOWN, right)
    assert "spec.nodeSets[0].replicas  has a problem: its value isn't known before other resources are made" in output
    output = refused(program, WRONG_KEY, right)
    assert "rootKey: this is not the base64 form of 32 bytes. Pass the stack's secret slurm:rootKey." in output
    assert "HUNTER2" not in output


@pytest.mark.repeats("tests/e2e/test_namespaces.py, by the plugin")
def test_two_clusters_of_a_program_share_no_namespace(program: Program) -> None:
    args = {"spec": small(NAME)["slurm:cluster"], "pools": [CPU_POOL], "createNamespace": False}
    output = refused(program, TWICE.replace("PROVIDER", "provider"), args)
    assert f"property spec.namespace with value '{{{NAME}}}' has a problem: the Slurm cluster " in output
    assert "is in this namespace too" in output
    # Another provider is another Kubernetes cluster, as far as anybody knows before an update.
    write(program, TWICE.replace("PROVIDER", 'k8s.Provider("other", cluster_identifier="other")'), args)
    program.preview()


@pytest.mark.parametrize(
    ("language", "file"),
    [("nodejs", "slurmCluster.ts"), ("go", "slurm/slurmCluster.go"), ("python", "pulumi_slurm_slurm/slurm_cluster.py")],
)
def test_pulumi_generates_an_sdk_of_the_schema(tools: Toolchain, tmp_path: Path, language: str, file: str) -> None:
    generator = ensure([*ENGINE_PARTS, SDK_GENERATOR]).binary("generate-sdk")
    done = subprocess.run([generator, language, FILE, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "slurm:index:SlurmCluster" in (tmp_path / file).read_text()
