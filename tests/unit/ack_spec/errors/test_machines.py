"""Instance types, images and drivers of node pools."""

import pytest

from tests.unit.ack_spec.errors.harness import Case, errors_of, warnings_of

CASES: dict[str, Case] = {
    "disks of earlier generations": (
        """
        systemPool: {instanceTypes: [ecs.g8i.xlarge], disk: {type: cloud_efficiency}}
        pools: [{name: p, instanceTypes: [ecs.gn7i-c8g1.2xlarge], maxNodes: 4,
          dataDisks: [{mountPath: /mnt, type: cloud_ssd}]},
          {name: q, instanceTypes: [ecs.gn6i-c16g1.4xlarge], maxNodes: 4, disk: {type: cloud_ssd}}]
        """,
        [
            'systemPool.disk.type = "cloud_efficiency": ecs.g8i.xlarge takes ESSDs only. Write "cloud_essd" or '
            '"cloud_auto", or choose instance types of the 6th generation.',
            'pools[0].dataDisks[0].type = "cloud_ssd": ecs.gn7i-c8g1.2xlarge takes ESSDs only. Write "cloud_essd" or '
            '"cloud_auto", or choose instance types of the 6th generation.',
        ],
    ),
    "instance type unknown": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.5xlarge], nodes: 1}]
        systemPool: {instanceTypes: [ecs.nope]}
        """,
        [
            (
                'pools[0].instanceTypes[0] = "ecs.g8i.5xlarge": there is no such instance type. Did you mean '
                '"ecs.g8i.xlarge" or "ecs.g8i.8xlarge" or "ecs.g8i.6xlarge"?'
            ),
            (
                'systemPool.instanceTypes[0] = "ecs.nope": there is no such instance type. Write one such as '
                '"ecs.g8i.4xlarge", or add it to machineTypes.'
            ),
        ],
    ),
    "instance types that are not alike": (
        """
        pools: [{name: p, instanceTypes: [ecs.gn7i-c8g1.2xlarge, ecs.gn6i-c8g1.2xlarge, ecs.g8y.2xlarge], nodes: 1}]
        """,
        [
            (
                'pools[0].instanceTypes[1] = "ecs.gn6i-c8g1.2xlarge": it has 1 T4, and '
                "ecs.gn7i-c8g1.2xlarge has 1 A10: slurmd would find other GPUs than in slurm.conf, and "
                "the node would be drained. Put it into another pool."
            ),
            (
                'pools[0].instanceTypes[2] = "ecs.g8y.2xlarge": its architecture is arm64, that of '
                "ecs.gn7i-c8g1.2xlarge is amd64. Put it into another pool."
            ),
            (
                'pools[0].instanceTypes[1] = "ecs.gn6i-c8g1.2xlarge": ecs.gn6i-c8g1.2xlarge has addresses '
                "for 10 pods, and with Terway ACK lets no node with 11 or fewer into the cluster. Choose a "
                "larger instance type, or Flannel."
            ),
        ],
    ),
    "instance type twice": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge, ecs.g8i.xlarge], nodes: 1}]
        """,
        [
            'pools[0].instanceTypes[1] = "ecs.g8i.xlarge": this type is in the list twice. Leave it out.',
        ],
    ),
    "machines that leave nothing": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], reservedCpus: 3, reservedMemory: 16Gi, nodes: 1}]
        """,
        [
            (
                "pools[0].reservedCpus = 3: ACK leaves 3 CPUs and 14236Mi of an ecs.g8i.xlarge, and this "
                "reserves them all. Write less, or choose a larger instance type."
            ),
            (
                'pools[0].reservedMemory = "16Gi": ACK leaves 3 CPUs and 14236Mi of an ecs.g8i.xlarge, '
                "and this reserves them all. Write less, or choose a larger instance type."
            ),
        ],
    ),
    "too small for Terway": (
        """
        pools: [{name: p, instanceTypes: [ecs.hfg7.large], nodes: 1, reservedCpus: 0}]
        """,
        [
            (
                'pools[0].instanceTypes[0] = "ecs.hfg7.large": ecs.hfg7.large has addresses for 6 pods, and '
                "with Terway ACK lets no node with 11 or fewer into the cluster. Choose a larger instance "
                "type, or Flannel."
            ),
        ],
    ),
    "a driver that the machine can't take": (
        """
        pools: [{name: p, instanceTypes: [ecs.gn7-c12g1.3xlarge], driverVersion: 515.65.01, nodes: 1}, {name: q,
          instanceTypes: [ecs.g8i.xlarge], driverVersion: 550.144.03, nodes: 1}]
        """,
        [
            (
                'pools[0].driverVersion = "515.65.01": ecs.gn7-c12g1.3xlarge does not work with drivers 510 '
                "and 515, nor safely with others before 525.125.06. Write 525.125.06 or later, or a version "
                "before 510 and turn GSP off."
            ),
            (
                'pools[1].driverVersion = "550.144.03": ecs.g8i.xlarge has no GPU, and so no driver. Leave '
                "the driver's version out."
            ),
        ],
    ),
    "an image that Arm doesn't have": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8y.2xlarge], imageType: ContainerOS, nodes: 1}]
        """,
        [
            (
                'pools[0].imageType = "ContainerOS": an ecs.g8y.2xlarge is an Arm machine, and ACK has no '
                "such image for Arm. Write one of: AliyunLinux3, AliyunLinux4, "
                "AliyunLinux4ContainerOptimized."
            ),
        ],
    ),
    "system pool that Slurm's daemons can't use": (
        """
        systemPool: {instanceTypes: [ecs.gn7i-c8g1.2xlarge, ecs.g8y.2xlarge], minNodes: 3, maxNodes: 2}
        """,
        [
            (
                'systemPool.instanceTypes[0] = "ecs.gn7i-c8g1.2xlarge": this has GPUs, and Slurm\'s '
                'daemons don\'t use any. Write for example "ecs.g8i.xlarge".'
            ),
            (
                'systemPool.instanceTypes[1] = "ecs.g8y.2xlarge": this is an Arm machine, and images of '
                "Slurm's daemons and of ACK's components are for amd64. Write for example \"ecs.g8i.xlarge\"."
            ),
            "systemPool.minNodes = 3: it is above maxNodes, 2. Write 2 or less.",
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_types_of_several_sizes_are_warned_about_in_a_pool_that_is_scaled() -> None:
    types = "instanceTypes: [ecs.g8i.xlarge, ecs.g8i.2xlarge]"
    assert warnings_of(f"pools: [{{name: p, {types}, maxNodes: 4}}]") == [
        'pools[0].instanceTypes[1] = "ecs.g8i.2xlarge": its size is 8 vCPUs, 32 GiB, that of ecs.g8i.xlarge is 4 '
        "vCPUs, 16 GiB: ACK's autoscaler takes whichever costs less per vCPU, and Slurm uses as much of it as the "
        "smallest has. Write types of one size, or put it into another pool."
    ]
    assert warnings_of(f"pools: [{{name: p, {types}, nodes: 4}}]") == []
