"""A project that is made: its id, and what can't be in it before it is there."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.rules.run import Rule

_AT = ("new_project",)
_RESTRICTED = ("google", "ssl")


def new_projects_have_a_new_id(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse the id of a domain's project, which nobody can make any more; warn of words that Google restricts.

    Source: https://cloud.google.com/resource-manager/docs/creating-managing-projects.
    """
    project = plan.spec.project
    if plan.spec.new_project is None:
        return
    if ":" in project:
        yield FieldError(
            ("project",),
            project,
            "a project whose id begins with a domain can't be made",
            "Write 6 to 30 lower-case letters, digits and hyphens.",
            depends_on_fields=(_AT,),
        )
    for word in _RESTRICTED:
        if word in project:
            yield FieldError(
                ("project",),
                project,
                f'Google makes no project whose id has "{word}" in it',
                "Write another id.",
                depends_on_fields=(_AT,),
                severity=Severity.WARNING,
            )


def new_projects_have_nothing_yet(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a cluster or a VPC that exists in a project that is made."""
    spec = plan.spec
    if spec.new_project is None:
        return
    if spec.existing_cluster:
        yield FieldError(
            ("existing_cluster",),
            FieldError.ABSENT,
            "the project is made here, so it has no cluster yet",
            "Leave newProject out: the cluster's project exists.",
            depends_on_fields=(_AT, ("existing_cluster",)),
        )
    if spec.network.existing and plan.host_project is None:
        yield FieldError(
            ("network", "existing"),
            FieldError.ABSENT,
            "the project is made here, so it has no VPC yet",
            "Leave it out, and one is made, or write the host project of a Shared VPC in project.",
            depends_on_fields=(_AT, ("network", "existing")),
        )


def new_projects_get_their_services(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a project that is made and in which nobody could enable the APIs in time."""
    if plan.spec.new_project and not plan.spec.manage.services:
        yield FieldError(
            ("manage", "services"),
            False,
            "a project that is made has no APIs on, and nothing could be made in it",
            "Leave it out.",
            depends_on_fields=(_AT,),
        )


RULES: tuple[Rule, ...] = (
    new_projects_have_a_new_id,
    new_projects_have_nothing_yet,
    new_projects_get_their_services,
)
