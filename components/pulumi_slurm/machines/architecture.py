"""The instruction sets of machines."""

from enum import StrEnum


class Architecture(StrEnum):
    """The instruction set, as the node label kubernetes.io/arch has it."""

    AMD64 = "amd64"
    ARM64 = "arm64"
