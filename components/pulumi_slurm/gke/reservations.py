"""The reservations that pools name, compared with the pools: Google makes no nodes of one that doesn't match.

The data source of Google's provider says all but a reservation's placement policy. What is refused is what Google's own
Cluster Toolkit refuses, in modules/compute/gke-node-pool of https://github.com/GoogleCloudPlatform/cluster-toolkit, and
what of a reservation never changes; the rest, which nodes have to match too, is warned of
(https://cloud.google.com/compute/docs/instances/reservations-overview#consumption-requirements).
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.gke.googles_words import googles_words
from pulumi_slurm.gke.model.pool import GkeCapacity, GkeCapacityOptionSpec, HostMaintenance
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool

_READY = "READY"
_WITHOUT_MACHINES = frozenset({"CREATING", "DELETING", "INVALID"})
"""Not UPDATING, in which nodes of the pool may be: https://cloud.google.com/compute/docs/reference/rest/v1/reservations."""
_INTERVALS: Mapping[str, HostMaintenance] = MappingProxyType(
    {"AS_NEEDED": HostMaintenance.AS_NEEDED, "PERIODIC": HostMaintenance.PERIODIC}
)


def reservation_errors(plan: GkePlan, opts: pulumi.InvokeOptions, *, is_there: bool) -> Iterator[FieldError]:
    """Yield what is wrong with the reservations of new pools; warn of those that can't be read.

    ``is_there`` says whether the project is, of which nothing can be asked before.
    """
    for planned in plan.new_pools:
        option = planned.capacity_option
        if option.capacity is not GkeCapacity.RESERVATION or not option.reservation:
            continue
        at = (*planned.at, "reservation")
        parts = option.reservation.split("/")
        names: Mapping[str, str] = dict(zip(parts[::2], parts[1::2], strict=False)) if parts[0] == "projects" else {}
        name, project = names.get("reservations", parts[0]), names.get("projects", plan.spec.project)
        if project == plan.spec.project and not is_there:
            yield FieldError(
                at,
                option.reservation,
                "it would be in the project, which isn't there yet",
                "Add the pool once there is the project with the reservation, or name one that another project shares.",
                severity=Severity.WARNING,
            )
            continue
        try:
            reservation = gcp.compute.get_reservation(name=name, project=project, zone=planned.zones[0], opts=opts)
        except Exception as error:  # The SDK raises nothing more specific.
            yield FieldError(
                at,
                option.reservation,
                f"the reservation could not be read in {planned.zones[0]}, where it has to be: {googles_words(error)}",
                "Write its name, project and zone, or let the login read it: compute.reservations.get.",
                severity=Severity.WARNING,
            )
            continue
        for problem, fix, severity in (
            *_of_reservation(option, reservation, is_elsewhere=project != plan.spec.project),
            *_of_machines(planned, reservation.specific_reservations or []),
        ):
            yield FieldError(at, option.reservation, problem, fix, severity=severity)


_Difference = tuple[str, str, Severity]
"""A problem, what to write, and whether it is refused."""


def _of_reservation(option: GkeCapacityOptionSpec, reservation: Any, *, is_elsewhere: bool) -> Iterator[_Difference]:
    if reservation.specific_reservation_required is False:
        yield (
            "machines of any pool take it, and then Google lets none name it",
            "Make it with --require-specific-reservation, or write capacity on-demand, which uses it by itself.",
            Severity.ERROR,
        )
    if is_elsewhere and any(one.share_type == "LOCAL" for one in reservation.share_settings or []):
        yield (
            "it is of another project, which shares it with none",
            "Let that project share it with this one, or name a reservation of this project.",
            Severity.WARNING,
        )
    status, nodes = reservation.status, option.least_nodes
    if status in _WITHOUT_MACHINES and nodes:
        yield (
            f"its status is {status}, so it has no machines yet or no more, and the pool begins with "
            f"{counted(nodes, 'node')}",
            "Wait until it is READY, or write minNodes: 0 and maxNodes.",
            Severity.ERROR,
        )
    elif status and status != _READY:
        yield f"its status is {status}", "Wait until it is READY.", Severity.WARNING


def _of_machines(planned: GkePlannedPool, machines: Any) -> Iterator[_Difference]:
    option = planned.capacity_option
    for reserved in machines:
        for properties in reserved.instance_properties or []:
            yield from _of_properties(planned, properties)
        count = int(reserved.count)
        free = count - int(reserved.in_use_count or 0)
        nodes = option.least_nodes
        if count < nodes:
            problem = f"it has {counted(count, 'machine')}, and the pool has {counted(nodes, 'node')}"
            yield problem, "Write fewer nodes, or let Google make it larger.", Severity.WARNING
        elif free < nodes:
            # Nodes of this pool itself may be what uses it.
            problem = (
                f"it has {counted(count, 'machine')}, {free} of them free, and the pool has {counted(nodes, 'node')}"
            )
            yield problem, "Write fewer nodes, unless the others are nodes of this pool.", Severity.WARNING


def _of_properties(planned: GkePlannedPool, properties: Any) -> Iterator[_Difference]:
    pool, option = planned.pool, planned.capacity_option
    if properties.machine_type != pool.machine_type:
        yield (
            f"its machines are {properties.machine_type}, those of the pool {pool.machine_type}",
            "Write the machine type of the reservation in the pool, or name another reservation.",
            Severity.ERROR,
        )
        return
    if pool.accelerator:
        # GPUs of other machine types follow from the type.
        reserved = {one.accelerator_type: int(one.accelerator_count) for one in properties.guest_accelerators or []}
        if reserved != {pool.accelerator.type: pool.accelerator.count}:
            has = ", ".join(f"{count} {name}" for name, count in reserved.items()) or "no GPUs"
            yield (
                f"its machines have {has}, those of the pool {pool.accelerator.count} {pool.accelerator.type}",
                "Write the GPUs of the reservation in the pool, or name another reservation.",
                Severity.ERROR,
            )
    disks = len(properties.local_ssds or [])
    if pool.local_ssd.count is not None and pool.local_ssd.count != disks:
        yield (
            f"its machines have {disks} local SSDs, those of the pool {pool.local_ssd.count}",
            "Write the number of the reservation in localSsd.count.",
            Severity.WARNING,
        )
    interval, maintenance = properties.maintenance_interval, option.host_maintenance or HostMaintenance.AS_NEEDED
    if interval and _INTERVALS.get(interval) is not maintenance:
        fix = f"Write hostMaintenance: {_INTERVALS[interval]}." if interval in _INTERVALS else "Name another one."
        yield f"its maintenance interval is {interval}, and that of the pool {maintenance}", fix, Severity.WARNING
