"""A stack of kind `kubernetes` on a cluster that somebody else runs, with the operator on it."""

from pathlib import Path

import yaml

from devcluster.cluster import CONTEXT, Cluster
from devcluster.toolchain import Toolchain
from tests.e2e.conftest import dispose
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.e2e.stack_settings import small

NAME = "existing"


def test_context_and_kubeconfig_of_the_users_choice(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path
) -> None:
    objects.namespace(NAME)
    # Another context is current, so only the one that is named can work.
    data = yaml.safe_load(cluster.kubeconfig.read_text())
    data["contexts"].append({"name": "elsewhere", "context": {"cluster": "elsewhere", "user": "nobody"}})
    data["current-context"] = "elsewhere"
    (tmp_path / "first").write_text("apiVersion: v1\nkind: Config\n")
    (tmp_path / "second").write_text(yaml.safe_dump(data))

    several = Path(f"{tmp_path / 'first'}:{tmp_path / 'second'}")
    program = Program(tools, tmp_path, several, stack="mine", context=CONTEXT)
    settings = {**small(NAME), "slurm:kind": "kubernetes", "slurm:operator": {"preinstalled": True}}
    program.up(settings)
    assert objects.get("StatefulSet", NAME, f"{NAME}-controller")["status"]["readyReplicas"] == 1

    wrong = program.preview({**settings, "slurm:context": "elsewher"}, check=False)
    assert 'slurm:context = "elsewher": the kubeconfig has no such context. Did you mean "elsewhere"?' in wrong.output
    program.configure(settings)
    dispose(program, objects, NAME)
