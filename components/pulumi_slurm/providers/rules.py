"""The rules between a Slurm cluster and whose Kubernetes cluster it is on; paths begin at the Slurm specification."""

from collections.abc import Iterator

from pulumi_slurm.derived.claims import all_claims
from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm.providers.provider import PROVIDERS, Provider
from pulumi_slurm.rules.access import services_of
from pulumi_slurm.rules.alibaba_disks import claims_of_disks_for_many
from pulumi_slurm.rules.alibaba_load_balancers import ignored_ranges, missing_zones
from pulumi_slurm.rules.run import Rule, run_rules, warns
from pulumi_slurm.rules.system_priorities import system_priorities

OVERRIDE = "nodeset.slinky.slurm.net/hostname-override"
"""An annotation of a node, with the name in Slurm of a worker of a DaemonSet there."""
_OVERRIDE_SINCE = (1, 2)


def load_balancers_read_their_ranges(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse ranges that Alibaba Cloud's load balancers don't read, and NLBs that it doesn't make."""
    if provider is Provider.ACK:
        for at, service in services_of(slurm):
            yield from ignored_ranges(at, service)
            yield from missing_zones(at, service)


def workers_of_nodes_have_names_of_their_own(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse DaemonSets where Slurm would know all workers by one name; warn where an annotation can give them others.

    Source: GetDaemonSetPodHostname in internal/controller/nodeset/utils/utils.go of
    https://github.com/SlinkyProject/slurm-operator, v1.1.2 and v1.2.1.
    """
    yield from workers_named_alike(provider, slurm, can_be_named=slurm.operator.minor >= _OVERRIDE_SINCE)


def workers_named_alike(provider: Provider, slurm: SlurmSpec, *, can_be_named: bool) -> Iterator[FieldError]:
    """Yield an error for each DaemonSet whose workers have one name, a warning where nodes can have an annotation."""
    facts = PROVIDERS[provider]
    if facts.node_name is None or facts.names_differ_before_the_dot:
        return
    problem = f"names of {facts.name}'s nodes, such as {facts.node_name}, are cut at the first dot"
    for index, node_set in enumerate(slurm.node_sets):
        if node_set.scaling_mode is ScalingMode.DAEMON_SET:
            fix = f"Give each node the annotation {OVERRIDE} before, or write" if can_be_named else "Write"
            yield FieldError(
                ("node_sets", index, "scaling_mode"),
                node_set.scaling_mode,
                f"Slurm would know all workers by one name, since {problem}",
                f"{fix} StatefulSet and replicas.",
                severity=Severity.WARNING if can_be_named else Severity.ERROR,
            )


@warns
def workers_on_the_host_network_are_found(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of StatefulSets on the host's network, whose workers the operator takes for ones that aren't in Slurm.

    It looks for a node of Slurm by the whole name of the Kubernetes node (GetSlurmNodeName in
    internal/controller/nodeset/utils/utils.go of https://github.com/SlinkyProject/slurm-operator, v1.1.2 and v1.2.1),
    and slurmd registers by the host's name up to the first dot (gethostname_short in src/slurmd/slurmd/slurmd.c of
    Slurm).
    """
    facts = PROVIDERS[provider]
    for index, node_set in enumerate(slurm.node_sets):
        is_stateful = node_set.scaling_mode is ScalingMode.STATEFUL_SET
        if facts.node_name and node_set.pod.host_network and is_stateful:
            yield FieldError(
                ("node_sets", index, "pod", "host_network"),
                True,
                f"slurm-operator would look in Slurm for {facts.node_name}, as {facts.name} names nodes, and slurmd "
                "registers by the host's own name, which has no dot: workers would not be drained before they stop",
                "Leave it out, or write scalingMode: DaemonSet."
                if facts.names_differ_before_the_dot
                else "Leave it out.",
                depends_on_fields=(("node_sets", index, "scaling_mode"),),
            )


@warns
def bridged_nodes_are_found(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of bridged node sets on nodes whose names have dots: the bridge compares whole names, or reads a label.

    The label is slinky.slurm.net/slurm-nodename: docs of https://github.com/SlinkyProject/slurm-bridge, v1.2.1.
    """
    facts = PROVIDERS[provider]
    for index, node_set in enumerate(slurm.node_sets):
        if facts.node_name and node_set.bridged:
            yield FieldError(
                ("node_sets", index, "bridged"),
                True,
                f"the bridge looks in Slurm for {facts.node_name}, as {facts.name} names nodes, and the name of the "
                "worker there has no dot: no pod would get such a node",
                "Give each node the label slinky.slurm.net/slurm-nodename with its name in Slurm.",
            )


@warns
def claims_have_a_class(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of claims without a StorageClass on clusters that begin without a default: their pods would wait."""
    facts = PROVIDERS[provider]
    if facts.disk_class is None:
        return
    for at, claim in all_claims(slurm):
        if claim.storage_class is None:
            yield FieldError(
                (*at, "storage_class"),
                FieldError.ABSENT,
                f"in {facts.name} no StorageClass is the default until somebody makes it so, and without one the pod "
                "waits for its volume",
                f"Write one that `kubectl get storageclass` lists, for example {facts.disk_class}.",
            )


def disks_are_of_one_node(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse claims of ACK's classes of disks that several nodes are to write to."""
    if provider is Provider.ACK:
        yield from claims_of_disks_for_many(slurm)


@warns
def priorities_are_admitted(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of PriorityClasses of Kubernetes' own on GKE, which admits their pods to kube-system alone."""
    if provider is Provider.GKE:
        yield from system_priorities(slurm)


RULES: tuple[Rule, ...] = (
    load_balancers_read_their_ranges,
    workers_of_nodes_have_names_of_their_own,
    workers_on_the_host_network_are_found,
    bridged_nodes_are_found,
    claims_have_a_class,
    disks_are_of_one_node,
    priorities_are_admitted,
)


def check_provider(provider: Provider, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Return all errors and warnings of a Slurm cluster on a Kubernetes cluster of this provider."""
    return run_rules(RULES, provider, slurm)
