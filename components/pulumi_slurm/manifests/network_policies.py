"""NetworkPolicies: who may connect to Slurm's daemons, the database and the directory.

Only what comes in is held to them, and only at these pods: jobs choose their ports, so that workers and login nodes
talk to each other and to the world as before. Policies add up: one of the user's for the same pods opens more.

Probes are no connection of a pod: "traffic to and from the node where a Pod is running is always allowed", and pods on
the host's network count as their node there, which is why everyone may connect where such a pod has to
(https://kubernetes.io/docs/concepts/services-networking/network-policies/).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pulumi_slurm.manifests.bridge.programs import program_labels
from pulumi_slurm.manifests.client_job import job_name
from pulumi_slurm.manifests.database import database_labels
from pulumi_slurm.manifests.directory import directory_labels
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.prometheus import prometheus_labels
from pulumi_slurm.manifests.services import pod_selector
from pulumi_slurm.model import (
    AccountingSpec,
    ControllerSpec,
    DatabaseKind,
    LoginSetSpec,
    NodeSetSpec,
    RestApiSpec,
    ServiceType,
    SlurmSpec,
)
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMDBD_PORT, SLURMRESTD_PORT
from pulumi_slurm.model.value_at import value_at

NAME = "app.kubernetes.io/name"
MARIADB_PORT, LDAP_PORTS = 3306, (389, 636)
"""The ports of the images, whatever those of their Services are."""
Peer = dict[str, Any]
"""Who may connect, as in `from` of a NetworkPolicy."""

_OF_SLURM = ("slurmctld", "slurmdbd", "slurmrestd", "slurmd", "login")
"""The pods of a cluster that talk to its daemons, by the label that the operator gives them."""
_OPERATOR = (NAME, "slurm-operator")
"""The label of slurm-operator's pods: `slurm-operator.operator.selectorLabels` in its chart, v1.0 to v1.3."""
_PROMETHEUS_OPERATOR = ("app.kubernetes.io/managed-by", "prometheus-operator")
"""That of servers and agents: pkg/prometheus of https://github.com/prometheus-operator/prometheus-operator."""


def network_policies(spec: SlurmSpec) -> dict[str, Manifest]:
    """Return the spec of each NetworkPolicy of a cluster that slurm-operator runs, by what it protects."""
    return dict(_policies(spec)) if spec.network_policies.are_made else {}


def admit(pods: Manifest, ports: Sequence[int], clients: Sequence[Peer] | None) -> Manifest:
    """Return the spec of a NetworkPolicy: whom the pods with these labels let in; None is everyone."""
    rule = {"ports": [{"protocol": "TCP", "port": port} for port in ports]}
    ingress = [rule if clients is None else {"from": list(clients), **rule}]
    return {"podSelector": {"matchLabels": pods}, "policyTypes": ["Ingress"], "ingress": ingress}


def _slurmctld(spec: SlurmSpec, *, on_hosts: bool) -> Manifest:
    ref, peers = ClusterRef.of(spec), spec.network_policies.slurmctld
    machines_outside = bool(spec.external_nodes or spec.controller.address)
    clients = _clients(
        [_daemons(*_OF_SLURM), *_jobs(ref), *_scrapers(spec, ref)],
        peers,
        outside=_is_exposed(spec.controller) or machines_outside,
        on_hosts=on_hosts,
    )
    policy = admit(pod_selector("slurmctld", ref.name), [SLURMCTLD_PORT], clients)
    # Of an srun in this pod, as of a first job by `kubectl exec`, the workers connect to ports that it chooses itself.
    networks = [peer for peer in peers if "ipBlock" in peer]
    workers = _clients([_daemons("slurmd")], networks, outside=bool(spec.external_nodes), on_hosts=on_hosts)
    return {**policy, "ingress": [*policy["ingress"], {} if workers is None else {"from": workers}]}


