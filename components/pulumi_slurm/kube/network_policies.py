"""NetworkPolicies: who may connect to Slurm's daemons, the database and the directory."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.network_policies import NetworkPoliciesPart


class NetworkPoliciesArgs(NetworkPoliciesPart, Args):
    """Arguments of `NetworkPolicies`."""


class NetworkPolicies(Component[NetworkPoliciesArgs]):
    """NetworkPolicies in the namespace of a Slurm cluster, as far as the network of the cluster enforces them."""

    def __init__(self, resource_name: str, args: NetworkPoliciesArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        objects = self.create_in_turn(self._args.manifests())
        self.finish(*objects[-1:])
