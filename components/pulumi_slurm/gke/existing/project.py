"""A project that is made: whether it can be, and what has to wait until it is there."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.gke.plan.encryption import secrets_key
from pulumi_slurm.gke.plan.gke_plan import GkePlan

ACTIVE = "ACTIVE"
"""The state of a project that is there: https://cloud.google.com/resource-manager/reference/rest/v1/projects."""
_AT = ("project",)


def id_is_free(plan: GkePlan, state: str | None) -> Iterator[FieldError]:
    """Refuse the id of a project that is being deleted.

    ``state`` is what Google says of the project with this id; None if it knows none. One that is there may be the
    stack's own.
    """
    if state not in (None, ACTIVE):
        project = plan.spec.project
        yield FieldError(
            _AT,
            project,
            f"a project with this id is being deleted, which takes 30 days: its state is {state}",
            f"Restore it, gcloud projects undelete {project}, and import it; or write another id.",
        )


def what_waits_for_the_project(plan: GkePlan) -> Iterator[FieldError]:
    """Warn of what can't be there, or granted, before the project is: the first `pulumi up` ends with an error there.

    What it has made stays, and the next one goes on.
    """
    spec = plan.spec
    if spec.node_account and spec.node_account.endswith(f"@{spec.project}.iam.gserviceaccount.com"):
        yield _missing(("node_account",), spec.node_account, "Name an account of another project, or leave it out.")
    for at, key in (
        (("encryption_key",), spec.encryption_key),
        (("control_plane", "secrets_encryption_key"), spec.control_plane.secrets_encryption_key),
    ):
        if key and key.startswith(f"projects/{spec.project}/"):
            yield _missing(at, key, "Name a key of another project.")
    existing = spec.network.existing
    if existing and not existing.grant_access:
        yield _ungranted(("network", "existing", "grant_access"), "use the Shared VPC", "sharedVpcGrants")
    if not spec.manage.iam and secrets_key(plan):
        yield _ungranted(("manage", "iam"), "encrypt with the key", "neededGrants")


def _missing(at: tuple[str, ...], value: str, fix: str) -> FieldError:
    problem = "it would be in the project, which isn't there yet"
    return FieldError(at, value, problem, fix, severity=Severity.WARNING)


def _ungranted(at: tuple[str, ...], action: str, output: str) -> FieldError:
    return FieldError(
        at,
        False,
        f"Google's service agents of the project come with it, and may not {action} before others let them",
        f"Run `pulumi up`, which ends with an error there; grant what the output {output} says in the next preview; "
        "run it again.",
        severity=Severity.WARNING,
    )
