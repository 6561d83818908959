"""Slurm's configuration files as typed text: parse, render, compare. Pure Python; imports no Pulumi and no models."""
