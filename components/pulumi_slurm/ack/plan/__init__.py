"""What is derived of an ACK specification, before anything is made: pools, address ranges, and the Slurm part."""
