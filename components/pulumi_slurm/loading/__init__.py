"""From plain data to models, with every error found in one go."""

from pulumi_slurm.loading.load import load, load_model

__all__ = ["load", "load_model"]
