"""A Slurm cluster on a Kubernetes cluster that exists already, with or without slurm-operator on it."""

import pulumi

from pulumi_slurm import Keda, KedaArgs, SlinkyOperator, SlinkyOperatorArgs, SlurmCluster, SlurmClusterArgs
from pulumi_slurm.derived.specification_hash import specification_hash
from pulumi_slurm.kube.component import after_all
from pulumi_slurm.manifests.outside import outside
from pulumi_slurm.model.operator_settings import SlinkyOperatorSettings
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.existing_cluster import existing_cluster
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig


def build(config: KubernetesConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the operator, unless it is there, and the Slurm cluster; export what a user needs next."""
    spec = config.cluster
    provider = existing_cluster(config, adopted=spec.adopted is not None)
    on_cluster = pulumi.ResourceOptions(provider=provider)
    before: list[pulumi.Resource] = []
    if not config.operator.preinstalled:
        settings = {name: getattr(config.operator, name) for name in SlinkyOperatorSettings.model_fields}
        before.append(
            SlinkyOperator("slinky", SlinkyOperatorArgs(version=spec.operator_version, **settings), on_cluster)
        )
    if config.keda:
        before.append(Keda("keda", KedaArgs(**dict(config.keda)), on_cluster))
    cluster = SlurmCluster(
        spec.name,
        SlurmClusterArgs(
            spec=spec,
            pools=config.pools,
            root_key=secrets.root_key,
            ldap_bind_password=secrets.ldap_bind_password,
            create_namespace=config.create_namespace,
        ),
        pulumi.ResourceOptions(provider=provider, depends_on=after_all(*before)),
    )
    pulumi.export("namespace", cluster.namespace)
    pulumi.export("partitions", cluster.partitions)
    pulumi.export("restUrl", cluster.rest_url)
    pulumi.export("sshCommands", cluster.ssh_commands)
    pulumi.export("tokenSecrets", cluster.token_secrets)
    pulumi.export("keySecrets", cluster.key_secrets)
    pulumi.export("specificationHash", specification_hash(spec, config.pools))
    if spec.bridge:
        pulumi.export("bridge", cluster.bridge)
        pulumi.export("firstJob", cluster.first_job)
    if needed := outside(spec, config.pools):
        pulumi.export("outside", needed)
    return cluster
