"""Whether the zones of new pools offer their machine types, and whether these are as large as the catalogue says.

Google's provider lists the machine types of a zone: https://cloud.google.com/compute/docs/reference/rest/v1/machineTypes.
That a zone has a type says nothing of how many machines are left.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.gke.googles_words import googles_words
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.machines.gke import GkeMachineTypeSpec

_MIB = 1024
_ROUNDED = 0.01
"""Memory that is rounded, as in 86.4 GiB, differs by less than this part."""

_Wanted = tuple[Path, str]
"""The path of a pool, and its machine type."""


def offer_errors(plan: GkePlan, opts: pulumi.InvokeOptions) -> Iterator[FieldError]:
    """Yield the machine types that a zone of their pool doesn't offer; warn of other sizes, and of zones not read."""
    compared: set[str] = set()
    for zone, wanted in _by_zone(plan).items():
        names = sorted({name for _, name in wanted})
        condition = " OR ".join(f'(name = "{name}")' for name in names)
        try:
            answer = gcp.compute.get_machine_types(filter=condition, project=plan.spec.project, zone=zone, opts=opts)
        except Exception as error:  # The SDK raises nothing more specific.
            yield FieldError(
                ("zones",),
                zone,
                f"what machine types it offers could not be read: {googles_words(error)}",
                "Write a zone that exists, and let the login read it: compute.machineTypes.list.",
                severity=Severity.WARNING,
            )
            continue
        offered = {machine.name: machine for machine in answer.machine_types}
        for at, name in wanted:
            if name not in offered:
                yield FieldError(
                    (*at, "machine_type"),
                    name,
                    f"Google has no such machine type in {zone}",
                    f"Choose another zone: gcloud compute machine-types list --filter=name={name}.",
                )
            elif name not in compared:
                compared.add(name)
                yield from _of_size(at, plan.spec.catalogue.find(name), offered[name])


def _by_zone(plan: GkePlan) -> Mapping[str, list[_Wanted]]:
    """Return what pools want of each zone."""
    pools: list[tuple[Path, str, tuple[str, ...]]] = [
        (at, planned.pool.machine_type, planned.zones) for at, planned in configured_pools(plan)
    ]
    system_pool = plan.spec.system_pool
    if plan.makes_system_pool:
        pools.append((("system_pool",), system_pool.machine_type, tuple(system_pool.zones or plan.spec.zones)))
    wanted: dict[str, list[_Wanted]] = {}
    for at, name, zones in pools:
        # Google lists no type whose size its user chooses.
        for zone in zones if "custom-" not in name else ():
            wanted.setdefault(zone, []).append((at, name))
    return wanted


def _of_size(at: Path, listed: GkeMachineTypeSpec, machine: Any) -> Iterator[FieldError]:
    gib = machine.memory_mb / _MIB
    if machine.guest_cpus != listed.vcpus or abs(gib - listed.memory_gib) > _ROUNDED * gib:
        yield FieldError(
            (*at, "machine_type"),
            listed.name,
            f"it has {machine.guest_cpus} vCPUs and {gib:g} GiB at Google, and {listed.vcpus} and "
            f"{listed.memory_gib:g} in the catalogue, by which its workers are sized",
            "State these in catalogue.machineTypes, with all else that the machine type has.",
            severity=Severity.WARNING,
        )
