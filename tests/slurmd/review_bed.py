"""Random changes of a cluster with jobs: what a review says of each job before, and what becomes of it.

The daemons are real. What slurm-operator does to workers is done here by hand, in its order: drain, wait, delete.
"""

from __future__ import annotations

import copy
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.live import LiveJob, Look, take_look
from pulumi_slurm_cli.review.admission import Admission
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.jobs import JobInTheWay, Outcome, jobs_in_the_way
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.host import CommandError
from tests.slurmd.looking import slurmrestd
from tests.slurmd.rendered import rendered_files
from tests.slurmd.sacctmgr import SacctmgrPod, drain_job
from tests.waiting import eventually, eventually_nothing

CPU: dict[str, Any] = {"cpus": 4, "memory": "4Gi"}
BIG: dict[str, Any] = {"cpus": 8, "memory": "16Gi", "gpus": {"count": 2, "type": "a100"}}
WORKERS = {"cpu": 2, "big": 1}
BASE: dict[str, Any] = {
    "name": "c",
    "nodeSets": [
        {"name": "cpu", "machine": CPU, "replicas": 2, "features": ["slow"]},
        {"name": "big", "machine": BIG, "replicas": 1, "features": ["fast"]},
        # Without it slurmctld would know no GPUs once the other one goes, of which the node stays here.
        {"name": "spare", "machine": BIG, "replicas": 0},
    ],
    "partitions": [],
    "accounting": {
        "qos": [{"name": "high"}],
        "accounts": [
            {"name": "a", "users": [JOB_USER], "qos": ["normal", "high"]},
            {"name": "b", "users": [JOB_USER], "qos": ["normal"]},
        ],
    },
    # The nodes are smaller machines than they say.
    "slurmConf": {
        "defMemPerCpu": 100,
        "accountingStorageEnforce": ["limits"],
        # Seconds between two looks at the queue.
        "schedulerParameters": ["sched_interval=2"],
        "extra": {"SlurmdParameters": "config_overrides"},
    },
}
CONSTRAINTS = ("slow", "fast", "slow|fast", "fast|slow&cpu", "fast&big|cpu", "(slow|fast)&big", "cpu&(fast|slow)")
WISHES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("--nodes=2",), ("--nodes=3",)),
    (("--cpus-per-task=3",), ("--cpus-per-task=6",), ("--mincpus=2",), ("--exclusive",)),
    (("--mem=2G",), ("--mem=8G",)),
    tuple((f"--constraint={text}",) for text in CONSTRAINTS),
    (
        *(("--gres=gpu:1",), ("--gpus=2",), ("--gpus=a100:1",), ("--gpus=3",)),
        *(("--gpus-per-task=1", "--ntasks=2"), ("--gpus-per-task=a100:2",)),
    ),
    tuple((f"--nodelist={nodes}",) for nodes in ("big-0", "cpu-0", "cpu-0,cpu-1", "cpu-1,big-0")),
    (("--qos=high",),),
    (("--no-requeue",),),
)
"""What jobs may ask for, one of each line."""
UNDECIDED = frozenset({"None", "", "Priority", "JobHeldAdmin", "JobHeldUser"})
"""Reasons of a job at which slurmctld hasn't looked since it was released; with any other it waits for more."""


PARTITIONS_GO_ALONE = Series(25, 11)
"""Before it, slurmctld ends every job that names a partition which goes, also where another of its partitions stays, or
it runs in that: `_sync_jobs_to_conf` in src/slurmctld/read_config.c, branches slurm-25.05 and slurm-25.11. No supported
release of slurm-operator runs those, so nothing is said of such jobs."""

QOS_WITH_JOBS_STAYS = Series(25, 5)
"""Before it, slurmdbd removes a QoS with its jobs: remove_common in
src/plugins/accounting_storage/mysql/accounting_storage_mysql.c, branches slurm-24.11 and slurm-25.05. So nothing is
said of such jobs either."""


@dataclass
class Score:
    """What was said, and what came."""

    right: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    """What happened without having been said."""
    wrong: list[str] = field(default_factory=list)
    """What was said and did not happen."""

    def add(self, said: bool, came: bool, kind: str, about: str) -> None:
        """Count one job."""
        if said and came:
            self.right[kind] += 1
        elif came:
            self.missed.append(f"{kind}: {about}")
        elif said:
            self.wrong.append(f"{kind}: {about}")
        else:
            self.right[f"not {kind}"] += 1


