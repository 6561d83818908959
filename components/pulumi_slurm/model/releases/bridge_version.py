"""A table of the releases of slurm-bridge and what differs between them.

Source: charts, release notes and code of https://github.com/SlinkyProject/slurm-bridge, of 1.3 at commit 6f700ba44fd6,
which is 1.3.0-rc1; docs/versioning.md of
https://github.com/SlinkyProject/slurm-operator says that operator and bridge of one minor release belong together.
"""

import re
from dataclasses import dataclass, replace
from types import MappingProxyType

from pulumi_slurm.errors import field_error
from pulumi_slurm.model.releases.operator_version import OperatorVersion


@dataclass(frozen=True)
class BridgeVersion:
    """One release of slurm-bridge, from 1.1 on: releases before know no external nodes."""

    version: str
    """The release, for example "1.1.2"."""
    has_priority: bool
    """Whether the annotation ``priority`` is read."""
    has_topology: bool
    """Whether external nodes get their place from the annotation `topology.slinky.slurm.net/spec`."""
    has_workload_api: bool
    """Whether Kubernetes' own PodGroup (scheduling.k8s.io/v1alpha2) is scheduled."""
    needs_every_owner: bool
    """Whether a pod starts only if every owner above it may be read: GetRootOwnerMetadata in internal/utils/meta.go of
    v1.1.2."""
    reads_token_file: bool = False
    """Whether the token is read from a file before each request, and not once from the environment."""
    elects_controllers: bool = False
    """Whether of several controllers one is elected."""
    refuses_resizes: bool = False
    """Whether the webhook refuses to resize pods in place, of which Slurm would not hear."""
    listed_release: str = ""
    """The release of this row: `version`, or the newest of the same minor release if `version` isn't in the table."""

    @property
    def is_listed(self) -> bool:
        """Whether the release is in the table; if not, it is treated as `listed_release`."""
        return self.version == self.listed_release

    @property
    def minor(self) -> str:
        """The minor release, for example "1.1"."""
        return self.version.rpartition(".")[0]

    @property
    def loses_jobs_with_nodes(self) -> bool:
        """Whether its jobs name every node that would do as required, so that Slurm ends all of them when slurmctld
        restarts after one of these nodes is gone: https://github.com/SlinkyProject/slurm-bridge/issues/43."""
        return [int(part) for part in self.version.split(".")] <= [1, 2, 1]


_ROW_BY_MINOR = MappingProxyType(
    {
        "1.1": BridgeVersion(
            "1.1.0", has_priority=False, has_topology=False, has_workload_api=False, needs_every_owner=True
        ),
        "1.2": BridgeVersion(
            "1.2.0", has_priority=True, has_topology=True, has_workload_api=True, needs_every_owner=False
        ),
        "1.3": BridgeVersion(
            "1.3.0",
            has_priority=True,
            has_topology=True,
            has_workload_api=True,
            needs_every_owner=False,
            reads_token_file=True,
            elects_controllers=True,
            refuses_resizes=True,
        ),
    }
)
CANDIDATES = frozenset({"1.3.0"})
"""Releases of which only a candidate was out when they were written down here."""
BRIDGE_RELEASES = ("1.1.0", "1.1.1", "1.1.2", "1.2.0", "1.2.1", "1.3.0")
"""All releases in the table, the oldest first. A later patch release of the same minor is accepted with a warning."""


def bridge_version(text: str) -> BridgeVersion:
    """Return the row for a release; raise a field error if its minor release is not in the table."""
    minor = text.rpartition(".")[0]
    if minor not in _ROW_BY_MINOR or not re.fullmatch(r"(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}", text, re.ASCII):
        raise field_error(
            "this release of slurm-bridge is not known here", f"Write one of: {', '.join(BRIDGE_RELEASES)}."
        )
    listed = text if text in BRIDGE_RELEASES else newest_bridge(minor)
    return replace(_ROW_BY_MINOR[minor], version=text, listed_release=listed or "")


def bridge_release(version: str | None, operator: OperatorVersion) -> BridgeVersion | None:
    """Return the row for a release, or else for the newest one of the operator's minor release, None if it has none."""
    chosen = version or newest_bridge(minor_text(operator))
    return bridge_version(chosen) if chosen else None


def minor_text(operator: OperatorVersion) -> str:
    """Return the minor release of the operator, for example "1.1"."""
    return ".".join(map(str, operator.minor))


def newest_bridge(minor: str) -> str | None:
    """Return the newest release in the table of a minor release such as "1.1", None where the table has none."""
    releases = [release for release in BRIDGE_RELEASES if release.rpartition(".")[0] == minor]
    return releases[-1] if releases else None
