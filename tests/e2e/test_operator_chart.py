"""SlinkyOperator and Keda: the operators' own charts, on an embedded cluster that has no operator.

Pods run nothing there, so neither cert-manager nor a webhook answers. What is proved is that the charts are accepted,
become ready, stay as they are and go again, and whose registries their images come from.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.api import ApiError
from devcluster.cluster import CONTEXT, Cluster
from devcluster.folders import CHECKOUT
from devcluster.parts import ENGINE_PARTS, SDK_GENERATOR
from devcluster.slurm_operator import load
from devcluster.toolchain import Toolchain, ensure
from tests.doc_blocks import blocks, settings as doc_settings
from tests.e2e.objects import Key, Object, Objects
from tests.e2e.other_languages import EXAMPLES, HOSTS, compile_go, source
from tests.e2e.program import Program
from tests.waiting import eventually, eventually_nothing

NAMESPACE = "slinky"
CRD_RESYNC = 300
"""Seconds after which an API server looks again at a CRD that it has lost on the way to its end.

`NewSharedInformerFactory` in pkg/apiserver/apiserver.go of apiextensions-apiserver, v0.35.4.
"""
GONE = pytest.mark.repeats("tests/e2e/test_operator_chart.py, of KEDA's CRDs")
EMBEDDED_OF_KEDA = {"scaledobjects.keda.sh", "triggerauthentications.keda.sh"}
"""The kinds of KEDA's that embedded clusters have from their beginning."""
MAIN = f"""
import json, sys
from pathlib import Path

sys.path.insert(0, {str(CHECKOUT / "components")!r})

import pulumi
import pulumi_kubernetes as k8s
import pulumi_slurm

provider = k8s.Provider("kubernetes", cluster_identifier="embedded")
before = []
for component, args in json.loads((Path(__file__).parent / "operators.json").read_text()).items():
    opts = pulumi.ResourceOptions(provider=provider, depends_on=before)
    before = [getattr(pulumi_slurm, component)(component.lower(), args, opts)]
"""


@pytest.fixture(scope="module")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    own = Cluster(tmp_path_factory.mktemp("bare-cluster"), tools, operator=None)
    try:
        own.start()
        api = own.api
        for crd in load(sorted((tools.path("charts") / "cert-manager" / "crds").glob("*.yaml"))):
            api.apply(crd)
        kinds = Objects(api)

        def served() -> set[str]:
            try:
                return {*kinds.kinds()}
            except ApiError as error:
                # A group is listed a moment before its kinds are served.
                if error.status != 404:
                    raise
                return set()

        eventually("cert-manager's kinds", served, {"Certificate", "Issuer"}.issubset)
        yield own
    finally:
        own.stop()


def remaining(objects: Objects, is_known: Callable[[Key], bool]) -> list[Key | ApiError]:
    """Return the objects that aren't known, or why they can't be listed."""
    try:
        return [key for key in objects.uids() if not is_known(key)]
    except ApiError as error:
        # A group is listed a moment longer than its kinds are served.
        if error.status != 404:
            raise
        return [error]


def is_slinky_crd(key: Key) -> bool:
    return key[0].startswith("CustomResourceDefinition") and key[2].endswith(".slinky.slurm.net")


def slinky_crds(objects: Objects) -> list[Object]:
    return [
        item
        for item in objects.all("CustomResourceDefinition")
        if item["metadata"]["name"].endswith(".slinky.slurm.net")
    ]


def of_another_release(chart: Path, folder: Path) -> Path:
    """Return a copy of the chart of CRDs whose versions differ."""
    copy = Path(shutil.copytree(chart, folder / chart.name))
    for template in (copy / "templates").glob("*.yaml"):
        text = template.read_text()
        template.write_text(text.replace("    served: true\n", "    served: true\n    deprecated: true\n"))
    return copy


def operator_charts(tools: Toolchain) -> Path:
    return tools.path("charts") / "slurm-operator-1.1.0" / "helm"


