"""NetworkPolicies of a cluster that ack-slurm-operator runs.

Of the labels of its pods two are known, from Alibaba's guide, and what else listens in them is not. So all ports of all
pods but workers are for the cluster's namespace and the operator's, and SSH is for everyone.
"""

from pulumi_slurm.ack_slurm.manifests.names import CLUSTER_LABEL, TYPE_LABEL, WORKER
from pulumi_slurm.ack_slurm.manifests.services import login_service
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.database import database_labels
from pulumi_slurm.manifests.directory import directory_labels
from pulumi_slurm.manifests.network_policies import (
    LDAP_PORTS,
    MARIADB_PORT,
    admit,
    any_on_host_network,
    connect_from_hosts,
)
from pulumi_slurm.manifests.objects import NAMESPACE_NAME, Manifest
from pulumi_slurm.manifests.services import SSH_PORT
from pulumi_slurm.model import DatabaseKind, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def network_policies(spec: SlurmSpec, ack: AckSlurmSpec) -> dict[str, Manifest]:
    """Return the spec of each NetworkPolicy, by what it protects.

    Daemons have none with the exporter of the image, whose port isn't known, and with pods on the host's network.
    """
    settings, ref = spec.network_policies, ClusterRef.of(spec)
    if not settings.are_made:
        return {}
    policies: dict[str, Manifest] = {}
    on_hosts = any_on_host_network(spec)
    if not ack.prometheus and not on_hosts:
        policies["daemons"] = _daemons(spec, ack)
    if spec.accounting and not spec.accounting.external and spec.accounting.database.kind is DatabaseKind.IN_CLUSTER:
        # slurmctld writes to it too, if it keeps records of finished jobs there.
        clients = [{"podSelector": _no_workers()}, *settings.database]
        on_hosts_too = connect_from_hosts(spec.controller, spec.accounting)
        policies["database"] = admit(database_labels(ref), [MARIADB_PORT], None if on_hosts_too else clients)
    if spec.identity and spec.identity.directory:
        clients = [{"podSelector": {}}, *settings.directory]
        policies["directory"] = admit(directory_labels(ref), LDAP_PORTS, None if on_hosts else clients)
    return policies


def _no_workers() -> Manifest:
    """Return the selector of all pods but workers, those without the label included."""
    return {"matchExpressions": [{"key": TYPE_LABEL, "operator": "NotIn", "values": [WORKER]}]}


def _daemons(spec: SlurmSpec, ack: AckSlurmSpec) -> Manifest:
    settings = spec.network_policies
    clients = [
        {"podSelector": {}},
        {"namespaceSelector": {"matchLabels": {NAMESPACE_NAME: ack.operator.namespace}}},
        *settings.slurmctld,
        *settings.slurmdbd,
        *settings.slurmrestd,
    ]
    ssh = [{"ports": [{"protocol": "TCP", "port": SSH_PORT}]}] if login_service(spec, ack) else []
    return {
        "podSelector": {"matchLabels": {CLUSTER_LABEL: spec.name}, **_no_workers()},
        "policyTypes": ["Ingress"],
        "ingress": [{"from": clients}, *ssh],
    }
