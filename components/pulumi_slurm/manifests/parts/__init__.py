"""The parts of a Slurm cluster that slurm-operator runs: one file for each, and the plan of a whole cluster."""
