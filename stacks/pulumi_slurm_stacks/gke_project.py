"""The project of a stack on Google Cloud, where the stack makes it."""

import pulumi_gcp as gcp

from pulumi_slurm.gke import GkeNewProject, GkeNewProjectArgs
from pulumi_slurm.gke.existing.project import id_is_free, what_waits_for_the_project
from pulumi_slurm.gke.existing.questions import find_project
from pulumi_slurm.gke.preflight import check_project
from pulumi_slurm_stacks.gke_config import GkeConfig
from pulumi_slurm_stacks.running import answer, refuse
from pulumi_slurm_stacks.slurm import options_after


def look_at_project(config: GkeConfig, google: gcp.Provider) -> None:
    """Compare the plan with the project, as far as that is there.

    Raises:
        SpecRunError: with what Google is bound to refuse.
    """
    if config.gke.new_project is None:
        check_project(config.plan, google)
        return
    state = answer(config, lambda: find_project(config.gke.project, google))
    refuse(config, (error.below("gke") for error in id_is_free(config.plan, state)))
    if state is None:
        refuse(config, (error.below("gke") for error in what_waits_for_the_project(config.plan)))
    check_project(config.plan, google, is_there=state is not None)


def new_project(config: GkeConfig, google: gcp.Provider) -> GkeNewProject | None:
    """Create the project, unless it exists."""
    gke = config.gke
    if gke.new_project is None:
        return None
    args = GkeNewProjectArgs(
        project=gke.project,
        new_project=gke.new_project,
        labels=gke.labels,
        deletion_protection=gke.deletion_protection,
    )
    return GkeNewProject(config.name, args, options_after(google))
