"""The bridge's release, and rules on what it goes together with: slurm-operator, Slurm, and slurmctld's place."""

import re
from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.releases.bridge_version import (
    BRIDGE_RELEASES,
    CANDIDATES,
    bridge_release,
    minor_text,
    newest_bridge,
)
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

_LEAST_SLURM = (25, 11, 3)
"""Earlier ones take external nodes for unresponsive when slurmctld reads its files again, which is often here:
CHANGELOG/slurm-25.11.md of https://github.com/SchedMD/slurm."""


def bridge_belongs_to_the_operator(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a bridge of another minor release than the operator's.

    Source: docs/versioning.md of https://github.com/SlinkyProject/slurm-operator at v1.2.1.
    """
    if spec.bridge is None:
        return
    operator = spec.operator
    release, newest = bridge_release(spec.bridge.version, operator), newest_bridge(minor_text(operator))
    if newest is None:
        *minors, last = dict.fromkeys(version.rpartition(".")[0] for version in BRIDGE_RELEASES)
        yield FieldError(
            ("operator_version",),
            operator.version,
            "no known release of slurm-bridge belongs to this release of slurm-operator",
            f"Write a release of {', '.join(minors)} or {last}, or leave bridge out.",
            (("bridge",),),
        )
    elif release and release.minor != minor_text(operator):
        yield FieldError(
            ("bridge", "version"),
            release.version,
            f"bridge and operator belong together by minor release, and the operator is {operator.version}",
            f'Write "{newest}", or leave it out.',
            (("operator_version",),),
        )


@warns
def bridge_release_is_listed(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of a release of the bridge that is not in the table, and of one of which only a candidate was seen."""
    release = bridge_release(spec.bridge.version, spec.operator) if spec.bridge else None
    if release and release.version in CANDIDATES:
        yield FieldError(
            ("bridge", "version"),
            release.version,
            "of this release of slurm-bridge only a candidate was known here, and its images may be missing",
            "Look in its release notes for what has changed since 1.3.0-rc1, or stay with operator and bridge 1.2.",
            (("operator_version",),),
        )
    if release and not release.is_listed:
        newest = release.listed_release
        yield FieldError(
            ("bridge", "version"),
            release.version,
            f"this patch release of slurm-bridge is not known here, so it is treated as {newest}, the newest known one",
            f'Look in its release notes for what has changed since {newest}, or write "{newest}".',
        )


def slurm_keeps_external_nodes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse releases of Slurm that lose the bridge's external nodes at each change of a file."""
    if spec.bridge is None or not spec.bridge.external_nodes:
        return
    controller_version = spec.controller.slurm_version
    at: Path = ("controller", "slurm_version") if controller_version else ("slurm_version",)
    version = controller_version or spec.slurm_version
    if re.fullmatch(r"[0-9]+(\.[0-9]+){2,}", version) and tuple(map(int, version.split("."))) < _LEAST_SLURM:
        yield FieldError(
            at,
            version,
            "slurmctld of this release regards the bridge's external nodes as unresponsive at each reconfigure",
            f'Write "{".".join(map(str, _LEAST_SLURM))}" or later, or "{spec.slurm_series}" for the newest.',
            (("bridge", "external_nodes"), ("slurm_version",)),
        )


def bridge_has_its_slurmctld(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a bridge for a slurmctld outside the cluster, whose partitions and node sets are not written here."""
    if spec.bridge and spec.controller.external:
        yield FieldError(
            ("bridge",),
            FieldError.ABSENT,
            "slurmctld runs outside the cluster, and nothing writes partitions and node sets for pods into its files",
            "Leave bridge out, or leave controller.external out.",
            (("controller", "external"),),
        )


RULES: tuple[Rule, ...] = (
    bridge_belongs_to_the_operator,
    bridge_release_is_listed,
    bridge_has_its_slurmctld,
    slurm_keeps_external_nodes,
)
