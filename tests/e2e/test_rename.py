"""A program that uses the package by itself, and then renames its component."""

import json

from devcluster.folders import CHECKOUT
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Objects, uid
from tests.e2e.stack_settings import CPU_POOL, small

NAME = "rename"
MAIN = f"""
import json, sys
from pathlib import Path

sys.path.insert(0, {str(CHECKOUT / "components")!r})

import pulumi
import pulumi_kubernetes as k8s
from pulumi_slurm import SlurmCluster

provider = k8s.Provider("kubernetes", enable_secret_mutable=True, cluster_identifier="embedded")
args = json.loads((Path(__file__).parent / "cluster.json").read_text())
SlurmCluster("OLD", args, pulumi.ResourceOptions(provider=provider))
"""
RENAMED = MAIN.replace('"OLD"', '"NEW"').replace(
    "provider=provider", 'provider=provider, aliases=[pulumi.Alias(name="OLD")]'
)


def test_a_renamed_component_keeps_its_objects(new_program: NewProgram, objects: Objects) -> None:
    cluster = small(NAME, accounting={}, tokens=[{"name": "admin", "username": "slurm"}])["slurm:cluster"]
    args = {"spec": cluster, "pools": [CPU_POOL], "createNamespace": False}
    source = {
        "__main__.py": MAIN,
        "Pulumi.yaml": f"name: {NAME}\nruntime: python\n",
        "cluster.json": json.dumps(args),
    }
    program = new_program(NAME, source=source)
    program.up()
    before = {key: uid(item) for key, item in objects.everything(NAME).items()}

    (program.folder / "__main__.py").write_text(RENAMED)
    # What the place of the cluster in its namespace belongs to has another name now.
    assert program.preview().changes == {"update": 1}
    assert program.up().resources("update") == {"NEW-only-cluster"}
    assert program.preview(None, "--refresh", "--expect-no-changes").changes == {}
    names = {resource["urn"].rpartition("::")[2] for resource in program.resources()}
    assert "NEW-cpu-nodeset" in names
    assert not any(name.startswith("OLD") for name in names)
    assert {key: uid(item) for key, item in objects.everything(NAME).items()} == before
