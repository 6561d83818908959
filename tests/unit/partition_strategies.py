"""Random options of partitions."""

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm import model as s
from tests.unit.value_strategies import FLAGS, config_lines, or_none, slurm_memory, slurm_times, words


@cache
def _independent_fields(accounting: bool) -> SearchStrategy[dict[str, Any]]:
    """Draw the fields that go together with any others."""
    return st.fixed_dictionaries(
        {},
        optional={
            "state": st.sampled_from(s.PartitionState),
            "max_cpus_per_node": st.integers(1, 1000),
            "max_cpus_per_socket": st.integers(1, 64),
            "def_cpu_per_gpu": st.integers(1, 64),
            "priority_tier": st.integers(0, 65535),
            "priority_job_factor": st.integers(0, 65535),
            "grace_time": st.integers(0, 3600),
            "over_time_limit": st.integers(0, 65533),
            "allow_groups": st.lists(words, max_size=2, unique=True),
            "exclusive_user": st.booleans(),
            "hidden": st.booleans(),
            "lln": st.booleans(),
            "req_resv": st.booleans(),
            "root_only": st.booleans(),
            "disable_root_jobs": or_none(st.booleans()),
            "suspend_time": st.one_of(st.just("INFINITE"), st.integers(1, 99999), st.integers(1, 999).map(str)),
            "tres_billing_weights": st.dictionaries(
                st.sampled_from(["CPU", "Mem", "Node", *(["GRES/gpu"] if accounting else [])]),
                st.floats(0, 1000, width=16),
                max_size=3,
            ),
            "extra": config_lines({"PowerDownOnIdle": FLAGS, "AllocNodes": st.just("ALL")}),
        },
    )


_MEMORY_FIELDS = [
    st.none() | st.sampled_from(fields)
    for fields in (
        ("def_mem_per_node", "def_mem_per_cpu", "def_mem_per_gpu"),
        ("max_mem_per_node", "max_mem_per_cpu"),
    )
]
_OVER_SUBSCRIPTIONS = st.sampled_from(
    [{}, {"over_subscribe": "NO"}, {"over_subscribe": "EXCLUSIVE"}]
    + [{"over_subscribe": mode, "over_subscribe_jobs": 3} for mode in ("YES", "FORCE")]
)
_ACCESS_LISTS = [st.sampled_from(fields) for fields in (("allow_accounts", "deny_accounts"), ("allow_qos", "deny_qos"))]
_SOME_WORDS = st.lists(words, min_size=1, max_size=2, unique=True)


@st.composite
def partition_options(
    draw: DrawFn, accounting: bool, preempting: bool, suspending: bool, default: bool = False
) -> dict[str, Any]:
    """Draw the fields of a partition that agree with each other and with the cluster."""
    fields = {"default": default, **draw(_independent_fields(accounting))}
    if draw(st.booleans()):
        fields["max_time"] = draw(slurm_times)
        if draw(st.booleans()):
            fields["default_time"] = fields["max_time"]
    elif draw(st.booleans()):
        fields["default_time"] = draw(slurm_times)
    max_nodes = draw(st.integers(1, 100))
    if draw(st.booleans()):
        fields["max_nodes"] = max_nodes
    if draw(st.booleans()):
        fields["min_nodes"] = draw(st.integers(0, max_nodes))
    for memory_fields in _MEMORY_FIELDS:
        field = draw(memory_fields)
        if field:
            fields[field] = draw(slurm_memory)
    fields |= draw(_OVER_SUBSCRIPTIONS)
    if preempting and draw(st.booleans()):
        modes = [s.PreemptMode.OFF, s.PreemptMode.CANCEL, s.PreemptMode.REQUEUE]
        fields["preempt_mode"] = draw(st.sampled_from(modes + ([s.PreemptMode.SUSPEND] if suspending else [])))
    if accounting:
        for list_fields in _ACCESS_LISTS:
            if draw(st.booleans()):
                fields[draw(list_fields)] = draw(_SOME_WORDS)
        if draw(st.booleans()):
            fields["qos"] = draw(words)
    return fields
