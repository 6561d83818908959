"""Drawn clusters, as kubectl and a script in a pod tell of them."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm_cli.proof.node_states import _STATES
from pulumi_slurm_cli.proof.pings import Ping
from pulumi_slurm_cli.status.reading import Reading, StatusNode, Waiting

NOW = 1_800_000_000
MARKS = ("", *"$@+-*~#!%^")
STATES = [f"{base}{mark}" for base in (*_STATES, "melted") for mark in MARKS]
"""More than node_state_string of Slurm has, as it puts only some marks after some states."""
MOMENTS = st.none() | st.integers(NOW - 10**6, NOW + 10)
WORDS = st.sampled_from(
    [
        *("", "Not responding", "Prolog error", "slurm-operator: Node a-1 was cordoned"),
        *("pulumi-slurm: ecc: 3 on gpu 1", "pulumi-slurm: ecc: 4", "pulumi-slurm: the node set leaves"),
        *("Resources", "Priority", "JobHeldUser", "AssocGrpCpuLimit", "QOSMaxJobsPerUserLimit", "Melted"),
    ]
)


def pod(daemon: str, name: str, trouble: str = "") -> dict[str, Any]:
    """Return a pod as kubectl tells of it, which is ready unless there is a trouble."""
    ready = {"type": "Ready", "status": "False" if trouble else "True", "lastTransitionTime": "2027-01-15T07:00:00Z"}
    waiting = {"ready": not trouble, "state": {"waiting": {"reason": trouble}} if trouble else {"running": {}}}
    return {
        "metadata": {"name": name, "labels": {"app.kubernetes.io/name": daemon}},
        "status": {"conditions": [ready], "containerStatuses": [waiting]},
    }


@st.composite
def readings(draw: DrawFn, words: SearchStrategy[str] = WORDS) -> Reading:
    """Draw what Slurm says, with words for reasons and names."""
    ping = st.builds(Ping, st.sampled_from(["primary", "backup"]), words, st.booleans())
    pings = st.lists(ping, max_size=2).map(tuple)
    daemons = Reading(now=NOW, slurmctld=draw(pings), slurmdbd=draw(pings))
    if draw(st.integers(0, 5)) == 0:
        return daemons
    names = ["all", *draw(st.lists(words.filter(bool), max_size=12, unique=True))]
    belonging = st.lists(st.sampled_from(names), min_size=1, unique=True).map(tuple)
    gpus = st.sampled_from([0, 0, 2, 8, 100_000])
    node = st.builds(
        StatusNode,
        name=st.integers(0, 2000).map(lambda number: f"gpu-{number}") | words,
        state=st.sampled_from(STATES),
        gpus=gpus,
        allocated_gpus=gpus,
        partitions=belonging,
        reason=words | st.just("a fan | 3"),
        reason_by=words,
        reason_at=MOMENTS,
    )
    waiting = st.builds(Waiting, st.integers(1, 10**6), words, belonging, MOMENTS, words)
    return replace(
        daemons,
        partitions={name: draw(st.sampled_from(["up", "down", "drain", "inact"])) for name in names},
        nodes=tuple(draw(st.lists(node, max_size=20, unique_by=lambda one: one.name))),
        waiting=tuple(draw(st.lists(waiting, max_size=12))),
        threads=draw(st.none() | st.integers(0, 300)),
        database_queue=draw(st.none() | st.integers(0, 10**5)),
        backfill_at=draw(MOMENTS),
    )


def printed(reading: Reading, mark: str) -> str:
    """Return what the script prints of a cluster."""
    pings = {
        name: "".join(f"{name}({one.role}) at {one.host} is {'UP' if one.answers else 'DOWN'}\n" for one in group)
        for name, group in (("slurmctld", reading.slurmctld), ("slurmdbd", reading.slurmdbd))
    }
    parts = {"now": f"{reading.now}\n", **pings}
    if reading.partitions is not None:
        parts["partitions"] = "".join(f"{name}|{state}\n" for name, state in reading.partitions.items())
        parts["nodes"] = "".join(
            f"{node.name}|{node.state}|gpu:{node.gpus}|gpu:{node.allocated_gpus}(IDX:N/A)|{partition}"
            f"|{node.reason_by or 'Unknown'}|{node.reason_at or 'Unknown'}|{node.reason or 'none'}@{mark}\n"
            for node in reading.nodes
            for partition in node.partitions
        )
        parts["jobs"] = "".join(
            f"{one.count:7} {one.user}|{','.join(one.partitions)}|{one.since or 'N/A'}|{one.reason}\n"
            for one in reading.waiting
        )
        parts["numbers"] = (
            f"Server thread count: {reading.threads}\nDBD Agent queue size: {reading.database_queue}\n"
            f"\tLast cycle when: {f'Mon ({reading.backfill_at})' if reading.backfill_at else 'N/A'}\n"
        )
        parts["end"] = ""
    return "".join(f"\n{mark} {name}\n{text}" for name, text in parts.items())