class ReviewBed:
    """One cluster for many changes, one after another."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.series = Series.of(cluster.site.image.version)
        self.pod = SacctmgrPod(cluster.site)
        self.score = Score()
        spec, _ = load(self._with_partitions(BASE, [{"name": "all", "nodeSets": ["ALL"], "default": True}]))
        self._accounting: dict[str, Any] = BASE["accounting"]
        """What is in the database."""
        self.pod.run_job(spec, "qos", qos_script(spec))
        cluster.start_controller(self._files(spec))
        self.pod.run_job(spec, "accounts", accounts_script(spec))
        cluster.start_rest(self._files(spec))
        cluster.start_workers(
            {f"{name}-{number}": self._conf(name) for name, count in WORKERS.items() for number in range(count)},
            gpus={"big-0": BIG["gpus"]["count"]},
        )

    def _files(self, spec: SlurmSpec) -> dict[str, str | bytes]:
        return with_device_files(
            rendered_files(spec, self.series), {"big-0": BIG["gpus"]["count"]}, BIG["gpus"]["type"]
        )

    @staticmethod
    def _conf(name: str) -> str:
        spec, _ = load(ReviewBed._with_partitions(BASE, []))
        node_set = next(item for item in spec.node_sets if item.name == name)
        assert node_set.machine
        size = f"CPUs={node_set.machine.cpus} RealMemory={node_set.machine.memory_mib}"
        # The operator states the node set's name by itself.
        conf = slurmd_conf(node_set, node_set.machine).replace("Features=", f"Features={name},")
        return f"{conf} {size}"

    @staticmethod
    def _with_partitions(config: dict[str, Any], partitions: list[dict[str, Any]]) -> dict[str, Any]:
        return {**copy.deepcopy(config), "partitions": copy.deepcopy(partitions)}

    def run(self, seed: int) -> None:
        """Draw a cluster, jobs and a change; look, apply, and compare."""
        rng = random.Random(seed)
        before = drawn_cluster(rng)
        after = drawn_change(rng, before)
        self.apply(before)
        submitted = {self.submit(arguments): arguments for arguments in drawn_jobs(rng, before)}
        self._settle()
        look = take_look(slurmrestd(self.cluster))
        lost = set() if self.series >= PARTITIONS_GO_ALONE else gone(before, after)
        jobs = [
            job
            for job in look.unfinished
            if str(job.number) in submitted
            and not loses_one(submitted[str(job.number)], lost)
            and not (self.series < QOS_WITH_JOBS_STAYS and job.qos == "high" and not after["accounting"]["qos"])
        ]
        change = ClusterChange("c", ClusterSide(*load(before)), ClusterSide(*load(after)))
        said = {item.job.number: item for item in jobs_in_the_way(change, jobs, look.nodes)}
        about = f"seed {seed}: {difference(before, after)}"
        try:
            self._change_and_compare(before, after, jobs, said, look, about)
        finally:
            self.clean_up()

    def _change_and_compare(
        self,
        before: dict[str, Any],
        after: dict[str, Any],
        jobs: list[LiveJob],
        said: dict[int, JobInTheWay],
        look: Look,
        about: str,
    ) -> None:
        # Each of the two Jobs fails for some; with those gone, the change comes to its end.
        refused = self._drain(before, after)
        self._all_go_on(jobs, about)
        # On a slow machine some that waited have started since the look, of which nobody could say anything.
        waiting = self._waiting()
        jobs = [job for job in jobs if job.is_running or job.number in waiting]
        started: set[str] = set()
        in_the_way = refused
        while in_the_way:
            self._cancel(in_the_way)
            # In their places jobs may have started that waited when the review was made.
            in_the_way = self._drain(before, after)
            started |= in_the_way
        jobs = [job for job in jobs if str(job.number) not in started]
        self._reconfigure(after)
        changed = time.time()
        others = [job for job in jobs if str(job.number) not in refused]
        self._all_go_on(others, about)
        while in_the_way := self._change_accounts(after):
            refused |= in_the_way
            self._cancel(in_the_way)
        for job in jobs:
            says = said.get(job.number)
            holds_up = bool(says and says.outcome is Outcome.HOLDS_UP)
            self.score.add(holds_up, str(job.number) in refused, "holds the update up", f"{about}: {shown(job)}")
        others = [job for job in jobs if str(job.number) not in refused]
        self._all_go_on(others, about)
        others = [job for job in others if job.is_waiting]
        if before["accounting"] != after["accounting"]:
            # What starts before the last of the two Jobs is not held back by what that changes.
            waiting = self._waiting()
            others = [job for job in others if job.number in waiting]
        self._compare_waiting(others, Admission(ClusterSide(*load(after)), look.nodes), changed, about)

    def _cancel(self, numbers: set[str]) -> None:
        if numbers:
            self._run("scancel", *sorted(numbers))
        eventually("an end of jobs", lambda: not {str(number) for number in self.states()} & numbers)

    def _all_go_on(self, jobs: list[LiveJob], about: str) -> None:
        """Count the running jobs that have ended, though nobody said so: a reconfigure ends none."""
        states = self.states()
        for job in jobs:
            if job.is_running:
                ended = states.get(job.number, ("", ""))[0] not in ("RUNNING", "SUSPENDED")
                self.score.add(False, ended, "ends", f"{about}: {shown(job)}")

    def _compare_waiting(self, jobs: list[LiveJob], admission: Admission, changed: float, about: str) -> None:
        """Let each waiting job have the whole cluster, and see whether it starts; ``changed`` is when that began."""
        waiting = self._waiting()
        starts = self._starts_of_jobs()
        # One that is no longer there has started too.
        for job in [job for job in jobs if job.number not in waiting]:
            jobs.remove(job)
            # Slurm knows whole seconds alone. Before the change it may have started as it could before.
            if starts.get(job.number, 0.0) > changed:
                why = admission.why_it_never_starts(job)
                self.score.add(bool(why), False, "never starts", f"{about}: {shown(job)}: {why}; it started")
        # Slurm 26.05 refuses it beyond a partition's limits.
        held = [job for job in jobs if self._may_run("scontrol", "hold", str(job.number))]
        waiting = self._waiting()
        # One that has just started takes it without an error, and runs on.
        held = [job for job in held if job.number in waiting]
        self.score.right["can't be held, so nobody asked"] += len(jobs) - len(held)
        # Those that run, and those that would start in their places.
        self._cancel({str(number) for number in self.states().keys() - {job.number for job in held}})
        self._idle()
        for job in held:
            why = admission.why_it_never_starts(job)
            started, reason = self._starts(job.number)
            self.score.add(
                bool(why), not started, "never starts", f"{about}: {shown(job)}: {why or 'starts'}; {reason}"
            )
            self._run("scancel", str(job.number))
            self._idle()

    def _starts(self, number: int) -> tuple[bool, str]:
        """Return whether a job starts, and why it doesn't, once slurmctld has looked at it since it was released."""
        before = self._looked_at(number)
        self._run("scontrol", "release", str(number))

        def look() -> tuple[bool, str] | None:
            looked = self._looked_at(number) != before
            state, reason = self.states().get(number, ("GONE", ""))
            if state in ("RUNNING", "COMPLETING", "COMPLETED"):
                return True, state
            # 24.11 gives no reason where an account may not use the partition.
            return None if reason in UNDECIDED and not looked else (False, f"{state} {reason}")

        return eventually(f"an answer about job {number}", look)

    def _has_reason(self, number: int, reason: str) -> bool:
        # 24.11 gives none where an account may not use the partition.
        return reason not in ("None", "") or self._looked_at(number) not in ("", "Unknown")

    def _looked_at(self, number: int) -> str:
        found = re.search(r"LastSchedEval=(\S+)", self._run("scontrol", "show", "job", str(number)))
        return found[1] if found else ""

    def _drain(self, before: dict[str, Any], after: dict[str, Any]) -> set[str]:
        """Run the Job before the change, and return the numbers of the jobs for which it fails."""
        self.pod.keep_for_the_next(drain_job(before))
        done = self.pod.run_drain_job(drain_job(after), seconds=1)
        numbers = set(re.findall(r": job (\d+)", done.stdout))
        assert bool(done.returncode) == bool(numbers), done.stdout
        return numbers if done.returncode else set()

    def apply(self, config: dict[str, Any]) -> None:
        """Come to a configuration, as no job is in its way."""
        self._reconfigure(config)
        assert not self._change_accounts(config)

    def _reconfigure(self, config: dict[str, Any]) -> None:
        spec, _ = load(config)
        if config["accounting"] != self._accounting:
            self.pod.run_job(spec, "qos", qos_script(spec))
        self.cluster.reconfigure(self._files(spec))

    def _change_accounts(self, config: dict[str, Any]) -> set[str]:
        """Run the Job of QoS and accounts, and return the numbers of the jobs for which it fails."""
        if config["accounting"] == self._accounting:
            return set()
        spec, _ = load(config)
        try:
            self.pod.run_job(spec, "accounts", accounts_script(spec))
        except CommandError as error:
            if numbers := {*re.findall(r"JobID = (\d+)", str(error))}:
                return numbers
            raise
        self._accounting = config["accounting"]
        return set()

    def submit(self, arguments: tuple[str, ...]) -> str | None:
        """Return the number of a job of an hour, and None where slurmctld refuses it."""
        command = ["sbatch", "--parsable", "--output=/dev/null", *arguments, "--wrap=sleep 3600"]
        done = self.cluster.controller.host.attempt(command, user=JOB_USER)
        return done.stdout.strip() if done.returncode == 0 else None

    def _settle(self) -> None:
        """Wait until slurmctld has looked at every waiting job, and no job is about to start."""

        def settled() -> bool:
            return all(
                state == "RUNNING" or (state == "PENDING" and self._has_reason(number, reason))
                for number, (state, reason) in self.states().items()
            )

        eventually("slurmctld having looked at all jobs", settled)

    def states(self) -> dict[int, tuple[str, str]]:
        """Return the state of each job, and why it waits, by its number."""
        rows = self._run("squeue", "--all", "--noheader", "--format=%i|%T|%r").splitlines()
        return {int(number): (state, reason) for number, state, reason in (row.split("|") for row in rows)}

    def _waiting(self) -> set[int]:
        return {number for number, (state, _) in self.states().items() if state == "PENDING"}

    def _starts_of_jobs(self) -> dict[int, float]:
        """Return when each running job has started, as seconds since 1970."""
        command = ("env", "SLURM_TIME_FORMAT=%s", "squeue", "--all", "--noheader", "--states=RUNNING", "--format=%i|%S")
        rows = (row.split("|") for row in self._run(*command).splitlines())
        return {int(number): float(start) for number, start in rows}

    def _idle(self) -> None:
        def busy() -> list[str]:
            nodes = self._run("sinfo", "--noheader", "--Node", "--format=%N %T").splitlines()
            ending = self._run("squeue", "--all", "--noheader", "--states=COMPLETING", "--format=%i %T").splitlines()
            return ending + [node for node in nodes if node.split()[1].rstrip("*") not in ("idle", "drained")]

        eventually_nothing("jobs on nodes", busy)

    def clean_up(self) -> None:
        """End all jobs, and make all nodes as they were."""
        self._run("scancel", f"--user={JOB_USER}")
        eventually("no jobs", lambda: not self._run("squeue", "--all", "--noheader"))
        drained = self._run("sinfo", "--noheader", "--states=drain,draining,drained", "--format=%N").strip()
        if drained:
            self._run("scontrol", "update", f"NodeName={drained}", "State=UNDRAIN")
        self._idle()

    def _run(self, *command: str) -> str:
        return self.cluster.run(*command)

    def _may_run(self, *command: str) -> bool:
        return self.cluster.controller.host.attempt(command).returncode == 0


