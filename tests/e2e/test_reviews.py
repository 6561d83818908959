"""What `pulumi-slurm review` says of changes that the real engine previews, none of which is made.

One stack is up, and each change of it is previewed once. The reviews are files in reviews/; with UPDATE_DOCS=1 in the
environment they are written anew. An upgrade of the operator is in test_operator_upgrade.py, node pools are in
tests/clouds/test_gke_changes.py. tests/unit/review/test_golden_reviews.py asks them what reviewers want to know.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.live import LiveJob, Look
from tests.e2e.golden_reviews import MADE_AT, NO_LOOK, check_review, reviewed
from tests.e2e.objects import Objects
from tests.e2e.program import Program, Run
from tests.e2e.secret_values import leaks
from tests.e2e.stack_settings import CPU_POOL, GPU_POOL, Settings, small
from tests.e2e.written import Secrets, secrets_of
from tests.unit.review.live_jobs import node, running, waiting

NAME = "reviews"
CPU = {"name": "cpu", "pool": "cpu", "replicas": 3}
GPU = {"name": "gpu", "pool": "gpu", "replicas": 2}
ALL = {"name": "all", "nodeSets": ["ALL"], "default": True, "maxTime": "1-00:00:00"}
SHORT = {"name": "short", "nodeSets": ["cpu"], "maxTime": "00:30:00"}
HIGH = {"name": "high", "priority": 100, "maxTresPerUser": {"gres/gpu": 4}}
RESEARCH = {"name": "research", "qos": ["normal", "high"], "users": ["alice", "bob"]}
TEACHING = {"name": "teaching", "users": ["carol"]}


def settings(**cluster: Any) -> Settings:
    accounting = {"qos": [HIGH], "accounts": [RESEARCH, TEACHING]}
    base = {
        "slurmVersion": "25.11",
        "nodeSets": [CPU, GPU],
        "partitions": [ALL, SHORT],
        "accounting": accounting,
        "loginSets": [{"name": "login"}],
        "identity": {"sssdConfSecret": {"name": "sssd", "key": "sssd.conf"}},
        "sharedVolumes": [{"name": "home", "mountPath": "/home", "storageClass": "standard", "size": "1Gi"}],
        "tokens": [{"name": "admin", "username": "slurm", "lifetime": "1h"}],
    }
    return small(NAME, **{**base, **cluster})


def accounting(**fields: Any) -> Settings:
    return {"qos": [HIGH], "accounts": [RESEARCH, TEACHING], **fields}


def larger_machines() -> Settings:
    pool = {**CPU_POOL, "machine": {"cpus": 32, "memory": "128Gi"}}
    return {**settings(), "slurm:pools": [pool, GPU_POOL]}


CHANGES: dict[str, Settings] = {
    "nothing": settings(),
    "scale": settings(nodeSets=[{**CPU, "replicas": 2}, {**GPU, "replicas": 3}]),
    "machine-type": larger_machines(),
    "partition-limit": settings(partitions=[{**ALL, "maxTime": "12:00:00"}, SHORT]),
    "partition-removed": settings(partitions=[ALL]),
    "node-set-removed": settings(nodeSets=[CPU]),
    "key-rotation": settings(keys={"slurm": {"generation": 2}}),
    "slurm-upgrade": settings(slurmVersion="26.05"),
    "qos-limit": settings(accounting=accounting(qos=[{**HIGH, "maxTresPerUser": {"gres/gpu": 2}}])),
    "accounts-removed": settings(accounting=accounting(accounts=[{**RESEARCH, "users": ["alice"]}])),
    "another-namespace": settings(namespace="elsewhere"),
    "policy-violation": settings(nodeSets=[{**CPU, "workloadDisruptionProtection": False}, GPU]),
}

ALSO_OFFLINE = {"machine-type", "partition-limit", "node-set-removed", "slurm-upgrade"}
"""Changes of objects in place, as the remaining ones have too, and of a node set that goes."""
BY_FILES_ALONE = pytest.mark.repeats("tests/unit/review/test_effects.py, without an engine")

NOW = int(MADE_AT.timestamp())
SOON = {"start": NOW - 1800, "end": NOW + 1800}
JOBS: dict[str, tuple[LiveJob, ...]] = {
    "accounts-removed": (
        running("cpu-1", number=51, name="class", account="teaching", user="carol", **SOON),
        waiting(number=52, name="sweep", account="research", user="bob"),
    ),
    "partition-removed": (
        running("cpu-0", number=11, partitions=("short",), name="fit", account="research", user="alice", **SOON),
        running("gpu-0", number=12, name="train", account="research", user="bob", gpus=8, **SOON),
        waiting(number=13, partitions=("short",), name="plot", account="teaching", user="carol"),
    ),
    "scale": (
        running("cpu-2", number=21, name="fold", account="research", user="alice", **SOON),
        waiting(number=22, name="wide", account="research", user="bob", node_count=3, tres={"node": 3}, features="cpu"),
    ),
    "key-rotation": (
        running("gpu-0", "gpu-1", number=31, name="llm", account="research", user="bob", gpus=16, **SOON),
        running("cpu-0", number=32, name="shell", account="teaching", user="carol", batch=False, requeue=False, **SOON),
    ),
    "destroy": (
        running("gpu-1", number=41, name="<b>@all</b> | train", account="research", user="alice", gpus=8, **SOON),
    ),
    "nothing": (),
}
"""What looks find: nodes are simulated here, and no job runs on them."""


def looks(name: str) -> dict[str, Look | str]:
    if name not in JOBS:
        return {NAME: NO_LOOK}
    nodes = tuple(node(each) for each in ("cpu-0", "cpu-1", "cpu-2", "gpu-0", "gpu-1"))
    look = Look(
        taken=NOW,
        cluster=NAME,
        release="25.11.1",
        controllers=("slurmctld",),
        jobs=JOBS[name],
        nodes=nodes,
        partitions=(),
        reservations=(),
        configuration=None,
    )
    return {NAME: look}


@pytest.fixture(scope="module")
def stack(module_program: Program, objects: Objects) -> Iterator[Program]:
    yield module_program
    # It outlives the stack.
    objects.delete("PersistentVolumeClaim", NAME, f"{NAME}-home")


@pytest.fixture(scope="module")
def first_creation(stack: Program) -> Run:
    return stack.preview(settings())


@pytest.fixture(scope="module")
def secrets(stack: Program, first_creation: Run, objects: Objects) -> Secrets:
    """The secrets of the stack, which is up from here on."""
    assert first_creation.code == 0
    stack.up(settings())
    return secrets_of(stack, objects)


def check(name: str, run: Run, secrets: Secrets) -> None:
    text = reviewed(run, looks(name))
    assert leaks({name: text.encode()}, secrets.values) == []
    check_review(name, text)


def test_the_first_creation(first_creation: Run, secrets: Secrets) -> None:
    check("first-creation", first_creation, secrets)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=BY_FILES_ALONE) if name in ALSO_OFFLINE else name for name in CHANGES],
)
def test_a_change(name: str, stack: Program, secrets: Secrets) -> None:
    options = ["--policy-pack", str(CHECKOUT / "policy")] if name == "policy-violation" else []
    run = stack.preview(CHANGES[name], *options, check=not options)
    check(name, run, secrets)


def test_a_destroy(stack: Program, secrets: Secrets) -> None:
    stack.configure(settings())
    check("destroy", stack.run("destroy", "--preview-only"), secrets)
