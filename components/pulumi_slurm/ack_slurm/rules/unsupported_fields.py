"""Fields of a Slurm specification that ack-slurm-operator doesn't support; they are refused instead of ignored."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model import (
    AutoscalingSpec,
    ConfineSpec,
    ImagesSpec,
    PodSpec,
    ServiceSpec,
)
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.identity import LdapSchema
from pulumi_slurm.model.node_set_fields import NODE_SET_FIELDS, SLINKY_ONLY, Unsupported, default_of
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule

_UNSUPPORTED, _ = Unsupported()
NODE_SETS: Mapping[str, tuple[Any, str, str]] = MappingProxyType(
    {
        # Empty lists and mappings count as left out.
        name: (None if default_of(name) in ([], {}) else default_of(name), *field.on_ack)
        for name, field in NODE_SET_FIELDS.items()
        if field.on_ack
    }
)
_OPERATOR_FIELD: Path = ("ack", "slurm_operator")

_ONE_SERVER = ("with ack-slurm-operator people log in to the controller, which has one SSH server", "Leave it out.")
_LOGIN_SET_FIELDS: Mapping[str, tuple[Any, str, str]] = MappingProxyType(
    {
        "pod": (PodSpec(), *_ONE_SERVER),
        "autoscaling": (None, *_ONE_SERVER),
        "extra_sshd_config": (None, *_ONE_SERVER),
        "update_strategy": (None, *_ONE_SERVER),
        "resources": (None, *_ONE_SERVER),
        "image": (None, *_ONE_SERVER),
        "extra_volumes": (None, *_ONE_SERVER),
        "extra_volume_mounts": (None, *_ONE_SERVER),
        "overrides": (None, *_ONE_SERVER),
    }
)
_ONE_IMAGE = (
    "it is for images of which each has one daemon, and Alibaba's image has all of them",
    "Leave it out; set ack.slurm.image, or image of a daemon.",
)
_IMAGES_FIELDS: Mapping[str, tuple[Any, str, str]] = MappingProxyType(
    {
        "registry": (ImagesSpec().registry, *_ONE_IMAGE),
        "tag": (None, *_ONE_IMAGE),
        "logfile": (ImagesSpec().logfile, "with ack-slurm-operator no container prints logs", "Leave it out."),
        "kubectl": (ImagesSpec().kubectl, "with ack-slurm-operator nothing writes to nodes", "Leave it out."),
    }
)
_CONTROLLER_FIELDS: Mapping[str, tuple[Any, str, str]] = MappingProxyType(
    {
        "inplace_reconfigure": (
            True,
            "with ack-slurm-operator nothing reconfigures slurmctld by itself",
            "Leave it out.",
        ),
        "assume_no_jobs": (
            False,
            "with ack-slurm-operator nobody asks slurmctld for jobs before partitions and node sets go",
            "Leave it out.",
        ),
        "ha": (None, _UNSUPPORTED, "Leave it out."),
        "address": (None, _UNSUPPORTED, "Leave it out."),
    }
)
_SLURM_SCALES = ("with ack-slurm-operator it is Slurm that scales", "Leave it out; ack.slurm.powerSaving has times.")
_AUTOSCALING_FIELDS: Mapping[str, tuple[Any, str, str]] = MappingProxyType(
    {
        # Empty lists and mappings count as left out.
        field: (info.default or None, *_SLURM_SCALES)
        for field, info in AutoscalingSpec.model_fields.items()
        # The range is Slurm's too. KEDA, the default kind, has to be given an address, here as elsewhere.
        if field not in {"kind", "min_replicas", "max_replicas", "prometheus_address"}
    }
)
_LDAP_FIELDS: Mapping[str, tuple[Any, str, str]] = MappingProxyType(
    {
        "ca_secret": (None, "nslcd reads certificates from a file", "Leave it out; write ack.slurm.ldap.caFile."),
        "ldap_schema": (LdapSchema.RFC2307, "nslcd is configured for rfc2307 alone", "Leave it out."),
        "access_filter": (None, "nslcd would let in other users too", "Leave it out."),
    }
)


def everything_has_an_effect(context: RuleContext) -> Iterator[FieldError]:
    """Refuse fields that ack-slurm-operator doesn't support."""
    spec = context.spec
    for index, node_set in enumerate(spec.node_sets):
        node_set_at: Path = (*CLUSTER, "node_sets", index)
        yield from _unsupported(node_set_at, node_set, NODE_SETS)
        if node_set.autoscaling:
            yield from _unsupported((*node_set_at, "autoscaling"), node_set.autoscaling, _AUTOSCALING_FIELDS)
    for index, login_set in enumerate(spec.login_sets):
        at: Path = (*CLUSTER, "login_sets", index)
        yield from _unsupported(at, login_set, _LOGIN_SET_FIELDS)
        if (login_set.replicas or 1) != 1:
            yield _error((*at, "replicas"), login_set.replicas, *_ONE_SERVER)
        if index:
            problem = "with ack-slurm-operator people log in to the controller, so there can only be one login set"
            yield _error((*at, "name"), login_set.name, problem, "Keep one of them.")
    for path, model in (("controller", spec.controller), ("rest_api", spec.rest_api), ("accounting", spec.accounting)):
        if model and model.overrides:
            fix = "Leave it out; ack.slurm.overrides is merged into the SlurmCluster."
            yield _error((*CLUSTER, path, "overrides"), model.overrides, SLINKY_ONLY, fix)
    for path, daemon in (("controller", spec.controller), ("accounting", spec.accounting)):
        if daemon and daemon.slurm_version:
            fix = "Leave it out; the image of each daemon decides."
            yield _error((*CLUSTER, path, "slurm_version"), daemon.slurm_version, SLINKY_ONLY, fix)
    yield from _whole_features(context)
    yield from _fields_of_slinky(spec)
    yield from _names_in_options(context)


