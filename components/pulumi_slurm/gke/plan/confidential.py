"""Which machine types can be Confidential VMs, and how their memory is encrypted.

Source: supportConfidentialNodeTypes and withSupportedConfidentialNodeTypes in pkg/cloudprovider/gke/machinetypes of
https://github.com/GoogleCloudPlatform/cluster-autoscaler, GKE's own autoscaler, commit 7d25050. Processors:
https://cloud.google.com/confidential-computing/confidential-vm/docs/supported-configurations.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.gke.model.pool import ConfidentialType

_MACHINE_TYPES: Mapping[ConfidentialType, re.Pattern[str]] = MappingProxyType(
    {
        ConfidentialType.SEV: re.compile(r"(c2d|c3d|c4d|n2d)-.*|g4-standard-48"),
        ConfidentialType.SEV_SNP: re.compile(r"n2d-.*"),
        ConfidentialType.TDX: re.compile(r"(c3|c4)-standard-.*|a3-highgpu-1g"),
    }
)
CONFIDENTIAL_SERIES = "N2D, C2D, C3D or C4D (SEV), or of c3-standard or c4-standard (TDX)"
"""The series of these in words; of others one machine type alone is there."""


def confidential_types(machine_type: str) -> list[ConfidentialType]:
    """Return the ways in which the memory of a machine type of the built-in catalogue can be encrypted."""
    return [way for way, pattern in _MACHINE_TYPES.items() if pattern.fullmatch(machine_type)]
