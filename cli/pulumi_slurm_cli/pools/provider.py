"""Whose cluster nodes are, by the ids of their machines."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from pulumi_slurm.providers.provider import Provider
from pulumi_slurm_cli.pools.node import LiveNode

_OF_PROVIDER: tuple[tuple[Provider, Callable[[LiveNode], object]], ...] = (
    # Machines of Google Cloud alone are no GKE, whose device plugin brings the driver.
    (
        Provider.GKE,
        lambda node: (
            node.provider_id.startswith("gce://")
            and any(label.startswith("cloud.google.com/gke-") for label in node.labels)
        ),
    ),
    (Provider.EKS, lambda node: node.provider_id.startswith("aws://")),
    (Provider.AKS, lambda node: node.provider_id.startswith("azure://")),
    # pkg/oci/util in https://github.com/oracle/oci-cloud-controller-manager.
    (Provider.OKE, lambda node: node.provider_id.startswith(("oci://", "ocid1."))),
    # "region.instance" in https://github.com/kubernetes/cloud-provider-alibaba-cloud, at times behind "alicloud://".
    (Provider.ACK, lambda node: re.match(r"alicloud://|[a-z]+(-[a-z0-9]+)+\.i-", node.provider_id)),
)


def provider_of(nodes: Sequence[LiveNode]) -> Provider:
    """Return the provider of most of the nodes: yourself, where no cloud's machines are known by their ids."""
    counts = Counter(next((one for one, fits in _OF_PROVIDER if fits(node)), Provider.BARE) for node in nodes)
    return counts.most_common(1)[0][0] if counts else Provider.BARE
