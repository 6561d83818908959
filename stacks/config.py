"""The configuration of a stack: what stands in Pulumi.<stack>.yaml under ``slurm:``.

What belongs to which kind of stack is said by the model of that kind, in a module that is loaded when it is needed.
"""

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any, ClassVar

import pulumi
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, collected_warnings, nearest
from pulumi_slurm.keys import SET_ROOT_KEY, decode_root_key
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.base import Model

SUBJECT = "The stack's configuration"


class Kind(StrEnum):
    """Which of the stacks is built."""

    LOCAL = "local"
    KUBERNETES = "kubernetes"
    GKE = "gke"
    ACK = "ack"


_CLOUDS = (Kind.GKE, Kind.ACK)
"""Kinds whose cluster is described below a key of the same name."""


class OperatorSpec(Model):
    """How slurm-operator comes into the Kubernetes cluster."""

    preinstalled: bool = False
    """It runs already, with its CRDs and its webhook."""
    namespace: str = "slinky"
    """The operator's namespace."""
    operator_chart: str | None = None
    """Where the operator's chart comes from: an OCI address, or a folder. Slinky's registry by default."""
    crds_chart: str | None = None
    """Where the CRDs' chart comes from: an OCI address, or a folder. Slinky's registry by default."""
    install_crds: bool = True
    """Install the CRDs too."""
    retain_crds: bool = True
    """Leave the CRDs, and with them all Slurm clusters, on `pulumi destroy`."""
    install_cert_manager: bool = True
    """Install cert-manager, which makes the webhook's certificate."""
    values: dict[str, Any] = {}
    """Further values of the operator's chart."""


class StackSecrets(Model):
    """A stack's secrets."""

    root_key: str = Field(repr=False)
    """32 random bytes in base64, from which every key is derived."""
    ldap_bind_password: str | None = Field(default=None, repr=False)
    """The password of `cluster.identity.ldap.bindDn`."""


class StackConfig(Model):
    """What every kind of stack is told, without its secrets."""

    model_config = ConfigDict(title="Configuration of a pulumi-slurm stack")

    FOREIGN: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Fields of other kinds: why this kind has no such field, and what to write instead."""
    SECRETS: ClassVar[type[StackSecrets]] = StackSecrets
    """The secrets that a stack of this kind can have."""

    kind: Kind
    """Which stack: "local" is the embedded cluster of `make up`; "kubernetes" is a cluster that exists already; "gke"
    makes a cluster on Google Cloud, "ack" one on Alibaba Cloud."""
    cluster: SlurmSpec
    """The Slurm cluster."""
    operator: OperatorSpec = OperatorSpec()
    """How slurm-operator comes into the Kubernetes cluster."""
    warnings_as_errors: bool = False
    """Refuse what the preview would only warn of."""


@dataclass(frozen=True)
class NeededSecret:
    """A secret that a configuration can't do without."""

    why: str
    """What it is for: "SSSD binds as ..."."""
    objection: Callable[[str], tuple[str, str] | None] = lambda _: None
    """Returns problem and fix of a value that can't be used; neither may repeat it."""


@dataclass
class ConfigReading:
    """What could be read of a configuration; ``config`` is None where something is wrong."""

    config: StackConfig | None
    cluster: SlurmSpec | None
    found: list[FieldError]
    needs: Mapping[str, NeededSecret] = dataclasses.field(default_factory=dict)
    """Secrets that are needed beside the root key, by their keys in the configuration."""


_KINDS = {
    Kind.LOCAL: ("kubernetes_config", "KubernetesConfig"),
    Kind.KUBERNETES: ("kubernetes_config", "KubernetesConfig"),
    Kind.GKE: ("gke_config", "GkeConfig"),
    Kind.ACK: ("ack_config", "AckConfig"),
}
"""The module of each kind, which has a function ``read``, and the model in it."""


def config_model(kind: Kind) -> type[StackConfig]:
    """Return the model of a kind's configuration."""
    module, name = _KINDS[kind]
    model: type[StackConfig] = getattr(import_module(f".{module}", __package__), name)
    return model


