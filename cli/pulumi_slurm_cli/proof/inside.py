"""Steps that look from within a job: what it has, and what it must not have."""

import re
from collections.abc import Iterator

from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.model import NodeSetSpec, SlurmSpec
from pulumi_slurm.model.machine import NVIDIA_GPU, GpuSpec
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.place import Done
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import MIB, NO_WAY, Needs, Trial, has_whole_nodes, jobs_in

_LOOK = """
export LC_ALL=C
echo locks "$(ulimit -l)"
echo cpus "$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)" of "$SLURM_CPUS_ON_NODE"
limit_below() {
    path=$2
    until [ -d "$1$path" ]; do path=/${path#/*/}; case "$path" in /*/*) ;; *) break ;; esac; done
    while [ -n "$path" ]; do
        limit=$(cat "$1$path/$3" 2>/dev/null)
        case "$limit" in '') ;; max|9223372036*) bytes=${bytes:-none} ;; *) bytes=$limit; break ;; esac
        path=${path%/*}
    done
}
limit_below /sys/fs/cgroup "$(sed -n 's/^0:://p' /proc/self/cgroup)" memory.max
below=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
[ -n "$bytes" ] || limit_below /sys/fs/cgroup/memory "$below" memory.limit_in_bytes
[ -z "$bytes" ] || echo memory "$bytes"
for file in /etc/slurm/*.key /etc/slurm/*.jwks /run/secrets/*/*/token; do
    [ ! -r "$file" ] || echo readable "$file"
done
[ -z "$SLURM_JWT" ] || echo readable the variable SLURM_JWT
for part in /proc/driver/nvidia/capabilities/gpu*/mig/gi*; do
    [ ! -d "$part" ] || { echo mig; break; }
done
for device in /dev/nvidia[0-9]*; do
    [ -e "$device" ] || continue
    echo device "$device"
    case $( (exec 3<"$device") 2>&1) in *"not permitted"*|*"ermission denied"*) ;; *) echo gpu "$device" ;; esac
done
"""
"""What a job has. Limits are those of cgroup v2 or v1, whose paths begin outside of the pod.

A device that cgroups let it open may still be refused by its driver. A GPU that is divided by MIG has one file and
several parts: https://docs.nvidia.com/datacenter/tesla/mig-user-guide/latest/device-nodes-and-capabilities.html."""
_MIB = 1024**2
_TOO_MUCH = f"head -c {4 * MIB}M /dev/zero | tail -c {4 * MIB}M | wc -c"
"""Holds four times as much memory as the job has, and prints how many bytes it held."""
_ENDED = re.compile(r"oom.?kill|out.of.memory", re.I)
_HELD = str(4 * MIB * _MIB)


def jobs_have_what_they_asked_for(trial: Trial) -> Iterator[Result]:
    """Look from within a job on a node of each node set, without generic resources and with a GPU."""
    for node_set in trial.spec.node_sets:
        yield from _of_node_set(trial, node_set)


def _of_node_set(trial: Trial, node_set: NodeSetSpec) -> Iterator[Result]:
    subject, way = f"node set {node_set.name}", trial.way_to(node_set)
    if way is None:
        why = "no node of it is idle in a partition that is tried and takes small jobs"
        yield untried("inside", subject, why)
        return
    partition, node = way
    done = trial.srun(partition, [node], _LOOK)
    if done.code:
        yield _not_run(trial, "inside", subject, done, way)
        return
    yield from _what_it_has(trial, node_set, done)
    machine = trial.machine(node_set)
    if machine and machine.gpus:
        yield from _gpus(trial, node_set, machine.gpus, done, way)


def _gpus(
    trial: Trial, node_set: NodeSetSpec, gpus: GpuSpec, done: Done, way: tuple[str, SeenNode]
) -> Iterator[Result]:
    subject, (partition, node) = f"node set {node_set.name}, GPUs", way
    devices, opened = _values(done, "device"), _values(done, "gpu")
    if gpus.resource == NVIDIA_GPU and len(devices) < gpus.count and "mig" not in done.lines:
        yield judged(
            "inside",
            subject,
            wrong=True,
            observed=f"{node.name} has {len(devices)} of {gpus.count} files such as /dev/nvidia0",
            expected=f"{gpus.count}, by its machine",
            fix="See the driver of the node, and whether the container of slurmd sees the node's devices.",
            jobs=jobs_in(done),
        )
        return
    if gpus.resource != NVIDIA_GPU or not confines(trial.spec, "ConstrainDevices"):
        why = f"only {NVIDIA_GPU} is looked at" if gpus.resource != NVIDIA_GPU else "devices aren't confined"
        yield untried("isolation", subject, why)
        return
    if has_whole_nodes(trial.partitions()[partition]) or not devices:
        why = f"in {partition} each job has whole nodes" if devices else f"{node.name} has no /dev/nvidia0 to open"
        yield untried("isolation", subject, why)
    else:
        yield judged(
            "isolation",
            subject,
            wrong=bool(opened),
            observed=f"a job without GRES opens {', '.join(opened) or 'none'} of {len(devices)}",
            expected="it opens none, by confine.devices or ConstrainDevices",
            fix="See that gres.conf names the devices' files, and that slurmd's cgroups are delegated.",
            jobs=jobs_in(done),
        )
    with_gpu = trial.srun(partition, [node], _LOOK, Needs(others=("--gres=gpu:1",)))
    if with_gpu.code:
        yield _not_run(trial, "inside", subject, with_gpu, way)
        return
    opened = _values(with_gpu, "gpu")
    yield judged(
        "inside",
        subject,
        wrong=len(opened) != 1 and not (opened and has_whole_nodes(trial.partitions()[partition])),
        observed=f"a job with one GPU opens {', '.join(opened) or 'none'}",
        expected="it opens one",
        fix="See that gres.conf names the devices' files, and slurmd's log.",
        jobs=jobs_in(with_gpu),
    )


