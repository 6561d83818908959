"""Ports of Slurm's daemons. The operator configures daemons and clients with them, so they can't be changed."""

SLURMCTLD_PORT = 6817
SLURMD_PORT = 6818
SLURMDBD_PORT = 6819
SLURMRESTD_PORT = 6820
METRICS_PATHS = ("/metrics/jobs", "/metrics/nodes", "/metrics/partitions", "/metrics/scheduler")
"""Where slurmctld serves its metrics, on its own port; those that the operator's ServiceMonitor names by default."""
