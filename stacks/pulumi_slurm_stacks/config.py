"""The configuration of a stack: what stands in Pulumi.<stack>.yaml under ``slurm:``.

What belongs to which kind of stack is said by the model of that kind, in a module that is loaded when it is needed.
"""

import dataclasses
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Protocol, get_args, get_origin

from pydantic import ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.clouds import registry
from pulumi_slurm.clouds.cloud import ROOT_KEY, NeededSecret
from pulumi_slurm.clouds.on_cloud import secrets_of
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
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.installation import SlurmInstallation
from pulumi_slurm.rules.run import Rule, code_of
from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm_stacks.accepted import (
    Acceptance,
    acceptances_in,
    split_accepted,
    unused,
    with_positions,
    without_rules,
)

SUBJECT = "The stack's configuration"
COPILOT = "copilot"
"""The kind of stacks without a Slurm cluster of their own."""


class StackSecrets(Model):
    """The secrets of a stack that makes a Slurm cluster."""

    root_key: str = Field(repr=False)
    """32 random bytes in base64, from which every key is derived."""
    ldap_bind_password: str | None = Field(default=None, repr=False)
    """The password of `cluster.identity.ldap.bindDn`."""


class StackConfig(Model):
    """The configuration of every kind of stack, without its secrets."""

    model_config = ConfigDict(title="Configuration of a pulumi-slurm stack")

    SECRETS: ClassVar[type[Model]]
    """The secrets that a stack of this kind can have."""

    kind: str
    """Which stack: "local" is the embedded cluster of `make up`; "kubernetes" is a cluster that exists already; "gke"
    makes a cluster on Google Cloud, "ack" one on Alibaba Cloud; "copilot" lets a Slurm that runs elsewhere share its
    nodes with an ACK cluster."""
    warnings_as_errors: bool = False
    """Refuse what the preview would only warn of."""
    accepted: list[Acceptance] = []
    """Warnings that are as wanted. They are shown as notes, with the reason, and `warningsAsErrors` lets them pass."""

    @field_validator("kind")
    @classmethod
    def _kind_exists(cls, value: str) -> str:
        if value not in kinds():
            *others, last = map(repr, kinds())
            raise field_error("this is not one of the choices", f"Write one of: {', '.join(others)} or {last}.")
        return value

    @property
    def slurm_namespace(self) -> str:
        """The namespace of most objects."""
        raise NotImplementedError

    def slurm_files(self) -> dict[str, str]:
        """Return Slurm's files, by name: as the operator assembles them, or what files elsewhere have to hold."""
        raise NotImplementedError

    @classmethod
    def rules(cls) -> Sequence[Rule]:
        """Return the rules that warnings of a stack of this kind may come from."""
        return ()

    @classmethod
    def rules_on_answers(cls) -> Sequence[Rule]:
        """Return those of them that only a preview runs, on what a cloud answers."""
        return ()

    @property
    def asks(self) -> bool:
        """Whether a preview asks a cloud for what exists, so that it may warn of more than the file shows."""
        return False

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "ConfigReading":
        """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
        raise NotImplementedError


class SlurmStackConfig(SlurmInstallation, StackConfig):
    """The configuration of a stack that makes a Slurm cluster, without its secrets."""

    SECRETS: ClassVar[type[Model]] = StackSecrets

    @property
    def slurm_namespace(self) -> str:
        """The namespace of the Slurm cluster."""
        return self.cluster.namespace

    @property
    def kubernetes_cluster(self) -> tuple[str, ...]:
        """What tells its Kubernetes cluster from those of other stacks; empty where the configuration doesn't say."""
        return ()


@dataclass
class ConfigReading:
    """What could be read of a configuration; ``config`` is None where something is wrong."""

    config: StackConfig | None
    cluster: SlurmSpec | None
    errors: list[FieldError]
    needs: Mapping[str, NeededSecret] = dataclasses.field(default_factory=dict)
    """Secrets that are needed in addition to the root key, by their keys in the configuration."""
    on_this_machine: list[FieldError] = dataclasses.field(default_factory=list)
    """What a run on this machine lacks, whatever the configuration is."""


def kinds() -> tuple[str, ...]:
    """Return all kinds of stacks."""
    return ("local", "kubernetes", COPILOT, *(row.key for row in registry.CLOUDS))


def config_model(kind: str) -> type[StackConfig]:
    """Return the model of a kind's configuration, loading what belongs to its cloud."""
    row = _row(kind)
    module_name = "copilot_config" if kind == COPILOT else "kubernetes_config"
    module = row.stack_config if row else f"pulumi_slurm_stacks.{module_name}"
    model: type[StackConfig] = import_module(module).CONFIG
    return model


def _row(kind: str) -> CloudRow | None:
    return next((row for row in registry.CLOUDS if row.key == kind), None)


