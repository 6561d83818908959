"""A Slurm cluster by ack-slurm-operator: its configuration files and its Kubernetes objects, free of Pulumi."""
