"""Which operator runs Slurm."""

from enum import StrEnum


class AckOperator(StrEnum):
    """Who turns the Slurm specification into pods."""

    SLINKY = "slinky"
    ACK_SLURM_OPERATOR = "ack-slurm-operator"