def _whole_features(context: RuleContext) -> Iterator[FieldError]:
    spec = context.spec
    if spec.controller.external:
        yield _error(
            (*CLUSTER, "controller", "external"),
            spec.controller.external,
            "ack-slurm-operator can't run a cluster without a controller",
            "Leave it out; for a Slurm outside Kubernetes create only a SlurmCopilot.",
        )
    if spec.tokens:
        fix = "Leave it out, and create tokens with `scontrol token`."
        yield _error(
            (*CLUSTER, "tokens"), spec.tokens, "with ack-slurm-operator nothing would create or renew tokens", fix
        )
    if spec.keys.jwks:
        problem = "the key set of an identity provider isn't mounted in ack-slurm-operator's pods"
        yield _error((*CLUSTER, "keys", "jwks"), spec.keys.jwks, problem, "Leave it out.")
    if spec.confine != ConfineSpec():
        problem = "only slurm-operator writes a cgroup.conf by itself"
        yield _error((*CLUSTER, "confine"), spec.confine.model_dump(), problem, "Add cgroup.conf to configFiles.")
    for field in ("service_monitor", "prometheus", "rules", "dashboards"):
        if getattr(spec.monitoring, field):
            problem = "Slurm itself only offers metrics from 25.11 on"
            fix = "Leave it out; ack.slurm.prometheus starts the exporter of an image that contains one."
            yield _error((*CLUSTER, "monitoring", field), getattr(spec.monitoring, field), problem, fix)
    if spec.identity and spec.identity.ldap:
        yield from _unsupported((*CLUSTER, "identity", "ldap"), spec.identity.ldap, _LDAP_FIELDS)
    if spec.identity and spec.identity.sssd_conf_secret:
        yield _error(
            (*CLUSTER, "identity", "sssd_conf_secret"),
            spec.identity.sssd_conf_secret,
            "with ack-slurm-operator pods look up users by nslcd, which doesn't read it",
            "Set identity.ldap or identity.directory.",
        )
    if context.ack.ldap.admin_page and not (spec.identity and spec.identity.directory):
        fix = "Leave it out, or add identity.directory."
        yield _error((*ACK, "ldap", "admin_page"), context.ack.ldap.admin_page, "there is no directory to manage", fix)
    if spec.hooks.health_check:
        problem = "in ack-slurm-operator's pods nothing mounts it"
        fix = "Leave it out; put the script into the image and set slurmConf.extra.HealthCheckProgram."
        yield _error((*CLUSTER, "hooks", "health_check"), spec.hooks.health_check, problem, fix)
    for field in ("prolog_slurmctld", "epilog_slurmctld"):
        scripts = getattr(spec.hooks, field)
        if len(scripts) > 1:
            problem = "slurmctld only runs one program here"
            yield _error((*CLUSTER, "hooks", field), sorted(scripts), problem, "Combine them into one script.")


