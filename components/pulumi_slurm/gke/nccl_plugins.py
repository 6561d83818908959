"""GkeNcclPlugins: what lets NCCL use fast networks, on the nodes."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.nccl_installers import nccl_installers
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args
from pulumi_slurm.kube.resources import create


class GkeNcclPluginsArgs(Args):
    """Arguments of `GkeNcclPlugins`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""


class GkeNcclPlugins(Component[GkeNcclPluginsArgs]):
    """DaemonSets in kube-system that install Google's NCCL plugins on the nodes of pools with a fast network.

    There is one for each fast network, and one that gives GPUDirect's daemons their GPUs. The provider comes from
    ``opts``. Give node pools this component as `depends_on`, so that nodes have their plugin soon after they come.
    """

    daemon_sets: pulumi.Output[list[str]]
    """The names of the DaemonSets."""

    def __init__(
        self, name: str, args: GkeNcclPluginsArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeNcclPluginsArgs, args)
        super().__init__(name, args, opts, inputs=inputs(args.spec, ("nccl",)))
        made = nccl_installers(args.spec)
        self._last = [
            create(f"{name}-{daemon_set['metadata']['name']}", daemon_set, child_options(self, opts))
            for daemon_set in made
        ]
        self.daemon_sets = pulumi.Output.from_input([each["metadata"]["name"] for each in made])
        self.finish(*self._last)