def drawn_cluster(rng: random.Random) -> dict[str, Any]:
    """Draw partitions with limits that the rules take, the first of them the default."""
    while True:
        config = _drawn_cluster(rng)
        try:
            load(config)
        except SpecError:
            continue
        return config


def _drawn_cluster(rng: random.Random) -> dict[str, Any]:
    names = ["p", "q", "r"][: rng.randint(1, 3)]
    partitions = [
        {"name": name, "nodeSets": rng.choice([["ALL"], ["cpu"], ["big"], ["cpu", "big"]]), **options}
        for name in names
        for options in [dict(drawn_options(rng, rng.randint(0, 2)))]
    ]
    partitions[0]["default"] = True
    return {**copy.deepcopy(BASE), "partitions": partitions}


def drawn_options(rng: random.Random, count: int) -> Iterator[tuple[str, Any]]:
    """Draw options of a partition."""
    choices: list[tuple[str, list[Any]]] = [
        ("maxTime", [5, 30, "1:00:00", "1-0", "UNLIMITED"]),
        ("maxNodes", [1, 2]),
        ("minNodes", [0, 2]),
        ("state", ["UP", "DOWN", "DRAIN", "INACTIVE"]),
        ("allowAccounts", [["a"], ["b"], ["a", "b"]]),
        ("denyAccounts", [["a"], ["b"]]),
        ("allowQos", [["normal"], ["high"], ["normal", "high"]]),
        ("denyQos", [["high"], ["normal"]]),
        ("priorityTier", [1, 10]),
        ("qos", ["high"]),
    ]
    for key, values in rng.sample(choices, count):
        yield key, rng.choice(values)