def _fields_of_slinky(spec: SlurmSpec) -> Iterator[FieldError]:
    if "slurm_version" in spec.model_fields_set:
        problem = "with ack-slurm-operator the image decides which Slurm runs"
        fix = "Leave it out; ack.slurm.slurmVersion says which release an image of yours has."
        yield _error((*CLUSTER, "slurm_version"), spec.slurm_version, problem, fix)
    if spec.cluster_name:
        problem = "with ack-slurm-operator ClusterName is the name of the SlurmCluster"
        yield _error((*CLUSTER, "cluster_name"), spec.cluster_name, problem, "Leave it out; set name.")
    if spec.adopted:
        yield _error((*CLUSTER, "adopted"), spec.adopted, "Slinky's chart makes no SlurmCluster", "Leave it out.")
    yield from _unsupported((*CLUSTER, "controller"), spec.controller, _CONTROLLER_FIELDS)
    for path, model in (("controller", spec.controller), ("accounting", spec.accounting)):
        if model and model.service != ServiceSpec():
            yield _error((*CLUSTER, path, "service"), model.service, _UNSUPPORTED, "Leave it out.")
    if spec.rest_api.service != ServiceSpec():
        problem = "ack-slurm-operator makes the Service of slurmrestd"
        yield _error((*CLUSTER, "rest_api", "service"), spec.rest_api.service, problem, "Leave it out.")
    if spec.topologies:
        problem = "with ack-slurm-operator nothing tells Slurm where its nodes are"
        fix = "Leave it out; write topology.conf into configFiles."
        yield _error((*CLUSTER, "topologies"), spec.topologies, problem, fix)
    if not spec.monitoring.metrics:
        problem = "with ack-slurm-operator slurmctld has no metrics, so there are none to switch off"
        yield _error((*CLUSTER, "monitoring", "metrics"), False, problem, "Leave it out.")
    yield from _unsupported((*CLUSTER, "images"), spec.images, _IMAGES_FIELDS)
    if spec.external_nodes:
        problem = "ack-slurm-operator lists the nodes of a cluster one by one"
        yield _error((*CLUSTER, "external_nodes"), spec.external_nodes, problem, "Leave it out.")
    if spec.bridge:
        problem = "slurm-bridge needs slurm-operator, and a newer Slurm than ack-slurm-operator runs"
        yield _error((*CLUSTER, "bridge"), spec.bridge.partition, problem, "Leave it out, or run slurm-operator.")


def _names_in_options(context: RuleContext) -> Iterator[FieldError]:
    node_sets = [node_set.name for node_set in context.spec.node_sets]
    for name, extras in context.ack.workers.items():
        if name not in node_sets:
            yield _error((*ACK, "workers", name), name, "there is no such node set", _one_of(node_sets))
        elif extras.init_bash and context.ack.drain_before_end:
            problem = "a custom start script doesn't resume the node that drainBeforeEnd has drained"
            fix = "Leave one of the two out."
            yield _error((*ACK, "workers", name, "init_bash"), "...", problem, fix)


def _one_of(node_sets: list[str]) -> str:
    return f"Write one of: {', '.join(node_sets)}." if node_sets else "Add it to cluster.nodeSets."


def _unsupported(at: Path, model: Model, unsupported: Mapping[str, tuple[Any, str, str]]) -> Iterator[FieldError]:
    for field, (default, problem, fix) in unsupported.items():
        value = getattr(model, field)
        if value not in (default, [], {}):
            yield _error((*at, field), value, problem, fix)


def _error(at: Path, value: Any, problem: str, fix: str) -> FieldError:
    return FieldError(at, value, problem, fix, depends_on_fields=(_OPERATOR_FIELD,))


RULES: tuple[Rule, ...] = (everything_has_an_effect,)
