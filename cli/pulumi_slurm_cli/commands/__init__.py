"""The commands of ``pulumi-slurm``, one in each file: its arguments, and what it does."""