def _what_it_has(trial: Trial, node_set: NodeSetSpec, done: Done) -> Iterator[Result]:
    subject, machine = f"node set {node_set.name}", trial.machine(node_set)
    has, _, allocated = next(iter(_values(done, "cpus")), "? of ?").partition(" of ")
    limit = next(iter(_values(done, "memory")), "")
    memory = f"{int(limit) // _MIB} MiB" if limit.isdecimal() else "no limit" if limit else "an unknown limit"
    is_more = has.isdecimal() and allocated.isdecimal() and int(has) > int(allocated)
    yield judged(
        "inside",
        subject,
        wrong=is_more and confines(trial.spec, "ConstrainCores"),
        observed=f"a job on {allocated} CPUs has {has} CPUs and {memory} of memory",
        expected=f"{allocated} CPUs, by confine.cores or ConstrainCores",
        fix="See slurmd's log for its cgroups.",
        jobs=jobs_in(done),
    )
    # Without cgroups that it can read, the step "limits" tells.
    if limit and confines(trial.spec, "ConstrainRAMSpace"):
        is_wide = not limit.isdecimal() or int(limit) > 2 * MIB * _MIB
        trial.holds_memory = trial.holds_memory and not is_wide
        yield judged(
            "isolation",
            f"{subject}, memory",
            wrong=is_wide,
            observed=f"a job that asked for {MIB} MiB has {memory}",
            expected=f"{MIB} MiB, by confine.memory or ConstrainRAMSpace",
            fix="See slurmd's log for its cgroups.",
            jobs=jobs_in(done),
        )
    locks = next(iter(_values(done, "locks")), "")
    if machine and machine.has_rdma:
        yield judged(
            "inside",
            f"{subject}, locked memory",
            wrong=locks != "unlimited",
            observed=f"a job may lock {locks if locks == 'unlimited' else f'{locks} KiB'} of memory",
            expected="as much as it has, as RDMA needs",
            fix="See `ulimit -l` of slurmd, and PropagateResourceLimitsExcept in slurm.conf.",
            jobs=jobs_in(done),
        )
    read = _values(done, "readable")
    yield judged(
        "isolation",
        f"{subject}, secrets",
        wrong=bool(read),
        observed=f"a job reads {', '.join(read) or 'no key and no token'}",
        expected="it reads none",
        fix="Let only slurm and root read them: a key that a job reads makes it any user.",
        jobs=jobs_in(done),
    )


def limits_end_jobs(trial: Trial) -> Iterator[Result]:
    """Let a job take more memory than it has, which has to end it and nothing else."""
    subject = "memory"
    way, is_confined = trial.any_way(), confines(trial.spec, "ConstrainRAMSpace")
    if way is None or not is_confined or not trial.holds_memory:
        why = "jobs have more than they asked for" if is_confined else "memory isn't confined"
        why = NO_WAY if way is None and is_confined else why
        yield untried("limits", subject, why)
        return
    partition, node = way
    done = trial.srun(partition, [node], _TOO_MUCH)
    holds, is_ended = _HELD in done.lines, bool(_ENDED.search(done.errors))
    if not holds and not is_ended and jobs_in(done):
        yield untried("limits", subject, f"the job ended, but not for its memory: {done.complaint}", jobs_in(done))
        return
    if not holds and not is_ended:
        yield _not_run(trial, "limits", subject, done, way)
        return
    yield judged(
        "limits",
        subject,
        wrong=holds,
        observed=f"a job of {MIB} MiB that takes {4 * MIB} {'goes on' if holds else 'is ended'}",
        expected="it is ended, by confine.memory or ConstrainRAMSpace",
        fix="See slurmd's log for its cgroups; swap on the node takes what is beyond.",
        jobs=jobs_in(done),
    )


def _not_run(trial: Trial, step: str, subject: str, done: Done, way: tuple[str, SeenNode]) -> Result:
    partition, node = way
    if excuse := trial.excuse(done, partition, [node]):
        return untried(step, subject, excuse)
    return judged(
        step,
        subject,
        f"on {node.name}: {done.complaint}",
        wrong=True,
        expected="a job runs there and ends well",
        fix="See `scontrol show job` of it, and slurmd's log.",
        jobs=jobs_in(done),
    )


def _values(done: Done, word: str) -> list[str]:
    return [line.removeprefix(f"{word} ") for line in done.lines if line.startswith(f"{word} ")]


_WIDER = re.compile(r"(?im)^\s*(?:AllowedRAMSpace|MinRAMSpace|AllowedSwapSpace)\s*=|^\s*CgroupPlugin\s*=\s*\"?disabled")


def confines(spec: SlurmSpec, option: str) -> bool:
    """Return whether a specification confines jobs by an option of cgroup.conf, as far as that can be told.

    Memory is confined only where Slurm gives it to jobs: https://slurm.schedmd.com/slurm.conf.html#OPT_SelectTypeParameters.
    """
    texts = {name.lower(): str(text).lower() for name, text in slurm_conf_lines(spec).items() if text is not None}
    if option == "ConstrainRAMSpace" and "memory" not in texts.get("selecttypeparameters", "cr_core_memory"):
        return False
    lines = spec.config_files.get("cgroup.conf")
    if lines is None:
        confine = spec.confine
        return {"ConstrainCores": confine.cores, "ConstrainRAMSpace": confine.memory}.get(option, confine.devices)
    return not _WIDER.search(lines) and bool(re.search(rf"(?im)^\s*{option}\s*=\s*\"?(?:yes|true|up|1)\b", lines))
