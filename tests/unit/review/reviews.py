"""Reviews as hypothesis draws them, with texts of users in every place that has some."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.jobs import Outcome
from pulumi_slurm_cli.review.report import (
    Review,
    ShownAccess,
    ShownAmount,
    ShownCluster,
    ShownCost,
    ShownEffect,
    ShownJob,
    ShownJobs,
    ShownLine,
    ShownNodeSet,
    ShownPartition,
    ShownPolicy,
    ShownResource,
    ShownSize,
)
from pulumi_slurm_cli.review.worker_fates import Fate


def drawn(model: type[BaseModel], **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw a model by the names of its fields, where hypothesis would look for those of its JSON."""
    return st.fixed_dictionaries(fields).map(model.model_validate)


NASTY = (
    *("<b>", "</details>", "<!-- x", "-->", "|", "`", "```", "````\n~~~", "@all", "#1", "[a](javascript:b)", "![](x)"),
    *(
        "\n\n",
        "\n| a |",
        "- x",
        "1. x",
        "# x",
        "> x",
        "***",
        "https://x.example",
        "www.x.example",
        "a\\",
        "&lt;",
        "$x$",
    ),
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(NASTY), min_size=1, max_size=4).map("".join))
COUNTS = st.integers(0, 10_000)
AMOUNTS = drawn(ShownAmount, least=st.none() | COUNTS, most=st.none() | COUNTS)
SIZES = drawn(
    ShownSize, nodes=AMOUNTS, cpus=AMOUNTS, memory_mib=AMOUNTS, gpus=st.dictionaries(TEXTS, AMOUNTS, max_size=2)
)
EFFECTS = drawn(ShownEffect, verdict=st.sampled_from(Verdict), subject=TEXTS, change=TEXTS, meaning=TEXTS | st.just(""))
PARTITIONS = drawn(
    ShownPartition,
    name=TEXTS,
    before=st.none() | SIZES,
    after=st.none() | SIZES,
    limits=st.dictionaries(TEXTS, st.tuples(TEXTS | st.none(), TEXTS | st.none()), max_size=3),
)
NODE_SETS = drawn(
    ShownNodeSet,
    name=TEXTS,
    pool=st.none() | TEXTS,
    partitions=st.lists(TEXTS, max_size=3),
    before=st.none() | SIZES,
    after=st.none() | SIZES,
    fate=st.sampled_from(Fate),
    of_pool=st.sampled_from(Verdict),
)
LINES = drawn(ShownLine, file=st.just("slurm.conf"), text=TEXTS, takes=st.just("reconfigure"))
CLUSTERS = drawn(
    ShownCluster,
    name=TEXTS,
    effects=st.lists(EFFECTS, max_size=8),
    partitions=st.lists(PARTITIONS, max_size=8),
    nodes=st.tuples(SIZES, SIZES),
    lines=st.lists(LINES, max_size=8),
    access=st.lists(
        drawn(ShownAccess, account=TEXTS, gain=st.lists(TEXTS, max_size=2), lose=st.lists(TEXTS, max_size=2)),
        max_size=3,
    ),
    node_sets=st.lists(NODE_SETS, max_size=4),
)
JOBS = drawn(
    ShownJob,
    number=TEXTS,
    name=TEXTS,
    user=TEXTS,
    state=st.just("RUNNING"),
    outcome=st.sampled_from(Outcome),
    why=TEXTS,
    may=st.booleans(),
    gpus=COUNTS,
    ends_at=st.none() | st.integers(0, 2**32),
)
QUEUES = drawn(
    ShownJobs,
    looked=st.booleans(),
    why_not=TEXTS,
    there=st.booleans(),
    running=COUNTS,
    waiting=COUNTS,
    in_the_way=st.lists(JOBS, max_size=20),
    gpu_hours_lost=st.floats(0, 1e6),
    costs_nothing_from=st.none() | st.integers(0, 2**32),
)
ENDS = st.none() | st.tuples(st.floats(0, 1e7), st.floats(0, 1e7))
COSTS = drawn(
    ShownCost,
    pool=TEXTS,
    machine=st.tuples(TEXTS | st.none(), TEXTS | st.none()),
    before=ENDS,
    after=ENDS,
    currency=TEXTS,
    prices_of=TEXTS,
)
RESOURCES = drawn(
    ShownResource,
    operation=st.sampled_from(["create", "update", "replace", "delete"]),
    type=TEXTS,
    name=TEXTS,
    replaced_for=st.lists(TEXTS, max_size=2),
    changed=st.lists(TEXTS, max_size=2),
    protected=st.booleans(),
    retained=st.booleans(),
    derived=st.booleans(),
    hidden=st.booleans(),
)
POLICIES = drawn(ShownPolicy, policy=TEXTS, level=TEXTS | st.just("mandatory"), resource=TEXTS, message=TEXTS)
REVIEWS = drawn(
    Review,
    project=TEXTS,
    stack=TEXTS,
    commit=st.none() | TEXTS,
    made_at=st.just(datetime(2026, 11, 26, 7, tzinfo=UTC)),
    source=st.sampled_from(["preview", "files"]),
    verdict=st.sampled_from(Verdict),
    errors=st.lists(TEXTS, max_size=3),
    clusters=st.lists(CLUSTERS, max_size=2),
    effects=st.lists(EFFECTS, max_size=3),
    jobs=QUEUES,
    costs=st.lists(COSTS, max_size=4),
    resources=st.lists(RESOURCES, max_size=20),
    unknown=st.lists(TEXTS, max_size=5),
    policies=st.lists(POLICIES, max_size=5),
)
