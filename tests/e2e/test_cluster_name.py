"""Another ClusterName for a cluster that is up: who refuses it, and the way on docs/cluster-name.md."""

import pytest
import yaml

from tests.doc_blocks import blocks
from tests.e2e.conftest import NewProgram
from tests.e2e.golden_reviews import NO_LOOK, reviewed
from tests.e2e.objects import Objects
from tests.e2e.stack_settings import Settings, small

NAME = "named"
CONTROLLER = f"{NAME}-controller"


def settings(name: str, **state: object) -> Settings:
    return small(NAME, clusterName=name, controller={"state": state})


def test_another_name_is_refused_until_the_state_is_said_to_be_of_it(new_program: NewProgram, objects: Objects) -> None:
    program = new_program(NAME)
    program.up(settings("hpc"))
    refused = program.preview(settings("other"), check=False)
    assert refused.code != 0
    (documented,) = blocks("name-refused")
    assert documented.text.strip() in refused.output
    # The operator, which says less, was not even asked.
    assert "denied the request" not in refused.output
    review = reviewed(refused, {NAME: NO_LOOK})
    assert "ends jobs" in review
    assert "hpc → other. slurmctld does not start on the state of hpc, so the preview refuses it." in review

    assert documented.text.strip() in program.up(None, check=False).output
    assert objects.get("Controller", NAME, NAME)["spec"]["clusterName"] == "hpc"
    # What failed was kept by the engine as far as it went, and no further.
    assert program.preview(None, check=False).code != 0
    assert program.refresh().code == 0

    named = settings("other", existingClaim=f"statesave-{CONTROLLER}-0")
    assert program.preview(named).resources("replace") == {CONTROLLER}
    program.up(named)
    assert objects.get("Controller", NAME, NAME)["spec"]["clusterName"] == "other"
    pod = objects.get("StatefulSet", NAME, CONTROLLER)["spec"]["template"]["spec"]
    (volume,) = [volume for volume in pod["volumes"] if volume["name"] == "statesave"]
    assert volume["persistentVolumeClaim"]["claimName"] == f"statesave-{CONTROLLER}-0"
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}

    # What is deleted is made again under any name.
    program.destroy()
    program.up(settings("third"))
    assert objects.get("Controller", NAME, NAME)["spec"]["clusterName"] == "third"


@pytest.mark.repeats("tests/e2e/test_cluster_name.py, with no state")
def test_without_a_state_on_a_volume_another_name_is_taken(new_program: NewProgram, objects: Objects) -> None:
    program = new_program(NAME)
    program.up(settings("hpc", enabled=False))
    program.up(settings("other", enabled=False))
    assert objects.get("Controller", NAME, NAME)["spec"]["clusterName"] == "other"


def test_the_pod_of_the_page_is_one(objects: Objects) -> None:
    (block,) = blocks("pod")
    pod = yaml.safe_load(block.text)
    objects.apply(
        {**pod, "metadata": {**pod["metadata"], "namespace": "default"}}, dryRun="All", fieldValidation="Strict"
    )