def drawn_change(rng: random.Random, before: dict[str, Any]) -> dict[str, Any]:
    """Draw what comes after: one or two things are others, and the rules take it."""
    while True:
        after = copy.deepcopy(before)
        for _ in range(rng.randint(1, 2)):
            _change(rng, after)
        try:
            load(after)
        except SpecError:
            continue
        if after != before:
            return after


def _change(rng: random.Random, config: dict[str, Any]) -> None:
    if rng.random() < 0.3:
        _change_accounting(rng, config["accounting"])
        return
    kind = rng.choice(["option", "option", "option", "partition goes", "node set goes", "nodes", "partition comes"])
    partition = rng.choice(config["partitions"])
    if kind == "option":
        partition.update(drawn_options(rng, 1))
    elif kind == "partition goes" and len(config["partitions"]) > 1:
        config["partitions"].remove(partition)
    elif kind == "node set goes":
        gone = rng.choice([item for item in config["nodeSets"] if item["name"] in WORKERS])
        config["nodeSets"] = [item for item in config["nodeSets"] if item is not gone]
        for item in config["partitions"]:
            item["nodeSets"] = [name for name in item["nodeSets"] if name != gone["name"]] or ["ALL"]
    elif kind == "nodes":
        partition["nodeSets"] = rng.choice([["ALL"], ["cpu"], ["big"]])
    elif kind == "partition comes":
        config["partitions"].append({"name": "new", "nodeSets": ["ALL"]})


