"""Rules on what the selected release of slurm-operator supports."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.model.node_set import UpdateType
from pulumi_slurm.model.node_set_fields import unsupported
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import OperatorVersion, first_release_with, operator_version
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.slurmconf.version import Series

_VERSION: tuple[Path, ...] = (("operator_version",),)


def operator_supports_the_fields(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse fields that the operator's release doesn't support, and would silently ignore."""
    operator = spec.operator
    if spec.accounting and not operator.passes_on_metadata:
        for name in ("labels", "annotations"):
            if value := getattr(spec.accounting.pod, name):
                yield FieldError(
                    ("accounting", "pod", name),
                    value,
                    f"slurm-operator {operator.version} doesn't put them on slurmdbd's pod",
                    'Write operatorVersion "1.1.0" or later, or leave this out.',
                    _VERSION,
                )
    problem = f"slurm-operator {operator.version} doesn't know it"
    for index, node_set in enumerate(spec.node_sets):
        for name, value, field in unsupported(node_set, operator):
            yield FieldError(
                ("node_sets", index, name), value, problem, release_with_it(operator, field.since), _VERSION
            )
        if node_set.update_strategy.type is UpdateType.SCHEDULED_UPDATE:
            path = "updateStrategy.scheduledUpdate"
            if not operator.has("NodeSet", path):
                at: Path = ("node_sets", index, "update_strategy", "type")
                fix = release_with_it(operator, first_release_with("NodeSet", path))
                yield FieldError(at, node_set.update_strategy.type, problem, fix, _VERSION)
    for index, login_set in enumerate(spec.login_sets):
        if login_set.update_strategy and not operator.has("LoginSet", "strategy"):
            at = ("login_sets", index, "update_strategy")
            fix = release_with_it(operator, first_release_with("LoginSet", "strategy"))
            yield FieldError(at, login_set.update_strategy, problem, fix, _VERSION)
    controller_fields: tuple[tuple[Path, object, str], ...] = (
        (("keys", "jwks"), spec.keys.jwks, "jwksKeyRef"),
        (("controller", "ha"), spec.controller.ha, "ha"),
    )
    for at, value, path in controller_fields:
        if value and not operator.has("Controller", path):
            since = first_release_with("Controller", path)
            yield FieldError(at, value, problem, release_with_it(operator, since), _VERSION)
    if not spec.controller.inplace_reconfigure and not operator.has("Controller", "inplaceReconfigure"):
        yield FieldError(
            ("controller", "inplace_reconfigure"),
            False,
            f"slurm-operator {operator.version} always reconfigures slurmctld in place",
            release_with_it(operator, first_release_with("Controller", "inplaceReconfigure")),
            _VERSION,
        )


def claims_keep_their_letters(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse the name of a claim with capital letters where the operator writes it in small ones.

    Source: BuildMergedConfig in internal/builder/common/common.go of https://github.com/SlinkyProject/slurm-operator at
    v1.2.1.
    """
    claim = spec.keys.jwks and spec.keys.jwks.user_claim
    if claim and claim != claim.lower() and spec.operator.adds_words_in_small_letters and not spec.controller.external:
        yield FieldError(
            ("keys", "jwks", "user_claim"),
            claim,
            f'slurm-operator {spec.operator.version} writes "{claim.lower()}" into slurm.conf, and tokens have no '
            "such claim",
            "Have the identity provider write a claim without capital letters, or choose a release before 1.2.",
            _VERSION,
        )


@warns
def operator_release_is_listed(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of a patch release of the operator that is not in the table, and is treated as the newest one there."""
    if not spec.operator.is_listed:
        yield unlisted_release("operator_version", spec.operator)


@warns
def slurm_is_no_newer_than_the_operator(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of a Slurm series that came after the operator's release, or that the release no longer supports.

    Releases state the oldest series that they support, as `slinky.slurm.net/minimum-slurm-version` of the chart.
    Source: "Compatibility" in README.md of https://github.com/SlinkyProject/slurm-operator at v1.1.2. Daemons of 26.05
    start from the files of 1.1.0, see tests/slurmd/operated.
    """
    operator = spec.operator
    if spec.slurm_series in operator.slurm_series:
        return
    if Series.of(spec.slurm_series) > max(map(Series.of, operator.slurm_series)):
        problem = f"slurm-operator {operator.version} is older than this series, and its makers have not run the two"
        other = "a later operatorVersion"
    else:
        problem = f"slurm-operator {operator.version} supports no series before {operator.slurm_series[-1]}"
        other = "an earlier operatorVersion"
    fix = f"Write one of: {', '.join(operator.slurm_series)}, or choose {other}."
    yield FieldError(("slurm_version",), spec.slurm_version, problem, fix, _VERSION)


def unlisted_release(field: str, operator: OperatorVersion) -> FieldError:
    """Return what is said of a release in a field that is not in the table."""
    newest = operator.listed_release
    return FieldError(
        (field,),
        operator.version,
        f"this patch release of slurm-operator is not known here, so it is treated as {newest}, the newest known one",
        f'Look in its release notes for what has changed since {newest}, or write "{newest}".',
        severity=Severity.WARNING,
    )


def release_with_it(operator: OperatorVersion, since: str) -> str:
    """Return the fix for something that releases have from ``since`` on, and the operator's does not have."""
    first = operator_version(since)
    if OperatorDefect.TOPOLOGY_TAKES_THE_NEXT_OPTION in first.defects:
        return (
            f'Leave this out. Release {since} and later have it; the page "Operator versions" lists their known errors.'
        )
    if operator.minor < first.minor:
        return f'Write operatorVersion "{since}" or later, or leave this out.'
    return "Leave this out, or choose an older operatorVersion."


RULES: tuple[Rule, ...] = (
    operator_supports_the_fields,
    claims_keep_their_letters,
    operator_release_is_listed,
    slurm_is_no_newer_than_the_operator,
)
RULES_OF_SLINKY: tuple[Rule, ...] = (slurm_is_no_newer_than_the_operator,)
