"""Zones: of the region, and with the machines that are wanted there."""

import pytest

from tests.unit.ack_spec.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "zones of another region": (
        """
        zones: [cn-hangzhou-h, cn-beijing-h]
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, zones: [ap-southeast-1a]}]
        """,
        [
            (
                'zones[1] = "cn-beijing-h": this zone is not in cn-hangzhou, the region of the cluster. '
                'Write a zone such as "cn-hangzhou-a", or another region.'
            ),
            (
                'pools[0].zones[0] = "ap-southeast-1a": this zone is not in cn-hangzhou, the region of the '
                'cluster. Write a zone such as "cn-hangzhou-a", or another region.'
            ),
        ],
    ),
    "a zone as the region": (
        """
        region: ap-southeast-1a
        zones: [ap-southeast-1a]
        """,
        [
            ('region = "ap-southeast-1a": this is a zone. Write its region, "ap-southeast-1", and the zone in zones.'),
        ],
    ),
    "a zone as the region, with a hyphen": (
        """
        region: cn-hangzhou-h
        """,
        [
            ('region = "cn-hangzhou-h": this is a zone. Write its region, "cn-hangzhou", and the zone in zones.'),
        ],
    ),
    "no region and no zone": (
        """
        region: Hangzhou
        zones: [hangzhou]
        """,
        [
            ('region = "Hangzhou": this is not a region. Write for example "cn-hangzhou" or "ap-southeast-1".'),
            ('zones[0] = "hangzhou": this is not a zone. Write for example "cn-hangzhou-h" or "ap-southeast-1a".'),
        ],
    ),
    "a zone that doesn't offer the machine": (
        """
        catalogue: {zones: {ecs.g8i.xlarge: [cn-hangzhou-i, cn-beijing-a]}}
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1}, {name: q, instanceTypes: [ecs.g8i.xlarge],
          nodes: 1, zones: [cn-hangzhou-h]}]
        systemPool: {instanceTypes: [ecs.g7.xlarge]}
        """,
        [
            (
                "pools[0].zones: catalogue.zones says that ecs.g8i.xlarge is offered in cn-hangzhou-i, "
                "cn-beijing-a, not in cn-hangzhou-h, where the cluster's nodes are. Write one of: "
                "cn-hangzhou-i."
            ),
            (
                'pools[1].zones[0] = "cn-hangzhou-h": catalogue.zones says that ecs.g8i.xlarge is offered in '
                "cn-hangzhou-i, cn-beijing-a. Write one of: cn-hangzhou-i."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
