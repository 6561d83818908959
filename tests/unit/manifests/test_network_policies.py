"""Who may connect to daemons, the database and the directory, by the NetworkPolicies of a cluster."""

from typing import Any

import pytest

from pulumi_slurm.ack.cloud import CLOUD as ALIBABA
from pulumi_slurm.ack_slurm.manifests.objects import render as render_for_ack_slurm_operator
from pulumi_slurm.gke.cloud import CLOUD as GOOGLE
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import SlurmSpec
from tests.network_policies import Place, lets_in
from tests.unit.ack.test_slurm_spec import ack as ack_spec
from tests.unit.ack_slurm.examples import IMAGE, ack, cluster as ack_cluster
from tests.unit.gke.test_slurm_spec import gke
from tests.unit.manifests.bridges import BRIDGE, CLUSTER
from tests.unit.manifests.rendered import MACHINE, rendered

NAME = "app.kubernetes.io/name"
INSTANCE = "app.kubernetes.io/instance"
WHOLE: dict[str, Any] = {
    "nodeSets": [{"name": "cpu", "machine": MACHINE}],
    "accounting": {},
    "identity": {"directory": {}},
    "loginSets": [{"name": "login"}],
    "networkPolicies": {"enabled": True},
}
PORTS = {"slurmctld": 6817, "slurmdbd": 6819, "slurmrestd": 6820, "mariadb": 3306, "openldap": 389}
INSTANCES = {"mariadb": "hpc-mariadb", "openldap": "hpc-directory"}
OPERATOR = Place("anywhere", {NAME: "slurm-operator"})
JOB = Place("slurm", {"batch.kubernetes.io/job-name": "hpc-accounts-job"})
WEB = Place("web", {NAME: "web"})
OUTSIDE = Place(address="10.1.2.3", is_pod=False)
NETWORK = {"ipBlock": {"cidr": "10.0.0.0/8"}}


def daemon(name: str) -> Place:
    """Return a pod of the cluster hpc, with the labels that the operator or this library gives it."""
    return Place("slurm", {NAME: name, INSTANCE: INSTANCES.get(name, "hpc")})


def policies(**fields: Any) -> list[Manifest]:
    return [item for item in rendered(**{**WHOLE, **fields}) if item["kind"] == "NetworkPolicy"]


def reached(client: Place, **fields: Any) -> set[str]:
    """Return the daemons to whose port a client may connect."""
    found = policies(**fields)
    return {name for name, port in PORTS.items() if lets_in(found, daemon(name), port, client)}


@pytest.mark.parametrize(
    ("client", "servers"),
    [
        (daemon("slurmctld"), {"slurmctld", "slurmdbd", "slurmrestd", "openldap"}),
        (daemon("slurmdbd"), {*PORTS}),
        (daemon("slurmrestd"), {"slurmctld", "slurmdbd", "slurmrestd", "openldap"}),
        (daemon("slurmd"), {"slurmctld", "slurmdbd", "slurmrestd", "openldap"}),
        (daemon("login"), {"slurmctld", "slurmdbd", "slurmrestd", "openldap"}),
        (JOB, {"slurmctld", "slurmdbd"}),
        (OPERATOR, {"slurmrestd"}),
        (daemon("mariadb"), set()),
        (Place("slurm", {}), set()),
        (Place("other", daemon("slurmd").labels), set()),
        (WEB, set()),
        (OUTSIDE, set()),
    ],
)
def test_pods_reach_what_they_need_and_no_others(client: Place, servers: set[str]) -> None:
    assert reached(client) == servers


def test_workers_and_login_nodes_take_every_connection() -> None:
    for name in ("slurmd", "login"):
        assert all(lets_in(policies(), daemon(name), port, WEB) for port in (22, 6818, 40000))


def test_other_ports_of_daemons_are_closed() -> None:
    assert not lets_in(policies(), daemon("slurmctld"), 22, daemon("login"))
    assert not lets_in(policies(), daemon("slurmdbd"), 40000, daemon("slurmd"))
    assert lets_in(policies(), daemon("openldap"), 636, daemon("login"))


def test_workers_reach_an_srun_beside_slurmctld() -> None:
    """It chooses its ports itself; see `kubectl exec ... -c slurmctld -- srun` in docs/gke.md."""
    assert lets_in(policies(), daemon("slurmctld"), 40000, daemon("slurmd"))
    assert not lets_in(policies(), daemon("slurmctld"), 40000, WEB)
    outside: dict[str, Any] = {"externalNodes": [EXTERNAL], "controller": ADDRESS}
    assert lets_in(policies(**outside), daemon("slurmctld"), 40000, OUTSIDE)
    held = policies(**outside, networkPolicies={"slurmctld": [NETWORK]})
    assert lets_in(held, daemon("slurmctld"), 40000, OUTSIDE)
    assert not lets_in(held, daemon("slurmctld"), 40000, WEB)


