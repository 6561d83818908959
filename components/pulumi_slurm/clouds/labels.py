"""Labels and taints that pulumi-slurm sets on the nodes of every cloud."""

POOL_LABEL = "slurm.pulumi.com/pool"
"""The label of a pool's nodes, and the key of the taint of dedicated nodes; the value is the pool's name."""
