"""Steps that look from within a job: what it has, and what it must not have."""

import re
from collections.abc import Iterator

from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm_cli.proof.place import Done
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial, is_busy, jobs_in, last_words

_LOOK = """
export LC_ALL=C
echo uid "$(id -u)"
echo cpus "$(nproc)" of "$SLURM_CPUS_ON_NODE"
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
for device in /dev/nvidia[0-9]*; do
    [ -e "$device" ] || continue
    case $( (exec 3<"$device") 2>&1) in *"not permitted"*|*"ermission denied"*) ;; *) echo gpu "$device" ;; esac
done
"""
"""What a job has. Limits are those of cgroup v2 or v1, whose paths begin outside of the pod.

A device that cgroups let it open may still be refused by its driver."""
_MIB = 1024**2
_ASKED = 100
"""MiB that each job asks for: `Trial.options`."""
_TOO_MUCH = f"head -c {4 * _ASKED}M /dev/zero | tail -c {4 * _ASKED}M | wc -c"
"""Holds four times as much memory as the job has."""


def jobs_have_what_they_asked_for(trial: Trial) -> Iterator[Result]:
    """Look from within a job on a node of each node set, without generic resources and with a GPU."""
    for node_set in trial.spec.node_sets:
        yield from _of_node_set(trial, node_set)


def _of_node_set(trial: Trial, node_set: NodeSetSpec) -> Iterator[Result]:
    subject, partition = f"node set {node_set.name}", trial.partition_for(node_set)
    nodes = trial.of(node_set)
    if partition is None or not trial.free(nodes):
        why = "no node of it is free" if partition else "it is in no partition that is tried"
        yield Result(step="inside", subject=subject, verdict=Verdict.SKIP, observed=why)
        return
    there = f"--constraint={node_set.slurm_name}"
    done = trial.srun(partition, _LOOK, there)
    if done.code:
        yield _not_run(subject, done, busy=is_busy(done, nodes))
        return
    yield from _what_it_has(trial, subject, done)
    machine = trial.machine(node_set)
    if machine and machine.gpus and _confines(trial, "ConstrainDevices"):
        opened = _values(done, "gpu")
        yield _verdict(
            done,
            "isolation",
            subject,
            wrong=bool(opened),
            observed=f"a job without GRES opens {', '.join(opened) or 'no GPU'}",
            expected="it opens none, by confine.devices or ConstrainDevices",
            fix="See that gres.conf names the devices' files, and that slurmd's cgroups are delegated.",
        )
        with_gpu = trial.srun(partition, _LOOK, there, "--gres=gpu:1")
        if with_gpu.code:
            yield _not_run(f"{subject}, with a GPU", with_gpu, busy=is_busy(with_gpu, nodes))
            return
        opened = _values(with_gpu, "gpu")
        yield _verdict(
            with_gpu,
            "inside",
            f"{subject}, with a GPU",
            wrong=len(opened) != 1,
            observed=f"a job with one GPU opens {', '.join(opened) or 'none'}",
            expected="it opens one",
            fix="See that gres.conf names the devices' files, and slurmd's log.",
        )


def _what_it_has(trial: Trial, subject: str, done: Done) -> Iterator[Result]:
    ((cpus,),) = ([value.split(" of ") for value in _values(done, "cpus")] or [["? of ?"]],)
    (limit,) = _values(done, "memory") or ("",)
    memory = f"{int(limit) // _MIB} MiB" if limit.isdecimal() else "no limit" if limit else "an unknown limit"
    has = f"{cpus[0]} CPUs and {memory} of memory"
    if _confines(trial, "ConstrainCores"):
        yield _verdict(
            done,
            "inside",
            subject,
            wrong=cpus[0] != cpus[-1],
            observed=f"a job on {cpus[-1]} CPUs has {has}",
            expected=f"{cpus[-1]} CPUs, by confine.cores or ConstrainCores",
            fix="See slurmd's log for its cgroups.",
        )
    else:
        yield Result(
            step="inside", subject=subject, verdict=Verdict.PASS, observed=f"a job has {has}", jobs=jobs_in(done)
        )
    # Without cgroups that it can read, the step "limits" tells.
    if limit and _confines(trial, "ConstrainRAMSpace"):
        yield _verdict(
            done,
            "isolation",
            f"{subject}, memory",
            wrong=not limit.isdecimal() or int(limit) > 2 * _ASKED * _MIB,
            observed=f"a job that asked for {_ASKED} MiB has {memory}",
            expected=f"{_ASKED} MiB, by confine.memory or ConstrainRAMSpace",
            fix="See slurmd's log for its cgroups.",
        )
    read = _values(done, "readable")
    yield _verdict(
        done,
        "isolation",
        f"{subject}, secrets",
        wrong=bool(read),
        observed=f"a job reads {', '.join(read) or 'no key and no token'}",
        expected="it reads none",
        fix="Let only slurm and root read them: a key that a job reads makes it any user.",
    )


def limits_end_jobs(trial: Trial) -> Iterator[Result]:
    """Let a job take more memory than it has, which has to end it and nothing else."""
    subject = "memory"
    if not _confines(trial, "ConstrainRAMSpace"):
        yield Result(step="limits", subject=subject, verdict=Verdict.SKIP, observed="memory isn't confined")
        return
    partitions = [trial.partition_for(node_set) for node_set in trial.spec.node_sets if trial.free(trial.of(node_set))]
    partition = next(filter(None, partitions), None)
    if partition is None:
        yield Result(step="limits", subject=subject, verdict=Verdict.SKIP, observed="no node is free")
        return
    done = trial.srun(partition, _TOO_MUCH)
    if is_busy(done, trial.nodes):
        yield _not_run(subject, done, busy=True, step="limits")
        return
    yield _verdict(
        done,
        "limits",
        subject,
        wrong=done.code == 0,
        observed=f"a job of {_ASKED} MiB that takes {4 * _ASKED} {'ends well' if done.code == 0 else 'is ended'}",
        expected="it is ended, by confine.memory or ConstrainRAMSpace",
        fix="See slurmd's log for its cgroups; swap on the node takes what is beyond.",
    )


def _not_run(subject: str, done: Done, *, busy: bool, step: str = "inside") -> Result:
    if busy:
        return Result(step=step, subject=subject, verdict=Verdict.SKIP, observed="others took its nodes meanwhile")
    return Result(
        step=step,
        subject=subject,
        verdict=Verdict.FAIL,
        observed=last_words(done),
        expected="a job runs there and ends well",
        fix="See `scontrol show job` of it, and slurmd's log.",
        jobs=jobs_in(done),
    )


def _verdict(done: Done, step: str, subject: str, *, wrong: bool, observed: str, expected: str, fix: str) -> Result:
    return Result(
        step=step,
        subject=subject,
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        observed=observed,
        expected=expected if wrong else "",
        fix=fix if wrong else "",
        jobs=jobs_in(done),
    )


def _values(done: Done, word: str) -> list[str]:
    return [line.removeprefix(f"{word} ") for line in done.lines if line.startswith(f"{word} ")]


def _confines(trial: Trial, option: str) -> bool:
    """Return whether the specification confines jobs by an option of cgroup.conf."""
    lines = trial.spec.config_files.get("cgroup.conf")
    if lines is None:
        confine = trial.spec.confine
        words = {"ConstrainCores": confine.cores, "ConstrainRAMSpace": confine.memory}
        return words.get(option, confine.devices)
    return bool(re.search(rf"(?im)^\s*{option}\s*=\s*\"?(?:yes|true|up|1)\b", lines))
