"""Slurm's configuration files as typed text: parse, render, compare. Pure Python; imports neither Pulumi nor `spec`."""
