"""Policies on what runs: images of daemons, and releases of Slurm and of slurm-operator."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import (
    DEFAULT_OPERATOR,
    RELEASES,
    next_release_without,
    operator_version,
)
from pulumi_slurm.model.releases.slurm_security import known_problems, release_in, tag_of
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy
from slurm_policies.reading import at, items_at, text_at
from slurm_policies.types import (
    ACCOUNTING,
    ACK_SLURM_CLUSTER,
    CONTROLLER,
    HELM_RELEASE,
    LOGIN_SET,
    NODE_SET,
    REST_API,
    SLINKY_OPERATOR,
)

_WITH_DAEMONS = (CONTROLLER, ACCOUNTING, NODE_SET, LOGIN_SET, REST_API, ACK_SLURM_CLUSTER)
_DAEMONS = ("slurmctld", "slurmdbd", "slurmd", "login", "slurmrestd")


def _images(resource: Resource) -> Iterator[tuple[Path, str]]:
    """Yield the images of daemons, with their paths."""
    spec = at(resource.inputs, "spec")
    for daemon in _DAEMONS:
        if image := text_at(spec, daemon, "image"):
            yield ("spec", daemon, "image"), image
        yield from _of_template(("spec", daemon, "template"), at(spec, daemon, "template"))
    for index, group in enumerate(items_at(spec, "workerGroupSpecs")):
        yield from _of_template(("spec", "workerGroupSpecs", index, "template"), at(group, "template"))


def _of_template(path: Path, template: Any) -> Iterator[tuple[Path, str]]:
    # The first container is the daemon's.
    if image := text_at(template, "spec", "containers", 0, "image"):
        yield (*path, "spec", "containers", 0, "image"), image


@policy(*_WITH_DAEMONS, level=Level.ADVISORY, severity=Severity.MEDIUM)
def images_are_pinned(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A daemon's image is the same at each start of its pod.

    Slinky moves a tag such as 25.11-ubuntu24.04 to each new release: https://github.com/SlinkyProject/containers.
    """
    for path, image in _images(resource):
        if "@sha256:" not in image:
            yield FieldError(
                path,
                image,
                "a tag can be moved, so a pod that starts anew may run another release than its neighbours",
                "Add the digest that it has now: <image>@sha256:...",
            )


@policy(*_WITH_DAEMONS, level=Level.MANDATORY, severity=Severity.CRITICAL)
def slurm_has_no_known_vulnerabilities(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """The release of Slurm that an image's tag names has no published vulnerabilities.

    Source: https://www.schedmd.com/security-policy/, as of the table that pulumi-slurm comes with. A series such as
    25.11 says nothing of a release.
    """
    for path, image in _images(resource):
        release = release_in(tag_of(image))
        for fix, mended_in in known_problems(release) if release else ():
            yield FieldError(
                path,
                image,
                f"it has {fix.listed}, of {fix.date}: {fix.problem}",
                f"Take {mended_in} or a later release.",
            )


@policy(HELM_RELEASE, SLINKY_OPERATOR, level=Level.ADVISORY, severity=Severity.HIGH, ends_jobs=True)
def slurm_operator_has_no_known_defects(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """The release of slurm-operator has no errors that stop clusters.

    The table of errors and their issues is "Operator versions" in the reference of pulumi-slurm.
    """
    path, version = _operator(resource)
    if version.removeprefix("v") not in RELEASES:
        return
    operator = operator_version(version.removeprefix("v"))
    for defect in _SERIOUS:
        if defect in operator.defects:
            release = next_release_without(defect, operator)
            fix = f'Take "{release}" or a later release.' if release else "No release is known to be without it yet."
            yield FieldError(path, version, defect.value, fix)


_SERIOUS = (
    OperatorDefect.RECONFIGURE_HANGS,
    OperatorDefect.WEBHOOK_STOPS_SCHEDULING,
    OperatorDefect.ROLLING_UPDATE_DRAINS_ALL,
    OperatorDefect.TOKENS_EXPIRE,
    OperatorDefect.TOPOLOGY_TAKES_THE_NEXT_OPTION,
)
"""Those that concern every cluster as long as it says nothing else; others depend on the specification, which
pulumi-slurm's own rules know."""


def _operator(resource: Resource) -> tuple[Path, str]:
    inputs: Mapping[str, Any] = resource.inputs
    if resource.type == SLINKY_OPERATOR:
        return ("version",), text_at(inputs, "version") or DEFAULT_OPERATOR
    chart = text_at(inputs, "chart").rstrip("/").rpartition("/")[2]
    return ("version",), text_at(inputs, "version") if chart == "slurm-operator" else ""


POLICIES: tuple[Policy, ...] = (
    images_are_pinned,
    slurm_has_no_known_vulnerabilities,
    slurm_operator_has_no_known_defects,
)
