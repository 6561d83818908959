"""The rule on known errors of the operator's release."""

from collections.abc import Iterator
from types import MappingProxyType

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.node_set import ScalingMode, UpdateType
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import next_release_without
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns


@warns
def operator_release_has_no_known_defects(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of errors of the operator's release that concern this specification; "Operator versions" lists them."""
    operator = spec.operator
    for defect in OperatorDefect:
        if defect in operator.defects and _concerns(defect, spec):
            release = next_release_without(defect, operator)
            ways = [*([f'operatorVersion "{release}"'] if release else []), *_INSTEAD.get(defect, ())]
            fix = f"Write {', or '.join(ways)}."
            yield FieldError(("operator_version",), operator.version, defect.value, fix)


_INSTEAD = MappingProxyType(
    {
        OperatorDefect.ROLLING_UPDATE_DRAINS_ALL: ('updateStrategy: {type: "OnDelete"} in all node sets',),
        OperatorDefect.ROLLING_UPDATE_STOPS: ('updateStrategy: {type: "OnDelete"} in these node sets',),
        OperatorDefect.TOPOLOGY_TAKES_THE_NEXT_OPTION: (
            'slurmdOptions: {Topology: "default"} in all node sets, or the name of a flat topology of yours and ":x"',
            'an earlier operatorVersion such as "1.2.2"',
            "image in all node sets, with one whose start script passes over an empty Topology",
        ),
    }
)
"""What to write as an alternative to a later release, or if no later release is without the defect."""


def _concerns(defect: OperatorDefect, spec: SlurmSpec) -> bool:
    match defect:
        case OperatorDefect.RECONFIGURE_HANGS:
            return not spec.controller.external
        case (
            OperatorDefect.WEBHOOK_STOPS_SCHEDULING
            | OperatorDefect.CONFUSES_CLUSTERS_OF_ONE_NAME
            | OperatorDefect.CRASHES_WITHOUT_ACCOUNTING
            | OperatorDefect.CORDONED_NODES_GET_NO_WORKER
        ):
            # `SlinkyOperator` warns of the first, whose release it is; for the next two there have to be two clusters,
            # or a change, see `rules.clusters` and reviews. Of the last no release is better, and a toleration is no
            # remedy for everyone: whoever cordons a node for maintenance wants no new workers there.
            return False
        case OperatorDefect.TOKENS_EXPIRE:
            return spec.bridge is not None or any(token.refresh for token in spec.tokens)
        case OperatorDefect.TOPOLOGY_TAKES_THE_NEXT_OPTION:
            return any(
                node_set.image is None and "topology" not in map(str.lower, node_set.slurmd_options)
                for node_set in spec.node_sets
            )
        case OperatorDefect.ROLLING_UPDATE_DRAINS_ALL:
            return any(node_set.update_type is UpdateType.ROLLING_UPDATE for node_set in spec.node_sets)
        case OperatorDefect.ROLLING_UPDATE_STOPS:
            return any(
                node_set.scaling_mode is ScalingMode.DAEMON_SET and node_set.update_type is not UpdateType.ON_DELETE
                for node_set in spec.node_sets
            )


RULES: tuple[Rule, ...] = (operator_release_has_no_known_defects,)
RULES_OF_SLINKY: tuple[Rule, ...] = (operator_release_has_no_known_defects,)
