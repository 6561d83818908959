"""All objects of a cluster at once, for reviews, exports and tests; `AckSlurmCluster` makes the same ones."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.access import account
from pulumi_slurm.ack.slurm.accounting_job import accounting_job
from pulumi_slurm.ack.slurm.admin_page import admin_page
from pulumi_slurm.ack.slurm.cluster_object import slurm_cluster
from pulumi_slurm.ack.slurm.files import public_files
from pulumi_slurm.ack.slurm.names import config_map, keys_config_map, state_claim
from pulumi_slurm.ack.slurm.services import before_controller
from pulumi_slurm.ack.slurm.templates import ROOT_KEYS, root_keys
from pulumi_slurm.manifests.database import database
from pulumi_slurm.manifests.directory import directory
from pulumi_slurm.manifests.objects import ClusterRef, Manifest, manifest
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.model import NodePoolSpec, SlurmSpec


def render(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str) -> Iterator[Manifest]:
    """Yield every object but the namespace and the Secrets, in the order in which they are made."""
    ref = ClusterRef.of(spec)
    if spec.identity and spec.identity.directory:
        yield from directory(ref, spec.identity.directory)
        yield from admin_page(spec, ack)
    for volume in spec.shared_volumes:
        yield from shared_volume(ref, volume)
    if spec.accounting and not spec.accounting.external:
        yield from database(ref, spec.accounting.database)
    yield from account(spec, ack)
    yield from state(spec)
    yield from config_maps(spec, pools, ack)
    yield slurm_cluster(spec, pools, ack, image)
    yield from before_controller(spec, ack)
    yield from accounting_job(spec, image)


def config_maps(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> list[Manifest]:
    """Return the ConfigMap with the configuration files, and the one with public keys.

    Their names don't change with their content: a changed template would replace the cluster with all its jobs.
    """
    ref = ClusterRef.of(spec)
    made = [manifest("v1", "ConfigMap", ref, config_map(spec.name), data=public_files(spec, pools, ack))]
    if keys := root_keys(spec):
        data = {ROOT_KEYS: "".join(f"{key}\n" for key in keys)}
        made.append(manifest("v1", "ConfigMap", ref, keys_config_map(spec.name), data=data))
    return made


def state(spec: SlurmSpec) -> list[Manifest]:
    """Return the claim of the controllers' state, where it is ours to make."""
    options = spec.controller.state
    if not options.enabled or options.existing_claim:
        return []
    claim = manifest("v1", "PersistentVolumeClaim", ClusterRef.of(spec), state_claim(spec.name))
    # A class that binds late leaves the claim Pending until a pod uses it, and pods come after claims.
    claim["metadata"]["annotations"] = dict(SKIP_WAIT)
    claim["spec"] = {
        "accessModes": [options.access_mode.value],
        "resources": {"requests": {"storage": options.size}},
        **({"storageClassName": options.storage_class} if options.storage_class else {}),
    }
    return [claim]
