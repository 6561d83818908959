"""Volumes: claims, host paths, shared memory and shared volumes."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "claim that nobody may write": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          volumeClaims:
          - {name: x, mountPath: /x, accessMode: ReadOnlyMany}
        """,
        [
            (
                'nodeSets[0].volumeClaims[0].accessMode = "ReadOnlyMany": the daemon writes to this '
                "volume. Write ReadWriteOnce."
            ),
        ],
    ),
    "claims of one name and place": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /h, storageClass: s}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          volumeClaims:
          - {name: shared-h, mountPath: /x}
          - {name: run, mountPath: /h/}
          - {name: z, mountPath: /x}
        """,
        [
            ('nodeSets[0].volumeClaims[0].name = "shared-h": the pod has a volume of this name. Choose another name.'),
            'nodeSets[0].volumeClaims[1].name = "run": the pod has a volume of this name. Choose another name.',
            'nodeSets[0].volumeClaims[1].mountPath = "/h/": "h" is mounted there. Choose another path.',
            'nodeSets[0].volumeClaims[2].mountPath = "/x": "shared-h" is mounted there. Choose another path.',
        ],
    ),
    "folders of the node": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /h, storageClass: s}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sharedMemory: 2 GB
          volumeClaims: [{name: x, mountPath: /x}]
          hostPaths:
          - {name: Disk, path: mnt/disk, mountPath: /etc/slurm}
          - {name: y, path: /mnt/../etc, mountPath: /y, type: Folder}
        """,
        [
            'nodeSets[0].hostPaths[0].name = "Disk": Kubernetes would refuse this name. Use lower-case letters, digits '
            'and "-", starting with a letter, for example "disk".',
            'nodeSets[0].hostPaths[0].path = "mnt/disk": Kubernetes takes absolute paths alone. Write for example '
            '"/mnt/disks/ssd0".',
            'nodeSets[0].hostPaths[0].mountPath = "/etc/slurm": the daemons\' own files live there. Mount it '
            'elsewhere, for example "/home" or "/shared".',
            'nodeSets[0].hostPaths[1].path = "/mnt/../etc": Kubernetes takes absolute paths alone. Write for example '
            '"/mnt/disks/ssd0".',
            'nodeSets[0].hostPaths[1].type = "Folder": this is not one of the choices. Write one of: '
            "'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket', 'CharDevice' or 'BlockDevice'.",
            'nodeSets[0].sharedMemory = "2 GB": this is not a Kubernetes quantity. Write for example "64Gi", "500M" or '
            '"1.5".',
        ],
    ),
    "shared memory beyond the machine's": (
        """
        name: c
        nodeSets:
        - {name: a, machine: {cpus: 4, memory: 8Gi}, sharedMemory: 8Gi}
        - {name: b, pool: p, sharedMemory: 15Gi}
        - {name: d, pool: p, machine: {cpus: 4, memory: 8Gi}, sharedMemory: 7Gi}
        pools:
        - {name: p, machine: {cpus: 8, memory: 16Gi}, nodeLabels: {p: p}}
        """,
        [
            'nodeSets[0].sharedMemory = "8Gi": slurmd and its jobs have 8192Mi, and what lies in /dev/shm is part of '
            "that. Write less than that, for example half of it.",
            'nodeSets[1].sharedMemory = "15Gi": slurmd and its jobs have 14336Mi, and what lies in /dev/shm is part of '
            "that. Write less than that, for example half of it.",
        ],
    ),
    "folders of one name and place": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /h, storageClass: s}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sharedMemory: 2Gi
          volumeClaims: [{name: x, mountPath: /x}]
          hostPaths:
          - {name: x, path: /mnt/x, mountPath: /h}
          - {name: shared-memory, path: /dev/shm, mountPath: /dev/shm/}
        """,
        [
            'nodeSets[0].hostPaths[0].name = "x": the pod has a volume of this name. Choose another name.',
            'nodeSets[0].hostPaths[0].mountPath = "/h": "h" is mounted there. Choose another path.',
            'nodeSets[0].hostPaths[1].name = "shared-memory": the pod has a volume of this name. Choose another name.',
            'nodeSets[0].hostPaths[1].mountPath = "/dev/shm/": "sharedMemory" is mounted there. Choose another path.',
        ],
    ),
    "shared volume for one pod": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /home, storageClass: s, accessMode: ReadWriteOnce}]
        """,
        [
            (
                'sharedVolumes[0].accessMode = "ReadWriteOnce": one pod would mount it and all others '
                "would stay Pending. Write ReadWriteMany or ReadOnlyMany."
            ),
        ],
    ),
    "shared volume without a source": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /home}]
        """,
        [
            "sharedVolumes[0]: it has no source. Give exactly one of existingClaim, storageClass, nfs and csi.",
        ],
    ),
    "shared volume over Slurm's files": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /etc/slurm/x, storageClass: s}]
        """,
        [
            (
                'sharedVolumes[0].mountPath = "/etc/slurm/x": the daemons\' own files live there. Mount it '
                'elsewhere, for example "/home" or "/shared".'
            ),
        ],
    ),
    "two volumes at one path": (
        """
        name: c
        sharedVolumes:
        - {name: h, mountPath: /home, storageClass: s}
        - {name: i, mountPath: /home/, storageClass: s}
        """,
        [
            'sharedVolumes[1].mountPath = "/home/": "h" is mounted there. Choose another path.',
        ],
    ),
    "volume of no size": (
        """
        name: c
        controller: {state: {size: 0}}
        """,
        [
            'controller.state.size = 0: nothing fits into zero. Write for example "64Gi".',
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
