"""Live objects that are no longer what the chart made: they count, and not the chart's manifest."""

from typing import Any

import pytest

from pulumi_slurm_cli.adopting import AdoptionError, LiveObjects, adopt
from tests.unit.adopting.chart import Object, adopted, objects, release

NODE_SET, CONTROLLER, LOGIN_SET = "slurm-worker-slinky", "slurm", "slurm-login-slinky"


def changed(kind: str, name: str, values: Any = None, **spec: Any) -> Object:
    """Return a live object with other fields."""
    item = next(item for item in objects(values or {}) if item["kind"] == kind and item["metadata"]["name"] == name)
    return {**item, "spec": {**item["spec"], **spec}}


def test_replicas_are_those_that_are_there() -> None:
    scaled = changed("NodeSet", NODE_SET, replicas=7)
    manager = {"manager": "kube-controller-manager", "subresource": "scale"}
    scaled["metadata"]["managedFields"] = [{**manager, "fieldsV1": {"f:spec": {"f:replicas": {}}}}]
    adoption = adopted({}, scaled)
    assert adoption.data["nodeSets"][0]["replicas"] == 7
    assert (
        "NodeSet/slurm-worker-slinky: kube-controller-manager sets its replicas. If that is an autoscaler, write "
        "`autoscaling` in place of `replicas`, or each `up` sets them back."
    ) in adoption.notes


@pytest.mark.parametrize(
    ("spec", "refusal"),
    [
        (
            {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]},
            "NodeSet/slurm-worker-slinky: spec.volumeClaimTemplates: pulumi-slurm derives this, and an override breaks "
            "the cluster. Change it by `helm upgrade` first.",
        ),
        (
            {"noSuchField": True},
            "NodeSet/slurm-worker-slinky: spec.noSuchField: slurm-operator 1.1.0 knows no such field of a NodeSet. "
            "Change it by `helm upgrade` first.",
        ),
        (
            {"partition": {"enabled": True, "config": "NoSuchOption=1"}},
            "NodeSet/slurm-worker-slinky: spec.partition.config, line 1: there is no such key on PartitionName lines "
            "of slurm.conf. Leave it out, or look for its name in the manual of slurm.conf. Change it by `helm "
            "upgrade` first.",
        ),
    ],
)
def test_a_field_without_a_place_is_refused_by_its_path(spec: Object, refusal: str) -> None:
    assert [*map(str, adopted({}, changed("NodeSet", NODE_SET, **spec)).refused)] == [refusal]


def test_labels_and_annotations_of_an_object_are_in_its_pods() -> None:
    labelled = changed("RestApi", "slurm")
    labelled["metadata"]["labels"]["team"] = "hpc"
    (pod,) = [adopted({}, labelled).data["restApi"]["pod"]]
    assert pod["labels"]["team"] == "hpc"
    assert pod["annotations"] == {"meta.helm.sh/release-name": "slurm", "meta.helm.sh/release-namespace": "slurm"}


def test_what_has_no_effect_is_told() -> None:
    notes = adopted({"loginsets": {"slinky": {"enabled": True}}}).notes
    assert "LoginSet/slurm-login-slinky: spec.login.securityContext.privileged is left out: it has no effect." in notes
    assert "Controller/slurm: spec.metrics.serviceMonitor is left out: it has no effect." in notes
    assert "`up` changes slurm.conf: LaunchParameters: not set -> enable_nss_slurm (reconfigure)." in notes


def test_a_default_that_a_line_leaves_out_is_no_change() -> None:
    partitions = {"all": {"enabled": True, "nodesets": ["ALL"], "configMap": None, "config": "MaxTime=1-0"}}
    assert not [note for note in adopted({"partitions": partitions}).notes if note.startswith("`up`")]


def test_an_object_that_somebody_added_is_told() -> None:
    added = changed("NodeSet", NODE_SET)
    added["metadata"] |= {"name": "mine"}
    assert "NodeSet/mine is no part of the release, and stays as it is." in adopted({}, added).notes


def test_objects_that_stay_are_named() -> None:
    values = {"priorityClass": {"enabled": True, "create": True, "name": "high"}}
    assert {*adopted(values).stays} == {"Secret/slurm-auth-slurm", "Secret/slurm-auth-jwt", "PriorityClass/high"}


@pytest.mark.parametrize(
    ("config_map", "problem"),
    [
        (None, "isn't there"),
        ({"binaryData": {"a": "YQ=="}}, "has binaryData, and files are text here"),
        ({"immutable": True}, "is immutable, so a stack could change no file"),
    ],
)
def test_files_that_a_stack_can_t_have(config_map: Object | None, problem: str) -> None:
    made = objects({})
    live = [item for item in made if item["metadata"]["name"] != "slurm-prolog-dcgm"]
    if config_map is not None:
        metadata = {"name": "slurm-prolog-dcgm", "namespace": "slurm"}
        live.append({"kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata, **config_map})
    adoption = adopt(release(made), LiveObjects(live))
    assert [*map(str, adoption.refused)] == [
        f"Controller/slurm: spec.prologScriptRefs[0]: ConfigMap/slurm-prolog-dcgm {problem}. Change it by `helm "
        "upgrade` first."
    ]


def test_an_object_that_is_gone() -> None:
    live = [item for item in objects({}) if item["kind"] != "NodeSet"]
    with pytest.raises(AdoptionError) as raised:
        adopt(release(objects({})), LiveObjects(live))
    assert str(raised.value) == (
        "release slurm: NodeSet/slurm-worker-slinky is not there any more. Make it again by `helm upgrade "
        "--reuse-values`."
    )
