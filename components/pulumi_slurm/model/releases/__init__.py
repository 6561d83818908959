"""Features and defects of the releases of slurm-operator and Slurm Bridge."""