def test_there_are_none_where_nothing_is_known_of_the_network() -> None:
    assert policies(networkPolicies={}) == []
    assert policies(networkPolicies={"enabled": False, "slurmrestd": [NETWORK]}) == []
    assert policies(networkPolicies={"slurmrestd": [NETWORK]})


@pytest.mark.parametrize(
    ("field", "server"),
    [
        ("slurmctld", "slurmctld"),
        ("slurmdbd", "slurmdbd"),
        ("slurmrestd", "slurmrestd"),
        ("database", "mariadb"),
        ("directory", "openldap"),
    ],
)
def test_stated_clients_may_connect_too(field: str, server: str) -> None:
    web = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "web"}}}
    stated = {field: [web, NETWORK]}
    assert reached(WEB, networkPolicies=stated) == {server}
    assert reached(OUTSIDE, networkPolicies=stated) == {server}
    assert reached(Place(address="192.0.2.1", is_pod=False), networkPolicies=stated) == set()
    assert reached(daemon("slurmdbd"), networkPolicies=stated) == {*PORTS}


def test_scrapers_reach_slurmctld_where_there_are_any() -> None:
    ours = Place("slurm", {NAME: "prometheus", INSTANCE: "hpc-prometheus"})
    theirs = Place("monitoring", {"app.kubernetes.io/managed-by": "prometheus-operator"})
    assert reached(ours, monitoring={"prometheus": {}}) == {"slurmctld"}
    assert reached(theirs, monitoring={"serviceMonitor": {}}) == {"slurmctld"}
    assert reached(ours) == reached(theirs) == set()


def test_the_bridge_reaches_slurmrestd() -> None:
    fields = {**CLUSTER, "bridge": BRIDGE}
    for program in ("scheduler", "controllers"):
        assert reached(daemon(f"slurm-bridge-{program}"), **fields) == {"slurmrestd"}
    assert reached(daemon("slurm-bridge-admission"), **fields) == set()


EXTERNAL = {"name": "onprem", "maxNodes": 2}
ADDRESS = {"address": "slurmctld.example.org"}
EXPOSED = {"service": {"type": "LoadBalancer"}}


@pytest.mark.parametrize(
    ("fields", "servers"),
    [
        ({"externalNodes": [EXTERNAL], "controller": ADDRESS}, {"slurmctld", "slurmdbd"}),
        ({"restApi": {"overrides": {"service": {"spec": {"type": "NodePort"}}}}}, {"slurmrestd"}),
        ({"controller": EXPOSED}, {"slurmctld"}),
        ({"accounting": EXPOSED}, {"slurmdbd"}),
        ({"restApi": {"service": {"type": "NodePort"}}}, {"slurmrestd"}),
        (
            {"nodeSets": [{"name": "cpu", "machine": MACHINE, "pod": {"hostNetwork": True}}]},
            {"slurmctld", "slurmdbd", "slurmrestd", "openldap"},
        ),
        (
            {"loginSets": [{"name": "l", "overrides": {"template": {"spec": {"hostNetwork": True}}}}]},
            {"slurmctld", "slurmdbd", "slurmrestd", "openldap"},
        ),
    ],
)
def test_a_port_is_open_where_clients_have_no_address_of_a_pod(fields: dict[str, Any], servers: set[str]) -> None:
    assert reached(OUTSIDE, **fields) == servers


def test_networks_hold_machines_outside_but_no_nodes() -> None:
    """A network need not contain nodes, to which Dataplane V2 would apply none anyway."""
    fields = {"externalNodes": [EXTERNAL], "controller": ADDRESS, "networkPolicies": {"slurmctld": [NETWORK]}}
    elsewhere = Place(address="192.0.2.1", is_pod=False)
    assert reached(OUTSIDE, **fields) == {"slurmctld", "slurmdbd"}
    assert reached(elsewhere, **fields) == {"slurmdbd"}
    workers = [{"name": "cpu", "machine": MACHINE, "pod": {"hostNetwork": True}}]
    assert reached(elsewhere, **{**fields, "nodeSets": workers}) >= {"slurmctld"}


