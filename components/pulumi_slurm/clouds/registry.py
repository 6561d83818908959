"""The clouds on which a stack can make a Kubernetes cluster: one row each.

Everything else that a cloud needs is in its own package and its own stack, which are found by these names and loaded
when they are used. Only the standard library is imported here, so that a launcher can read it without any package.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class CloudRow:
    """A cloud, and where its parts are."""

    key: str
    """Its kind of stack (`slurm:kind`), and the key below which its cluster is described: "gke"."""
    name: str
    """What people call it: "Google Cloud"."""
    definition: str
    """The module with its `CLOUD`, which needs neither Pulumi nor an SDK: "pulumi_slurm.gke.cloud"."""
    resources: str
    """The module with its `RESOURCES`, for reviews and policies, which loads nothing else of it:
    "pulumi_slurm.gke.resources"."""
    stack: str
    """The module of its stack, with a function ``build``, which loads the SDK: "pulumi_slurm_stacks.gke"."""
    stack_config: str
    """The module of its stack's configuration, with the model ``CONFIG``: "pulumi_slurm_stacks.gke_config"."""
    sdk: str
    """The package of its SDK, which the extra called as the key installs: "pulumi_gcp"."""


CLOUDS: tuple[CloudRow, ...] = (
    CloudRow(
        key="gke",
        name="Google Cloud",
        definition="pulumi_slurm.gke.cloud",
        resources="pulumi_slurm.gke.resources",
        stack="pulumi_slurm_stacks.gke",
        stack_config="pulumi_slurm_stacks.gke_config",
        sdk="pulumi_gcp",
    ),
    CloudRow(
        key="ack",
        name="Alibaba Cloud",
        definition="pulumi_slurm.ack.cloud",
        resources="pulumi_slurm.ack.resources",
        stack="pulumi_slurm_stacks.ack",
        stack_config="pulumi_slurm_stacks.ack_config",
        sdk="pulumi_alicloud",
    ),
)
