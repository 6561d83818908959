"""A table of the releases of slurm-operator and what differs between them.

Which fields its objects have comes from its CRDs, see `operator_fields`; how it behaves is in the rows here.

Source: release notes and CRDs of https://github.com/SlinkyProject/slurm-operator. Of 1.3.0 only the release text was
read, https://github.com/SlinkyProject/slurm-operator/releases/tag/v1.3.0; its CRDs and its builder are those of commit
f2ed3fc53252, on the way to 1.3.0-rc1. Of 1.0.6, 1.1.3 and 1.2.2, which https://pkg.go.dev dates to 2026-09-02, the
branches release-1.0, release-1.1 and release-1.2 were read as of 2026-08-21: objects and CRDs are those of the releases
before.
"""

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType

from pulumi_slurm.errors import field_error
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_fields import CHANGES, FIELDS


@dataclass(frozen=True)
class OperatorVersion:
    """One release of slurm-operator."""

    version: str
    """The release, for example "1.1.0"."""
    references_carry_namespace: bool
    """Whether references between objects must have a namespace; if false, they must not."""
    writes_plugins: bool
    """Whether the operator writes the lines of slurm.conf for GRES, cgroups and job accounting; if not, we do."""
    writes_gres_conf: bool
    """Whether the operator writes a gres.conf with AutoDetect=nvidia, unless it is given another; if not, we do."""
    passes_on_limits: bool
    """Whether the operator tells slurmd the limits of its pod, in POD_CPUS and POD_MEMORY; if not, we do."""
    passes_on_metadata: bool
    """Whether the operator copies labels and annotations of an object to the pods that it creates for it."""
    passes_on_topology: bool
    """Whether the operator passes a node's annotation `topology.slinky.slurm.net/spec` on to Slurm."""
    slurm_series: tuple[str, ...]
    """The Slurm series that the release supports, the default first."""
    kubernetes: str
    """The minor releases of Kubernetes that it supports: ``kubeVersion`` of its charts, or its release text."""
    addresses_slurmctld_by_service: bool
    """Whether the operator names slurmctld's pods one by one, with its Service as SlurmctldAddr."""
    keeps_node_records: bool
    """Whether Slurm keeps the node of a worker whose pod has ended, as DOWN; if not, the pod deletes it."""
    adds_words_in_small_letters: bool
    """Whether the operator adds words of ours to lines of its own, such as AuthAltParameters, in small letters."""
    defects: frozenset[OperatorDefect] = frozenset()
    """Known defects of the release."""
    listed_release: str = ""
    """The release of this row: `version`, or the newest of the same minor release if `version` isn't in the table."""

    @property
    def is_listed(self) -> bool:
        """Whether the release is in the table; if not, it is treated as `listed_release`."""
        return self.version == self.listed_release

    @property
    def minor(self) -> tuple[int, int]:
        """The minor release, for example (1, 1)."""
        return release_order(self.version)[:2]

    @property
    def jwt_field(self) -> str:
        """The field of Controller, Accounting and Token that refers to the JWT key."""
        return "jwtKeyRef" if self.has("Controller", "jwtKeyRef") else "jwtHs256KeyRef"

    def has(self, kind: str, path: str) -> bool:
        """Return whether objects of a kind have a field, by its path in their ``spec``, such as "ssh.enabled".

        The items of a list have the path of the list: "configFileRefs.name".
        """
        return _has(self.minor, kind, path)

    def fields(self, kind: str, parent: str = "") -> frozenset[str]:
        """Return the names of the fields right below a path in the ``spec`` of objects of a kind; "*" among them means
        any, and without a path they are those right below ``spec``."""
        return _fields(self.minor, kind, parent)


_ROW_1_0_0 = OperatorVersion(
    "1.0.0",
    references_carry_namespace=True,
    writes_plugins=True,
    writes_gres_conf=False,
    passes_on_limits=False,
    passes_on_metadata=False,
    passes_on_topology=False,
    slurm_series=("25.11",),
    kubernetes="1.29 or later",
    addresses_slurmctld_by_service=False,
    keeps_node_records=False,
    adds_words_in_small_letters=False,
    defects=frozenset(
        {
            OperatorDefect.RECONFIGURE_HANGS,
            OperatorDefect.ROLLING_UPDATE_DRAINS_ALL,
            OperatorDefect.CONFUSES_CLUSTERS_OF_ONE_NAME,
        }
    ),
)
_ROW_1_0_4 = replace(_ROW_1_0_0, references_carry_namespace=False)
_MENDED_TOGETHER = frozenset({OperatorDefect.RECONFIGURE_HANGS, OperatorDefect.ROLLING_UPDATE_DRAINS_ALL})
_ROW_1_0_5 = replace(_ROW_1_0_4, defects=_ROW_1_0_4.defects - _MENDED_TOGETHER)
_ROW_1_1_0 = replace(
    _ROW_1_0_0,
    writes_gres_conf=True,
    passes_on_limits=True,
    passes_on_metadata=True,
    passes_on_topology=True,
    defects=frozenset(OperatorDefect) - {OperatorDefect.TOPOLOGY_TAKES_THE_NEXT_OPTION},
)
_ROW_1_1_1 = replace(
    _ROW_1_1_0,
    references_carry_namespace=False,
    defects=_ROW_1_1_0.defects - {OperatorDefect.WEBHOOK_STOPS_SCHEDULING, OperatorDefect.CRASHES_WITHOUT_ACCOUNTING},
)
_ROW_1_1_2 = replace(_ROW_1_1_1, defects=_ROW_1_1_1.defects - _MENDED_TOGETHER)
_ROW_1_1_3 = replace(
    _ROW_1_1_2,
    defects=_ROW_1_1_2.defects - {OperatorDefect.TOKENS_EXPIRE, OperatorDefect.CONFUSES_CLUSTERS_OF_ONE_NAME},
)
_ROW_1_2_0 = replace(
    _ROW_1_1_2,
    writes_plugins=False,
    writes_gres_conf=False,
    slurm_series=("26.05", "25.11"),
    keeps_node_records=True,
    adds_words_in_small_letters=True,
    defects=_ROW_1_1_2.defects | {OperatorDefect.ROLLING_UPDATE_DRAINS_ALL},
)
_ROW_1_2_1 = replace(_ROW_1_2_0, defects=_ROW_1_1_2.defects)
_ROW_1_2_2 = replace(_ROW_1_2_0, defects=_ROW_1_1_3.defects)
_ROW_1_3_0 = replace(
    _ROW_1_2_2,
    # minimum-slurm-version in helm/slurm/Chart.yaml since commit 6f34ac9e.
    slurm_series=("26.05",),
    kubernetes="1.35 to 1.37",
    addresses_slurmctld_by_service=True,
    defects=frozenset({OperatorDefect.TOPOLOGY_TAKES_THE_NEXT_OPTION, OperatorDefect.CORDONED_NODES_GET_NO_WORKER}),
)

