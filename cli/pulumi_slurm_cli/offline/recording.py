"""What a stack's program would register for the settings in its file: without an engine, a network, or secrets."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf import struct_pb2  # type: ignore[import-untyped]
from pydantic.alias_generators import to_camel

from pulumi_slurm.clouds.pool import is_unread
from pulumi_slurm.clouds.unread import UNKNOWN, without_answers
from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.keys import ROOT_KEY_OF_ZEROS
from pulumi_slurm.manifests.objects import BELONGS_TO
from pulumi_slurm.model.base import Model
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.offline.program import RecordingMonitor, run_offline, without_environment
from pulumi_slurm_stacks import build
from pulumi_slurm_stacks.config import SUBJECT, Judgement, judge


@dataclass(frozen=True)
class RecordedResource:
    """One resource, as the program registers it; options are those that it states."""

    urn: str
    type: str
    name: str
    parent: str
    """The URN of its parent; that of the stack for what has no other."""
    inputs: Mapping[str, Any]
    """Plain data, with `SECRET` and `UNKNOWN` in place of values."""
    depends_on: tuple[str, ...]
    """URNs, sorted."""
    property_dependencies: Mapping[str, tuple[str, ...]]
    """By input: the URNs of resources that its value comes from."""
    protect: bool
    retain_on_delete: bool
    delete_before_replace: bool
    replace_on_changes: tuple[str, ...]
    replacement_trigger: Any
    """What makes it anew when it becomes another, None without."""
    ignore_changes: tuple[str, ...]
    aliases: tuple[Mapping[str, Any], ...]
    """What it was before: ``urn``, or those of ``name``, ``type``, ``parentUrn`` and ``noParent`` that were others."""


@dataclass(frozen=True)
class NotLookedUp:
    """A question to a cloud that a run asks, and nobody has answered here."""

    token: str
    """The function, such as "gcp:compute/getReservation:getReservation"."""
    arguments: Mapping[str, Any]
    """What is asked for, as plain data."""


@dataclass(frozen=True)
class Recording:
    """What the program of a stack registers."""

    judgement: Judgement
    """The configuration, and what is to be reviewed in it; there are no errors."""
    resources: tuple[RecordedResource, ...]
    """Sorted by URN, without the stack itself."""
    not_looked_up: tuple[NotLookedUp, ...]
    """What is asked of clouds. What follows from an answer is `UNKNOWN`, or not there, if only an answer adds it."""
    unread_pools: tuple[str, ...]
    """Pools that exist, of whose machines nothing is known: CPUs, memory and GPUs of node sets there aren't those of a
    run."""


def record(file: StackFile, *, project: str = "project", stack: str = "stack") -> Recording:
    """Return what the program would register for the settings in a file.

    Keys, passwords and tokens may be encrypted, or missing: none is read. What is read is the file alone, nothing of
    the environment, and afterwards the process is as it was.

    Raises:
        SpecError: with every error in the settings, and one for each part that only a run of the stack can read.
        pulumi.RunError: when the program ends itself.
    """
    with without_environment():
        judgement = judge(file, with_secrets=False)
        if errors := judgement.errors or [*_unread(judgement)]:
            raise SpecError(errors, SUBJECT)
        config = judgement.config
        assert config is not None
        secrets = _stand_ins(config.SECRETS, {*file.written(), *judgement.needed_secrets})

        def program() -> None:
            with without_answers():
                build(config, secrets)

        monitor = run_offline(program, project=project, stack=stack, config=file.of_other_packages())
    resources = sorted((_recorded(monitor, request) for request in monitor.requests), key=lambda one: one.urn)
    questions = {repr(one): one for one in (NotLookedUp(one.tok, _plain(one.args)) for one in monitor.questions)}
    asked = tuple(questions[text] for text in sorted(questions))
    unread_pools = tuple(pool.name for pool in getattr(config, "pools", ()) if is_unread(pool))
    return Recording(judgement, tuple(resources), asked, unread_pools)


_WHERE_KUBERNETES_IS = frozenset({("slurm:kubeconfig",), ("slurm:context",), ("slurm:clusterIdentifier",)})
"""What a run reads of a cluster that exists; no object is another because of it."""


def _unread(judgement: Judgement) -> Iterator[FieldError]:
    """Yield an error for each part of the settings that is needed, and can't be read here."""
    encrypted = [error.path for error in judgement.unread if error.path not in _WHERE_KUBERNETES_IS]
    for path in encrypted:
        yield FieldError(path, FieldError.ABSENT, "it is encrypted, and only a run of the stack can read it", _FIX)
    if judgement.config is None and not encrypted:
        problem = "settings come from an environment of Pulumi ESC, and only a run of the stack can read them"
        yield FieldError(("config",), FieldError.ABSENT, problem, _FIX)


_FIX = "Run `pulumi preview --diff`, or write it in clear."


def _stand_ins(model: type[Model], keys: Collection[str]) -> Model:
    """Return secrets that stand in for those with these keys; nothing of them is in the recording."""
    texts = dict.fromkeys((to_camel(name) for name in model.model_fields), _STAND_IN) | {"rootKey": ROOT_KEY_OF_ZEROS}
    names = {to_camel(name) for name in model.model_fields}
    return model.model_validate({key: texts[key] for key in names if key in keys or key == "rootKey"})


_STAND_IN = ".".join(["stands-in-for-a-secret"] * 3)
"""Passes for a password, and for a token."""


def _recorded(monitor: RecordingMonitor, request: Any) -> RecordedResource:
    return RecordedResource(
        urn=monitor.make_urn(request.parent, request.type, request.name),
        type=request.type,
        name=request.name,
        parent=request.parent,
        inputs=_of_any_stack(_plain(request.object)),
        depends_on=tuple(sorted(request.dependencies)),
        property_dependencies={key: tuple(item.urns) for key, item in request.propertyDependencies.items()},
        protect=request.protect,
        retain_on_delete=request.retainOnDelete,
        delete_before_replace=request.deleteBeforeReplace,
        replace_on_changes=tuple(request.replaceOnChanges),
        replacement_trigger=request.replacement_trigger.string_value or None,
        ignore_changes=tuple(request.ignoreChanges),
        aliases=tuple(_alias(alias) for alias in request.aliases),
    )


def _of_any_stack(inputs: Any) -> Any:
    """Return inputs with `UNKNOWN` in place of what stack an object belongs to."""
    metadata = inputs.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if not isinstance(annotations, dict) or BELONGS_TO not in annotations:
        return inputs
    return {**inputs, "metadata": {**metadata, "annotations": {**annotations, BELONGS_TO: UNKNOWN}}}


def _alias(alias: Any) -> Mapping[str, Any]:
    if alias.urn:
        return {"urn": alias.urn}
    return {field.name: value for field, value in alias.spec.ListFields() if value}


def _plain(value: Any) -> Any:
    """Return what a message to the engine holds, with whole numbers as such, and nothing of secrets."""
    if isinstance(value, struct_pb2.Struct):
        if _SIGNATURE in value.fields and value[_SIGNATURE] == _SECRET_SIGNATURE:
            return SECRET
        return {key: _plain(value[key]) for key in sorted(value.fields)}
    if isinstance(value, struct_pb2.ListValue):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


_SIGNATURE, _SECRET_SIGNATURE = "4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"
"""The key and the value that mark a secret: sdk/go/common/resource/properties.go of https://github.com/pulumi/pulumi."""
