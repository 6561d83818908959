"""Policies of Slurm Bridge, and the objects of those who send it work, on the real API server.

The bridge itself isn't there: nothing here schedules a pod.
"""

import itertools
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from devcluster.api import ApiError
from devcluster.folders import CHECKOUT
from pulumi_slurm import ClusterRef
from pulumi_slurm.bridge import annotations
from pulumi_slurm.manifests.bridge.policy import NAMESPACE_PREFIX, policies
from pulumi_slurm.model.bridge import BridgeSpec
from tests.doc_blocks import blocks
from tests.e2e.conftest import NewProgram
from tests.e2e.objects import Object, Objects
from tests.waiting import eventually, eventually_nothing

MANAGED, STRICT, CHOSEN, OTHER = "bridged-open", "bridged-strict", "bridged-chosen", "bridged-not"
PAGES_NAMESPACE = "research"
LABEL = {"example.org/slurm": "yes"}
SCHEDULER = "slurm-bridge-scheduler"
POD_SPEC = {"schedulerName": SCHEDULER, "containers": [{"name": "main", "image": "busybox:stable"}]}
TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": POD_SPEC}
ONCE = {"spec": {**POD_SPEC, "restartPolicy": "Never"}}
SELECTED = {"selector": {"matchLabels": {"app": "a"}}, "template": TEMPLATE}
KINDS: dict[str, tuple[str, Any]] = {
    "Pod": ("v1", POD_SPEC),
    "Job": ("batch/v1", {"template": ONCE}),
    "Deployment": ("apps/v1", SELECTED),
    "ReplicaSet": ("apps/v1", SELECTED),
    "StatefulSet": ("apps/v1", {**SELECTED, "serviceName": "a"}),
    "PodGroup": ("scheduling.x-k8s.io/v1alpha1", {"minMember": 2}),
    "JobSet": (
        "jobset.x-k8s.io/v1alpha2",
        {"replicatedJobs": [{"name": "a", "template": {"spec": {"template": ONCE}}}]},
    ),
    "LeaderWorkerSet": (
        "leaderworkerset.x-k8s.io/v1",
        {"leaderWorkerTemplate": {"size": 3, "workerTemplate": {"spec": POD_SPEC}}},
    ),
}
"""What an object of each kind has as its specification."""
LISTED = BridgeSpec.model_validate(
    {
        "partition": "pods",
        "namespaces": [
            {
                "name": MANAGED,
                "users": ["alice", "1002"],
                "groups": ["lab"],
                "accounts": ["physics", "biology"],
                "qos": ["normal", "high"],
                "partitions": ["pods"],
                "reservations": ["course"],
                "maxPriority": 100,
            },
            {"name": STRICT},
            {"name": PAGES_NAMESPACE, "users": ["alice"], "accounts": ["physics"]},
        ],
    }
)
SELECTING = BridgeSpec(partition="pods", namespace_selector=LABEL, scheduler_name="another-scheduler")
ALL: dict[str, Any] = {
    "user_id": "alice",
    "group_id": "lab",
    "account": "physics",
    "qos": "normal,high",
    "partition": "pods",
    "reservation": "course",
    "priority": 100,
}
WRONG: dict[str, Any] = {
    "user_id": "root",
    "group_id": "wheel",
    "account": "chemistry",
    "qos": "normal,urgent",
    "partition": "login",
    "reservation": "mine",
    "priority": 101,
}
NUMBERS = itertools.count()
PAGE = [block for block in blocks("program") if block.file.name == "bridge-workloads.md"]
IMPORTING = f"import sys\nsys.path.insert(0, {str(CHECKOUT / 'components')!r})\n"


def workload(kind: str, namespace: str, *, scheduler: str = "", **work: Any) -> Object:
    api_version, spec = KINDS[kind]
    if kind == "Pod":
        own = SELECTING.scheduler_name if namespace == CHOSEN else SCHEDULER
        spec = {**spec, "schedulerName": scheduler or own}
    metadata = {"name": f"work-{next(NUMBERS)}", "namespace": namespace, "annotations": noted(**work)}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def noted(**work: Any) -> dict[str, str]:
    return annotations(version="1.2.1", **work)


def path(objects: Objects, item: Object) -> str:
    group = item["apiVersion"].rpartition("/")[0]
    kind = objects.kind(f"{item['kind']}.{group}" if group else item["kind"])
    return kind.path(item["metadata"]["namespace"])


def create(objects: Objects, item: Object) -> Object:
    return objects.api.request("POST", f"{path(objects, item)}?fieldValidation=Strict&dryRun=All", item)


def refusal(objects: Objects, item: Object) -> str:
    with pytest.raises(ApiError) as refused:
        create(objects, item)
    assert refused.value.status == 422, refused.value
    # The server writes the policy's name and the binding's before the message.
    return re.sub(r"^.*denied request: ", "", str(refused.value))