_ROW_BY_FIRST_RELEASE = MappingProxyType(
    {
        (1, 0, 0): _ROW_1_0_0,
        (1, 0, 4): _ROW_1_0_4,
        (1, 0, 5): _ROW_1_0_5,
        (1, 1, 0): _ROW_1_1_0,
        (1, 1, 1): _ROW_1_1_1,
        (1, 1, 2): _ROW_1_1_2,
        (1, 1, 3): _ROW_1_1_3,
        (1, 2, 0): _ROW_1_2_0,
        (1, 2, 1): _ROW_1_2_1,
        (1, 2, 2): _ROW_1_2_2,
        (1, 3, 0): _ROW_1_3_0,
    }
)
RELEASES = (
    *("1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4", "1.0.5", "1.0.6"),
    *("1.1.0", "1.1.1", "1.1.2", "1.1.3"),
    *("1.2.0", "1.2.1", "1.2.2"),
    "1.3.0",
)
"""All releases in the table, the oldest first. A later patch release of the same minor is accepted with a warning."""

DEFAULT_OPERATOR = "1.1.3"
"""The release that is installed by default."""


@lru_cache(maxsize=64)
def operator_version(text: str) -> OperatorVersion:
    """Return the row for a release; raise a field error if its minor release is not in the table.

    A patch release that is not in the table is treated as the newest of its minor release; see `is_listed`.
    """
    same_minor = [release for release in RELEASES if _minor_text(release) == _minor_text(text)]
    if not same_minor or not re.fullmatch(r"(0|[1-9][0-9]{0,5})(\.(0|[1-9][0-9]{0,5})){2}", text, re.ASCII):
        raise field_error("this release of slurm-operator is not known here", f"Write one of: {', '.join(RELEASES)}.")
    listed_release = text if text in same_minor else same_minor[-1]
    release = release_order(listed_release)
    first = max(start for start in _ROW_BY_FIRST_RELEASE if start <= release)
    return replace(_ROW_BY_FIRST_RELEASE[first], version=text, listed_release=listed_release)


def first_release_with(kind: str, path: str) -> str:
    """Return the oldest release in the table whose objects of a kind have a field."""
    return next(release for release in RELEASES if operator_version(release).has(kind, path))


def next_release_without(defect: OperatorDefect, operator: OperatorVersion) -> str | None:
    """Return the oldest later release in the table without a defect of the operator's release, and without others
    that this one hasn't got; None if there is none."""
    better = (release for release in _later(operator) if operator_version(release).defects < operator.defects)
    return next((release for release in better if defect not in operator_version(release).defects), None)


def _later(operator: OperatorVersion) -> tuple[str, ...]:
    return RELEASES[RELEASES.index(operator.listed_release) + 1 :]


@cache
def paths(kind: str) -> frozenset[str]:
    """Return the paths of all fields in the ``spec`` of objects of a kind, in any release."""
    return frozenset(path for innermost in FIELDS[kind] for path in _prefixes(innermost))


def is_in_minor(minor: tuple[int, int], kind: str, path: str) -> bool:
    """Return whether a path is among `paths`, and there in a minor release."""
    if path not in paths(kind):
        return False
    ranges = [CHANGES[kind][step] for step in _prefixes(path) if step in CHANGES.get(kind, ())]
    return all(since <= minor and (until is None or minor < until) for since, until in ranges)


@cache
def _has(minor: tuple[int, int], kind: str, path: str) -> bool:
    return any(is_in_minor(minor, kind, listed) for listed in (path, *_open_paths(path)))


@cache
def _fields(minor: tuple[int, int], kind: str, parent: str) -> frozenset[str]:
    return frozenset(
        path.rpartition(".")[2]
        for path in paths(kind)
        if path.rpartition(".")[0] == parent and is_in_minor(minor, kind, path)
    )


@cache
def release_order(version: str) -> tuple[int, int, int]:
    """Return the three numbers of a release, by which releases are in order."""
    major, minor, patch = version.split(".")
    return int(major), int(minor), int(patch)


def _minor_text(version: str) -> str:
    return version.rpartition(".")[0]


def _prefixes(path: str) -> list[str]:
    """Return the paths of a field and of all above it: "a", "a.b" and "a.b.c" for "a.b.c"."""
    steps = path.split(".")
    return [".".join(steps[:number]) for number in range(1, len(steps) + 1)]


def _open_paths(path: str) -> list[str]:
    """Return what stands in the table for a field that Kubernetes defines: "a.*" and "a.b.*" for "a.b.c"."""
    return [f"{above}.*" for above in _prefixes(path)[:-1]]
