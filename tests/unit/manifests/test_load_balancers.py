"""Load balancers: none of them lets everyone in unless somebody has written so, whoever makes the Service."""

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.ack.cloud import CLOUD as ALIBABA
from pulumi_slurm.ack_slurm.manifests.objects import render as render_for_ack_slurm_operator
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.errors import Severity
from pulumi_slurm.gke.cloud import CLOUD as GOOGLE
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodePoolSpec, ServiceSpec, SlurmSpec
from tests.unit.ack.test_slurm_spec import ack as ack_spec
from tests.unit.ack_slurm.examples import IMAGE, ack, cluster
from tests.unit.gke.test_slurm_spec import gke
from tests.unit.manifests.cloud_controllers import BETA, public_on, says_who_may_connect
from tests.unit.manifests.rendered import rendered
from tests.unit.pod_strategies import services
from tests.unit.strategies import specs

CLOUDS: list[tuple[Cloud[Any, Any], Any]] = [(GOOGLE, gke()), (ALIBABA, ack_spec())]
SERVICE = {"type": "LoadBalancer"}
INTERNAL = {
    "networking.gke.io/load-balancer-type": "Internal",
    f"{BETA}/alibaba-cloud-loadbalancer-address-type": "intranet",
    f"{BETA}/aws-load-balancer-scheme": "internal",
    f"{BETA}/aws-load-balancer-internal": "true",
    f"{BETA}/azure-load-balancer-internal": "true",
    f"{BETA}/oci-load-balancer-internal": "true",
    "oci-network-load-balancer.oraclecloud.com/internal": "true",
    "service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type": "private",
    f"{BETA}/do-loadbalancer-network": "INTERNAL",
    f"{BETA}/openstack-internal-load-balancer": "true",
    f"{BETA}/cce-load-balancer-internal-vpc": "true",
}


def with_services(service: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a cluster whose Services have load balancers, all of them."""
    return {
        "controller": {"service": service},
        "accounting": {"service": service},
        "restApi": {"service": service},
        "identity": {"directory": {}},
        "loginSets": [{"name": "login", "service": service}],
    }


def load_balancers(manifests: Iterable[Manifest]) -> dict[str, Manifest]:
    return {
        item["metadata"]["name"]: item
        for item in manifests
        if item["kind"] == "Service" and item["spec"].get("type") == "LoadBalancer"
    }


def on_cloud(cloud: Cloud[Any, Any], spec: Any, slurm: SlurmSpec) -> list[Manifest]:
    """Return what is made on a cloud of a cluster that its rules accept."""
    plan = cloud.plan(spec)
    assert [str(error) for error in cloud.check_slurm(plan, slurm) if error.severity is Severity.ERROR] == []
    return [*render(cloud.complete(plan, slurm), cloud.pools(plan))]


def on_each_kind(service: dict[str, Any]) -> dict[str, dict[str, Manifest]]:
    """Return the load balancers by kind of stack."""
    fields = {"nodeSets": [{"name": "gpu", "pool": "gpu", "replicas": 1}], **with_services(service)}
    found = {
        cloud.key: on_cloud(cloud, spec, SlurmSpec.model_validate({"name": "hpc", **fields})) for cloud, spec in CLOUDS
    }
    found["kubernetes"] = rendered(**with_services(service))
    return {kind: load_balancers(manifests) for kind, manifests in found.items()}


def test_load_balancers_are_internal_on_every_cloud_by_default() -> None:
    """A cluster that exists may be on any of them, and one that a stack makes is the same."""
    for made in on_each_kind(SERVICE).values():
        assert set(made) == {"hpc-slurmctld", "hpc-slurmdbd", "hpc-slurmrestd", "hpc-login-login-ssh"}
        for service in made.values():
            assert service["metadata"]["annotations"] == INTERNAL
            assert public_on(service) == set()


def test_open_load_balancers_have_the_networks_that_may_connect() -> None:
    opened = {**SERVICE, "internal": False, "sourceRanges": ["0.0.0.0/0"]}
    for made in on_each_kind(opened).values():
        assert len(made) == 4
        for service in made.values():
            # Only where an internal one is the default, an open one has to be asked for.
            assert service["metadata"]["annotations"] == {f"{BETA}/aws-load-balancer-scheme": "internet-facing"}
            assert service["spec"]["loadBalancerSourceRanges"] == ["0.0.0.0/0"]


def test_annotations_of_users_stay() -> None:
    """Where they say what `internal` does, in the words that every cloud takes."""
    stated = {"team": "hpc", f"{BETA}/azure-load-balancer-internal": "True"}
    (service,) = load_balancers(rendered(restApi={"service": {**SERVICE, "annotations": stated}})).values()
    assert service["metadata"]["annotations"] == {**stated, **INTERNAL}


@pytest.mark.parametrize("word", ["alibaba-cloud", "alicloud"])
def test_a_load_balancer_that_exists_stays_where_it_is(word: str) -> None:
    """Alibaba Cloud refuses a Service whose annotation says otherwise."""
    existing = {f"{BETA}/{word}-loadbalancer-id": "lb-1"}
    (service,) = load_balancers(rendered(restApi={"service": {**SERVICE, "annotations": existing}})).values()
    others = {key: value for key, value in INTERNAL.items() if "alibaba" not in key}
    assert service["metadata"]["annotations"] == {**others, **existing}


def test_other_services_have_no_annotations_of_load_balancers() -> None:
    for item in rendered(**with_services({"type": "NodePort"})):
        if item["kind"] == "Service":
            assert not INTERNAL.keys() & item["metadata"].get("annotations", {}).keys()


def is_guarded(service: Manifest) -> bool:
    return not public_on(service) or says_who_may_connect(service)


@given(specs(max_node_sets=1))
def test_every_load_balancer_on_a_cluster_that_exists_is_guarded(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    assert all(map(is_guarded, load_balancers(render(*drawn)).values()))


@given(services(30000))
def test_every_load_balancer_on_a_cloud_is_guarded(service: ServiceSpec) -> None:
    # Each Service has a port of its own, and CLBs of Alibaba Cloud read no ranges.
    fields = service.model_dump(mode="json", by_alias=True, exclude={"node_port"}, exclude_unset=True)
    if fields.get("sourceRanges"):
        fields["sourceRanges"] = ["0.0.0.0/0"]
    for made in on_each_kind(fields).values():
        assert all(map(is_guarded, made.values()))


@given(st.booleans(), st.none() | st.just("acl-1"), st.none() | services(30000))
def test_every_load_balancer_of_ack_slurm_operator_is_guarded(
    internal: bool, access_list: str | None, service: ServiceSpec | None
) -> None:
    """Logins are configured by `ssh` or by a login set."""
    login_set = {"name": "login", "service": service.model_dump(mode="json", by_alias=True) if service else {}}
    spec, pools = cluster(loginSets=[login_set])
    route = ack() if service else ack(ssh={"internal": internal, "accessControlList": access_list})
    if not list(check_ack_slurm(spec, pools, route)):
        made = load_balancers(render_for_ack_slurm_operator(spec, pools, route, IMAGE))
        assert all(map(is_guarded, made.values()))
