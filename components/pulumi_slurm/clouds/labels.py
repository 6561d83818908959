"""Labels and taints that are ours, on nodes of every cloud."""

POOL_LABEL = "slurm.pulumi.com/pool"
"""The label of nodes, and the key of the taint of dedicated ones, whose value is the pool's name."""
