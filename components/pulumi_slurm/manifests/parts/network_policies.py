"""NetworkPolicies of the cluster's namespace."""

from typing import Any

from pulumi_slurm.manifests.objects import Manifests, manifest
from pulumi_slurm.manifests.parts.part import Part


class NetworkPoliciesPart(Part):
    """NetworkPolicies."""

    policies: dict[str, dict[str, Any]] = {}
    """The spec of each, by what it protects."""

    def manifests(self) -> Manifests:
        """Return the NetworkPolicies, by what each protects."""
        api, prefix = "networking.k8s.io/v1", self.cluster.name
        return {
            name: manifest(api, "NetworkPolicy", self.cluster, f"{prefix}-{name}", spec=policy)
            for name, policy in self.policies.items()
        }
