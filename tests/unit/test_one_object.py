"""Names of a user's by which two parts of a stack would be one object of Kubernetes."""

import json
from typing import Any

import pytest

from pulumi_slurm.user_file import UnreadableFileError
from pulumi_slurm_cli.offline.recorded_file import record_file
from tests.shipped_stacks import shipped

HOME = {"mountPath": "/home"}


@pytest.mark.parametrize(
    ("part", "fields", "twice"),
    [
        ("storage", [{"name": "state", **HOME}], "PersistentVolumeClaim slurm/slurm-state"),
        ("storage", [{"name": "directory", **HOME}], "PersistentVolumeClaim slurm/slurm-directory"),
        ("storage", [{"name": "home", "storageClass": "slurm-disk", **HOME}], "StorageClass slurm-disk"),
        (
            "storage",
            [{"name": name, "mountPath": f"/{name}", "storageClass": "nas"} for name in ("home", "data")],
            "StorageClass nas",
        ),
        ("slurm", {"operator": {"namespace": "slurm"}}, "Namespace slurm"),
    ],
)
def test_what_the_operator_of_ack_would_get_twice(part: str, fields: Any, twice: str) -> None:
    settings = shipped("ack-slurm-operator")
    own = settings["slurm:ack"].get(part)
    settings["slurm:ack"][part] = {**own, **fields} if isinstance(own, dict) else fields
    with pytest.raises(UnreadableFileError, match=f"are one object, {twice}[.] Choose another name for one of them"):
        record_file(yaml_of(settings), "Pulumi.hpc.yaml")


def yaml_of(settings: dict[str, Any]) -> str:
    return json.dumps({"config": settings})
