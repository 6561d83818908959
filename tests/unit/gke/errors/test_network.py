"""The network's ranges."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "ranges that overlap": (
        """
        network: {nodesRange: 10.0.0.0/20, podsRange: 10.0.0.0/12, servicesRange: 172.16.0.0/20}
        """,
        [
            (
                'network.podsRange = "10.0.0.0/12": it overlaps with nodesRange, 10.0.0.0/20. Write a range '
                "that doesn't overlap with it."
            ),
            (
                'network.controlPlaneRange = "172.16.0.32/28": it overlaps with servicesRange, '
                "172.16.0.0/20. Write a range that doesn't overlap with it."
            ),
        ],
    ),
    "public range": (
        """
        network: {podsRange: 8.0.0.0/12}
        """,
        [
            (
                'network.podsRange = "8.0.0.0/12": this range is not private, so nodes would no longer reach '
                "its owners on the Internet. Write a part of 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16."
            ),
        ],
    ),
    "ranges that are too small": (
        """
        network:
          nodesRange: 10.0.0.0/27
          podsRange: 10.4.0.0/20
          servicesRange: 10.8.0.0/28
          privateServicesRange: 10.9.0.0/24
          controlPlaneRange: 172.16.0.0/27
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 100}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'network.controlPlaneRange = "172.16.0.0/27": GKE needs exactly a /28 for the control plane. '
                'Write for example "172.16.0.32/28".'
            ),
            ('network.servicesRange = "10.8.0.0/28": GKE needs a range from a /27 to a /16 for Services. Write a /20.'),
            (
                'network.nodesRange = "10.0.0.0/27": the maximum number of nodes, with upgrades and load '
                "balancers, takes 130 addresses, and this has 32. Write a /24 or larger, or leave it out."
            ),
            (
                'network.podsRange = "10.4.0.0/20": the maximum number of pods, by maxPodsPerNode, takes '
                "8768 addresses, and this has 4096. Write a /18 or larger, or leave it out."
            ),
            (
                'network.privateServicesRange = "10.9.0.0/24": Filestore, Lustre and Cloud SQL take 512 '
                "addresses, and this has 256. Write a /23 or larger, or leave it out."
            ),
        ],
    ),
    "no room for the pods": (
        """
        network: {nodesRange: 10.0.0.0/8, fabricRange: 172.16.0.0/12, controlPlaneRange: 192.168.255.0/28}
        """,
        [
            (
                "network.privateServicesRange: the remaining private ranges are too small for it. Make "
                "the other ranges smaller, or set this one."
            ),
            (
                "network.podsRange: the remaining private ranges are too small for it. Make the other "
                "ranges smaller, or set this one."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