@pytest.fixture(scope="module", autouse=True)
def _policies(objects: Objects) -> Iterator[None]:
    for name in (MANAGED, STRICT, CHOSEN, OTHER):
        objects.namespace(name)
    noted_there = {f"{NAMESPACE_PREFIX}users": "bob,carol", f"{NAMESPACE_PREFIX}accounts": "chemistry"}
    chosen = {"name": CHOSEN, "labels": LABEL, "annotations": noted_there}
    objects.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": chosen})
    made = [
        *policies(ClusterRef(name="one"), LISTED).values(),
        *policies(ClusterRef(name="two"), SELECTING).values(),
    ]
    for item in made:
        objects.apply(item, fieldValidation="Strict")
    for item in made[::2]:
        name = item["metadata"]["name"]
        look = partial(objects.get, "ValidatingAdmissionPolicy", None, name)
        status = eventually(f"{name}, with checked types", look, is_checked)["status"]
        assert not status.get("typeChecking", {}).get("expressionWarnings"), status
    eventually_nothing("workloads of which the server knows nothing yet", lambda: misjudged(objects))
    yield
    for item in reversed(made):
        objects.delete(item["kind"], None, item["metadata"]["name"])
    for name in (MANAGED, STRICT, CHOSEN, OTHER):
        objects.delete("Namespace", None, name)


def is_checked(policy: Object) -> bool:
    return bool(policy.get("status", {}).get("observedGeneration"))


def misjudged(objects: Objects) -> list[Object]:
    """Return what each of the four policies should refuse and lets pass, and what should pass and is refused.

    The server learns of policies, bindings and annotations of namespaces a moment after they are there.
    """
    to_refuse = [
        workload("Pod", MANAGED, user_id="root"),
        workload("Pod", CHOSEN, user_id="root"),
        workload("Pod", OTHER),
        workload("Pod", OTHER, scheduler=SELECTING.scheduler_name),
    ]
    to_let_pass = [
        workload("Pod", MANAGED, **ALL),
        workload("Pod", CHOSEN, user_id="carol", account="chemistry"),
    ]
    return [*filter(partial(passes, objects), to_refuse), *itertools.filterfalse(partial(passes, objects), to_let_pass)]


