"""Rules between the clusters of one ack-slurm-operator."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules.run import Rule


def clusters_have_tokens_of_their_own(specs: Sequence[SlurmSpec]) -> Iterator[FieldError]:
    """Refuse two clusters of one name, whatever their namespaces are.

    An operator has the tokens of all its clusters in one Secret, with only the clusters' names as keys.
    """
    for index, spec in enumerate(specs):
        other = next((other for other in specs[:index] if other.name == spec.name), None)
        if other and other.namespace != spec.namespace:
            problem = (
                f'a cluster of this name is in namespace "{other.namespace}", and in the operator\'s namespace the two '
                "would overwrite each other's token and Role"
            )
            yield FieldError((index, "name"), spec.name, problem, "Choose another name.")


RULES_OF_CLUSTERS: tuple[Rule, ...] = (clusters_have_tokens_of_their_own,)
