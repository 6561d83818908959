"""A look at the project before anything is made: quotas, machine types of zones, and reservations against the plan.

Google's provider reads them, with the login that it has anyway. What other things in the project use up of a quota
isn't known, so that a quota that suffices here may be too small all the same.
"""

from collections.abc import Iterator
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.gke.googles_words import googles_words
from pulumi_slurm.gke.offers import offer_errors
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.quotas import PREEMPTIBLE, QuotaNeed, quota_needs
from pulumi_slurm.gke.reservations import reservation_errors
from pulumi_slurm.kube.component import SpecRunError

_UNLIMITED = -1


def check_project(plan: GkePlan, google: pulumi.ProviderResource | None, *, is_there: bool = True) -> None:
    """Compare a plan with the reservations that its pools name, and with quotas and zones if the plan says so; warn of
    what may not suffice.

    Of a project that is still to be made nothing is asked, which is a warning.

    Raises:
        SpecRunError: with all that Google is bound to refuse. Paths start at the GKE specification.
    """
    opts = pulumi.InvokeOptions(provider=google)
    errors = [*reservation_errors(plan, opts, is_there=is_there)]
    if plan.spec.preflight:
        asked = [*_quota_errors(plan, opts), *offer_errors(plan, opts)] if is_there else [_not_compared()]
        errors = [*asked, *errors]
    for error in errors:
        if error.severity is Severity.WARNING:
            pulumi.log.warn(error.line)
    refused = [error for error in errors if error.severity is Severity.ERROR]
    if refused:
        raise SpecRunError(refused, f"The project {plan.spec.project}")


def _quota_errors(plan: GkePlan, opts: pulumi.InvokeOptions) -> Iterator[FieldError]:
    parent = f"projects/{plan.spec.project}"
    try:
        # https://cloud.google.com/docs/quotas/reference/rest/v1/projects.locations.services.quotaInfos
        infos = gcp.cloudquota.get_s_quota_infos(parent=parent, service="compute.googleapis.com", opts=opts).quota_infos
    except Exception as error:  # The SDK raises nothing more specific.
        yield _unread(("project",), plan.spec.project, "the project's quotas could not be read", error)
        return
    limits = {info.quota_id: info.dimensions_infos for info in infos}
    for need in quota_needs(plan):
        limit = _limit(limits.get(need.quota_id, ()), need.region)
        # A project that never asked for preemptible GPUs has none of them, and such nodes use up the standard quota:
        # https://cloud.google.com/compute/docs/instances/create-use-spot
        uses_standard_quota = limit == 0 and need.quota_id.startswith(PREEMPTIBLE)
        if limit is not None and limit < need.at_most and not uses_standard_quota:
            yield _too_small(need, limit)


def _limit(dimensions: Any, region: str | None) -> int | None:
    """Return the limit that counts for a region or for the whole project; None where there is none."""
    for info in dimensions:
        applies = region is None or region in info.applicable_locations
        if applies and info.details and info.details[0].value not in (None, ""):
            value = int(info.details[0].value)
            return None if value == _UNLIMITED else value
    return None


def _too_small(need: QuotaNeed, limit: int) -> FieldError:
    where = f" in {need.region}" if need.region else ""
    at_once = need.at_once > limit
    amount = f"{need.at_once} at once" if at_once else f"up to {need.at_most}"
    return FieldError(
        ("pools",),
        FieldError.ABSENT,
        f"the quota {need.quota_id}{where} is {limit}, and the cluster needs {amount}",
        "Ask Google for more under IAM & Admin, Quotas, or write fewer or smaller nodes.",
        severity=Severity.ERROR if at_once else Severity.WARNING,
    )


def _not_compared() -> FieldError:
    return FieldError(
        ("preflight",),
        True,
        "the project isn't there yet, so its quotas and zones are not compared; a new project may have no GPUs at all",
        "Look at the next preview. Ask Google for more once the project is there.",
        severity=Severity.WARNING,
    )


def _unread(at: Path, value: Any, problem: str, error: Exception) -> FieldError:
    return FieldError(
        at,
        value,
        f"{problem}: {googles_words(error)}",
        "Enable the API cloudquotas.googleapis.com and sign in, or leave preflight out.",
        severity=Severity.WARNING,
    )
