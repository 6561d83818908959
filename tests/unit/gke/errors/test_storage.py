"""Storage: Filestore, Lustre and buckets."""

import pytest

from tests.unit.gke.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "soft delete that Google doesn't offer": (
        """
        storage:
          - {name: a, mountPath: /a, bucket: {softDeleteDays: 3}}
          - {name: b, mountPath: /b, bucket: {name: my-data, softDeleteDays: 0}}
        """,
        [
            "storage[0].bucket.softDeleteDays = 3: Google keeps objects for 7 days at least, or not at all. Write 0, "
            "or 7 to 90.",
            'storage[1].bucket.softDeleteDays = 0: the bucket "my-data" exists already, and nothing about it is '
            "changed. Leave it out, and change the bucket where it is managed.",
        ],
    ),
    "two entries with the same name and path": (
        """
        storage:
          - {name: home, mountPath: /home, filestore: {}}
          - {name: home, mountPath: /home/, filestore: {}}
        """,
        [
            'storage[1].name = "home": this name is used before. Choose another name.',
            'storage[1].mountPath = "/home/": "home" is mounted there. Choose another path.',
        ],
    ),
    "a bucket in two entries": (
        """
        storage:
          - {name: data, mountPath: /data, bucket: {name: ours}}
          - {name: new, mountPath: /new, bucket: {}}
          - {name: newer, mountPath: /newer, bucket: {}}
          - {name: same, mountPath: /same, bucket: {name: ours, readOnly: true}}
        """,
        [
            (
                'storage[3].bucket.name = "ours": the storage "data" is this bucket too, and pods with both '
                "would never start. Mount it once, and use folders in it."
            ),
        ],
    ),
    "no storage service": (
        """
        storage: [{name: home, mountPath: /home}]
        """,
        [
            (
                "storage[0]: nothing says what it is. Write exactly one of filestore, lustre and bucket; {} "
                "takes all defaults."
            ),
        ],
    ),
    "two storage services": (
        """
        storage: [{name: home, mountPath: /home, filestore: {}, lustre: {}}]
        """,
        [
            (
                "storage[0]: it is 2 things, filestore and lustre. Write exactly one of filestore, lustre and "
                "bucket; {} takes all defaults."
            ),
        ],
    ),
    "a bucket for homes": (
        """
        storage:
          - {name: home, mountPath: /home, bucket: {}}
          - {name: ann, mountPath: /home/ann, bucket: {}}
        """,
        [
            (
                'storage[0].mountPath = "/home": a bucket has no file locks, no atomic renames and no '
                'owners, which shells and SSH need of homes. Mount it elsewhere, for example at "/data", and '
                "use a filestore for /home."
            ),
            (
                'storage[1].mountPath = "/home/ann": a bucket has no file locks, no atomic renames and no '
                'owners, which shells and SSH need of homes. Mount it elsewhere, for example at "/data", and '
                "use a filestore for /home."
            ),
        ],
    ),
    "a bucket's name": (
        """
        storage: [{name: data, mountPath: /data, bucket: {name: "gs://data"}}]
        """,
        [
            (
                'storage[0].bucket.name = "gs://data": no bucket has such a name. Write 3 to 63 lower-case '
                'letters, digits, "-" and "_", without gs://.'
            ),
        ],
    ),
    "location of an existing bucket": (
        """
        storage: [{name: data, mountPath: /data, bucket: {name: data-of-mine, location: EU}}]
        """,
        [
            (
                'storage[0].bucket.location = "EU": the bucket "data-of-mine" exists already, and its '
                "location is fixed. Leave it out; or leave name out, and a bucket is created there."
            ),
        ],
    ),
    "Filestore of an unavailable size": (
        """
        storage:
          - {name: a, mountPath: /a, filestore: {capacityGib: 99}}
          - {name: b, mountPath: /b, filestore: {capacityGib: 10241}}
          - {name: c, mountPath: /c, filestore: {tier: BASIC_SSD}}
          - {name: d, mountPath: /d, filestore: {tier: BASIC_HDD, capacityGib: 70000}}
        """,
        [
            ("storage[0].filestore.capacityGib = 99: the smallest of tier ZONAL has 100. Write 100 or more."),
            (
                "storage[1].filestore.capacityGib = 10241: sizes of tier ZONAL go in steps of 2560. Write "
                "10240 or 12800."
            ),
            ("storage[2].filestore.capacityGib: the smallest of tier BASIC_SSD has 2560. Write 2560 or more."),
            ("storage[3].filestore.capacityGib = 70000: the largest of tier BASIC_HDD has 65433. Write 65433 or less."),
        ],
    ),
    "zone of a regional Filestore": (
        """
        storage: [{name: a, mountPath: /a, filestore: {tier: REGIONAL, zone: us-central1-b}}]
        """,
        [
            (
                'storage[0].filestore.zone = "us-central1-b": an instance of tier REGIONAL is in all zones '
                "of the region. Leave it out, or write tier ZONAL."
            ),
        ],
    ),
    "Lustre of an unavailable size": (
        """
        storage:
          - {name: a, mountPath: /a, lustre: {capacityGib: 8000}}
          - {name: b, mountPath: /b, lustre: {throughputPerTib: 500, capacityGib: 20000}}
          - {name: c, mountPath: /c, lustre: {throughputPerTib: 300}}
          - {name: d, mountPath: /d, lustre: {throughputPerTib: 125}}
        """,
        [
            (
                "storage[0].lustre.capacityGib = 8000: the smallest with 1000 MB/s for each TiB has 9000. "
                "Write 9000 or more."
            ),
            (
                "storage[1].lustre.capacityGib = 20000: sizes with 500 MB/s for each TiB go in steps of "
                "18000. Write 18000 or 36000."
            ),
            (
                "storage[2].lustre.throughputPerTib = 300: Managed Lustre has no such tier. Write one of: "
                "125, 250, 500, 1000."
            ),
            ("storage[3].lustre.capacityGib: the smallest with 125 MB/s for each TiB has 72000. Write 72000 or more."),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
