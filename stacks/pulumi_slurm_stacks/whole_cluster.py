"""What the stacks on clouds have in common: each is a call of its cloud's component of a whole cluster."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import pulumi

from pulumi_slurm.cloud_slurm.answers import told_by
from pulumi_slurm.cloud_slurm.component import CloudSlurm
from pulumi_slurm.derived.specification_hash import specification_hash
from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.manifests.outside import outside
from pulumi_slurm.model.installation import SlurmInstallation
from pulumi_slurm_stacks.accepted import split_accepted
from pulumi_slurm_stacks.cloud_config import CloudConfig
from pulumi_slurm_stacks.config import SUBJECT, StackSecrets, prefixed
from pulumi_slurm_stacks.running import show

FORMER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "slurm:index:SlinkyOperator": "slinky",
        "slurm:index:Keda": "keda",
        "slurm:index:AckDiskClass": "disks",
        "slurm:index:AckServiceRoles": "ack-roles",
        "slurm:index:AckSlurmOperator": "ack-slurm-operator",
        "slurm:index:SlurmCopilot": "slurm-copilot",
    }
)
"""Names of parts that are named after the cluster since they belong to its component."""
_OF_SLURM = ("slurm:index:SlurmCluster", "slurm:index:AckSlurmCluster", "kubernetes:monitoring.googleapis.com/")
"""Types of parts whose names began with the Slurm cluster's, not with the Kubernetes cluster's."""


def arguments(config: CloudConfig, secrets: StackSecrets) -> dict[str, Any]:
    """Return the arguments of a whole cluster that all clouds have."""
    shared = {name: getattr(config, name) for name in SlurmInstallation.model_fields}
    return {**shared, "root_key": secrets.root_key, "ldap_bind_password": secrets.ldap_bind_password}


def options(config: CloudConfig, provider: pulumi.ProviderResource) -> pulumi.ResourceOptions:
    """Return the options of a whole cluster, by which nothing is replaced in stacks from before it was a component.

    Its parts had the stack as their parent.
    """

    def as_before(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
        if not isinstance(args.opts.parent, CloudSlurm):
            return None
        name = FORMER_NAMES.get(args.type_, args.name)
        if args.type_.startswith(_OF_SLURM):
            name = config.slurm.name + name.removeprefix(config.name)
        alias = pulumi.Alias(name=name, parent=pulumi.ROOT_STACK_RESOURCE)
        opts = pulumi.ResourceOptions.merge(args.opts, pulumi.ResourceOptions(aliases=[alias]))
        return pulumi.ResourceTransformationResult(args.props, opts)

    return pulumi.ResourceOptions(providers=[provider], transformations=[as_before])


@contextmanager
def told_as_in_the_file(config: CloudConfig) -> Iterator[None]:
    """Let what a cloud's answers come to be told by the paths of the stack's file, less what it says is as wanted."""

    def tell(errors: Sequence[FieldError], warnings: Sequence[FieldError]) -> None:
        show(*split_accepted(config.accepted, map(prefixed, warnings)))
        if errors:
            raise SpecRunError([prefixed(error) for error in errors], SUBJECT)

    with told_by(tell):
        yield


def export_cluster(config: CloudConfig, whole: CloudSlurm[Any]) -> None:
    """Export what every stack on a cloud tells of its Kubernetes cluster and of Slurm."""
    for name in ("kubernetesCluster", "kubeconfig", "namespace", "partitions", "restUrl", "sshCommands"):
        pulumi.export(name, whole.outputs()[name])
    pulumi.export("tokenSecrets", whole.token_secrets)
    pulumi.export("keySecrets", whole.key_secrets)
    pulumi.export("specificationHash", specification_hash(config.slurm, config.pools))
    if config.slurm.bridge:
        pulumi.export("bridge", whole.bridge)
        pulumi.export("firstJob", whole.first_job)
    if outside(config.slurm, config.pools):
        pulumi.export("outside", whole.outside)
