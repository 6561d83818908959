"""Files and folders that slurmdbd needs, and whether its pod has them."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecWarning
from pulumi_slurm.loading import load

MOUNTED = {
    "slurmdbd": {"volumeMounts": [{"name": "a", "mountPath": "/archive"}]},
    "template": {"spec": {"volumes": [{"name": "a", "persistentVolumeClaim": {"claimName": "a"}}]}},
}


def warned(accounting: dict[str, Any], recwarn: pytest.WarningsRecorder) -> list[str]:
    load({"name": "c", "accounting": accounting})
    return [str(warning.message) for warning in recwarn.list if issubclass(warning.category, SpecWarning)]


@pytest.mark.parametrize(
    ("lines", "texts"),
    [
        ({"ArchiveDir": "/archive"}, ["slurmdbd exits unless its pod has the folder /archive"]),
        ({"ArchiveDir": "/tmp/a"}, ["slurmdbd exits unless its pod has the folder /tmp/a"]),
        ({"ArchiveScript": "/a.sh"}, ["slurmdbd exits unless its pod has /a.sh"]),
        ({"StorageParameters": "SSL_CA=/c.pem"}, ["waits for its database without end unless its pod has /c.pem"]),
        ({"StorageParameters": "SSL_CERT=/c.pem,SSL_CIPHER=x"}, ["without end unless its pod has /c.pem"]),
        ({"ArchiveJobs": "yes"}, ["writes archives into /tmp of its pod, where they are lost"]),
        ({"ArchiveJobs": "no", "StorageParameters": "SSL_CA=/etc/ssl/certs/c.pem", "ArchiveDir": "/tmp"}, []),
    ],
)
def test_what_the_pod_lacks_is_warned_of(
    lines: dict[str, str], texts: list[str], recwarn: pytest.WarningsRecorder
) -> None:
    found = warned({"extraConf": lines}, recwarn)
    assert len(found) == len(texts)
    assert all(text in warning for text, warning in zip(texts, found, strict=True))


def test_a_mounted_folder_is_there(recwarn: pytest.WarningsRecorder) -> None:
    lines = {"ArchiveDir": "/archive/jobs", "ArchiveJobs": "yes", "PurgeJobAfter": "12months"}
    assert warned({"extraConf": lines, "overrides": MOUNTED}, recwarn) == []


def test_a_script_of_a_mounted_folder_keeps_archives(recwarn: pytest.WarningsRecorder) -> None:
    lines = {"ArchiveScript": "/archive/keep.sh", "ArchiveJobs": "yes"}
    assert warned({"extraConf": lines, "overrides": MOUNTED}, recwarn) == []
