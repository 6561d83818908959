"""Mirrors of container registries, by which nodes pull images in place of the registries themselves.

Source: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/customize-the-containerd-configurations-of-a-node-pool,
and containerd_config of alicloud_cs_kubernetes_node_pool in Terraform's provider alicloud.
"""

import re
from collections.abc import Mapping

from pulumi_slurm.errors import check_each_pair, field_error

_REGISTRY = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?")
_MIRROR = re.compile(r"https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?(/[^\s,&=]*)?(&override_path)?")


def checked_mirrors(value: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the mapping if its keys are registries, and its values addresses of mirrors."""
    return check_each_pair(value, value.items(), _check)


def in_the_form_of_ack(mirrors: Mapping[str, list[str]]) -> list[str]:
    """Return mirrors as a node pool takes them: "docker.io=https://mirror.example.com,https://other.example.com"."""
    return [f"{registry}={','.join(addresses)}" for registry, addresses in sorted(mirrors.items())]


def _check(registry: str, addresses: list[str]) -> None:
    if not _REGISTRY.fullmatch(registry):
        raise field_error("this is no registry", 'Write its host alone, for example "docker.io".')
    if not addresses or not all(map(_MIRROR.fullmatch, addresses)):
        raise field_error(
            "ACK wants the address of one mirror or more", 'Write for example ["https://mirror.example.com"].'
        )
