"""Kubernetes objects of a cluster that slurm-operator runs, as plain mappings."""
