"""The control plane: what is only warned of."""

import pytest

from tests.unit.ack.errors.harness import warnings_of


@pytest.mark.parametrize(
    ("fields", "warned"),
    [
        ("version: 1.35.1-aliyun.1", True),
        ("version: 1.35.1-aliyun.1, proxyMode: nftables", False),
        ("version: 1.34.1-aliyun.1", False),
        ("proxyMode: ipvs", False),
    ],
)
def test_a_mode_of_kube_proxy_that_ends_is_warned_about(fields: str, warned: bool) -> None:
    line = (
        "controlPlane.proxyMode: it is ipvs, which Kubernetes has deprecated since 1.35, and a cluster keeps it for "
        'ever. Write "nftables" for a new cluster, and "ipvs" for one that exists: a change replaces it.'
    )
    assert warnings_of(f"controlPlane: {{{fields}}}") == [line] * warned
