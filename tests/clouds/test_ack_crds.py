"""The reconstructed CRDs of ack-slurm-operator in a real API server: objects that it accepts and refuses.

Nothing acts on these objects: nobody has the operator outside of ACK.
"""

from pathlib import Path

import pytest
import yaml

from devcluster.api import ApiError
from tests.clouds.alibaba.surroundings import CRDS
from tests.e2e.objects import Objects
from tests.waiting import eventually

PATHS = {
    "SlurmCluster": "/apis/kai.alibabacloud.com/v1/namespaces/default/slurmclusters",
    "GenericNode": "/apis/kai.alibabacloud.com/v1alpha1/genericnodes",
}


def samples(name: str) -> list[Path]:
    return sorted((CRDS / "samples").glob(f"{name}-*.yaml"))


def create(objects: Objects, sample: Path) -> int:
    """Return the status of the answer to a create that is strict and leaves nothing."""
    item = yaml.safe_load(sample.read_text())
    item["metadata"].pop("namespace", None)
    try:
        objects.api.request("POST", f"{PATHS[item['kind']]}?dryRun=All&fieldValidation=Strict", item)
    except ApiError as error:
        return error.status
    return 201


def ready(objects: Objects, sample: Path) -> int:
    """Return the status once the server is ready for the kind."""
    return eventually("an answer", lambda: create(objects, sample), lambda status: status != 429)


@pytest.mark.parametrize("sample", samples("good"), ids=lambda sample: sample.stem)
def test_good_objects_are_taken(objects: Objects, sample: Path) -> None:
    assert ready(objects, sample) == 201


@pytest.mark.parametrize("sample", samples("bad"), ids=lambda sample: sample.stem)
def test_bad_objects_are_refused(objects: Objects, sample: Path) -> None:
    assert ready(objects, sample) in {400, 422}
