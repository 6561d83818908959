"""Volumes: claims, host paths, shared memory and shared volumes."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "raw volumes and mounts": (
        """
        name: c
        identity: {directory: {}}
        sharedVolumes: [{name: home, mountPath: /home, existingClaim: home}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          extraVolumes: [{name: a}, {name: b, configMap: {name: b}, secret: {secretName: b}}, {emptyDir: {}}]
          extraVolumeMounts: [{name: b}, {name: b, mountPath: etc}]
        loginSets:
        - name: login
          extraVolumes: [{name: shared-home, emptyDir: {}}]
          extraVolumeMounts: [{name: c, mountPath: /c}, {name: shared-home, mountPath: /home/}]
          overrides: {template: {spec: {volumes: []}}}
        """,
        [
            'nodeSets[0].extraVolumes[2] = {"emptyDir": {}}: it has no name. Add the name of a volume.',
            'nodeSets[0].extraVolumes[0] = {"name": "a"}: it has no source. Write one, for example configMap: {name: '
            "enroot}, besides the name.",
            'nodeSets[0].extraVolumes[1] = {"name": "b", "configMap": {"name": "b"}, "secret": '
            '{"secretName": "…"}}: it has 2 '
            "sources. Write one, for example configMap: {name: enroot}, besides the name.",
            'nodeSets[0].extraVolumeMounts[0] = {"name": "b"}: mountPath is missing. Write for example mountPath: '
            '"/etc/enroot/enroot.conf".',
            'nodeSets[0].extraVolumeMounts[1] = {"name": "b", "mountPath": "etc"}: mountPath is not an absolute path. '
            'Write for example mountPath: "/etc/enroot/enroot.conf".',
            'loginSets[0].extraVolumes[0].name = "shared-home": the pod has a volume of this name. Choose another '
            "name.",
            'loginSets[0].extraVolumeMounts[0].name = "c": the pod has no volume of this name. Add it to extraVolumes'
            ", or correct the name.",
            'loginSets[0].extraVolumeMounts[1].mountPath = "/home/": "home" is mounted there. Choose another path.',
            "loginSets[0].overrides.template.spec.volumes = []: a list in overrides replaces the whole list, and the "
            "volumes of this specification would be gone. Use extraVolumes and extraVolumeMounts, which are added to "
            "the others.",
        ],
    ),
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
            'nodeSets[0].sharedMemory = "2 GB": this is not a Kubernetes quantity. Write "2Gi".',
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
