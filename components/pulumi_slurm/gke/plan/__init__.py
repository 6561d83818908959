"""Derived from a GKE specification before any resource is created: pools, address ranges, and the Slurm part."""
