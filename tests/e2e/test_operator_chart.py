"""SlinkyOperator: the operator's own charts, on an embedded cluster that has no operator.

Pods run nothing there, so neither cert-manager nor the webhook answers. What is proved is that the charts are accepted,
become ready, stay as they are and go again.
"""

import json
from collections.abc import Iterator

import pytest

from devcluster.api import ApiError
from devcluster.cluster import Cluster
from devcluster.folders import CHECKOUT
from devcluster.slurm_operator import load
from devcluster.toolchain import Toolchain
from tests.e2e.objects import Key, Objects
from tests.e2e.program import Program
from tests.e2e.waiting import eventually, eventually_nothing

NAMESPACE = "slinky"
MAIN = f"""
import json, sys
from pathlib import Path

sys.path.insert(0, {str(CHECKOUT / "components")!r})

import pulumi
import pulumi_kubernetes as k8s
from pulumi_slurm import SlinkyOperator

provider = k8s.Provider("kubernetes", cluster_identifier="embedded")
args = json.loads((Path(__file__).parent / "operator.json").read_text())
SlinkyOperator("slinky", args, pulumi.ResourceOptions(provider=provider))
"""


@pytest.fixture(scope="module")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    own = Cluster(tmp_path_factory.mktemp("bare-cluster"), tools, operator=None)
    own.start()
    api = own.api
    for crd in load(sorted((tools.path("charts") / "cert-manager" / "crds").glob("*.yaml"))):
        api.apply(crd)
    kinds = Objects(api)

    def served() -> bool:
        try:
            return {"Certificate", "Issuer"} <= kinds.kinds().keys()
        except ApiError as error:
            # A group is listed a moment before its kinds are served.
            if error.status != 404:
                raise
            return False

    eventually("cert-manager's kinds", served)
    yield own
    own.stop()


def is_slinky_crd(key: Key) -> bool:
    return key[0].startswith("CustomResourceDefinition") and key[2].endswith(".slinky.slurm.net")


@pytest.mark.parametrize("retain", [False, True])
def test_the_charts_come_stay_and_go(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory, retain: bool
) -> None:
    charts = tools.path("charts") / "slurm-operator-1.1.0" / "helm"
    args = {
        "version": "1.1.0",
        "operatorChart": str(charts / "slurm-operator"),
        "crdsChart": str(charts / "slurm-operator-crds"),
        "installCertManager": False,
        "retainCrds": retain,
    }
    source = {
        "__main__.py": MAIN,
        "Pulumi.yaml": "name: operator\nruntime: python\n",
        "operator.json": json.dumps(args),
    }
    program = Program(tools, tmp_path_factory.mktemp("operator"), cluster.kubeconfig, source=source)
    before = objects.uids()

    program.up()
    deployments = {item["metadata"]["name"]: item for item in objects.all("Deployment", NAMESPACE)}
    assert deployments.keys() == {"slurm-operator", "slurm-operator-webhook"}
    assert all(item["status"]["readyReplicas"] == item["spec"]["replicas"] for item in deployments.values())
    assert len([key for key in objects.uids() if is_slinky_crd(key)]) == 6
    assert program.up(None, "--expect-no-changes").changes == {}

    program.destroy()
    kept = {key for key in objects.uids() if is_slinky_crd(key)}
    assert len(kept) == (6 if retain else 0)
    if retain:
        # With CRDs there is an API group, which Kubernetes lists among its objects.
        kept.add(("APIService.apiregistration.k8s.io", "", "v1beta1.slinky.slurm.net"))
    eventually_nothing("something is left", lambda: objects.uids().keys() - kept - before.keys())
    assert objects.uids().items() >= before.items()
