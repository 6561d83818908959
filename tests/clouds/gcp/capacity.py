"""How Google gives machines to node pools: on demand or not, from reservations, and close to each other.

Sources: https://docs.cloud.google.com/compute/docs/accelerator-optimized-machines#consumption_option_availability_by_machine_type
and https://cloud.google.com/ai-hypercomputer/docs/consumption-models;
"A VM must match all properties of a reservation", as resume.py of slurm-gcp in Google's Cluster Toolkit and XPK read
them; examples/gke-consumption-options of the Cluster Toolkit.
"""

from collections.abc import Iterator
from typing import Any

from tests.clouds.gcp.google import find
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values

POLICY = "gcp:compute/resourcePolicy:ResourcePolicy"
_NEVER_ON_DEMAND = ("a4-", "a4x-", "a3-ultragpu-", "a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g")
_NEVER_SPOT_OR_FLEX_START = ("a4x-",)
_NO_RESERVATION: Values = {"resourcePolicies": [], "maintenanceInterval": "AS_NEEDED"}


def refused_capacity(inputs: Values, config: Values, scope: Scope) -> Iterator[str]:
    """Yield why there are no such machines; the setting "reservations" has the properties of reservations by name."""
    affinity = config.get("reservationAffinity") or {}
    policy = inputs.get("placementPolicy") or {}
    name = policy.get("policyName")
    machine_type = str(config.get("machineType"))
    is_special = config.get("spot") or config.get("flexStart") or affinity.get("values")
    if not is_special and machine_type.startswith(_NEVER_ON_DEMAND):
        yield f"{machine_type} is not available on demand"
    if (config.get("spot") or config.get("flexStart")) and machine_type.startswith(_NEVER_SPOT_OR_FLEX_START):
        yield f"{machine_type} is not available as spot VMs or by flex-start"
    for value in affinity.get("values") or []:
        yield from _refused_by_reservation(str(value), config, policy, scope)
    if affinity.get("values") or not policy:
        return
    resource = find(scope, POLICY, str(name)) if name else None
    if name and resource is None and name not in scope.cloud.settings.get("policies", []):
        yield f"The resource policy '{name}' was not found"
    if config.get("flexStart") and not (resource and resource.state.get("workloadPolicy")):
        yield "Compact placement with flex-start needs a workload policy"


def _refused_by_reservation(value: str, config: Values, policy: Values, scope: Scope) -> Iterator[str]:
    if "/reservationBlocks/" in value and not value.startswith("projects/"):
        yield f"Invalid value '{value}': a block is named with the project of its reservation"
        return
    name = value.removeprefix("projects/").partition("/reservations/")[2].split("/")[0] or value
    reservation: dict[str, Any] = {**_NO_RESERVATION, **scope.cloud.settings.get("reservations", {}).get(name, {})}
    asked = [policy["policyName"]] if policy.get("policyName") else []
    if bool(policy) != bool(reservation["resourcePolicies"]) or (policy and asked != reservation["resourcePolicies"]):
        yield f"No VMs in reservation {name} match: its resource policies are {reservation['resourcePolicies']}"
    interval = (config.get("hostMaintenancePolicy") or {}).get("maintenanceInterval", "AS_NEEDED")
    if interval != reservation["maintenanceInterval"]:
        yield f"No VMs in reservation {name} match: its maintenance interval is {reservation['maintenanceInterval']}"
