"""ack-slurm-operator's copilot on an ACK cluster, for a Slurm that runs elsewhere on nodes of that cluster."""

import pulumi

from pulumi_slurm.ack_slurm import AckSlurmOperator, AckSlurmOperatorArgs, SlurmCopilot, SlurmCopilotArgs
from pulumi_slurm.ack_slurm.manifests.outside_files import outside_needs
from pulumi_slurm.kube.component import after_all
from pulumi_slurm_stacks.copilot_config import CopilotConfig, CopilotSecrets
from pulumi_slurm_stacks.existing_cluster import existing_cluster


def build(config: CopilotConfig, secrets: CopilotSecrets) -> SlurmCopilot:
    """Build the operator, unless it is there, and what its copilot needs; export what that Slurm needs of it."""
    outside = config.outside_slurm
    opts = pulumi.ResourceOptions(provider=existing_cluster(config))
    operator: list[pulumi.Resource] = []
    if config.operator.install:
        chart = AckSlurmOperatorArgs(
            operator=config.operator,
            install_copilot=True,
            watch_namespace=outside.namespace,
            # A Secret that is there before has its namespace.
            create_namespace=outside.jwt_key_secret is None and config.create_token_secret,
        )
        operator.append(AckSlurmOperator("ack-slurm-operator", chart, opts))
    token = secrets.copilot_token if config.writes_token else None
    args = SlurmCopilotArgs(
        operator_namespace=config.operator.namespace,
        tokens={outside.name: token} if token else None,
        create_token_secret=config.create_token_secret,
        outside_slurm=outside,
    )
    after = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=after_all(*operator)))
    copilot = SlurmCopilot("slurm-copilot", args, after)
    pulumi.export("restHost", copilot.rest_host)
    pulumi.export("tokenSecrets", {outside.name: copilot.token_secret})
    pulumi.export("outside", outside_needs(outside).output())
    return copilot
