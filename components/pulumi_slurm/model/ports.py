"""Ports of Slurm's daemons. The operator writes them into daemons and clients, so none of them can be changed."""

SLURMCTLD_PORT = 6817
SLURMD_PORT = 6818
SLURMDBD_PORT = 6819
SLURMRESTD_PORT = 6820
