"""What Kubernetes refuses of affinity, spreading, volumes and the pace of scaling, and what we do: drawn, and wrong."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from devcluster.api import ApiError
from pulumi_slurm.model.kubernetes_fields import form_errors, types
from tests.e2e.draws import draws
from tests.e2e.objects import Objects

NAMESPACE = "rules"
COUNT = 60
TEXTS: Mapping[str, tuple[str, ...]] = {
    "claimName": ("data", ""),
    "driver": ("csi.example.org", "a_b", ""),
    "fsType": ("ext4",),
    "key": ("zone", "example.org/kind", "metadata.name", "-", ""),
    "matchLabelKeys": ("zone", "app", "a b"),
    "mismatchLabelKeys": ("zone", "app"),
    "mountPath": ("/data",),
    "mountPropagation": ("None", "HostToContainer", "Bidirectional", "Both"),
    "name": ("a",),
    "namespaces": ("jobs", "Jobs"),
    "nodeAffinityPolicy": ("Honor", "Ignore", "Obey"),
    "nodeTaintsPolicy": ("Honor", "Ignore", "Obey"),
    "operator": ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Equal"),
    "path": ("/data", "data/file", "/../data", "..data", "a/../b", ""),
    "recursiveReadOnly": ("Disabled", "IfPossible", "Enabled", "Maybe"),
    "secretName": ("keys", ""),
    "selectPolicy": ("Max", "Min", "Disabled", "Most"),
    "server": ("nfs.example.org", ""),
    "subPath": ("data", "/data", "a/../b"),
    "subPathExpr": ("data", "/data"),
    "topologyKey": ("kubernetes.io/hostname", "a b", ""),
    "type": ("Pods", "Percent", "Nodes", "Directory"),
    "values": ("1", "8"),
    "whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway", "Never"),
}
"""Texts of fields, right ones and wrong ones; no values but integers, which Gt and Lt need, as the scheduler says."""
LATER = ("bindMountOptions", "defaultUser", "user")
"""Fields that the API server here doesn't have yet."""
SOURCES = {
    "configMap": "ConfigMap",
    "csi": "CSI",
    "hostPath": "HostPath",
    "nfs": "NFS",
    "persistentVolumeClaim": "PersistentVolumeClaim",
    "secret": "Secret",
}
LABELS = st.dictionaries(
    st.sampled_from(["app", "example.org/app", "a b"]), st.sampled_from(["x", "", "a b"]), max_size=1
)


@cache
def drawn_values(of_type: str, field: str = "") -> SearchStrategy[Any]:
    """Draw values of a type of Kubernetes' table; parts of it are left out at times."""
    if of_type.startswith("["):
        return st.lists(drawn_values(of_type[1:-1], field), max_size=2)
    if of_type.startswith("{"):
        return LABELS
    if of_type == "boolean":
        return st.booleans()
    if of_type == "integer":
        return st.sampled_from([1, 1, 1, 60, 0, -1, 101, 4000])
    if of_type == "string":
        return st.just("0.1") if field == "tolerance" else st.sampled_from(TEXTS[field])
    fields = {name: kind for name, kind in types()[of_type].items() if name not in LATER}
    # Most have all of their fields, or no draw would be right.
    optional = {name: drawn_values(kind, name) for name, kind in fields.items()}
    return st.fixed_dictionaries(optional) | st.fixed_dictionaries({}, optional=optional)


def disagreements(objects: Objects, seed: int, of_type: str, item_with: Any) -> tuple[list[str], set[bool]]:
    """Return what only one side refuses, and whether Kubernetes has taken something and refused something."""
    wrong, answers = [], set()
    for value in draws(drawn_values(of_type), COUNT, seed):
        ours = [str(error) for error in form_errors(of_type, value)]
        try:
            objects.apply(item_with(value), dryRun="All")
            theirs = ""
        except ApiError as error:
            theirs = str(error)
        answers.add(bool(theirs))
        if bool(ours) != bool(theirs):
            wrong.append(f"{value}\n  here: {ours}\n  Kubernetes: {theirs}")
    return wrong, answers


def pod(**spec: Any) -> dict[str, Any]:
    containers = [{"name": "a", "image": "a"}]
    metadata = {"name": "a", "namespace": NAMESPACE}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers, **spec}}


def with_volume(source: str, value: Any) -> dict[str, Any]:
    return pod(volumes=[{"name": "a", source: value}])


def with_mount(value: Any) -> dict[str, Any]:
    item = pod(volumes=[{"name": "a", "emptyDir": {}}])
    # Without these two fields `raw_mounts` refuses it.
    mount = {"name": "a", "mountPath": "/data", **value}
    item["spec"]["containers"][0] |= {"volumeMounts": [mount], "securityContext": {"privileged": True}}
    return item


def autoscaler(behavior: Any) -> dict[str, Any]:
    target = {"apiVersion": "slinky.slurm.net/v1beta1", "kind": "NodeSet", "name": "a"}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a", "namespace": NAMESPACE},
        "spec": {"scaleTargetRef": target, "maxReplicas": 2, "behavior": behavior},
    }


@pytest.mark.parametrize(
    ("of_type", "item_with"),
    [
        ("NodeAffinity", lambda value: pod(affinity={"nodeAffinity": value})),
        ("PodAffinity", lambda value: pod(affinity={"podAffinity": value})),
        ("PodAntiAffinity", lambda value: pod(affinity={"podAntiAffinity": value})),
        ("[TopologySpreadConstraint]", lambda value: pod(topologySpreadConstraints=value)),
        ("HorizontalPodAutoscalerBehavior", autoscaler),
        *((f"{source}VolumeSource", partial(with_volume, field)) for field, source in SOURCES.items()),
        ("VolumeMount", with_mount),
    ],
)
def test_what_kubernetes_refuses_is_refused_and_nothing_else(
    objects: Objects, seed: int, of_type: str, item_with: Any
) -> None:
    objects.namespace(NAMESPACE)
    wrong, answers = disagreements(objects, seed, of_type, item_with)
    assert not wrong, f"{len(wrong)} of {COUNT}:\n" + "\n".join(wrong[:10])
    assert answers == {True, False}
