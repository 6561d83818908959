"""What `GkeSlurm` and `AckSlurm` have in common: a Slurm cluster with everything under it, on any cloud."""