def passes(objects: Objects, item: Object) -> bool:
    try:
        create(objects, item)
    except ApiError as error:
        if error.status != 422:
            raise
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_namespace_lists_may_be_named(objects: Objects, kind: str) -> None:
    assert create(objects, workload(kind, MANAGED, **ALL))
    assert create(objects, workload(kind, MANAGED, user_id=1002, time_limit="1-00:00:00"))
    assert create(objects, workload(kind, CHOSEN, user_id="carol", account="chemistry"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", WRONG)
def test_what_a_namespace_does_not_list_is_refused(objects: Objects, kind: str, field: str) -> None:
    message = refusal(objects, workload(kind, MANAGED, **{"user_id": "alice", field: WRONG[field]}))
    assert f"= {WRONG[field]}: it may not be named in namespace {MANAGED}. Write " in message, message


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", WRONG)
def test_where_nothing_is_listed_nothing_may_be_named(objects: Objects, kind: str, field: str) -> None:
    message = refusal(objects, workload(kind, STRICT, **{field: ALL[field]}))
    assert message.endswith(f"= {ALL[field]}: it may not be named in namespace {STRICT}. Leave it out."), message
    if field != "user_id":
        wanted = {"user_id": "bob", field: ALL[field]}
        assert refusal(objects, workload(kind, CHOSEN, **wanted)).count("may not be named")


@pytest.mark.parametrize("kind", KINDS)
def test_where_users_are_listed_every_workload_names_one(objects: Objects, kind: str) -> None:
    assert refusal(objects, workload(kind, MANAGED)) == (
        "annotation slurmjob.slinky.slurm.net/user-id: without it, or below a controller that the bridge does not "
        "know, the Slurm job would be SlurmUser's. Write one of: alice, 1002."
    )
    assert create(objects, workload(kind, STRICT, job_name="free", gres="gpu:2"))


@pytest.mark.parametrize(
    ("kind", "api_version", "owner", "is_followed"),
    [
        ("Pod", "batch/v1", "Job", True),
        ("Pod", "apps/v1", "ReplicaSet", True),
        ("Job", "jobset.x-k8s.io/v1alpha2", "JobSet", True),
        ("StatefulSet", "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", True),
        ("ReplicaSet", "apps/v1", "Deployment", True),
        ("Pod", "v1", "PersistentVolumeClaim", False),
        ("Pod", "v1", "Service", False),
        ("Pod", "example.org/v1", "Job", False),
        ("Job", "apps/v1", "Deployment", False),
    ],
)
def test_users_are_named_by_what_the_bridge_follows(
    objects: Objects, kind: str, api_version: str, owner: str, is_followed: bool
) -> None:
    """Who makes a pod also writes what owns it, and the bridge takes the annotations of the highest owner alone."""

    def owned(**work: Any) -> Object:
        item = workload(kind, MANAGED, **work)
        reference = {"apiVersion": api_version, "kind": owner, "name": "a", "uid": "1", "controller": True}
        return {**item, "metadata": {**item["metadata"], "ownerReferences": [reference]}}

    if is_followed:
        assert create(objects, owned())
    else:
        assert "SlurmUser's" in refusal(objects, owned())
        assert "SlurmUser's" in refusal(objects, owned(user_id="alice"))


def test_other_objects_of_the_namespace_are_none_of_its_business(objects: Objects) -> None:
    metadata = {"name": "free", "namespace": MANAGED}
    assert create(objects, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})


def test_elsewhere_pods_cannot_name_the_scheduler(objects: Objects) -> None:
    for scheduler in (SCHEDULER, "another-scheduler"):
        message = refusal(objects, workload("Pod", OTHER, scheduler=scheduler))
        assert message == (
            f"spec.schedulerName = {scheduler}: Slurm schedules no pods of namespace {OTHER}. Make the pod in a "
            "namespace whose pods it schedules, or leave it out."
        )
    assert create(objects, workload("Pod", OTHER, scheduler="default-scheduler", user_id="root"))


def test_a_workload_from_before_can_end_but_not_change_its_user(objects: Objects) -> None:
    """As the bridge and the kubelet write to it, whatever the policy says by then."""
    item = workload("Pod", STRICT)
    objects.api.request("POST", path(objects, item), item)
    one = f"{path(objects, item)}/{item['metadata']['name']}"

    def patch(metadata: Object) -> Object:
        return objects.api.request("PATCH", one, {"metadata": metadata}, "application/merge-patch+json")

    assert patch({"finalizers": ["scheduler.slinky.slurm.net/finalizer"], "labels": {"a": "b"}})
    with pytest.raises(ApiError, match="Leave it out"):
        patch({"annotations": noted(user_id="alice")})
    assert patch({"finalizers": None})


def test_pods_keep_the_size_that_slurm_knows(objects: Objects) -> None:
    """Releases of the bridge before 1.3 don't look at it."""
    for namespace, is_refused in ((STRICT, True), (OTHER, False)):
        name = f"sized-{namespace}"
        # Only a pod that is on a node is resized; nobody runs it here.
        resources = {"requests": {"cpu": "100m", "memory": "16Mi"}}
        containers = [{"name": "main", "image": "busybox:stable", "resources": resources}]
        item: Object = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": namespace},
            "spec": {"containers": containers, "schedulerName": "nobody"},
        }
        objects.api.request("POST", path(objects, item), item)
        change = {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "200m"}}}]}}
        arguments = ("PATCH", f"{path(objects, item)}/{name}/resize", change, "application/strategic-merge-patch+json")
        if is_refused:
            with pytest.raises(ApiError, match="Slurm would not hear of another size"):
                objects.api.request(*arguments)
        else:
            assert objects.api.request(*arguments)
        objects.delete("Pod", namespace, name)


MADE: list[dict[str, str]] = [
    {"Job.batch": "hello", "JobSet.jobset.x-k8s.io": "sweep"},
    {"PodGroup.scheduling.x-k8s.io": "pair", "LeaderWorkerSet.leaderworkerset.x-k8s.io": "server"},
]
"""What each program of the page makes."""


def test_programs_of_the_page_come_stay_and_go(objects: Objects, new_program: NewProgram) -> None:
    """With no bridge, pods wait for ever; Pulumi doesn't."""
    source = {"__main__.py": "", "Pulumi.yaml": "name: work\nruntime: python\n"}
    program = new_program(PAGES_NAMESPACE, source=source)
    for block, made in zip(PAGE, MADE, strict=True):
        (program.folder / "__main__.py").write_text(IMPORTING + block.text)
        program.up()
        for kind, name in made.items():
            found = objects.get(kind, PAGES_NAMESPACE, name)["metadata"]["annotations"]
            assert noted(account="physics", user_id="alice").items() <= found.items()
        pods = eventually("pods of the bridge", lambda: objects.all("Pod", PAGES_NAMESPACE))
        assert {pod["spec"]["schedulerName"] for pod in pods} == {SCHEDULER}
        assert program.up(None, "--expect-no-changes").changes == {}
        assert program.refresh().changes == {}
        program.destroy()
        assert not objects.all("Pod", PAGES_NAMESPACE)
        assert not any(objects.find(kind, PAGES_NAMESPACE, name) for kind, name in made.items())
