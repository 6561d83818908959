"""`pulumi-slurm status`: what is read and what is shown, of drawn clusters."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.loading import load
from pulumi_slurm.visible import as_line
from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.proof.pings import Ping
from pulumi_slurm_cli.status import json_of, screen_of
from pulumi_slurm_cli.status.judgement import LOOKS, first_looks
from pulumi_slurm_cli.status.pods import DaemonPod, _pod
from pulumi_slurm_cli.status.reading import Reading, StatusNode, Waiting, reading_of
from pulumi_slurm_cli.status.reasons import KEPT, Kept, Writer, kept_from_jobs
from pulumi_slurm_cli.status.screen import WIDTH, _width
from pulumi_slurm_cli.status.spans import span
from pulumi_slurm_cli.status.status import Gpus, Status
from pulumi_slurm_cli.status.waits import users_of, waits_of, words_of
from tests.unit.hostile_texts import hostile_texts
from tests.unit.status.status_worlds import NOW, pod, printed, readings

MARK = "0123456789abcdef" * 2
SPEC, _ = load(
    {
        "name": "hpc",
        "accounting": {},
        "nodeSets": [{"name": "gpu", "machine": {"cpus": 4, "memory": "16Gi"}, "partition": {}}],
    }
)
UP = (Ping("primary", "hpc-controller-0", True),)
PODS = st.lists(
    st.builds(
        DaemonPod,
        st.sampled_from(["slurmctld", "slurmdbd", "slurmrestd", "login"]),
        hostile_texts,
        st.booleans(),
        st.none() | st.integers(0, NOW),
        hostile_texts,
    ),
    max_size=5,
)


def node(name: str = "gpu-0", state: str = "idle", reason: str = "", **fields: object) -> StatusNode:
    one = StatusNode(
        name=name,
        state=state,
        gpus=0,
        allocated_gpus=0,
        partitions=("gpu",),
        reason=reason,
        reason_by="alice",
        reason_at=NOW - 4 * 3600,
    )
    return replace(one, **fields)  # type: ignore[arg-type]


def status(*nodes: StatusNode, **fields: object) -> Status:
    reading = Reading(now=NOW, slurmctld=UP, slurmdbd=UP, partitions={"gpu": "up"}, nodes=nodes)
    return Status(SPEC, [], replace(reading, **fields))  # type: ignore[arg-type]


@given(readings())
def test_what_the_script_prints_is_read_again(reading: Reading) -> None:
    # Hosts have no space in them, and reasons none before or after them.
    pings = {
        name: tuple(replace(one, host=one.host.replace(" ", "-") or "a") for one in getattr(reading, name))
        for name in ("slurmctld", "slurmdbd")
    }
    reading = replace(reading, **pings)  # type: ignore[arg-type]
    text = printed(reading, MARK)
    read = reading_of(f"whatever {text}", MARK)
    assert read == reading


@given(hostile_texts, readings())
def test_a_reason_makes_no_node(reason: str, reading: Reading) -> None:
    nodes = tuple(replace(one, reason=f"a{reason}") for one in reading.nodes)
    read = reading_of(printed(replace(reading, nodes=nodes), MARK), MARK)
    assert [(one.name, one.reason) for one in read.nodes] == [(one.name, one.reason) for one in nodes]


@given(st.text())
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(KubectlError):
        reading_of(text, MARK)


@given(st.none() | readings(hostile_texts) | readings(), PODS)
def test_a_screen_is_narrow_and_has_nothing_that_commands(reading: Reading | None, pods: list[DaemonPod]) -> None:
    lines = screen_of(Status(SPEC, pods, reading))
    for line in lines:
        assert _width(line) <= WIDTH
        assert line.isprintable()
        # Who prints it changes nothing anymore.
        assert as_line(line) == line
    assert len(lines) <= 40
    assert len(first_looks(Status(SPEC, pods, reading))) <= LOOKS


@given(readings())
def test_sums_agree(reading: Reading) -> None:
    whole = Status(SPEC, [], reading)
    for partition in whole.partitions():
        assert sum(partition.kinds.values()) == len(partition.nodes)
        gpus = partition.gpus
        assert gpus.total == sum(one.gpus for one in partition.nodes) == gpus.allocated + gpus.free + gpus.unusable
        assert min(gpus.allocated, gpus.free, gpus.unusable) >= 0
    kept = [name for group in kept_from_jobs(reading.nodes) for name in group.nodes]
    assert sorted(kept) == sorted(one.name for one in reading.nodes if one.kind in KEPT)
    jobs = sum(one.count for one in reading.waiting)
    assert sum(wait.count for wait in waits_of(reading.waiting)) == jobs
    assert sum(count for _, count in users_of(reading.waiting)) == jobs
    report = json.loads(json_of(whole))
    if report["slurm"]:
        assert [one["name"] for one in report["slurm"]["nodes"]] == [one.name for one in reading.nodes]


@pytest.mark.parametrize(
    ("reason", "writer", "name", "text"),
    [
        ("slurm-operator: Pod a is gone", Writer.OPERATOR, "", "Pod a is gone"),
        ("pulumi-slurm: ecc: 3 on gpu 1", Writer.CHECK, "ecc", "3 on gpu 1"),
        ("pulumi-slurm: the node set leaves: x", Writer.CHECK, "", "the node set leaves: x"),
        ("Not responding", Writer.SLURM, "", "Not responding"),
        ("Prolog/Epilog failure", Writer.SLURM, "", None),
        ("Job env setup error", Writer.SLURM, "", None),
        ("reboot timed out", Writer.SLURM, "", None),
        ("gres/gpu count reported lower than configured (0 < 2)", Writer.SLURM, "", None),
        ("", Writer.SLURM, "", "no reason is given"),
        ("a fan", Writer.PERSON, "alice", "a fan"),
    ],
)
def test_who_wrote_a_reason(reason: str, writer: Writer, name: str, text: str | None) -> None:
    (kept,) = kept_from_jobs([node(state="drained", reason=reason)])
    assert (kept.writer, kept.name, kept.reason) == (writer, name, reason if text is None else text)


def test_nodes_of_one_check_are_one_line_whatever_it_measured() -> None:
    nodes = [node(f"gpu-{number}", "drained", f"pulumi-slurm: ecc: {number}") for number in range(3)]
    assert kept_from_jobs([*nodes, node("gpu-4")]) == [
        Kept(
            Writer.CHECK,
            "ecc",
            "0",
            ("gpu-0", "gpu-1", "gpu-2"),
            frozenset([Kind.DRAINED]),
            NOW - 4 * 3600,
        )
    ]


DRAINED = [node(f"gpu-{number}", "drained", "pulumi-slurm: ecc: 1") for number in range(2)]
GOOD = [node(f"gpu-{number}", gpus=4) for number in range(2, 8)]
JOB = Waiting(1, "alice", ("gpu",), NOW - 2 * 3600, "Resources")


@pytest.mark.parametrize(
    ("world", "looks"),
    [
        (status(*GOOD), []),
        (status(*GOOD, *DRAINED), ["2 of 8 nodes of gpu are drained for more than 3 h by check ecc"]),
        (status(*GOOD, *(replace(one, reason_at=NOW - 3600) for one in DRAINED)), []),
        (
            status(*GOOD, node("gpu-8", "down*", "Not responding")),
            ["1 of 7 nodes of gpu is down for more than 5 min by Slurm: Not responding"],
        ),
        (status(*GOOD, node("gpu-8", "idle~")), []),
        (
            status(node("gpu-8", "down^"), waiting=(JOB,)),
            ["no node of gpu runs jobs, of 1, and 1 job waits for it"],
        ),
        (
            status(node(), partitions={"gpu": "drain"}, waiting=(JOB,)),
            ["partition gpu is drain, and 1 job waits for it"],
        ),
        (status(*GOOD, waiting=(JOB,)), ["24 GPUs are free, and a job has waited for nodes for 2 h"]),
        (status(*GOOD, waiting=(replace(JOB, reason="JobHeldUser"),)), []),
        (status(*GOOD, slurmctld=()), ["slurmctld does not answer: jobs go on, and none starts"]),
        (
            status(*GOOD, slurmctld=(*UP, Ping("backup", "b", False))),
            ["slurmctld's backup on b does not answer"],
        ),
        (
            status(*GOOD, slurmdbd=()),
            ["slurmdbd does not answer: slurmctld keeps what it is to record, and sacct and sacctmgr fail"],
        ),
        (status(*GOOD, database_queue=6000), ["6000 messages of slurmctld wait for slurmdbd"]),
        # How many there can be is not known from outside, so that no number of them is told.
        (status(*GOOD, threads=250), []),
        (
            status(node(), waiting=(JOB,), backfill_at=NOW - 3600),
            ["the backfill scheduler ran last 1 h ago, and jobs wait"],
        ),
        (Status(SPEC, [], None), ["there is no pod of slurmctld, and none of a login set"]),
        (
            Status(SPEC, [DaemonPod("slurmctld", "hpc-controller-0", False, None, "CrashLoopBackOff")], None),
            ["slurmctld: 1 pod is not ready: hpc-controller-0 (CrashLoopBackOff)"],
        ),
    ],
)
def test_what_to_look_at_first(world: Status, looks: list[str]) -> None:
    assert first_looks(world) == looks


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("Resources", "their nodes, CPUs, memory or GPUs are in use"),
        ("AssocGrpGRES", "a limit of their account or user is reached"),
        ("QOSMaxJobsPerUserLimit", "a limit of their QoS is reached"),
        ("Melted", ""),
    ],
)
def test_words_of_waits(reason: str, words: str) -> None:
    assert words_of(reason) == words


def test_nodes_after_a_reason_make_no_other_reason() -> None:
    reasons = ["ReqNodeNotAvail, UnavailableNodes:a-1", "ReqNodeNotAvail, UnavailableNodes:a-2", "(Resources)"]
    waits = waits_of([Waiting(1, "alice", ("gpu",), None, reason) for reason in reasons])
    assert [(wait.reason, wait.count) for wait in waits] == [("ReqNodeNotAvail", 2), ("Resources", 1)]


@pytest.mark.parametrize(
    ("seconds", "text"), [(-5, "0 s"), (59, "59 s"), (60, "1 min"), (7199, "1 h"), (86400 * 3 + 5, "3 d")]
)
def test_spans(seconds: int, text: str) -> None:
    assert span(seconds) == text


def test_gpus_of_a_node_that_lost_some() -> None:
    gpus = Gpus.of([node(gpus=2, allocated_gpus=4), node(state="drained", gpus=8, allocated_gpus=2)])
    assert (gpus.total, gpus.allocated, gpus.unusable, gpus.free) == (10, 4, 6, 0)


def test_why_a_pod_is_not_ready() -> None:
    assert _pod("login", pod("login", "a")).is_ready
    assert _pod("login", pod("login", "a", "ImagePullBackOff")).trouble == "ImagePullBackOff"
    unplaced = pod("login", "a", "x")
    unplaced["status"]["conditions"].append({"type": "PodScheduled", "status": "False", "reason": "Unschedulable"})
    assert _pod("login", unplaced).trouble == "Unschedulable"
    leaving = pod("login", "a")
    leaving["metadata"]["deletionTimestamp"] = "2027-01-15T07:00:00Z"
    assert (_pod("login", leaving).is_ready, _pod("login", leaving).trouble) == (False, "Terminating")
