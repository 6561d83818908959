"""All policies, in the order of the subjects in docs/policies.md."""

from types import MappingProxyType

from slurm_policies import access, clusters, controllers, images, node_pools, slurm_conf, storage, workers

SUBJECTS = MappingProxyType(
    {
        "Workers": workers.POLICIES,
        "slurmctld": controllers.POLICIES,
        "slurm.conf": slurm_conf.POLICIES,
        "Releases": images.POLICIES,
        "Node pools": node_pools.POLICIES,
        "Kubernetes clusters": clusters.POLICIES,
        "Data": storage.POLICIES,
        "Access": access.POLICIES,
    }
)
POLICIES = tuple(policy for policies in SUBJECTS.values() for policy in policies)
