"""What is derived from an ACK specification before resources are created: pools, address ranges and the Slurm part."""
