"""Configuration files and Kubernetes objects of a Slurm cluster that ack-slurm-operator runs, without Pulumi."""