def operators(
    tools: Toolchain, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory, **args: dict[str, Any]
) -> Program:
    """Return a program that installs operators, by component, with these arguments, one after the other."""
    source = {
        "__main__.py": MAIN,
        "Pulumi.yaml": "name: operators\nruntime: python\n",
        "operators.json": json.dumps(args),
    }
    return Program(tools, tmp_path_factory.mktemp("operators"), cluster.kubeconfig, source=source)


@pytest.mark.parametrize("retain", [pytest.param(False, marks=GONE), True])
def test_the_charts_come_stay_and_go(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory, retain: bool
) -> None:
    charts = operator_charts(tools)
    args = {
        "version": "1.1.0",
        "operatorChart": str(charts / "slurm-operator"),
        "crdsChart": str(charts / "slurm-operator-crds"),
        "installCertManager": False,
        "retainCrds": retain,
        "values": {"operator": {"replicas": 2}},
    }
    keda = {
        "chart": str(tools.path("charts") / "keda" / "chart"),
        # It would answer for an API group, and one that doesn't answer keeps every namespace from being deleted.
        "values": {"metricsServer": {"enabled": False}},
    }
    # KEDA first: the webhook of Slinky 1.1.0, which runs nothing here, lets no pod outside its namespace be scheduled.
    program = operators(tools, cluster, tmp_path_factory, Keda=keda, SlinkyOperator=args)
    for name in objects.names("CustomResourceDefinition") & EMBEDDED_OF_KEDA:
        cluster.api.delete(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")
    eventually_nothing("KEDA's kinds", lambda: remaining(objects, lambda key: not key[2].endswith("keda.sh")))
    before = objects.uids()

    program.up()
    deployments = {item["metadata"]["name"]: item for item in objects.all("Deployment", NAMESPACE)}
    assert deployments.keys() == {"slurm-operator", "slurm-operator-webhook"}
    assert deployments["slurm-operator"]["spec"]["replicas"] == 2, "from values"
    assert all(item["status"]["readyReplicas"] == item["spec"]["replicas"] for item in deployments.values())
    assert len([key for key in objects.uids() if is_slinky_crd(key)]) == 6
    deployments = {item["metadata"]["name"]: item for item in objects.all("Deployment", "keda")}
    assert deployments.keys() == {"keda-operator", "keda-admission-webhooks"}
    assert "scaledobjects.keda.sh" in objects.names("CustomResourceDefinition")
    assert program.up(None, "--expect-no-changes").changes == {}
    crds = [item for item in program.resources() if item["type"].endswith(":CustomResourceDefinition")]
    assert len(crds) == 6 + 6
    assert min(item["customTimeouts"]["delete"] for item in crds if "keda" in item["urn"]) > CRD_RESYNC

    program.destroy()
    eventually_nothing("KEDA's kinds", lambda: remaining(objects, lambda key: not key[2].endswith("keda.sh")))
    kept = {key for key in objects.uids() if is_slinky_crd(key)}
    assert len(kept) == (6 if retain else 0)
    if retain:
        # With CRDs there is an API group, which Kubernetes lists among its objects.
        kept.add(("APIService.apiregistration.k8s.io", "", "v1beta1.slinky.slurm.net"))
    eventually_nothing("objects of the stack", lambda: remaining(objects, {*kept, *before}.__contains__))
    assert objects.uids().items() >= before.items()
    if retain:
        args["crdsChart"] = str(of_another_release(charts / "slurm-operator-crds", tmp_path_factory.mktemp("crds")))
        another = operators(tools, cluster, tmp_path_factory, SlinkyOperator=args)
        another.up()
        versions = [version for crd in slinky_crds(objects) for version in crd["spec"]["versions"]]
        assert [version.get("deprecated") for version in versions] == [True] * 6
        another.destroy()


@pytest.mark.repeats("tests/e2e/test_other_languages.py, in Go and with the charts of this file's first test")
def test_a_program_in_go_installs_the_operator(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path
) -> None:
    if tools.official:
        pytest.skip("an official pulumi makes the plugin's environment by itself")
    program = Program(tools, tmp_path, cluster.kubeconfig, source=source(EXAMPLES / "go_operator"), plugins=[HOSTS])
    compile_go(ensure([*ENGINE_PARTS, SDK_GENERATOR]), EXAMPLES / "go_operator", program.folder)
    args = {
        "version": "1.1.0",
        "operatorChart": str(operator_charts(tools) / "slurm-operator"),
        "crdsChart": str(operator_charts(tools) / "slurm-operator-crds"),
        "installCertManager": False,
        "retainCrds": False,
    }
    program.up({"slurm-operator:operator": args})
    assert program.outputs() == {"version": "1.1.0"}
    deployments = {item["metadata"]["name"]: item for item in objects.all("Deployment", NAMESPACE)}
    assert deployments["slurm-operator"]["status"]["readyReplicas"] == 1
    assert program.up(None, "--expect-no-changes").changes == {}
    program.destroy()
    assert objects.names("Deployment", NAMESPACE) == set()
    eventually_nothing("CRDs of the operator", lambda: remaining(objects, lambda key: not is_slinky_crd(key)))


CHARTS = {
    ("operator", "operatorChart"): "slurm-operator-1.1.0/helm/slurm-operator",
    ("operator", "crdsChart"): "slurm-operator-1.1.0/helm/slurm-operator-crds",
    ("operator", "certManagerChart"): "cert-manager/chart",
    ("keda", "chart"): "keda/chart",
}
PUBLIC = re.compile(r"\b(docker\.io|ghcr\.io|quay\.io|gcr\.io|registry\.k8s\.io|[a-z.]*\.pkg\.dev|slinkyproject/)")


def strings(value: Any) -> Iterator[str]:
    """Yield each text in an object, its keys too."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield value


@pytest.mark.repeats("tests/components/test_mirror.py, with the engine and the charts")
def test_a_stack_behind_a_mirror_names_no_public_registry(tools: Toolchain, cluster: Cluster, tmp_path: Path) -> None:
    (block,) = [block for block in blocks("config") if block.file.name == "mirror.md"]
    settings = doc_settings(block)
    for (part, field), folder in CHARTS.items():
        assert settings[f"slurm:{part}"][field].startswith("oci://mirror.example.com/")
        settings[f"slurm:{part}"][field] = str(tools.path("charts") / folder)
    run = Program(tools, tmp_path, cluster.kubeconfig, stack="mirrored", context=CONTEXT).preview(settings)

    made = [event["resourcePreEvent"]["metadata"] for event in run.events if "resourcePreEvent" in event]
    # Descriptions in CRDs speak of registries, and pull nothing; of a chart what is rendered counts, not its values.
    others = ("CustomResourceDefinition", "helm.sh")
    objects = [
        item
        for item in made
        if item["type"].startswith("kubernetes:") and not any(other in item["type"] for other in others)
    ]
    texts = {text for item in objects for text in strings(item["new"]["inputs"])}
    images = {text.rpartition("/")[2].partition(":")[0] for text in texts if "mirror.example.com/" in text}
    of_operators = {"slurm-operator", "slurm-operator-webhook", "cert-manager-controller", "cert-manager-webhook"}
    of_operators |= {"cert-manager-cainjector", "cert-manager-acmesolver", "keda", "keda-metrics-apiserver"}
    of_slurm = {"slurmctld", "slurmdbd", "slurmrestd", "slurmd", "login", "alpine", "kubectl", "mariadb", "openldap"}
    assert of_operators | of_slurm | {"prometheus"} <= images
    assert not [text for text in texts if PUBLIC.search(text.replace("mirror.example.com/slinkyproject/", ""))]
