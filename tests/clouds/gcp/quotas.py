"""Quotas, which a test can set as small as those of a new project: {"SSD_TOTAL_GB": 250, "NETWORKS": 5}.

SSD_TOTAL_GB counts pd-balanced and pd-ssd:
https://cloud.google.com/compute/resource-usage#disk_quota. New projects have had 250 or 500 of it:
https://github.com/terraform-google-modules/terraform-google-kubernetes-engine/issues/1795.
"""

from collections.abc import Iterable

from tests.clouds.gcp.google import disabled, existing_project, is_on, project
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Values

NODE_POOL = "gcp:container/nodePool:NodePool"
_ON_SSD = ("pd-balanced", "pd-ssd")


def needs(state: Values) -> dict[str, float]:
    """Return what the nodes with which a pool starts take of each quota."""
    config = state.get("nodeConfig") or {}
    zones = len(state.get("nodeLocations") or [""])
    nodes = int(state.get("nodeCount") or state.get("initialNodeCount") or 0) * zones
    disk = int(config.get("diskSizeGb") or 100) if config.get("diskType", "pd-balanced") in _ON_SSD else 0
    needed: dict[str, float] = {"SSD_TOTAL_GB": nodes * disk}
    for gpus in config.get("guestAccelerators") or []:
        gpu = gpus["type"].removeprefix("nvidia-").removeprefix("tesla-").replace("-", "_").upper()
        spot = "PREEMPTIBLE_" if config.get("spot") or config.get("flexStart") else ""
        needed[f"{spot}NVIDIA_{gpu}_GPUS"] = nodes * gpus["count"]
    return needed


def refuse_beyond_quota(needed: dict[str, float], others: Iterable[Stored], inputs: Values, scope: Scope) -> None:
    """Refuse what, with other resources, is more than a quota; only the quotas that a test sets have an end."""
    for quota, limit in scope.cloud.settings.get("quotas", {}).items():
        if not needed.get(quota):
            continue
        used = sum(needs(other.state).get(quota, 0) if other.token == NODE_POOL else 1 for other in others)
        if used + needed[quota] > limit:
            raise CloudError(
                f'googleapi: Error 403: Insufficient regional quota to satisfy request: resource "{quota}": request '
                f"requires '{needed[quota]:.1f}' and is short '{used + needed[quota] - limit:.1f}'. "
                f"project has a quota of '{limit:.1f}' with '{limit - used:.1f}' available. View and manage quotas at "
                f"https://console.cloud.google.com/iam-admin/quotas?usage=USED&project={project(inputs, scope)}., "
                "forbidden"
            )


def get_quota_infos(arguments: Values, scope: Scope) -> Values:
    """Answer cloudquota.getSQuotaInfos: the quotas that a test sets, by their identifiers in the Cloud Quotas API."""
    parent, api = str(arguments["parent"]), "cloudquotas.googleapis.com"
    where = existing_project({"project": parent.removeprefix("projects/")}, scope)
    if api not in scope.cloud.settings.get("enabledByHand", []) and not is_on(api, where, scope):
        raise disabled(api, where)
    infos = [
        {
            "quotaId": f"{quota.replace('_', '-')}-per-project{'' if quota == 'NETWORKS' else '-region'}",
            "dimensionsInfos": [
                {
                    "applicableLocations": ["global"] if quota == "NETWORKS" else [str(scope.config.get("region"))],
                    "details": [{"value": str(limit)}],
                    "dimensions": {},
                }
            ],
        }
        for quota, limit in scope.cloud.settings.get("quotas", {}).items()
    ]
    return {"id": parent, "parent": parent, "service": arguments["service"], "quotaInfos": infos}