def read_config(config: pulumi.Config | None = None) -> tuple[StackConfig, StackSecrets]:
    """Return the configuration of the stack that runs.

    Raises:
        SpecRunError: with every error in it, before any resource is registered.
    """
    config = config or pulumi.Config("slurm")
    kind = _kind(config)
    data, found = _raw(config, config_model(kind))
    found += _unknown_keys(config, kind)
    module, _ = _KINDS[kind]
    with collected_warnings() as warned:
        reading: ConfigReading = import_module(f".{module}", __package__).read(data)
    secrets, missing = _secrets(config, config_model(kind).SECRETS, reading)
    unread = {error.path for error in found}
    found += [*(error for error in reading.found if error.path not in unread), *missing]
    if data.get("warningsAsErrors") is True:
        found += warned
    if found:
        raise SpecRunError([_prefixed(error) for error in found], SUBJECT)
    for warning in warned:
        pulumi.log.warn(_prefixed(warning).line)
    assert reading.config is not None
    assert secrets is not None
    return reading.config, secrets


def not_a_mapping(field: str, value: Any, fix: str) -> FieldError:
    """Return the error of a part of the configuration that is not there, or is something else."""
    if value is None:
        return FieldError((field,), FieldError.ABSENT, "this field is required", fix)
    return FieldError((field,), value, "this is not a mapping", fix)


CLUSTER_REMEDY = "Write cluster: {name: ..., nodeSets: [...]}."


def _kind(config: pulumi.Config) -> Kind:
    """Return the kind that is written, or the one that is probably meant, so that the rest can be looked at."""
    written = config.get("kind")
    if written in set(Kind):
        return Kind(written)
    return next((kind for kind in _CLOUDS if config.get(kind) is not None), Kind.KUBERNETES)


def _raw(config: pulumi.Config, model: type[StackConfig]) -> tuple[dict[str, Any], list[FieldError]]:
    data: dict[str, Any] = {}
    found: list[FieldError] = []
    for name, field in model.model_fields.items():
        key = to_camel(name)
        text = config.get(key)
        if text is None:
            continue
        if field.annotation in (str, str | None, Kind):
            data[key] = text
            continue
        try:
            data[key] = json.loads(text)
        except json.JSONDecodeError:
            kind = "true or false" if field.annotation is bool else "a mapping or a list"
            found.append(FieldError((key,), text, f"this is not {kind}", f"Write {kind}."))
    return data, found


def _unknown_keys(config: pulumi.Config, kind: Kind) -> list[FieldError]:
    model = config_model(kind)
    known = {to_camel(name) for name in (*model.model_fields, *model.SECRETS.model_fields)}
    prefix = f"{config.name}:"
    written = [key.removeprefix(prefix) for key in pulumi.runtime.config.CONFIG.get() if key.startswith(prefix)]
    return [
        FieldError((key,), FieldError.ABSENT, *model.FOREIGN.get(key, ("there is no such field", nearest(key, known))))
        for key in sorted(written)
        if key not in known
    ]


def _secrets(
    config: pulumi.Config, model: type[StackSecrets], reading: ConfigReading
) -> tuple[StackSecrets | None, list[FieldError]]:
    found: list[FieldError] = []
    root_key = config.get("rootKey")
    if root_key is None:
        problem, fix = "it is not set, and every key is derived from it", f"Set it: {SET_ROOT_KEY}"
        found.append(FieldError(("rootKey",), FieldError.ABSENT, problem, fix))
    else:
        try:
            decode_root_key(root_key)
        except ValueError:
            # The value is a secret, so it is not repeated.
            problem, fix = "it is not the base64 form of 32 bytes", f"Set it anew: {SET_ROOT_KEY}"
            found.append(FieldError(("rootKey",), FieldError.ABSENT, problem, fix))
    for key, need in (_of_the_cluster(reading.cluster) | {**reading.needs}).items():
        value = config.get(key)
        if value is None:
            problem, fix = f"it is not set, and {need.why}", f"Set it: pulumi config set --secret slurm:{key}"
            found.append(FieldError((key,), FieldError.ABSENT, problem, fix))
        elif objection := need.objection(value):
            found.append(FieldError((key,), FieldError.ABSENT, *objection))
    if found:
        return None, found
    return model.model_validate({to_camel(name): config.get(to_camel(name)) for name in model.model_fields}), []


def _of_the_cluster(spec: SlurmSpec | None) -> dict[str, NeededSecret]:
    ldap = spec.identity.ldap if spec and spec.identity else None
    if ldap is None or not ldap.bind_dn:
        return {}
    return {"ldapBindPassword": NeededSecret(f'SSSD binds as "{ldap.bind_dn}"')}


def _prefixed(error: FieldError) -> FieldError:
    first, *rest = error.path or ("",)
    name = to_camel(first) if isinstance(first, str) else first
    return dataclasses.replace(error, path=(f"slurm:{name}", *rest))