def _policies(spec: SlurmSpec) -> Iterator[tuple[str, Manifest]]:
    ref, settings = ClusterRef.of(spec), spec.network_policies
    daemons = _daemons(*_OF_SLURM)
    on_hosts = any_on_host_network(spec)
    if not spec.controller.external:
        yield "slurmctld", _slurmctld(spec, on_hosts=on_hosts)
    if spec.accounting and not spec.accounting.external:
        clients = _clients(
            [daemons, *_jobs(ref)],
            settings.slurmdbd,
            outside=_is_exposed(spec.accounting)
            or bool(spec.controller.external or spec.controller.address or spec.external_nodes),
            on_hosts=on_hosts,
        )
        yield "slurmdbd", admit(pod_selector("slurmdbd", ref.name), [SLURMDBD_PORT], clients)
        if spec.accounting.database.kind is DatabaseKind.IN_CLUSTER:
            clients = _clients([_daemons("slurmdbd")], settings.database, on_hosts=connect_from_hosts(spec.accounting))
            yield "database", admit(database_labels(ref), [MARIADB_PORT], clients)
    programs = [
        {"podSelector": {"matchLabels": program_labels(ref, name)}}
        for name in (("scheduler", "controllers") if spec.bridge else ())
    ]
    clients = _clients(
        [daemons, _anywhere(*_OPERATOR), *programs],
        settings.slurmrestd,
        outside=_is_exposed(spec.rest_api),
        on_hosts=on_hosts,
    )
    yield "slurmrestd", admit(pod_selector("slurmrestd", ref.name), [SLURMRESTD_PORT], clients)
    if spec.identity and spec.identity.directory:
        # SSSD is in workers and login nodes, and in images of the user's perhaps in others.
        clients = _clients([daemons], settings.directory, on_hosts=on_hosts)
        yield "directory", admit(directory_labels(ref), LDAP_PORTS, clients)


def _clients(
    pods: Sequence[Peer], peers: Sequence[Peer], *, outside: bool = False, on_hosts: bool = False
) -> list[Peer] | None:
    """Return who may connect, None for everyone.

    Machines outside are everyone unless a network is stated. Addresses of nodes can't be stated everywhere: to
    Dataplane V2, as to Cilium, no network contains a node
    (https://docs.cilium.io/en/stable/security/policy/language/#cidr-based).
    """
    if on_hosts or (outside and not any("ipBlock" in peer for peer in peers)):
        return None
    return [*pods, *peers]


def _daemons(*names: str) -> Peer:
    """Return daemons of the namespace's only cluster, by the label that the operator gives their pods."""
    return {"podSelector": {"matchExpressions": [{"key": NAME, "operator": "In", "values": list(names)}]}}


def _anywhere(label: str, value: str) -> Peer:
    """Return the pods with a label in all namespaces."""
    return {"namespaceSelector": {}, "podSelector": {"matchLabels": {label: value}}}


def _jobs(ref: ClusterRef) -> Iterator[Peer]:
    """Yield the Jobs that run Slurm's commands, by a label of Kubernetes' own.

    Source: https://kubernetes.io/docs/reference/labels-annotations-taints/#batchkubernetesio-job-name.
    """
    names = [job_name(ref, role) for role in ("drain", "qos", "accounts")]
    in_names = {"key": "batch.kubernetes.io/job-name", "operator": "In", "values": names}
    yield {"podSelector": {"matchExpressions": [in_names]}}


def _scrapers(spec: SlurmSpec, ref: ClusterRef) -> Iterator[Peer]:
    """Yield what reads slurmctld's metrics, on its one port."""
    if spec.monitoring.prometheus:
        yield {"podSelector": {"matchLabels": prometheus_labels(ref)}}
    if spec.monitoring.service_monitor:
        yield _anywhere(*_PROMETHEUS_OPERATOR)


def _is_exposed(daemon: AccountingSpec | ControllerSpec | RestApiSpec) -> bool:
    """Return whether a daemon's Service takes connections from outside the cluster."""
    kinds = (daemon.service.type, value_at(daemon.overrides, "service", "spec", "type") or ServiceType.CLUSTER_IP)
    return any(kind != ServiceType.CLUSTER_IP for kind in kinds)


def any_on_host_network(spec: SlurmSpec) -> bool:
    """Return whether a daemon, a worker or a login node connects from the address of its node."""
    accounting = [spec.accounting] if spec.accounting else []
    return connect_from_hosts(spec.controller, spec.rest_api, *accounting, *spec.node_sets, *spec.login_sets)


def connect_from_hosts(*pods: AccountingSpec | ControllerSpec | LoginSetSpec | NodeSetSpec | RestApiSpec) -> bool:
    """Return whether any of these pods is on the host's network."""
    path = ("template", "spec", "hostNetwork")
    return any(one.pod.host_network or value_at(one.overrides, *path) is True for one in pods)
