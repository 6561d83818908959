"""The configuration of a stack: what stands in Pulumi.<stack>.yaml under ``slurm:``.

What belongs to which kind of stack is said by the model of that kind, in a module that is loaded when it is needed.
"""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, get_args, get_origin

import pulumi
from pydantic import ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.clouds import registry
from pulumi_slurm.clouds.cloud import NeededSecret
from pulumi_slurm.clouds.registry import CloudRow
from pulumi_slurm.errors import (
    FieldError,
    FreeKey,
    Issue,
    Severity,
    collected_warnings,
    field_error,
    nearest,
    place_of,
    without_secrets_of,
)
from pulumi_slurm.keys import SET_ROOT_KEY, decode_root_key
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.operator_settings import KedaSettings, SlinkyOperatorSettings

SUBJECT = "The stack's configuration"


class OperatorSpec(SlinkyOperatorSettings):
    """How slurm-operator comes into the Kubernetes cluster."""

    preinstalled: bool = False
    """It runs already, with its CRDs and its webhook."""


class StackSecrets(Model):
    """A stack's secrets."""

    root_key: str = Field(repr=False)
    """32 random bytes in base64, from which every key is derived."""
    ldap_bind_password: str | None = Field(default=None, repr=False)
    """The password of `cluster.identity.ldap.bindDn`."""


class StackConfig(Model):
    """The configuration of every kind of stack, without its secrets."""

    model_config = ConfigDict(title="Configuration of a pulumi-slurm stack")

    SECRETS: ClassVar[type[StackSecrets]] = StackSecrets
    """The secrets that a stack of this kind can have."""

    kind: str
    """Which stack: "local" is the embedded cluster of `make up`; "kubernetes" is a cluster that exists already; "gke"
    makes a cluster on Google Cloud, "ack" one on Alibaba Cloud."""
    cluster: SlurmSpec
    """The Slurm cluster."""
    operator: OperatorSpec = OperatorSpec()
    """How slurm-operator comes into the Kubernetes cluster."""
    keda: KedaSettings | None = None
    """Install KEDA, which autoscaling of node sets needs. Leave it out where it runs already, or isn't used."""
    warnings_as_errors: bool = False
    """Refuse what the preview would only warn of."""

    @field_validator("kind")
    @classmethod
    def _kind_exists(cls, value: str) -> str:
        if value not in kinds():
            *most, last = map(repr, kinds())
            raise field_error("this is not one of the choices", f"Write one of: {', '.join(most)} or {last}.")
        return value

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "ConfigReading":
        """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
        raise NotImplementedError


@dataclass
class ConfigReading:
    """What could be read of a configuration; ``config`` is None where something is wrong."""

    config: StackConfig | None
    cluster: SlurmSpec | None
    errors: list[FieldError]
    needs: Mapping[str, NeededSecret] = dataclasses.field(default_factory=dict)
    """Secrets that are needed in addition to the root key, by their keys in the configuration."""


def kinds() -> tuple[str, ...]:
    """Return all kinds of stacks."""
    return ("local", "kubernetes", *(row.key for row in registry.CLOUDS))


def config_model(kind: str) -> type[StackConfig]:
    """Return the model of a kind's configuration, loading what belongs to its cloud."""
    row = _row(kind)
    module = row.stack_config if row else "pulumi_slurm_stacks.kubernetes_config"
    model: type[StackConfig] = import_module(module).CONFIG
    return model


def _row(kind: str) -> CloudRow | None:
    return next((row for row in registry.CLOUDS if row.key == kind), None)


