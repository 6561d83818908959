"""The choice of the operator that runs Slurm."""

from enum import StrEnum


class AckOperator(StrEnum):
    """The operator that creates pods from the Slurm specification."""

    SLINKY = "slinky"
    ACK_SLURM_OPERATOR = "ack-slurm-operator"
