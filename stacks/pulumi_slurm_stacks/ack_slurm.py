"""Parts of a stack on Alibaba Cloud with ack-slurm-operator: operator, copilot, Slurm cluster, outputs."""

import pulumi

from pulumi_slurm import ClusterRef
from pulumi_slurm.ack.database_password import database_password
from pulumi_slurm.ack.plan.pools import pools_from_zero
from pulumi_slurm.ack_slurm import AckSlurmCluster, AckSlurmClusterArgs, SlurmCopilot, SlurmCopilotArgs
from pulumi_slurm.kube.component import after_all
from pulumi_slurm_stacks.ack_config import AckConfig, AckSecrets
from pulumi_slurm_stacks.ack_slurm_operator import ack_slurm_operator


def before_ack_slurm_cluster(
    config: AckConfig, secrets: AckSecrets, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """Install ack-slurm-operator unless it is there already, and with colocation the Secret of its copilot.

    Return what has to come before the Slurm cluster.
    """
    options, slurm = config.ack.slurm, config.cluster
    before = ack_slurm_operator(options.operator, slurm.namespace, opts, copilot=options.copilot is not None)
    if options.copilot:
        token = secrets.copilot_token if options.copilot.token else None
        copilot = SlurmCopilotArgs(
            operator_namespace=options.operator.namespace, tokens={slurm.name: token} if token else None
        )
        after = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=before))
        before = after_all(SlurmCopilot("slurm-copilot", copilot, after))
    return before


def ack_slurm_cluster(config: AckConfig, secrets: AckSecrets, opts: pulumi.ResourceOptions) -> AckSlurmCluster:
    """Build the Slurm cluster, and export what its users need next, under the names that every stack has."""
    ack, slurm = config.ack, config.slurm
    password = secrets.database_password
    if ack.database:
        # slurmdbd.conf holds it, and a Secret in the cluster can't be read here.
        password = database_password(secrets.root_key, ClusterRef.of(slurm).name)
    cluster = AckSlurmCluster(
        slurm.name,
        AckSlurmClusterArgs(
            spec=slurm,
            pools=config.pools,
            ack=ack.slurm,
            region=ack.region,
            kubernetes_version=ack.control_plane.version,
            cluster_domain=ack.control_plane.cluster_domain,
            pools_from_zero=pools_from_zero(config.plan),
            root_key=secrets.root_key,
            database_password=password,
            job_completion_password=secrets.job_completion_password,
            ldap_bind_password=secrets.ldap_bind_password,
            create_namespace=False,
        ),
        opts,
    )
    pulumi.export("namespace", cluster.namespace)
    pulumi.export("partitions", cluster.partitions)
    pulumi.export("restUrl", cluster.rest_url)
    pulumi.export("sshCommands", cluster.ssh_commands)
    pulumi.export("tokenSecrets", {})
    pulumi.export("keySecrets", cluster.key_secrets)
    return cluster
