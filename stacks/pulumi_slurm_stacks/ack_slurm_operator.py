"""ack-slurm-operator as a part of stacks."""

import pulumi

from pulumi_slurm.ack_slurm import AckSlurmOperator, AckSlurmOperatorArgs
from pulumi_slurm.ack_slurm.model.options import OperatorChartSpec
from pulumi_slurm.kube.component import after_all

NAME = "ack-slurm-operator"


def ack_slurm_operator(
    chart: OperatorChartSpec,
    watch_namespace: str,
    opts: pulumi.ResourceOptions,
    *,
    copilot: bool,
    create_namespace: bool = True,
) -> list[pulumi.Resource]:
    """Install ack-slurm-operator unless it is there already; return what has to come before Slurm's objects."""
    if not chart.install:
        return []
    args = AckSlurmOperatorArgs(
        operator=chart,
        install_copilot=copilot,
        watch_namespace=watch_namespace,
        create_namespace=create_namespace,
    )
    return after_all(AckSlurmOperator(NAME, args, opts))
