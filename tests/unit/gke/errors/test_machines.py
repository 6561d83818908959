"""Machine types, GPUs, images and drivers of node pools."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "machine type unknown": (
        """
        pools: [{name: p, machineType: n2-standard-9, maxNodes: 1}]
        """,
        [
            (
                'pools[0].machineType = "n2-standard-9": there is no such machine type. Did you mean '
                '"n2-standard-96" or "n2d-standard-96" or "n2-standard-8"?'
            ),
        ],
    ),
    "GPUs on a machine other than N1": (
        """
        pools: [{name: p, machineType: n2-standard-8, accelerator: {type: nvidia-tesla-t4, count: 1}, maxNodes: 1}]
        """,
        [
            (
                'pools[0].accelerator = {"type": "nvidia-tesla-t4", "count": 1}: GPUs can be attached to N1 '
                'machines only, and this is a n2-standard-8. Choose a type such as "n1-standard-8", or one '
                "that comes with GPUs."
            ),
        ],
    ),
    "a number of GPUs that can't be attached": (
        """
        pools: [{name: p, machineType: n1-standard-8, accelerator: {type: nvidia-tesla-t4, count: 3}, maxNodes: 1}]
        """,
        [
            (
                'pools[0].accelerator = {"type": "nvidia-tesla-t4", "count": 3}: nvidia-tesla-t4 can\'t be '
                "attached 3 times. Write one of: 1, 2, 4."
            ),
        ],
    ),
    "system pool with GPUs": (
        """
        systemPool: {machineType: g2-standard-8, minNodes: 3, maxNodes: 2}
        """,
        [
            (
                'systemPool.machineType = "g2-standard-8": this has GPUs, and GKE taints such nodes: Slurm\'s '
                'daemons would stay Pending. Write for example "e2-standard-4".'
            ),
            "systemPool.minNodes = 3: it is above maxNodes, 2. Write 2 or less.",
        ],
    ),
    "system pool of Arm machines": (
        """
        systemPool: {machineType: t2a-standard-8}
        """,
        [
            (
                'systemPool.machineType = "t2a-standard-8": this is an Arm machine, and GKE taints such '
                'nodes: Slurm\'s daemons would stay Pending. Write for example "e2-standard-4".'
            ),
        ],
    ),
    "system pool of unknown machines": (
        """
        systemPool: {machineType: e2-standrd-4}
        """,
        [
            (
                'systemPool.machineType = "e2-standrd-4": there is no such machine type. Did you mean '
                '"e2-standard-4" or "n2-standard-4" or "g2-standard-4"?'
            ),
        ],
    ),
    "reserves that leave nothing": (
        """
        pools: [{name: p, machineType: n2-standard-4, reservedCpus: 3, reservedMemory: 16Gi, maxNodes: 1}]
        """,
        [
            (
                "pools[0].reservedCpus = 3: GKE leaves 3 CPUs and 13082Mi of n2-standard-4, and this takes "
                "them all. Write less, or choose a larger machine type."
            ),
            (
                'pools[0].reservedMemory = "16Gi": GKE leaves 3 CPUs and 13082Mi of n2-standard-4, and this '
                "takes them all. Write less, or choose a larger machine type."
            ),
        ],
    ),
    "Lustre on Ubuntu": (
        """
        pools: [{name: p, machineType: n2-standard-8, imageType: UBUNTU_CONTAINERD, maxNodes: 1}]
        storage: [{name: scratch, mountPath: /scratch, lustre: {}}]
        """,
        [
            (
                'pools[0].imageType = "UBUNTU_CONTAINERD": the storage "scratch" is Lustre, which GKE mounts only '
                "on Container-Optimized OS. Write COS_CONTAINERD."
            ),
        ],
    ),
    "GPUDirect on Ubuntu": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: spot, imageType: UBUNTU_CONTAINERD, maxNodes: 1}]
        """,
        [
            (
                'pools[0].imageType = "UBUNTU_CONTAINERD": GPUDirect-TCPXO runs only on Container-Optimized OS. '
                "Write COS_CONTAINERD, or fabric: false."
            ),
        ],
    ),
    "image streaming on Ubuntu": (
        """
        pools:
          - {name: p, machineType: n2-standard-8, imageType: UBUNTU_CONTAINERD, maxNodes: 1}
          - {name: q, machineType: n2-standard-8, imageType: UBUNTU_CONTAINERD, imageStreaming: false, maxNodes: 1}
        """,
        [
            (
                'pools[0].imageType = "UBUNTU_CONTAINERD": image streaming, which is on by default, runs only on '
                "Container-Optimized OS. Write COS_CONTAINERD, or imageStreaming: false."
            ),
        ],
    ),
    "driver without GPUs": (
        """
        pools: [{name: p, machineType: n2-standard-8, driver: latest, maxNodes: 1}]
        """,
        [
            ('pools[0].driver = "latest": n2-standard-8 has no GPUs, so no driver is installed. Leave it out.'),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
