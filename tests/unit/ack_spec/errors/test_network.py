"""The network's ranges, of the VPC, vSwitches, pods and Services."""

import pytest

from tests.unit.ack_spec.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "sizes that ACK refuses": (
        """
        network: {servicesRange: 192.168.0.0/25, podRanges: {cn-hangzhou-h: 10.3.0.0/26}}
        """,
        [
            'network.podRanges["cn-hangzhou-h"] = "10.3.0.0/26": a vSwitch of pods has a /16 to a /25. Write for '
            'example "10.3.0.0/25".',
            'network.servicesRange = "192.168.0.0/25": the range of Services has a /16 to a /24. Write for example '
            '"192.168.0.0/24".',
            'network.podRanges["cn-hangzhou-h"] = "10.3.0.0/26": the pods of all pools at their maximum size in this '
            "zone need 139 addresses, and this has 64. Write a /24 or larger, or leave it out.",
        ],
    ),
    "20: Services overlap with the VPC": (
        """
        network: {vpcRange: 172.16.0.0/12, servicesRange: 172.20.0.0/20}
        """,
        [
            (
                'network.servicesRange = "172.20.0.0/20": it overlaps with vpcRange, 172.16.0.0/12, so '
                "packets would be misrouted. Write a range that doesn't overlap with it."
            ),
        ],
    ),
    "20: Flannel's pods overlap with the VPC and with Services": (
        """
        controlPlane: {cni: flannel}
        network: {podsRange: 10.8.0.0/16, servicesRange: 10.8.16.0/20}
        """,
        [
            (
                'network.podsRange = "10.8.0.0/16": it overlaps with vpcRange, 10.0.0.0/8, so packets '
                "would be misrouted. Write a range that doesn't overlap with it."
            ),
            (
                'network.servicesRange = "10.8.16.0/20": it overlaps with vpcRange, 10.0.0.0/8, so '
                "packets would be misrouted. Write a range that doesn't overlap with it."
            ),
            (
                'network.servicesRange = "10.8.16.0/20": it overlaps with podsRange, 10.8.0.0/16, so '
                "packets would be misrouted. Write a range that doesn't overlap with it."
            ),
        ],
    ),
    "20: vSwitches overlap": (
        """
        network: {nodeRanges: {cn-hangzhou-h: 10.3.0.0/18}, podRanges: {cn-hangzhou-h: 10.3.32.0/19}}
        """,
        [
            (
                'network.podRanges["cn-hangzhou-h"] = "10.3.32.0/19": it overlaps with '
                'nodeRanges["cn-hangzhou-h"], 10.3.0.0/18, so packets would be misrouted. Write a range '
                "that doesn't overlap with it."
            ),
        ],
    ),
    "20: pod_cidr with Terway": (
        """
        network: {podsRange: 172.24.0.0/16, podsPerNode: 32}
        """,
        [
            (
                'network.podsRange = "172.24.0.0/16": with terway pods get their addresses from '
                "vSwitches, podRanges, and a cluster has one or the other. Leave it out, or write "
                'controlPlane.cni "flannel".'
            ),
            (
                "network.podsPerNode = 32: with terway pods get their addresses from vSwitches, "
                "podRanges, and a cluster has one or the other. Leave it out, or write controlPlane.cni "
                '"flannel".'
            ),
        ],
    ),
    "20: pod vSwitches with Flannel": (
        """
        controlPlane: {cni: flannel}
        network: {podRanges: {cn-hangzhou-h: 10.9.0.0/16}}
        """,
        [
            (
                'network.podRanges = {"cn-hangzhou-h": "10.9.0.0/16"}: with flannel pods get their '
                "addresses from a separate range, podsRange, and a cluster has one or the other. Leave it "
                'out, or write controlPlane.cni "terway".'
            ),
        ],
    ),
    "20: vSwitches that are too large and too small": (
        """
        network: {nodeRanges: {cn-hangzhou-h: 10.0.0.0/15}, podRanges: {cn-hangzhou-h: 10.128.0.0/30}}
        """,
        [
            (
                'network.nodeRanges["cn-hangzhou-h"] = "10.0.0.0/15": a vSwitch has a /16 to a /29. Write '
                'for example "10.0.0.0/16".'
            ),
            (
                'network.podRanges["cn-hangzhou-h"] = "10.128.0.0/30": a vSwitch of pods has a /16 to a /25. '
                'Write for example "10.128.0.0/25".'
            ),
            (
                'network.podRanges["cn-hangzhou-h"] = "10.128.0.0/30": the pods of all pools at their '
                "maximum size in this zone need 139 addresses, and this has 4. Write a /24 or larger, or "
                "leave it out."
            ),
        ],
    ),
    "20: a vSwitch outside of the VPC": (
        """
        network: {vpcRange: 192.168.0.0/16, nodeRanges: {cn-hangzhou-h: 10.0.0.0/18}}
        """,
        [
            (
                'network.nodeRanges["cn-hangzhou-h"] = "10.0.0.0/18": a vSwitch has to be within its VPC, '
                "192.168.0.0/16. Write a part of vpcRange, or another vpcRange."
            ),
        ],
    ),
    "20: a pod vSwitch in a zone without a node vSwitch": (
        """
        network: {podRanges: {cn-hangzhou-k: 10.9.0.0/16}}
        """,
        [
            (
                'network.podRanges["cn-hangzhou-k"] = "10.9.0.0/16": no pool has nodes in this zone, so '
                "nothing would use a vSwitch of pods there. Write one of: cn-hangzhou-h; or add the zone to "
                "zones."
            ),
        ],
    ),
    "VPC not private": (
        """
        network: {vpcRange: 11.0.0.0/8}
        """,
        [
            (
                'network.vpcRange = "11.0.0.0/8": this range is not private, so nodes would no longer reach '
                "its owners on the Internet. Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
            ),
        ],
    ),
    "VPC too large": (
        """
        network: {vpcRange: 10.0.0.0/7}
        """,
        [
            'network.vpcRange = "10.0.0.0/7": a VPC has a /8 to a /28. Write "10.0.0.0/8".',
        ],
    ),
    "VPC of a size that none has": (
        """
        network: {vpcRange: 10.0.0.0/29}
        """,
        [
            'network.vpcRange = "10.0.0.0/29": a VPC has a /8 to a /28. Write "10.0.0.0/8".',
        ],
    ),
    "a range that is an address": (
        """
        network: {vpcRange: 10.0.0.1/8, servicesRange: half, podsPerNode: 48}
        """,
        [
            'network.vpcRange = "10.0.0.1/8": this is an address within a range. Write "10.0.0.0/8".',
            'network.servicesRange = "half": this is not an IPv4 range. Write for example "10.0.64.0/18".',
            "network.podsPerNode = 48: Flannel hands out addresses in powers of two. Write 64.",
        ],
    ),
    "vSwitches that are too small for the pools": (
        """
        network: {nodeRanges: {cn-hangzhou-h: 10.0.0.0/24}, podRanges: {cn-hangzhou-h: 10.128.0.0/24}}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], maxNodes: 1000}]
        """,
        [
            (
                'network.nodeRanges["cn-hangzhou-h"] = "10.0.0.0/24": the nodes of all pools at their '
                "maximum size, with load balancers, in this zone need 1039 addresses, and this has 256. "
                "Write a /21 or larger, or leave it out."
            ),
            (
                'network.podRanges["cn-hangzhou-h"] = "10.128.0.0/24": the pods of all pools at their '
                "maximum size in this zone need 32139 addresses, and this has 256. Write a /17 or larger, "
                "or leave it out."
            ),
        ],
    ),
    "more pods than a vSwitch holds": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], dedicated: false, maxNodes: 1000}]
        """,
        [
            (
                'network.podRanges["cn-hangzhou-h"]: the pods of all pools at their maximum size need '
                "210139 addresses in this zone, and the largest vSwitch has 65532. Spread the pools over "
                "more zones, or write fewer nodes."
            ),
        ],
    ),
    "Flannel's range too small": (
        """
        controlPlane: {cni: flannel}
        network: {podsRange: 172.24.0.0/20}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], maxNodes: 100}]
        """,
        [
            (
                'network.podsRange = "172.24.0.0/20": the pods of all pools at their maximum size, by '
                "podsPerNode, need 6592 addresses, and this has 4096. Write a /19 or larger, or leave it "
                "out."
            ),
        ],
    ),
    "no room in the VPC": (
        """
        network: {vpcRange: 192.168.0.0/22}
        pools: [{name: p, instanceTypes: [ecs.g8i.4xlarge], maxNodes: 100}]
        """,
        [
            (
                'network.podRanges["cn-hangzhou-h"]: the VPC has no room left that is large enough for it. '
                "Write a larger vpcRange, or smaller ranges for the others."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
