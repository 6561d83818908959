"""Random lines of slurm.conf, and files in /etc/slurm."""

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm import model as s
from tests.unit.value_strategies import FLAGS, config_lines, hosts, slurm_memory, slurm_times, texts


@cache
def _independent_fields(accounting: bool) -> SearchStrategy[dict[str, Any]]:
    """Draw the fields that go together with any others."""
    return st.fixed_dictionaries(
        {},
        optional={
            "scheduler_parameters": st.lists(
                st.sampled_from(["bf_continue", "bf_max_job_test=1000", "defer"]), max_size=3, unique=True
            ),
            "select_type_parameters": st.sampled_from(["CR_Core", "CR_CPU_Memory", "CR_Core_Memory,CR_LLN"]),
            "priority_type": st.sampled_from(["priority/basic", "priority/multifactor"]),
            "priority_weights": st.dictionaries(
                st.sampled_from(["JobSize", "QOS", *(["Fairshare", "Age"] if accounting else [])]),
                st.integers(0, 10**6),
                max_size=3,
            ),
            "mpi_default": st.sampled_from(["pmix", "none"]),
            "max_array_size": st.integers(2, 100000),
            "max_job_count": st.integers(2, 10**6),
            "def_mem_per_cpu": slurm_memory,
            "slurmd_timeout": st.integers(0, 65535),
            "slurmctld_debug": st.sampled_from(["info", "debug", "debug2", "debug5", "error"]),
            "slurmd_debug": st.sampled_from(["info", "verbose"]),
            "extra": config_lines(
                {
                    **dict.fromkeys(["KillWait", "MessageTimeout", "MinJobAge"], st.integers(30, 300)),
                    "InactiveLimit": st.integers(30, 300) | st.just("UNLIMITED"),
                    "JobRequeue": st.integers(0, 1),
                    "TrackWCKey": FLAGS,
                    "PriorityMaxAge": slurm_times,
                    "MaxMemPerNode": st.integers(10**6, 10**7) | st.just("UNLIMITED"),
                    "PrivateData": st.sampled_from(["none", ["none"]]),
                    "DebugFlags": st.sampled_from(["NO_CONF_HASH", "Steps,no_conf_hash"]),
                    "RequeueExit": st.sampled_from(["1", "10-20,30"]),
                    "MailDomain": hosts,
                }
            ),
        },
    )


@cache
def _preemption(accounting: bool) -> SearchStrategy[dict[str, Any]]:
    """Draw fields about preemption."""
    preemption: list[dict[str, Any]] = [{}, {}, {"preempt_type": "preempt/none"}]
    for plugin in ("partition_prio", "qos") if accounting else ("partition_prio",):
        preemption += [
            {"preempt_type": f"preempt/{plugin}", "preempt_mode": mode}
            for mode in ("CANCEL", "REQUEUE", "SUSPEND,GANG")
        ]
    return st.sampled_from(preemption)


_ENFORCED = st.lists(st.sampled_from(["associations", "limits", "qos"]), max_size=3, unique=True)


@st.composite
def slurm_confs(draw: DrawFn, accounting: bool) -> s.SlurmConfSpec:
    """Draw lines of slurm.conf."""
    fields = draw(_independent_fields(accounting)) | draw(_preemption(accounting))
    if accounting and draw(st.booleans()):
        fields["accounting_storage_enforce"] = draw(_ENFORCED)
    return s.SlurmConfSpec(**fields)


_COMMENTS = texts.map("# {}\n".format)
_CONFIG_FILES = st.fixed_dictionaries(
    {},
    optional={
        # Without a line that detects GPUs, nodes with some would be drained.
        "gres.conf": _COMMENTS.map("AutoDetect=nvidia\n{}".format),
        "cgroup.conf": st.sampled_from(["", "ConstrainCores=yes\n", "AllowedRAMSpace = 95.5 # %\n"]).map(
            "IgnoreSystemd=yes\n{}".format
        ),
        "topology.yaml": st.just("- topology: default\n  cluster_default: true\n  flat: true\n"),
        "job_submit.lua": _COMMENTS,
        "site.conf": _COMMENTS,
    },
)
_SCRIPTS = {
    hook: st.dictionaries(
        st.sampled_from([f"10-{hook}.sh", f"20.{hook}", f"{hook}_x"]),
        texts.map("#!/bin/bash\n# {}\nexit 0\n".format),
        max_size=1 if hook == "health_check" else 2,
    )
    for hook in s.HooksSpec.model_fields
}


@st.composite
def files(draw: DrawFn) -> tuple[s.HooksSpec, dict[str, str]]:
    """Draw scripts and configuration files with unique names."""
    config_files = draw(_CONFIG_FILES)
    hooks = {hook: draw(scripts) for hook, scripts in _SCRIPTS.items() if draw(st.booleans())}
    return s.HooksSpec(**hooks), config_files
