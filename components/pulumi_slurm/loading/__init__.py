"""Parsing of plain data into models; all errors are reported at once."""

from pulumi_slurm.loading.load import load, load_model

__all__ = ["load", "load_model"]
