"""What releases of slurm-operator and Slurm Bridge have, and what is wrong with them."""
