"""Derived from an ACK specification before resources are created: pools, address ranges and the Slurm part."""
