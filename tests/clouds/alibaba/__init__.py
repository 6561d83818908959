"""Alibaba Cloud, simulated: its provider and its APIs, for the resources of ACK stacks.

Which change replaces a resource, what is filled in, which values there are and how errors read is taken from the
sources of Terraform's provider alicloud (2.0.0-beta3; pulumi-alicloud 4.0.0 is built on a later one, whose source was
not to be had); what ACK, VPC, NAS and RDS refuse, from their documentation. Where an error's code is in neither, it is
one of the same form. Nothing here was compared with a real account.

There is no ack-slurm-operator, which nobody has outside of ACK: the API server knows the kinds SlurmCluster and
GenericNode (their definitions are reconstructed, see tests/crds/ack), and nothing acts on their objects.
"""
