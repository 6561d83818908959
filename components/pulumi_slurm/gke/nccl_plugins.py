"""GkeNcclPlugins: Google's NCCL plugins on the nodes, with which NCCL uses fast networks."""

import pulumi

from pulumi_slurm.gke.model import NcclSpec
from pulumi_slurm.gke.nccl_installers import nccl_installers
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.machines.gke import GkeFabric


class GkeNcclPluginsArgs(Args):
    """Arguments of `GkeNcclPlugins`; `pulumi_slurm.gke.plan.nccl_pools` returns the pools of a specification."""

    nccl: NcclSpec = NcclSpec()
    """The images of the plugins."""
    tcpx_pools: list[str] = []
    """The names of node pools with GPUDirect-TCPX (A3 High)."""
    tcpxo_pools: list[str] = []
    """The names of node pools with GPUDirect-TCPXO (A3 Mega)."""
    rdma_pools: list[str] = []
    """The names of node pools with RDMA over Ethernet (A3 Ultra, A4)."""


class GkeNcclPlugins(Component[GkeNcclPluginsArgs]):
    """DaemonSets in kube-system that install Google's NCCL plugins on the nodes of pools with a fast network.

    There is one for each fast network, and one that gives GPUDirect's daemons access to the GPUs. The provider comes
    from ``opts``. Pass this component to node pools as `depends_on`, so that nodes get their plugin soon after they
    start.
    """

    daemon_sets: pulumi.Output[list[str]]
    """The names of the DaemonSets."""

    def __init__(self, resource_name: str, args: GkeNcclPluginsArgs, opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        args = self._args
        pools = {
            GkeFabric.TCPX: args.tcpx_pools,
            GkeFabric.TCPXO: args.tcpxo_pools,
            GkeFabric.ROCE: args.rdma_pools,
        }
        daemon_sets = {
            manifest["metadata"]["name"]: manifest
            for manifest in (nccl_installers(args.nccl, pools) if args.nccl.install else [])
        }
        self.daemon_sets = pulumi.Output.from_input([*daemon_sets])
        self.finish(*(self.create(role, manifest) for role, manifest in daemon_sets.items()))