def read_config(config: pulumi.Config | None = None) -> tuple[StackConfig, StackSecrets]:
    """Return the configuration of the stack that runs.

    Raises:
        SpecRunError: with every error in it, before any resource is registered.
    """
    config = config or pulumi.Config("slurm")
    kind = _kind(config)
    data, errors = _raw(config, config_model(kind))
    errors += _unknown_keys(config, kind)
    with collected_warnings() as warned:
        reading: ConfigReading = config_model(kind).read(data)
    secrets, missing = _secrets(config, config_model(kind).SECRETS, reading)
    unread = {error.path for error in errors}
    errors += [*(error for error in reading.errors if error.path not in unread), *missing]
    warned += _in_clear(config, config_model(kind).SECRETS)
    if data.get("warningsAsErrors") is True:
        errors += warned
    if errors:
        model = config_model(kind)
        raise SpecRunError([prefixed(without_secrets_of(model, error)) for error in errors], SUBJECT)
    for warning in warned:
        pulumi.log.warn(prefixed(warning).line)
    assert reading.config is not None
    assert secrets is not None
    return reading.config, secrets


def not_a_mapping(field: str, value: Any, fix: str) -> FieldError:
    """Return the error of a part of the configuration that is not there, or is something else."""
    if value is None:
        return FieldError((field,), FieldError.ABSENT, "this field is required", fix)
    return FieldError((field,), _plain(value), "this is not a mapping", fix)


def _plain(value: Any) -> Any:
    """Return what a message can show of a value that is no mapping: it may be one as text, with secrets in it."""
    return value if isinstance(value, bool) or value == [] else FieldError.ABSENT


CLUSTER_FIX = "Write cluster: {name: ..., nodeSets: [...]}."


def _kind(config: pulumi.Config) -> str:
    """Return the kind that is written, or the one that is probably meant, so that the rest can be looked at."""
    written = config.get("kind")
    if written in kinds():
        return written
    return next((row.key for row in registry.CLOUDS if config.get(row.key) is not None), "kubernetes")


def _raw(config: pulumi.Config, model: type[StackConfig]) -> tuple[dict[str, Any], list[FieldError]]:
    data: dict[str, Any] = {}
    errors: list[FieldError] = []
    for name, field in model.model_fields.items():
        key = to_camel(name)
        text = config.get(key)
        if text is None:
            continue
        if _is_text(field.annotation):
            data[key] = text
            continue
        try:
            data[key] = json.loads(text)
        except json.JSONDecodeError:
            form = _form(field.annotation)
            shown = text if field.annotation is bool else FieldError.ABSENT
            errors.append(FieldError((key,), shown, f"this is not {form}", f"Write {form}."))
        except (RecursionError, ValueError):
            # Python reads no number of more than 4300 digits, and no mapping in a thousand others.
            problem = "this has a number of thousands of digits, or mappings a thousand levels deep"
            errors.append(FieldError((key,), FieldError.ABSENT, problem, "Correct what is there."))
    return data, errors


def _is_text(annotation: Any) -> bool:
    """Return whether a field holds a text, or one of some words."""
    choices = {choice for choice in get_args(annotation) or (annotation,) if choice is not type(None)}
    return all(isinstance(choice, type) and issubclass(choice, str) for choice in choices)


def _form(annotation: Any) -> str:
    """Return what a field holds, in words."""
    if annotation is bool:
        return "true or false"
    return "a list" if get_origin(annotation) is list else "a mapping"


def _unknown_keys(config: pulumi.Config, kind: str) -> list[FieldError]:
    model = config_model(kind)
    known = {to_camel(name) for name in (*model.model_fields, *model.SECRETS.model_fields)}
    elsewhere = _fields_of_other_kinds(kind)
    prefix = f"{config.name}:"
    written = [key.removeprefix(prefix) for key in pulumi.runtime.config.CONFIG.get() if key.startswith(prefix)]
    return [
        _without_value(
            key, elsewhere.get(key) or Issue("there is no such field", place_of(model, key) or nearest(key, known))
        )
        for key in sorted(written)
        if key not in known
    ]


def _without_value(key: str, issue: Issue) -> FieldError:
    """Return an error whose message doesn't repeat the value."""
    return FieldError((FreeKey(key),), FieldError.ABSENT, issue.problem, issue.fix)