class Settings(Protocol):
    """What stands in Pulumi.<stack>.yaml below ``slurm:``, each key with a text, as the engine hands it over."""

    def written(self) -> Collection[str]:
        """Return the keys that are written."""
        ...

    def get(self, key: str) -> str | None:
        """Return a key's text, in which a mapping or a list is JSON; None without one, or if it can't be read."""
        ...

    def is_encrypted(self, key: str) -> bool:
        """Return whether a key stands encrypted in the file."""
        ...

    def is_unreadable(self, key: str) -> bool:
        """Return whether a key, or a part of it, is encrypted, and can't be read here."""
        ...


@dataclass(frozen=True)
class Judgement:
    """What the rules say of a stack's settings; paths are those of its file."""

    config: StackConfig | None
    secrets: Model | None
    """None also where they are encrypted, and can't be read here."""
    errors: list[FieldError]
    warnings: list[FieldError]
    accepted: list[tuple[FieldError, str]]
    """What would be warned of, and why it is as wanted."""
    unread: list[FieldError]
    """What is encrypted here, and so isn't judged."""
    unset: list[FieldError]
    """Secrets that a run needs and that aren't set yet."""
    on_this_machine: list[FieldError]
    """What a run on this machine lacks besides."""
    needed_secrets: Collection[str]
    """The keys of secrets that a run needs in addition to the root key."""


@spelled(Spelling.CAMEL_CASE)
def judge(settings: Settings, *, with_secrets: bool = True) -> Judgement:
    """Return the configuration that settings come to, every error in them, and what is to be reviewed.

    With ``with_secrets`` false no secret is read, nor told to be missing.
    """
    kind = _kind(settings)
    model = config_model(kind)
    data, errors = _raw(settings, model)
    errors += _unknown_keys(settings, kind)
    data, errors_of_acceptances = with_positions(data)
    acceptances = acceptances_in(data)
    # Of what can't be read here nothing is said, nor of what depends on it.
    unreadable = {to_camel(name) for name in model.model_fields if settings.is_unreadable(to_camel(name))}
    errors += [error for error in errors_of_acceptances if not unreadable & {_first_key(error.value)}]
    if settings.get("kind") in kinds():
        errors += without_rules(acceptances, {code_of(rule) for rule in model.rules()})
    with collected_warnings() as warned:
        reading: ConfigReading = model.read(data)
    needs = secrets_of(reading.cluster) | {**reading.needs}
    secrets, unusable = _secrets(settings, model.SECRETS, needs) if with_secrets else (None, [])
    unread = {error.path for error in errors}
    errors += [error for error in reading.errors if error.path not in unread]
    errors += [error for error in unusable if settings.get(str(error.path[0])) is not None]
    unset = [error for error in unusable if settings.get(str(error.path[0])) is None]
    warned += _in_clear(settings, model.SECRETS)
    errors = [error for error in errors if error.path[:1] not in {(key,) for key in unreadable}]
    encrypted = [prefixed(_unchecked(key)) for key in sorted(unreadable & {*settings.written()})]
    warnings, accepted = split_accepted(acceptances, map(prefixed, warned))
    if reading.config and not errors and not unreadable and not reading.config.asks:
        offline = {code_of(rule) for rule in model.rules() if rule not in model.rules_on_answers()}
        warnings += [prefixed(error) for error in unused(acceptances, accepted, offline)]
    refused = [prefixed(without_secrets_of(model, error)) for error in errors]
    if data.get("warningsAsErrors") is True:
        refused, warnings = [*refused, *warnings], []
    lacking = [prefixed(error) for error in reading.on_this_machine]
    return Judgement(
        reading.config, secrets, refused, warnings, accepted, encrypted, [*map(prefixed, unset)], lacking, tuple(needs)
    )


def _first_key(path: object) -> str:
    """Return the key of the configuration with which a path in its file begins: "pools" of slurm:pools[cpu].name."""
    return re.split(r"[.\[]", str(path).removeprefix("slurm:"), maxsplit=1)[0]


def _unchecked(key: str) -> FieldError:
    return _without_value(key, Issue("it is encrypted, so nothing in it is checked here", "A preview checks it."))


def not_a_mapping(field: str, value: Any, fix: str) -> FieldError:
    """Return the error of a part of the configuration that is not there, or is something else."""
    if value is None:
        return FieldError((field,), FieldError.ABSENT, "this field is required", fix)
    return FieldError((field,), _plain(value), "this is not a mapping", fix)


def _plain(value: Any) -> Any:
    """Return what a message can show of a value that is no mapping: it may be one as text, with secrets in it."""
    return value if isinstance(value, bool) or value == [] else FieldError.ABSENT


