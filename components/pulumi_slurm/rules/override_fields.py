"""The fields of Slinky's objects that `overrides` may not set; all others in the CRDs it may, see `operator_fields`.

Source, for probes: the builder package of slurm-operator.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.errors import Path
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.node_set_fields import NODE_SET_FIELDS
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMDBD_PORT, SLURMRESTD_PORT

ALL_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")

PROBES: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Controller": MappingProxyType({"slurmctld": ALL_PROBES, "reconfigure": (), "logfile": ()}),
        "Accounting": MappingProxyType({"slurmdbd": ("readinessProbe",)}),
        "RestApi": MappingProxyType({"slurmrestd": ALL_PROBES}),
        "NodeSet": MappingProxyType({"slurmd": ALL_PROBES, "logfile": ()}),
        "LoginSet": MappingProxyType({"login": ("readinessProbe",), "initconf": ()}),
    }
)
"""Containers of each kind, with the probes that the operator gives them; it panics if another probe is merged in."""

PORTS = MappingProxyType({"Controller": SLURMCTLD_PORT, "Accounting": SLURMDBD_PORT, "RestApi": SLURMRESTD_PORT})
"""Ports that are fixed in daemons, clients and the operator. The SSH port of login sets can be changed."""

LISTS: Mapping[str, tuple[Path, ...]] = MappingProxyType(
    {
        "Controller": (("metrics", "serviceMonitor", "endpoints"), ("persistence", "selector", "matchExpressions")),
    }
)
"""Lists of objects in the CRDs, other than those in `DERIVED`. The table of fields has the fields of their items, and
doesn't say that they are lists."""

OBJECTS: Mapping[str, tuple[Path, ...]] = MappingProxyType(
    {
        kind: (
            ("template", "spec", "nodeSelector"),
            ("template", "spec", "affinity"),
            *((container, "resources", *path) for container in containers for path in ((), ("requests",), ("limits",))),
        )
        for kind, containers in PROBES.items()
    }
)
"""Objects that Kubernetes defines, which the CRDs leave open, and in which derived fields may be."""

_KEYS: Mapping[Path, str] = MappingProxyType(
    {
        ("slurmKeyRef",): "Set keys.slurm instead",
        ("jwtKeyRef",): "Set keys.jwt instead",
        ("jwtHs256KeyRef",): "Set keys.jwt instead",
        ("jwksKeyRef",): "Set keys.jwks instead",
    }
)
_CONTROLLER_REF: Mapping[Path, str] = MappingProxyType(
    {("controllerRef",): "Leave it out: everything belongs to this cluster's controller"}
)


def _node_set_fields() -> dict[Path, str]:
    names: dict[Path, list[str]] = {}
    for name, field in NODE_SET_FIELDS.items():
        for path in field.derives:
            names.setdefault(tuple(path.split(".")), []).append(str(NodeSetSpec.model_fields[name].alias))
    return {path: f"Set {_one_of(fields)} of the node set instead" for path, fields in names.items()}


def _one_of(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


DERIVED: Mapping[str, Mapping[Path, str]] = MappingProxyType(
    {
        "Controller": MappingProxyType(
            {
                **_KEYS,
                ("clusterName",): "Set clusterName instead",
                ("accountingRef",): "Set accounting instead",
                ("external",): "Set controller.external instead",
                ("externalConfig",): "Set controller.external instead",
                ("ha",): "Set controller.ha instead",
                ("extraConf",): "Set slurmConf and partitions instead",
                ("configFileRefs",): "Set configFiles instead",
                ("prologScriptRefs",): "Set hooks.prolog instead",
                ("epilogScriptRefs",): "Set hooks.epilog instead",
                ("prologSlurmctldScriptRefs",): "Set hooks.prologSlurmctld instead",
                ("epilogSlurmctldScriptRefs",): "Set hooks.epilogSlurmctld instead",
                ("inplaceReconfigure",): "Set controller.inplaceReconfigure instead",
                ("persistence", "enabled"): "Set controller.state.enabled instead",
                ("persistence", "existingClaim"): "Set controller.state.existingClaim instead",
                ("metrics", "enabled"): "Set monitoring.metrics instead",
                ("template", "spec", "hostNetwork"): "Leave it out: slurmctld is found by the name of its pod",
            }
        ),
        "Accounting": MappingProxyType(
            {
                **_KEYS,
                ("external",): "Set accounting.external instead",
                ("externalConfig",): "Set accounting.external instead",
                ("extraConf",): "Set accounting.extraConf instead",
                ("storageConfig",): "Set accounting.database instead",
                ("template", "spec", "hostNetwork"): "Leave it out: slurmdbd is found by the name of its pod",
            }
        ),
        "RestApi": MappingProxyType(
            {
                **_CONTROLLER_REF,
                ("replicas",): "Set restApi.replicas instead",
            }
        ),
        "NodeSet": MappingProxyType(
            {
                **_CONTROLLER_REF,
                **_node_set_fields(),
            }
        ),
        "LoginSet": MappingProxyType(
            {
                **_CONTROLLER_REF,
                ("replicas",): "Set replicas or autoscaling of the login set instead",
                ("sssdConfRef",): "Set identity instead",
            }
        ),
    }
)
"""Paths that `overrides` can't set, and what to do instead."""