def _fields_of_other_kinds(kind: str) -> dict[str, Issue]:
    """Return, for each field that only other kinds have, why this one has none, and what to write instead."""
    own = _row(kind)
    makes = f"this stack makes one on {own.name}" if own else "a stack of this kind makes none"
    fields = {
        row.key: Issue(
            f"this describes a cluster to make on {row.name}, and {makes}",
            f"Write kind: {row.key}, or leave it out.",
        )
        for row in registry.CLOUDS
        if row is not own
    }
    if own:
        reached = Issue("this stack makes its Kubernetes cluster, and knows how to reach it", "Leave it out.")
        fields |= {
            "provider": Issue(f"a stack of this kind is always on {own.name}", "Leave it out."),
            "pools": Issue(
                "node pools are made here, and what they have is known",
                f"Leave it out, and write them in slurm:{kind}, below pools.",
            ),
            "kubeconfig": reached,
            "context": reached,
            "clusterIdentifier": reached,
            "createNamespace": Issue("the Kubernetes cluster is new, so its namespace is made", "Leave it out."),
        }
    return fields


def _secrets(
    config: pulumi.Config, model: type[StackSecrets], reading: ConfigReading
) -> tuple[StackSecrets | None, list[FieldError]]:
    errors: list[FieldError] = []
    root_key = config.get("rootKey")
    if root_key is None:
        issue = Issue("it is not set, and every key is derived from it", f"Set it: {SET_ROOT_KEY}")
        errors.append(_without_value("rootKey", issue))
    else:
        try:
            decode_root_key(root_key)
        except ValueError:
            # The value is a secret, so it is not repeated.
            issue = Issue("it is not the base64 form of 32 bytes", f"Set it anew: {SET_ROOT_KEY}")
            errors.append(_without_value("rootKey", issue))
    for key, need in (_of_the_cluster(reading.cluster) | {**reading.needs}).items():
        value = config.get(key)
        if value is None:
            issue = Issue(f"it is not set, and {need.why}", f"Set it: pulumi config set --secret slurm:{key}")
            errors.append(_without_value(key, issue))
        elif secret_issue := need.check(value):
            errors.append(_without_value(key, secret_issue))
    if errors:
        return None, errors
    return model.model_validate({to_camel(name): config.get(to_camel(name)) for name in model.model_fields}), []


def _in_clear(config: pulumi.Config, model: type[StackSecrets]) -> list[FieldError]:
    """Return a warning for each secret that stands in Pulumi.<stack>.yaml as plain text, without ``secure:``."""
    keys = [to_camel(name) for name in model.model_fields]
    problem = "it stands in the stack's file in clear, for everyone who can read that"
    return [
        FieldError(
            (FreeKey(key),),
            FieldError.ABSENT,
            problem,
            f"Encrypt it, with the same value: pulumi config set --secret {config.name}:{key}",
            severity=Severity.WARNING,
        )
        for key in keys
        if config.get(key) is not None and not pulumi.runtime.config.is_config_secret(f"{config.name}:{key}")
    ]


def _of_the_cluster(spec: SlurmSpec | None) -> dict[str, NeededSecret]:
    ldap = spec.identity.ldap if spec and spec.identity else None
    if ldap is None or not ldap.bind_dn:
        return {}
    return {"ldapBindPassword": NeededSecret(f'SSSD binds as "{ldap.bind_dn}"')}


def prefixed(error: FieldError) -> FieldError:
    """Return an error with its path as in the stack's file, where keys begin with ``slurm:``."""
    first, *rest = error.path or ("",)
    if isinstance(first, FreeKey):
        return dataclasses.replace(error, path=(FreeKey(f"slurm:{first}"), *rest))
    name = to_camel(first) if isinstance(first, str) else first
    return dataclasses.replace(error, path=(f"slurm:{name}", *rest))
