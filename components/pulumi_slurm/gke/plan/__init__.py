"""What is derived of a GKE specification, before anything is made: pools, address ranges, and the Slurm part."""
