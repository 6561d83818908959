"""What tells Slurm where nodes are in Google's network; see `pulumi_slurm.gke.plan.topology`."""

import pulumi

from pulumi_slurm import ClusterRef
from pulumi_slurm.gke.plan.topology import pools_in_topology, topology_manifests
from pulumi_slurm.kube.resources import create_all
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_stacks.gke_config import GkeConfig

FILE = "topology.yaml"


def copy_topology(config: GkeConfig, slurm: SlurmSpec, opts: pulumi.ResourceOptions) -> None:
    """Make what copies the labels of nodes for Slurm, where the cluster that is built has a topology made here.

    Slurm doesn't wait for it: until it runs, nodes are in no part of the topology, and jobs wait for them.
    """
    if FILE not in slurm.config_files or FILE in config.cluster.config_files:
        return
    manifests = topology_manifests(ClusterRef.of(slurm), pools_in_topology(config.plan))
    create_all(f"{config.name}-topology", manifests, opts)
