"""The fields of Slinky's objects that `overrides` may and may not set.

Source: the CRDs of slurm-operator 1.0.5 to 1.2.1 and, for probes, its builder package. `DERIVED` has the fields that
are derived from the specification, with what to set instead; `FIELDS` has the others, and `ADDED` and `REMOVED` the
differences between releases.
"""

from pulumi_slurm.errors import Path
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMDBD_PORT, SLURMRESTD_PORT

ALL_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")

PROBES: dict[str, dict[str, tuple[str, ...]]] = {
    "Controller": {"slurmctld": ALL_PROBES, "reconfigure": (), "logfile": ()},
    "Accounting": {"slurmdbd": ("readinessProbe",)},
    "RestApi": {"slurmrestd": ALL_PROBES},
    "NodeSet": {"slurmd": ALL_PROBES, "logfile": ()},
    "LoginSet": {"login": ("readinessProbe",), "initconf": ()},
}
"""Containers of each kind, with the probes that the operator gives them; it panics if another probe is merged in."""

PORTS = {"Controller": SLURMCTLD_PORT, "Accounting": SLURMDBD_PORT, "RestApi": SLURMRESTD_PORT}
"""Ports that are fixed in daemons, clients and the operator. The SSH port of login sets can be changed."""

FIELDS: dict[str, frozenset[str]] = {
    "Controller": frozenset({*PROBES["Controller"], "metrics", "persistence", "service", "template"}),
    "Accounting": frozenset({*PROBES["Accounting"], "service", "template"}),
    "RestApi": frozenset({*PROBES["RestApi"], "service", "template"}),
    "NodeSet": frozenset(
        {
            *PROBES["NodeSet"],
            "minReadySeconds",
            "persistentVolumeClaimRetentionPolicy",
            "revisionHistoryLimit",
            "taintKubeNodes",
            "template",
            "updateStrategy",
        }
    ),
    "LoginSet": frozenset({*PROBES["LoginSet"], "extraSshdConfig", "rootSshAuthorizedKeys", "service", "template"}),
}
"""Fields that may be overridden on every release."""

ADDED: dict[str, dict[str, tuple[int, int]]] = {
    "Controller": {"inplaceReconfigure": (1, 2)},
    "NodeSet": {
        "oversubscribeNode": (1, 2),
        "pinToNode": (1, 2),
        "pruneSlurmNodeRecords": (1, 2),
        "workloadDisruptionProtection": (1, 1),
    },
    "LoginSet": {"strategy": (1, 1)},
}
"""Fields that were added later, with the minor release that added them."""

REMOVED: dict[str, dict[str, tuple[int, int]]] = {"NodeSet": {"taintKubeNodes": (1, 2)}}
"""Fields that were removed, with the first minor release without them."""

_KEYS: dict[Path, str] = {
    ("slurmKeyRef",): "set keys.slurm",
    ("jwtKeyRef",): "set keys.jwt",
    ("jwtHs256KeyRef",): "set keys.jwt",
    ("jwksKeyRef",): "set keys.jwks",
}
_CONTROLLER_REF: dict[Path, str] = {("controllerRef",): "leave it: everything belongs to this cluster's controller"}

DERIVED: dict[str, dict[Path, str]] = {
    "Controller": {
        **_KEYS,
        ("clusterName",): "set name",
        ("accountingRef",): "set accounting",
        ("external",): "set controller.external",
        ("externalConfig",): "set controller.external",
        ("extraConf",): "set slurmConf and partitions",
        ("configFileRefs",): "set configFiles",
        ("prologScriptRefs",): "set hooks.prolog",
        ("epilogScriptRefs",): "set hooks.epilog",
        ("prologSlurmctldScriptRefs",): "set hooks.prologSlurmctld",
        ("epilogSlurmctldScriptRefs",): "set hooks.epilogSlurmctld",
        ("persistence", "enabled"): "set controller.state.enabled",
        ("persistence", "existingClaim"): "set controller.state.existingClaim",
        ("metrics", "enabled"): "set monitoring.metrics",
        ("template", "spec", "hostNetwork"): "leave it: slurmctld is found by the name of its pod",
    },
    "Accounting": {
        **_KEYS,
        ("external",): "set accounting.external",
        ("externalConfig",): "set accounting.external",
        ("extraConf",): "set accounting.extraConf",
        ("storageConfig",): "set accounting.database",
        ("template", "spec", "hostNetwork"): "leave it: slurmdbd is found by the name of its pod",
    },
    "RestApi": {
        **_CONTROLLER_REF,
        ("replicas",): "set restApi.replicas",
    },
    "NodeSet": {
        **_CONTROLLER_REF,
        ("replicas",): "set replicas or autoscaling of the node set",
        ("scalingMode",): "set scalingMode of the node set",
        ("extraConf",): "set features, weight, extraGres or slurmdOptions of the node set",
        ("partition",): "set partition of the node set",
        ("ssh",): "set ssh of the node set",
        ("ordinalPadding",): "set ordinalPadding of the node set",
        ("volumeClaimTemplates",): "set volumeClaims of the node set",
        ("template", "spec", "hostname"): "set hostNamePrefix of the node set",
    },
    "LoginSet": {
        **_CONTROLLER_REF,
        ("replicas",): "set replicas or autoscaling of the login set",
        ("sssdConfRef",): "set identity",
    },
}
"""Paths that `overrides` can't set, and what to do instead."""


def overridable(kind: str, minor: tuple[int, ...]) -> set[str]:
    """Return the fields that may be overridden with a minor release of the operator."""
    added = {field for field, release in ADDED.get(kind, {}).items() if minor >= release}
    removed = {field for field, release in REMOVED.get(kind, {}).items() if minor >= release}
    return (set(FIELDS[kind]) | added) - removed
