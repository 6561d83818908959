"""Storage in NAS."""

import pytest

from tests.unit.ack_spec.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "20: Extreme NAS outside of /share": (
        """
        storage: [{name: home, mountPath: /home, nas: {fileSystemType: extreme, capacityGib: 100, path: /home}}]
        """,
        [
            (
                'storage[0].nas.path = "/home": an extreme file system has nothing outside of /share, so no '
                'pod could mount it. Write "/share/home".'
            ),
        ],
    ),
    "storage": (
        """
        storage: [{name: home, mountPath: /home}, {name: home, mountPath: /home/}, {name: x, mountPath: /x,
          nas: {existing: abc-1.cn-beijing.nas.aliyuncs.com, zone: cn-hangzhou-h}}]
        """,
        [
            (
                'storage[2].nas.zone = "cn-hangzhou-h": "abc-1.cn-beijing.nas.aliyuncs.com" exists already, '
                "and this can't be changed any more. Leave it out; or leave existing out, and a file system is "
                "created."
            ),
            'storage[1].name = "home": this name is used before. Choose another name.',
            'storage[1].mountPath = "/home/": "home" is mounted there. Choose another path.',
            (
                'storage[2].nas.existing = "abc-1.cn-beijing.nas.aliyuncs.com": this mount target is not '
                "in cn-hangzhou, and nodes can't reach others. Write one that ends in "
                ".cn-hangzhou.nas.aliyuncs.com."
            ),
        ],
    ),
    "NAS": (
        """
        storage: [{name: a, mountPath: /a, nas: {capacityGib: 200, storageType: advance}}, {name: b,
          mountPath: /b, nas: {fileSystemType: extreme, nfs: '4.0'}}, {name: c, mountPath: /c,
          nas: {existing: nfs.example.org, path: ../x}}, {name: d, mountPath: /d, nas: {zone: cn-beijing-a}}]
        """,
        [
            (
                'storage[0].nas.storageType = "advance": a file system of type "standard" has no such '
                "storage type. Write one of: Performance, Capacity, Premium."
            ),
            (
                "storage[0].nas.capacityGib = 200: a standard file system has no fixed size: it grows "
                'with its data. Leave it out, or write fileSystemType "extreme".'
            ),
            (
                "storage[1].nas.capacityGib: an extreme file system needs a fixed size. Add capacityGib, for "
                "example 512."
            ),
            'storage[1].nas.nfs = "4.0": an extreme file system supports only NFS 3. Leave it out.',
            'storage[2].nas.path = "../x": this is not a plain path. Write for example "/home".',
            (
                'storage[2].nas.existing = "nfs.example.org": this is not the domain of a mount target. '
                'Write for example "0123456789-abc12.cn-hangzhou.nas.aliyuncs.com".'
            ),
            (
                'storage[3].nas.zone = "cn-beijing-a": this zone is not in cn-hangzhou, the region of the '
                'cluster. Write a zone such as "cn-hangzhou-a", or another region.'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
