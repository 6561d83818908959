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


@pytest.mark.parametrize(("version", "cni"), [("1.30.1-aliyun.1", "terway"), ("1.28.3-aliyun.1", "flannel")])
def test_tokens_for_metadata_have_the_version_that_the_network_plugin_needs(version: str, cni: str) -> None:
    assert warnings_of(f"controlPlane: {{version: {version}, cni: {cni}}}") == []


def test_the_copilot_in_a_basic_cluster_is_warned_about() -> None:
    fields = """
        slurmOperator: ack-slurm-operator
        slurm: {copilot: {}}
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, dedicated: false}]
    """
    assert warnings_of(f"{fields}    controlPlane: {{edition: ack.standard}}") == [
        'controlPlane.edition = "ack.standard": the edition is ack.standard, whose scheduler may not ask the copilot, '
        "so that pods and jobs get the same CPUs and memory. Write ack.pro.small."
    ]
    assert warnings_of(fields) == []