CLUSTER_FIX = "Write cluster: {name: ..., nodeSets: [...]}."


def _kind(settings: Settings) -> str:
    """Return the kind that is written, or the one that is probably meant, so that the rest can be looked at."""
    written = settings.get("kind")
    if written in kinds():
        return written
    return next((row.key for row in registry.CLOUDS if row.key in settings.written()), "kubernetes")


def _raw(settings: Settings, model: type[StackConfig]) -> tuple[dict[str, Any], list[FieldError]]:
    data: dict[str, Any] = {}
    errors: list[FieldError] = []
    for name, field in model.model_fields.items():
        key = to_camel(name)
        text = settings.get(key)
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


def _unknown_keys(settings: Settings, kind: str) -> list[FieldError]:
    model = config_model(kind)
    names = {to_camel(name) for name in (*model.model_fields, *model.SECRETS.model_fields)}
    elsewhere = _fields_of_other_kinds(kind)
    return [
        _without_value(
            key, elsewhere.get(key) or Issue("there is no such field", place_of(model, key) or nearest(key, names))
        )
        for key in sorted(settings.written())
        if key not in names
    ]


def _without_value(key: str, issue: Issue) -> FieldError:
    """Return an error whose message doesn't repeat the value."""
    return FieldError((FreeKey(key),), FieldError.ABSENT, issue.problem, issue.fix)


def _fields_of_other_kinds(kind: str) -> dict[str, Issue]:
    """Return, for each field that only other kinds have, why this one has none, and what to write instead."""
    cloud = _row(kind)
    makes = f"this stack makes one on {cloud.name}" if cloud else "a stack of this kind makes none"
    fields = {
        row.key: Issue(
            f"this describes a cluster to make on {row.name}, and {makes}",
            f"Write kind: {row.key}, or leave it out.",
        )
        for row in registry.CLOUDS
        if row is not cloud
    }
    if kind == COPILOT:
        elsewhere = Issue("this Slurm runs elsewhere, and its nodes and files are yours", "Leave it out.")
        fields |= dict.fromkeys(("cluster", "pools", "keda", "provider", "createNamespace"), elsewhere)
        fields["rootKey"] = Issue("no key is derived from it here", "Leave it out: pulumi config rm slurm:rootKey")
    else:
        problem = "this is a Slurm that runs elsewhere, and a stack of this kind makes one"
        fields["outsideSlurm"] = Issue(problem, f"Write kind: {COPILOT}, or leave it out.")
    if cloud:
        reached = Issue("this stack makes its Kubernetes cluster, and knows how to reach it", "Leave it out.")
        fields |= {
            "provider": Issue(f"a stack of this kind is always on {cloud.name}", "Leave it out."),
            "pools": Issue(
                "node pools are made here, and what they have is known",
                f"Leave it out, and write them in slurm:{kind}, below pools.",
            ),
            "kubeconfig": reached,
            "context": reached,
            "clusterIdentifier": reached,
        }
    return fields


def _secrets(
    settings: Settings, model: type[Model], needs: Mapping[str, NeededSecret]
) -> tuple[Model | None, list[FieldError]]:
    of_all = {"rootKey": ROOT_KEY} if "root_key" in model.model_fields else {}
    errors = [
        _without_value(key, issue)
        for key, need in {**of_all, **needs}.items()
        # The value is a secret, so it is not repeated.
        if not settings.is_unreadable(key) and (issue := need.issue(key, settings.get(key)))
    ]
    if errors or any(settings.is_unreadable(to_camel(name)) for name in model.model_fields):
        return None, errors
    return model.model_validate({to_camel(name): settings.get(to_camel(name)) for name in model.model_fields}), []


def _in_clear(settings: Settings, model: type[Model]) -> list[FieldError]:
    """Return a warning for each secret that stands in Pulumi.<stack>.yaml as plain text, without ``secure:``."""
    keys = [to_camel(name) for name in model.model_fields]
    problem = "it stands in the stack's file in clear, for everyone who can read that"
    return [
        FieldError(
            (FreeKey(key),),
            FieldError.ABSENT,
            problem,
            f"Encrypt it, with the same value: pulumi config set --secret slurm:{key}",
            severity=Severity.WARNING,
        )
        for key in keys
        if settings.get(key) is not None and not settings.is_encrypted(key)
    ]


def prefixed(error: FieldError) -> FieldError:
    """Return an error with its path as in the stack's file, where keys begin with ``slurm:``."""
    first, *remaining = error.path or ("",)
    if isinstance(first, FreeKey):
        return dataclasses.replace(error, path=(FreeKey(f"slurm:{first}"), *remaining))
    name = to_camel(first) if isinstance(first, str) else first
    return dataclasses.replace(error, path=(f"slurm:{name}", *remaining))
