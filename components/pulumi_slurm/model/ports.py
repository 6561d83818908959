"""Ports of Slurm's daemons. The operator configures daemons and clients with them, so they can't be changed."""

SLURMCTLD_PORT = 6817
SLURMD_PORT = 6818
SLURMDBD_PORT = 6819
SLURMRESTD_PORT = 6820
