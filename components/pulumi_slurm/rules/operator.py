"""Rules on what the selected release of slurm-operator supports."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.node_set import ScalingMode
from pulumi_slurm.model.operator_version import Feature
from pulumi_slurm.model.slurm import SlurmSpec

_VERSION: tuple[Path, ...] = (("operator_version",),)


def operator_knows_it(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a Slurm series and fields that the operator's release doesn't support, and would silently ignore."""
    features, version = spec.operator.features, spec.operator.version
    if spec.slurm_series not in spec.operator.slurm_series:
        yield FieldError(
            ("slurm_version",),
            spec.slurm_version,
            f"slurm-operator {version} doesn't speak to it",
            f"Write one of: {', '.join(spec.operator.slurm_series)}, or choose another operatorVersion.",
            _VERSION,
        )
    problem = f"slurm-operator {version} doesn't know it"
    fix = 'Write operatorVersion "1.1.0" or later, or leave this out.'
    for index, node_set in enumerate(spec.node_sets):
        newer = {
            Feature.SCALING_MODE: ("scaling_mode", node_set.scaling_mode is ScalingMode.DAEMON_SET),
            Feature.SSH: ("ssh", node_set.ssh is not None),
            Feature.ORDINAL_PADDING: ("ordinal_padding", node_set.ordinal_padding > 0),
            Feature.DISRUPTION_PROTECTION: (
                "workload_disruption_protection",
                not node_set.workload_disruption_protection,
            ),
        }
        for feature, (field, used) in newer.items():
            if used and feature not in features:
                yield FieldError(("node_sets", index, field), getattr(node_set, field), problem, fix, _VERSION)
    if spec.keys.jwks and Feature.JWKS not in features:
        yield FieldError(("keys", "jwks"), spec.keys.jwks, problem, fix, _VERSION)
