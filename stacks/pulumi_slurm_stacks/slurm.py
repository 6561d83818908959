"""Parts of stacks of all kinds on their Kubernetes cluster: operator, namespace, Slurm cluster, and the outputs."""

from collections.abc import Sequence

import pulumi

from pulumi_slurm import Keda, KedaArgs, SlinkyOperator, SlinkyOperatorArgs, SlurmCluster, SlurmClusterArgs
from pulumi_slurm.kube.component import after_all
from pulumi_slurm.kube.namespace import create_namespace, namespace_labels
from pulumi_slurm.manifests.outside import outside
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.operator_settings import KedaSettings, SlinkyOperatorSettings
from pulumi_slurm_stacks.config import OperatorSpec, StackSecrets


def options_after(provider: pulumi.ProviderResource, *after: pulumi.Resource) -> pulumi.ResourceOptions:
    """Return the options of what a provider makes after other resources; of components, after the last of theirs."""
    return pulumi.ResourceOptions(provider=provider, depends_on=after_all(*after))


def slurm_operator(operator: OperatorSpec, version: str, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Install slurm-operator unless it is there already; return what has to come before the Slurm cluster."""
    if operator.preinstalled:
        return []
    settings = {name: getattr(operator, name) for name in SlinkyOperatorSettings.model_fields}
    args = SlinkyOperatorArgs(version=version, **settings)
    return after_all(SlinkyOperator("slinky", args, opts))


def keda(settings: KedaSettings | None, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Install KEDA where that is wanted; return what has to come before the Slurm cluster."""
    if settings is None:
        return []
    return after_all(Keda("keda", KedaArgs(**dict(settings)), opts))


def slurm_namespace(
    name: str, spec: SlurmSpec, kubernetes: pulumi.ProviderResource, depends_on: Sequence[pulumi.Resource]
) -> pulumi.Resource:
    """Create the Slurm cluster's namespace, on a Kubernetes cluster called ``name`` that the stack makes too."""
    return create_namespace(
        f"{name}-namespace",
        spec.namespace,
        pulumi.ResourceOptions(
            provider=kubernetes,
            depends_on=depends_on,
            # A namespace takes its claims along, and with them the disk of slurmctld.
            retain_on_delete=spec.controller.state.retain,
        ),
        namespace_labels(spec),
    )


def slurm_cluster(
    spec: SlurmSpec,
    pools: Sequence[NodePoolSpec],
    secrets: StackSecrets,
    opts: pulumi.ResourceOptions,
    *,
    create_namespace: bool,
) -> SlurmCluster:
    """Build the Slurm cluster, and export what its users need next."""
    cluster = SlurmCluster(
        spec.name,
        SlurmClusterArgs(
            spec=spec,
            pools=list(pools),
            root_key=secrets.root_key,
            ldap_bind_password=secrets.ldap_bind_password,
            create_namespace=create_namespace,
        ),
        opts,
    )
    pulumi.export("namespace", cluster.namespace)
    pulumi.export("partitions", cluster.partitions)
    pulumi.export("restUrl", cluster.rest_url)
    pulumi.export("sshCommands", cluster.ssh_commands)
    pulumi.export("tokenSecrets", cluster.token_secrets)
    pulumi.export("keySecrets", cluster.key_secrets)
    if spec.bridge:
        pulumi.export("bridge", cluster.bridge)
        pulumi.export("firstJob", cluster.first_job)
    if needed := outside(spec, pools):
        pulumi.export("outside", needed)
    return cluster
