"""A Slurm cluster on a Kubernetes cluster that exists already, with or without slurm-operator on it."""

import os
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm import SlinkyOperator, SlinkyOperatorArgs, SlurmCluster, SlurmClusterArgs

from .config import StackConfig, StackSecrets


def kubernetes_stack(config: StackConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the operator, unless it is there, and the Slurm cluster; export what a user needs next."""
    stack = pulumi.get_stack()
    if os.pathsep in os.environ.get("KUBECONFIG", ""):
        # The SDK would hand the list to the provider as one path; without it the provider reads its own environment.
        del os.environ["KUBECONFIG"]
    provider = k8s.Provider(
        "kubernetes",
        kubeconfig=str(Path(config.kubeconfig).expanduser()) if config.kubeconfig else None,
        context=config.context,
        # Without it, a new address of the API server would replace every object.
        cluster_identifier=config.cluster_identifier or f"{pulumi.get_project()}-{stack}",
        # A rotated key then changes in its Secret, whose name the operator doesn't let us change.
        enable_secret_mutable=True,
    )
    before: list[pulumi.Resource] = []
    if not config.operator.preinstalled:
        before.append(_operator(config, provider))
    cluster = SlurmCluster(
        config.cluster.name,
        SlurmClusterArgs(
            spec=config.cluster,
            pools=config.pools,
            root_key=secrets.root_key,
            ldap_bind_password=secrets.ldap_bind_password,
            create_namespace=config.create_namespace,
        ),
        pulumi.ResourceOptions(provider=provider, depends_on=before),
    )
    pulumi.export("namespace", cluster.namespace)
    pulumi.export("partitions", cluster.partitions)
    pulumi.export("restUrl", cluster.rest_url)
    pulumi.export("sshCommands", cluster.ssh_commands)
    pulumi.export("tokenSecrets", cluster.token_secrets)
    pulumi.export("keySecrets", cluster.key_secrets)
    return cluster


def _operator(config: StackConfig, provider: k8s.Provider) -> SlinkyOperator:
    charts = {
        "operator_chart": config.operator.operator_chart,
        "crds_chart": config.operator.crds_chart,
    }
    return SlinkyOperator(
        "slinky",
        SlinkyOperatorArgs(
            version=config.cluster.operator_version,
            namespace=config.operator.namespace,
            install_crds=config.operator.install_crds,
            retain_crds=config.operator.retain_crds,
            install_cert_manager=config.operator.install_cert_manager,
            values=config.operator.values,
            **{name: chart for name, chart in charts.items() if chart},
        ),
        pulumi.ResourceOptions(provider=provider),
    )
