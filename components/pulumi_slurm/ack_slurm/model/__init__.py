"""Options of ack-slurm-operator in addition to the specification of a Slurm cluster, without Pulumi."""
