"""Whether a subnetwork that exists will do for the nodes, pods and Services of a specification."""

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import Any

from pulumi_slurm.clouds.address_ranges import prefix_length_for
from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.gke.model import GkeExistingNetworkSpec
from pulumi_slurm.gke.plan.address_needs import node_addresses, pod_addresses
from pulumi_slurm.gke.plan.addresses import GkeAddresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan

_AT = ("network", "existing")


def subnetwork_will_do(
    plan: GkePlan, addresses: GkeAddresses, existing: GkeExistingNetworkSpec, answer: Any
) -> Iterator[FieldError]:
    """Yield what the specification needs and a subnetwork lacks; warn of what may hurt.

    ``answer`` is what Google's provider says of the subnetwork.
    """
    network = str(answer.network).rpartition("/")[2]
    if network != existing.network:
        problem = f'the subnetwork "{existing.subnetwork}" is in the VPC "{network}"'
        yield FieldError((*_AT, "network"), existing.network, problem, f'Write "{network}", or its own subnetwork.')
    if not answer.ip_cidr_range:
        yield FieldError((*_AT, "subnetwork"), existing.subnetwork, "it has no IPv4 range", "Name one that has.")
        return
    ranges = {item.range_name: IPv4Network(item.ip_cidr_range) for item in answer.secondary_ip_ranges or []}
    for field in ("pods_range", "services_range"):
        name = getattr(existing, field)
        if name not in ranges:
            there = f"Write one of those that it has: {', '.join(ranges)}." if ranges else "Add it there."
            problem = f'the subnetwork "{existing.subnetwork}" has no secondary range of this name'
            yield FieldError((*_AT, field), name, problem, there)
    primary = IPv4Network(answer.ip_cidr_range)
    yield from _too_small("subnetwork", existing.subnetwork, primary, node_addresses(plan), "nodes")
    if pods := ranges.get(existing.pods_range):
        yield from _too_small("pods_range", existing.pods_range, pods, pod_addresses(plan), "pods, by maxPodsPerNode")
    yield from ranges_are_free(plan, addresses, answer)
    if not answer.private_ip_google_access:
        yield FieldError(
            (*_AT, "subnetwork"),
            existing.subnetwork,
            "it has no Private Google Access, so nodes, which have no public addresses, reach Google's APIs and "
            "images by Cloud NAT alone",
            f"Switch it on: gcloud compute networks subnets update {existing.subnetwork} "
            f"--region={plan.spec.region} --project={existing.project or plan.spec.project} "
            "--enable-private-ip-google-access.",
            severity=Severity.WARNING,
        )


def ranges_are_free(plan: GkePlan, addresses: GkeAddresses, answer: Any) -> Iterator[FieldError]:
    """Yield an error for each range of ours that overlaps with one of a subnetwork that exists."""
    existing_ranges = [answer.ip_cidr_range, *(item.ip_cidr_range for item in answer.secondary_ip_ranges or [])]
    planned_ranges = {"private_services_range": addresses.private_services}
    if plan.spec.existing_cluster is None:
        planned_ranges["control_plane_range"] = addresses.control_plane
    if addresses.fabric:
        planned_ranges["fabric_range"] = plan.spec.network.fabric_range
    for field, cidr in planned_ranges.items():
        for theirs in existing_ranges:
            if cidr and theirs and IPv4Network(cidr).overlaps(IPv4Network(theirs)):
                problem = f'it overlaps with {theirs} of the subnetwork "{answer.name}"'
                yield FieldError(("network", field), cidr, problem, "Write a range that is free in the VPC.")


def _too_small(field: str, name: str, network: IPv4Network, needed: int, users: str) -> Iterator[FieldError]:
    if network.num_addresses < needed:
        yield FieldError(
            (*_AT, field),
            name,
            f"{network} has {network.num_addresses} addresses, and the maximum number of {users} takes {needed}",
            f"Name a range of a /{prefix_length_for(needed)} or larger, or write fewer nodes.",
        )
