"""Node pools: names, labels, taints, passwords and disks."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.errors import SpecError
from tests.unit.ack_spec.errors.harness import BASE, Case, errors_of

CASES: dict[str, Case] = {
    "20: a password of managed nodes": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, password: Hush1234}]
        """,
        [
            (
                "pools[0].password: ACK manages these nodes, and such nodes only allow a key pair. Leave "
                "it out; write keyName if administrators need SSH access to nodes."
            ),
        ],
    ),
    "20: labels as ACK's API has them": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, nodeLabels: [{key: a, value: b}],
          taints: {a: b}}]
        """,
        [
            ("pools[0].nodeLabels: this is not a mapping. Write a mapping of names to values."),
            "pools[0].taints: this is not a list. Write a list.",
        ],
    ),
    "pool names": (
        """
        pools: [{name: system, instanceTypes: [ecs.g8i.xlarge], nodes: 1}, {name: p,
          instanceTypes: [ecs.g8i.xlarge], nodes: 1}, {name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1}]
        """,
        [
            'pools[0].name = "system": the pool of Slurm\'s daemons has this name. Choose another name.',
            'pools[2].name = "p": this name is used before. Choose another name.',
        ],
    ),
    "labels that are ours": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 1, nodeLabels: {slurm.pulumi.com/pool: q,
          ack.aliyun.com/nvidia-driver-version: 550.144.03}, taints: [{key: slurm.pulumi.com/pool}]}]
        """,
        [
            (
                'pools[0].nodeLabels["slurm.pulumi.com/pool"] = "q": this label is set already: it has '
                "the name of the pool. Leave it out."
            ),
            (
                'pools[0].nodeLabels["ack.aliyun.com/nvidia-driver-version"] = "550.144.03": this label '
                "is set already: driverVersion sets it. Leave it out."
            ),
            (
                'pools[0].taints[0].key = "slurm.pulumi.com/pool": this taint is set already on a dedicated '
                "pool. Leave it out."
            ),
        ],
    ),
    "disks": (
        """
        pools: [{name: p, instanceTypes: [ecs.gn6i-c16g1.4xlarge], nodes: 1, disk: {performance: PL2, sizeGib: 120},
          dataDisks: [{mountPath: /mnt/a, type: cloud_ssd, performance: PL1}, {mountPath: /mnt/a/},
          {mountPath: /mnt/b, type: cloud_esd}]}]
        """,
        [
            (
                "pools[0].disk.sizeGib = 120: a disk of PL2 has 461 GiB or more, and this has 120. Write 461 "
                "or more, or a lower performance level."
            ),
            (
                'pools[0].dataDisks[0].performance = "PL1": only cloud_essd comes in performance levels, and '
                "this is cloud_ssd. Leave it out, or write type cloud_essd."
            ),
            'pools[0].dataDisks[2].type = "cloud_esd": there is no such disk. Did you mean "cloud_essd"?',
            ('pools[0].dataDisks[1].mountPath = "/mnt/a": another disk is mounted there. Choose another path.'),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_a_password_is_never_shown() -> None:
    with pytest.raises(SpecError) as caught:
        load_ack({**BASE, "pools": [{"name": "p", "instanceTypes": ["ecs.g8i.xlarge"], "password": "Hush1234"}]})
    assert "Hush1234" not in str(caught.value)
