"""Questions to Google's provider about what exists, asked in each preview; nothing is changed by them."""

from collections.abc import Callable
from typing import Any, TypeVar

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.errors import FieldError, Path, SpecError
from pulumi_slurm.gke.googles_words import googles_words
from pulumi_slurm.gke.model import GkeExistingClusterSpec, GkeExistingNetworkSpec

T = TypeVar("T")


def find_project(project: str, google: pulumi.ProviderResource | None) -> str | None:
    """Return the state of a project, such as ACTIVE; None if there is none that the login may see.

    Google lists a project some time after it was made. Nothing is asked of the project itself, which may not be there.

    Raises:
        SpecError: if it can't be read, with Google's words.
    """
    opts = pulumi.InvokeOptions(provider=google)
    projects = _asked(
        lambda: gcp.projects.get_project(filter=f"id:{project}", opts=opts),
        ("project",),
        project,
        "the projects with this id could not be listed",
        "Enable the API cloudresourcemanager.googleapis.com in the project that the login's requests are counted to.",
    )
    return next((one.lifecycle_state for one in projects.projects or [] if one.project_id == project), None)


def find_cluster(
    project: str, existing: GkeExistingClusterSpec, google: pulumi.ProviderResource | None
) -> gcp.container.AwaitableGetClusterResult:
    """Return all that Google says of a cluster.

    Raises:
        SpecError: if it can't be read, with Google's words.
    """
    opts = pulumi.InvokeOptions(provider=google)
    return _asked(
        lambda: gcp.container.get_cluster(name=existing.name, location=existing.location, project=project, opts=opts),
        ("existing_cluster",),
        existing.name,
        f"the cluster could not be read in {project}, {existing.location}",
        "Write NAME and LOCATION of `gcloud container clusters list`, and sign in as somebody with the role "
        "roles/container.viewer and roles/compute.viewer.",
    )


def find_subnetwork(
    project: str, region: str, existing: GkeExistingNetworkSpec, google: pulumi.ProviderResource | None
) -> gcp.compute.AwaitableGetSubnetworkResult:
    """Return all that Google says of a subnetwork.

    Raises:
        SpecError: if it can't be read, with Google's words.
    """
    opts = pulumi.InvokeOptions(provider=google)
    where = existing.project or project
    return _asked(
        lambda: gcp.compute.get_subnetwork(name=existing.subnetwork, region=region, project=where, opts=opts),
        ("network", "existing", "subnetwork"),
        existing.subnetwork,
        f"the subnetwork could not be read in {where}, {region}",
        "Write what `gcloud compute networks subnets list` shows, and sign in as somebody with the role "
        "roles/compute.networkViewer there.",
    )


def _asked(ask: Callable[[], T], at: Path, value: Any, problem: str, fix: str) -> T:
    try:
        return ask()
    except Exception as error:  # The SDK raises nothing more specific.
        raise SpecError(
            [FieldError(at, value, f"{problem}: {googles_words(error)}", fix)], "What exists at Google"
        ) from None