def test_a_slurmctld_outside_reaches_slurmdbd() -> None:
    key = {"existing": {"name": "keys", "key": "k"}}
    fields: dict[str, Any] = {
        "controller": {"external": {"host": "slurmctld.example.org", "port": 6817}},
        "keys": {"slurm": key, "jwt": {"existing": {"name": "keys", "key": "j"}}},
        "slurmConf": {"extra": {"AccountingStorageHost": "slurmdbd.example.org"}},
    }
    found = policies(**fields)
    assert lets_in(found, daemon("slurmdbd"), 6819, OUTSIDE)
    assert "hpc-slurmctld" not in [one["metadata"]["name"] for one in found]


def test_databases_elsewhere_have_none() -> None:
    for database in (
        {"kind": "mariadb-operator"},
        {"kind": "external", "host": "db", "passwordSecret": {"name": "p", "key": "k"}},
    ):
        names = [one["metadata"]["name"] for one in policies(accounting={"database": database})]
        assert names == ["hpc-slurmctld", "hpc-slurmdbd", "hpc-slurmrestd", "hpc-directory"]


COLLECTOR = Place("gke-gmp-system", {NAME: "collector"})


def on_gke(**fields: Any) -> list[Manifest]:
    spec = GOOGLE.complete(GOOGLE.plan(gke(**fields)), SlurmSpec(name="hpc"))
    return [item for item in render(spec) if item["kind"] == "NetworkPolicy"]


def test_gke_has_them_by_default_and_its_collectors_reach_slurmctld() -> None:
    found = on_gke()
    assert lets_in(found, daemon("slurmctld"), 6817, COLLECTOR)
    assert not lets_in(found, daemon("slurmctld"), 6817, WEB)
    assert not lets_in(found, daemon("slurmrestd"), 6820, COLLECTOR)
    assert on_gke(slurmOperator="gke-addon") == []


def test_ack_has_them_by_default_where_terway_enforces_them() -> None:
    def found(**terway: Any) -> list[Manifest]:
        addons = [{"name": "terway-eniip", "config": terway}] if terway else []
        plan = ALIBABA.plan(ack_spec(controlPlane={"addons": addons}))
        manifests = render(ALIBABA.complete(plan, SlurmSpec(name="hpc")))
        return [item for item in manifests if item["kind"] == "NetworkPolicy"]

    assert found() == []
    assert found(NetworkPolicy="false") == []
    assert not lets_in(found(NetworkPolicy="true"), daemon("slurmctld"), 6817, WEB)


TYPE, OF_CLUSTER = "kai.alibabacloud.com/slurm-node-type", "kai.alibabacloud.com/slurm-cluster"


def of_ack_slurm(kind: str | None) -> Place:
    return Place("jobs", {OF_CLUSTER: "hpc", **({TYPE: kind} if kind else {})})


def ack_slurm_policies(options: dict[str, Any] | None = None, **fields: Any) -> list[Manifest]:
    spec, pools = ack_cluster(networkPolicies={"enabled": True}, **fields)
    manifests = render_for_ack_slurm_operator(spec, pools, ack(**(options or {})), IMAGE)
    return [item for item in manifests if item["kind"] == "NetworkPolicy"]


def test_daemons_of_ack_slurm_operator_are_for_its_namespaces_and_ssh_is_for_everyone() -> None:
    found = ack_slurm_policies({"ssh": {}})
    copilot = Place("ack-slurm-operator", {"app": "copilot"})
    for kind in ("head", None):
        server = of_ack_slurm(kind)
        for port in (6817, 6819, 6820):
            assert lets_in(found, server, port, of_ack_slurm("worker"))
            assert lets_in(found, server, port, copilot)
            assert not lets_in(found, server, port, WEB)
            assert not lets_in(found, server, port, OUTSIDE)
        assert lets_in(found, server, 22, OUTSIDE)
    assert lets_in(found, of_ack_slurm("worker"), 6818, WEB)
    database, directory = (Place("jobs", {NAME: one, INSTANCE: INSTANCES[one]}) for one in INSTANCES)
    assert lets_in(found, database, 3306, of_ack_slurm("head"))
    assert not lets_in(found, database, 3306, of_ack_slurm("worker"))
    assert not lets_in(found, database, 3306, WEB)
    assert lets_in(found, directory, 389, of_ack_slurm("worker"))
    assert not lets_in(found, directory, 389, WEB)


def test_daemons_of_ack_slurm_operator_stay_open_where_a_port_or_an_address_is_not_known() -> None:
    node_sets = [{"name": "cpu", "replicas": 1, "machine": MACHINE, "pod": {"hostNetwork": True}}]
    for found in (ack_slurm_policies({"prometheus": True}), ack_slurm_policies(nodeSets=node_sets, partitions=[])):
        assert lets_in(found, of_ack_slurm("head"), 6817, WEB)
        assert len(found) == 2
