"""Rules between the Slurm clusters of one Kubernetes cluster."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.names import shared_volume_claim
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import DEFAULT_OPERATOR
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def one_cluster_per_namespace(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Refuse a second Slurm cluster in a namespace.

    slurm-operator puts one worker on a Kubernetes node, whosever of a namespace it is: `updateNodeSetPodAntiAffinity`
    in internal/controller/nodeset/utils/utils.go of v1.1.2. And a namespace goes with the cluster that made it.
    """
    names: dict[str, str] = {}
    for index, spec in enumerate(specs):
        if spec.namespace in names:
            problem = (
                f'the Slurm cluster "{names[spec.namespace]}" is in this namespace too: their workers would keep each '
                "other from nodes, and the end of one could be that of the other"
            )
            yield FieldError((index, "namespace"), spec.namespace, problem, "Give each cluster a namespace of its own.")
        names.setdefault(spec.namespace, spec.name)


def clusters_have_names_of_their_own(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Refuse two Slurm clusters of one name where slurm-operator confuses them, whatever their namespaces are.

    Objects without a namespace, such as ClusterRoles, are named after namespace and cluster, so two clusters whose both
    names together are the same have the same ones.
    """
    for index, spec in enumerate(specs):
        for other in specs[:index]:
            if other.namespace == spec.namespace:
                continue
            if other.name == spec.name and _confused(spec, other):
                problem = (
                    f'the Slurm cluster in namespace "{other.namespace}" has this name too, and slurm-operator before '
                    "1.1.3 and 1.2.2 then stops the node sets of both"
                )
                yield FieldError((index, "name"), spec.name, problem, "Choose another name.")
            elif f"{other.namespace}-{other.name}" == f"{spec.namespace}-{spec.name}":
                problem = (
                    f'with its namespace it is "{spec.namespace}-{spec.name}", as is "{other.name}" in namespace '
                    f'"{other.namespace}", and ClusterRoles of the two would have one name'
                )
                yield FieldError((index, "name"), spec.name, problem, "Choose another name.")


def persistent_volumes_have_names_of_their_own(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Refuse shared volumes of two Slurm clusters whose PersistentVolumes, which have no namespace, would be one."""
    owners: dict[str, SlurmSpec] = {}
    for index, spec in enumerate(specs):
        for position, volume in enumerate(spec.shared_volumes):
            if volume.existing_claim or volume.storage_class:
                continue
            name = f"{spec.namespace}-{shared_volume_claim(spec.name, volume.name)}"
            other = owners.setdefault(name, spec)
            if (other.namespace, other.name) != (spec.namespace, spec.name):
                problem = (
                    f'its PersistentVolume is called "{name}", as is one of the Slurm cluster "{other.name}" in '
                    f'namespace "{other.namespace}"'
                )
                yield FieldError(
                    (index, "shared_volumes", position, "name"), volume.name, problem, "Choose another name."
                )


def _confused(*specs: SlurmSpec) -> bool:
    return any(OperatorDefect.CONFUSES_CLUSTERS_OF_ONE_NAME in spec.operator.defects for spec in specs)


def clusters_agree_on_accounting(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Refuse a Slurm cluster without accounting beside one with it where slurm-operator crashes for that."""
    for index, spec in enumerate(specs):
        for other in specs[:index]:
            crashing = [side.operator.version for side in (spec, other) if _crashes(side)]
            if crashing and bool(other.accounting) != bool(spec.accounting):
                problem = (
                    f'the Slurm cluster "{other.name}" has {"accounting" if other.accounting else "none"}, and '
                    f"slurm-operator {crashing[0]} crashes while one has it and another one has none"
                )
                fix = f'Write operatorVersion "{DEFAULT_OPERATOR}" in both, or accounting in both or in none.'
                yield FieldError((index, "accounting"), FieldError.ABSENT, problem, fix)
                break


def _crashes(spec: SlurmSpec) -> bool:
    return OperatorDefect.CRASHES_WITHOUT_ACCOUNTING in spec.operator.defects


RULES_OF_CLUSTERS: tuple[Rule, ...] = (
    one_cluster_per_namespace,
    clusters_have_names_of_their_own,
    persistent_volumes_have_names_of_their_own,
    clusters_agree_on_accounting,
)
