"""The additions of a provider to the Slurm specification. What users have set takes precedence."""

from collections.abc import Sequence
from typing import Any

from pulumi_slurm.clouds.resume_timeout import resume_timeout_fields
from pulumi_slurm.errors import Path, SpecError, report
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.model.alibaba_annotations import KEEP_ON_NODE
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.providers.erdma import erdma_fields
from pulumi_slurm.providers.gpu_driver import DRIVER_ENV, driver_fields
from pulumi_slurm.providers.provider import PROVIDERS, Provider, ProviderFacts
from pulumi_slurm.providers.rules import check_provider
from pulumi_slurm.providers.topology import with_places
from pulumi_slurm.rules import checked


def on_provider(provider: Provider, slurm: SlurmSpec, pools: Sequence[NodePoolSpec], *, at: Path = ()) -> SlurmSpec:
    """Return a cluster as it is built on a provider's Kubernetes cluster; ``at`` is its path in the user's file.

    Raises:
        SpecError: with all errors; paths start with ``at``.
    """
    report(error.below(*at) for error in check_provider(provider, slurm))
    try:
        return with_provider(provider, slurm, pools)
    except SpecError as error:
        raise SpecError([one.below(*at) for one in error.errors], error.subject) from None


def with_provider(provider: Provider, slurm: SlurmSpec, pools: Sequence[NodePoolSpec]) -> SlurmSpec:
    """Return a cluster with what it needs on the nodes of its provider.

    That is the way to the GPUs' driver, NCCL's settings for eRDMA, the topology of the network, and time for nodes that
    an autoscaler has to add.

    Raises:
        SpecError: if the result breaks a rule of the Slurm specification; paths begin there.
    """
    facts = PROVIDERS[provider]
    by_name = {pool.name: pool for pool in pools}
    used = [(node_set, by_name.get(node_set.pool or "")) for node_set in slurm.node_sets]
    with_gpus = {node_set.name for node_set, pool in used if _has_nvidia_gpus(node_set, pool)}
    if facts.driver_is_mounted and with_gpus:
        node_sets = [_with_pod(one, env=DRIVER_ENV) if one.name in with_gpus else one for one in slurm.node_sets]
        slurm = with_fields(slurm, node_sets=node_sets, **({} if slurm.controller.external else driver_fields(slurm)))
    if provider is Provider.ACK:
        slurm = with_fields(slurm, **erdma_fields(slurm, pools))
    scaled = {node_set.name for node_set, pool in used if pool and pool.min_nodes is not None}
    if provider is Provider.ACK and scaled:
        node_sets = [
            _with_pod(one, annotations=KEEP_ON_NODE, labels=KEEP_ON_NODE) if one.name in scaled else one
            for one in slurm.node_sets
        ]
        slurm = with_fields(slurm, node_sets=node_sets)
    if any(pool and pool.min_nodes == 0 for _, pool in used) and not slurm.controller.external:
        slurm = with_fields(slurm, **resume_timeout_fields(slurm.slurm_conf))
    slurm = checked(slurm)
    placed = {node_set.name for node_set, pool in used if _has_places(facts, node_set, pool)}
    return with_places(slurm, facts.topology, placed) if facts.topology else slurm


def _with_pod(node_set: NodeSetSpec, **fields: Any) -> NodeSetSpec:
    """Return a node set whose pods have further entries in some of their mappings."""
    pod = node_set.pod
    return with_fields(
        node_set, pod=with_fields(pod, **{name: {**added, **getattr(pod, name)} for name, added in fields.items()})
    )


def _has_nvidia_gpus(node_set: NodeSetSpec, pool: NodePoolSpec | None) -> bool:
    machines: list[MachineSpec | None] = [node_set.machine, pool.machine if pool else None]
    return any(one and one.gpus and one.gpus.resource.startswith("nvidia.com/") for one in machines)


def _has_places(facts: ProviderFacts, node_set: NodeSetSpec, pool: NodePoolSpec | None) -> bool:
    """Return whether the nodes of a node set have the labels of the network, by those that select the nodes."""
    labels = {**(pool.node_labels if pool else {}), **node_set.pod.node_selector}
    written = facts.topology is not None and not labels.keys().isdisjoint(facts.topology.node_labels)
    return written or bool(facts.has_places(labels))