def _change_accounting(rng: random.Random, accounting: dict[str, Any]) -> None:
    if not accounting["accounts"]:
        return
    account = rng.choice(accounting["accounts"])
    limited = rng.choice([account, *accounting["qos"]])
    match rng.choice(["limit", "limit", "limit", "QoS goes", "QoS of an account", "account goes", "user goes"]):
        case "limit":
            limits: list[tuple[str, Any]] = [
                *(("maxWall", most) for most in ("5", "30", "1:00:00")),
                *(("grpTres", most) for most in ({"cpu": 2}, {"node": 1}, {"cpu": 4, "mem": 1000})),
                *(("grpJobs", most) for most in (0, 5)),
                *(("options", {"MaxTRESPerJob": most}) for most in ("cpu=2", "node=1")),
                ("options", {"MaxNodesPerJob": "2"}),
            ]
            if limited is account and account["name"] == "b" and len(accounting["accounts"]) > 1:
                limits.append(("parent", "a"))
            elif limited is not account:
                limits += [("maxTresPerUser", {"cpu": 2}), ("flags", ["OverPartQOS"])]
            limit, most = rng.choice(limits)
            limited[limit] = most
        case "QoS goes":
            accounting["qos"] = []
            for item in accounting["accounts"]:
                item["qos"] = ["normal"]
        case "QoS of an account":
            account["qos"] = rng.choice([["normal"], ["normal", "high"]])
        case "account goes":
            accounting["accounts"].remove(account)
        case "user goes":
            account["users"] = []


def drawn_jobs(rng: random.Random, config: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Draw jobs, some of which find no room."""
    names = [partition["name"] for partition in config["partitions"]]
    for _ in range(rng.randint(4, 7)):
        wanted = [word for wishes in rng.sample(WISHES, rng.randint(0, 3)) for word in rng.choice(wishes)]
        by_name = any(word.startswith("--nodelist") for word in wanted)
        # Without nodes by name in its first partition slurmctld says so of the job, and may start it in another later.
        chosen = rng.sample(names, 1 if by_name else rng.randint(1, min(2, len(names))))
        yield (
            f"--partition={','.join(chosen)}",
            f"--account={rng.choice(['a', 'a', 'b'])}",
            f"--time={rng.choice([10, 45, 600])}",
            *wanted,
        )


def gone(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """Return the names of the partitions that go."""
    old, new = ({partition["name"] for partition in side["partitions"]} for side in (before, after))
    return old - new


def loses_one(arguments: tuple[str, ...], lost: set[str]) -> bool:
    """Return whether a job names one of several partitions that goes."""
    named = arguments[0].removeprefix("--partition=").split(",")
    return len(named) > 1 and not lost.isdisjoint(named)


def difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return what two configurations have that the other hasn't."""
    old, new = ([str(item) for key in ("nodeSets", "partitions") for item in side[key]] for side in (before, after))
    return f"-{[item for item in old if item not in new]} +{[item for item in new if item not in old]}"


def shown(job: LiveJob) -> str:
    """Return a job as a failed test tells of it."""
    return (
        f"job {job.number} {job.state} {job.reason} in {','.join(job.partitions)} of {job.account} {job.qos}, "
        f"{job.time_limit} min, {job.node_count} nodes, {job.cpus_per_node} CPUs, {job.memory_per_node} MiB, "
        f"{job.features or 'any'}, {job.gres_per_node} {job.gres_per_job} {job.gres_per_task} on {job.required_nodes}"
    )
