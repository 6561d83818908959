"""Policies on what ends jobs of a Slurm cluster or loses its state, one file for each subject."""
