"""What a look at real daemons says of drawn jobs, nodes, partitions and reservations, against Slurm's own commands."""

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm_cli.live import (
    LiveClusterError,
    LiveJob,
    LivePartition,
    Look,
    job_of,
    node_of,
    partition_of,
    reservation_of,
    take_look,
)
from pulumi_slurm_cli.live.rest import VERSIONS
from pulumi_slurm_cli.live.values import hosts, tres
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.looking import key, slurmrestd
from tests.slurmd.operator_files import CPU_AND_GPU, SLURMDBD_CONF, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rest import token
from tests.slurmd.site import Site
from tests.waiting import eventually

pytestmark = ON_THE_NEWEST

CPU = {f"cpu-{number}": "Features=cpu" for number in range(2)}
GPU = {"gpu-0": "Features=gpu Gres=gpu:a100:2"}
PARTITIONS = """\
PartitionName=limited Nodes=cpu MaxTime=2:00:00 DefaultTime=30 MaxNodes=2 MinNodes=1 MaxCPUsPerNode=2 \
DefMemPerCPU=100 MaxMemPerNode=2000 PriorityTier=3 PriorityJobFactor=7 AllowAccounts=physics AllowGroups=root,alice \
GraceTime=20 OverSubscribe=FORCE:3 OverTimeLimit=5 \
DenyQos=low Alternate=all State=DRAIN TRESBillingWeights=CPU=1.0,Mem=0.25G
PartitionName=whole Nodes=cpu,gpu OverSubscribe=EXCLUSIVE State=DOWN AllowQos=normal QOS=high MaxMemPerCPU=4000 \
AllocNodes=cpu-0
PartitionName=shared Nodes=ALL OverSubscribe=YES:2 DefMemPerNode=300 MaxCPUsPerSocket=2
"""
SHOWN = 25
OPTIONS = (
    ("--array=1-9%2",),
    ("--array=0-30:3",),
    ("--array=0-3,9", "--hold"),
    ("--array=1-200:7,3,5,11,13,17,19,23,31,37,41,43,47,53,59,61,67,71,73,79,83",),
    ("--partition=gpu", "--gres=gpu:1"),
    ("--partition=gpu", "--gpus=a100:2"),
    ("--partition=cpu,all",),
    ("--partition=all,gpu", "--gpus-per-task=1", "--ntasks=2"),
    ("--exclusive",),
    ("--exclusive=user", "--no-requeue"),
    ("--nodes=2", "--exclude=gpu-0", "--partition=all"),
    ("--nodelist=cpu-1", "--constraint=cpu"),
    ("--nodes=2", "--nodelist=cpu-[0-1]", "--ntasks-per-node=2"),
    ("--mem=1G", "--time=1-02:03:00", "--cpus-per-task=2"),
    ("--mem-per-cpu=200M", "--time=10", "--nice=100"),
    ("--reservation=kept",),
    ("--begin=now+1hour", "--job-name=a,b|c=d"),
    ("--dependency=singleton", "--comment=x"),
    ("--mincpus=2", "--time-min=1", "--time=5"),
    ("--oversubscribe", "--partition=shared"),
    ("--qos=high", "--account=chemistry"),
    ("--ntasks=1", ":", "--ntasks=1", "--partition=gpu", "--gres=gpu:1"),
)


@pytest.fixture(scope="module")
def cluster(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(image, tmp_path_factory.mktemp("live")) as site:
        cluster = Cluster(site)
        cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
        cluster.start_controller(files(accounting=True))
        for words in (
            ("add", "qos", "high,low"),
            ("add", "account", "physics,chemistry"),
            ("add", "user", JOB_USER, "account=physics,chemistry", "qos=normal,high", "defaultaccount=physics"),
        ):
            cluster.run("sacctmgr", "--immediate", *words)
        configured = with_device_files(files(CPU_AND_GPU + PARTITIONS, accounting=True), {"gpu-[0-9]": 2}, "a100")
        # Partitions may name a QoS that is in the database.
        cluster.start_controller(configured)
        cluster.start_rest(configured, accounting=True)
        cluster.start_workers({**CPU, **GPU}, gpus={"gpu-0": 2})
        reserved = ("nodes=cpu-1", "starttime=now+2hours", "duration=60", "accounts=physics", "flags=maint,ignore_jobs")
        cluster.run("scontrol", "create", "reservation", "reservationname=kept", *reserved)
        cluster.run("scontrol", "update", "nodename=cpu-1", "comment=odd one", "extra=x=1")
        yield cluster


def records(text: str) -> list[dict[str, str]]:
    """Return what scontrol --oneliner shows, by key."""
    return [dict(re.findall(r"(\S+?)=(.*?)(?= \S+?=|\s*$)", line)) for line in text.splitlines() if "=" in line]


def shown(cluster: Cluster, what: str) -> list[dict[str, str]]:
    return records(cluster.run("scontrol", "--oneliner", "--all", "show", what))


def still(cluster: Cluster, what: str) -> tuple[list[dict[str, str]], Look]:
    """Return what scontrol shows, and a look, at a time when nothing changes."""
    listed, look, _ = still_with(cluster, what)
    return listed, look


def still_with(
    cluster: Cluster, what: str, *commands: tuple[str, ...]
) -> tuple[list[dict[str, str]], Look, list[list[str]]]:
    """Return what scontrol shows, a look, and the lines of each command, at a time when nothing changes."""

    def all_of_one_time() -> tuple[list[dict[str, str]], Look, list[list[str]]] | None:
        before, look = shown(cluster, what), take_look(slurmrestd(cluster))
        lines = [cluster.run(*command).splitlines() for command in commands]
        return (before, look, lines) if shown(cluster, what) == before else None

    return eventually(f"{what} that don't change", all_of_one_time)


def of_slurm(text: str | None) -> str:
    return "" if text in (None, "(null)", "N/A", "None") else str(text)


def minutes(text: str) -> float | None:
    if text in ("UNLIMITED", "NONE", "Partition_Limit"):
        return math.inf if text == "UNLIMITED" else None
    days, _, clock = text.rpartition("-")
    hours, minutes, seconds = map(int, clock.split(":"))
    return (int(days or 0) * 24 + hours) * 60 + minutes + seconds / 60


def seconds(cluster: Cluster, text: str) -> int | None:
    return None if text in ("Unknown", "N/A") else int(cluster.run("date", "--date", text, "+%s"))


def as_shown(cluster: Cluster, record: Mapping[str, str]) -> dict[str, object]:
    """Return what scontrol says of a job, in the words of a look."""
    exclusive = {"NODE": "node", "USER": "user"}.get(record.get("Exclusive") or record["OverSubscribe"], "")
    if "Exclusive" not in record and record["OverSubscribe"] == "NO":
        exclusive = "node"
    (user, number) = re.fullmatch(r"(\w+)\((\d+)\)", record["UserId"]).groups()  # type: ignore[union-attr]
    task = record.get("ArrayTaskId", "")
    return {
        "number": int(record["JobId"]),
        "array": int(record["ArrayJobId"]) if "ArrayJobId" in record else None,
        "task": int(task) if task.isdigit() and record["JobState"] != "PENDING" else None,
        "heterogeneous_job": int(record["HetJobId"]) if "HetJobId" in record else None,
        "component": int(record["HetJobOffset"]) if "HetJobOffset" in record else None,
        "name": record["JobName"],
        "user": user,
        "user_number": int(number),
        "account": record["Account"],
        "qos": record["QOS"],
        "partitions": tuple(record["Partition"].split(",")),
        "state": record["JobState"],
        "reason": record["Reason"],
        "held": record["Priority"] == "0",
        "nodes": hosts(of_slurm(record.get("NodeList"))),
        "node_count": int(record["NumNodes"].partition("-")[0]),
        "cpus": int(record["NumCPUs"].partition("-")[0]),
        "tres": dict(tres(of_slurm(record["AllocTRES"]) or of_slurm(record["ReqTRES"]))),
        "time_limit": minutes(record["TimeLimit"]),
        "submitted": seconds(cluster, record["SubmitTime"]),
        "features": of_slurm(record["Features"]),
        "required_nodes": hosts(of_slurm(record.get("ReqNodeList"))),
        "excluded_nodes": hosts(of_slurm(record.get("ExcNodeList"))),
        "reservation": of_slurm(record.get("Reservation")),
        "dependency": of_slurm(record["Dependency"]),
        "requeue": record["Requeue"] == "1",
        "batch": record["BatchFlag"] == "1",
        "restarts": int(record["Restarts"]),
        "exclusive": exclusive,
    }


def in_look(job: LiveJob, names: Mapping[str, object]) -> dict[str, object]:
    # scontrol shows what explains the reason in its place.
    others = {"tres": dict(job.tres), "reason": job.explanation.replace(" ", "_") or job.reason}
    return {name: others[name] if name in others else getattr(job, name) for name in names}


def test_drawn_jobs_are_as_scontrol_and_squeue_show_them(cluster: Cluster) -> None:
    for options in random.sample(OPTIONS, len(OPTIONS)):
        cluster.run(
            "sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp", *options, "--wrap=sleep 3600", user=JOB_USER
        )
    try:
        squeue = ("squeue", "--all", "--noheader")
        listed, look, (rows, arrays) = still_with(
            cluster, "jobs", (*squeue, "--format=%i"), (*squeue, "--array", "--format=%F")
        )
        assert len(look.jobs) == len(listed)
        seen = {job.number: job for job in look.jobs}
        for record in listed:
            expected = as_shown(cluster, record)
            assert in_look(seen[int(record["JobId"])], expected) == expected
        # squeue shows the first characters of a long list of tasks.
        assert {job.shown[:SHOWN] for job in look.unfinished} == {row.strip()[:SHOWN] for row in rows}
        assert {job.gpus for job in look.jobs if "gpu" in job.partitions} == {1, 2}
        assert sum(job.waiting is None for job in look.unfinished) == 1
        # squeue doesn't count the last of tasks in steps, as in 0-30:3.
        uncounted = {job.array for job in look.unfinished if job.waiting is None or ":" in job.waiting_tasks}
        counted: Counter[int] = Counter()
        for job in look.unfinished:
            if job.array is None or job.array not in uncounted:
                counted[job.array or job.number] += job.waiting or 0
        assert counted == Counter(int(row) for row in arrays if int(row) not in uncounted)
    finally:
        cluster.run("scancel", "--user", JOB_USER)
        eventually("no jobs", lambda: not take_look(slurmrestd(cluster)).unfinished)


def test_nodes_are_as_scontrol_shows_them(cluster: Cluster) -> None:
    cluster.run("scontrol", "update", "nodename=cpu-1", "state=drain", "reason=bad disk")
    listed, look = still(cluster, "nodes")
    seen = {node.name: node for node in look.nodes}
    assert seen.keys() == {*CPU, *GPU} == {record["NodeName"] for record in listed}
    for record in listed:
        node = seen[record["NodeName"]]
        assert {*record["State"].split("+")} == {*node.states}
        assert (node.cpus, node.allocated_cpus) == (int(record["CPUEfctv"]), int(record["CPUAlloc"]))
        assert (node.memory, node.allocated_memory) == (int(record["RealMemory"]), int(record["AllocMem"]))
        assert ",".join(node.partitions) == record["Partitions"].strip()
        assert ",".join(node.features) == record["AvailableFeatures"]
        assert (node.gres, node.version) == (of_slurm(record["Gres"]), record["Version"])
        assert node.weight == int(record["Weight"])
    drained = seen["cpu-1"]
    assert (drained.reason, drained.reason_by, drained.is_drained) == ("bad disk", "root", True)
    assert (drained.comment, drained.extra) == ("odd one", "x=1")
    assert drained.reason_at
    assert abs(drained.reason_at - look.taken) < 3600
    cluster.run("scontrol", "update", "nodename=cpu-1", "state=resume")


def of_partition(record: Mapping[str, str]) -> dict[str, object]:
    """Return what scontrol says of a partition, in the words of a look."""

    def listed(key: str) -> tuple[str, ...]:
        return tuple(text.split(",")) if (text := record.get(key, "ALL")) not in ("ALL", "NONE", "N/A") else ()

    def limit(key: str) -> float | None:
        text = record.get(key, "UNLIMITED")
        return math.inf if text == "UNLIMITED" else None if text == "NONE" else int(text)

    exclusive = record.get("Exclusive", "NO")
    return {
        "state": record["State"],
        "max_time": minutes(record["MaxTime"]),
        "default_time": minutes(record["DefaultTime"]),
        "max_nodes": limit("MaxNodes"),
        "min_nodes": int(record["MinNodes"]),
        "max_cpus_per_node": limit("MaxCPUsPerNode"),
        "max_cpus_per_socket": limit("MaxCPUsPerSocket"),
        "default_memory_per_cpu": int(record["DefMemPerCPU"]) if "DefMemPerCPU" in record else None,
        "default_memory_per_node": _limited(record.get("DefMemPerNode")),
        "max_memory_per_cpu": int(record["MaxMemPerCPU"]) if "MaxMemPerCPU" in record else None,
        "max_memory_per_node": _limited(record.get("MaxMemPerNode")),
        "over_time_limit": limit("OverTimeLimit"),
        "grace_time": int(record["GraceTime"]),
        "allowed_accounts": listed("AllowAccounts"),
        "allowed_groups": listed("AllowGroups"),
        "allowed_qos": listed("AllowQos"),
        "denied_qos": listed("DenyQos"),
        "submitting_nodes": "" if record["AllocNodes"] == "ALL" else record["AllocNodes"],
        "qos": of_slurm(record["QoS"]),
        "alternate": of_slurm(record.get("Alternate")),
        "billing_weights": record.get("TRESBillingWeights", ""),
        "job_factor": int(record["PriorityJobFactor"]),
        "tier": int(record["PriorityTier"]),
        "oversubscribe": "EXCLUSIVE" if exclusive == "NODE" else record["OverSubscribe"],
        "total_cpus": int(record["TotalCPUs"]),
        "total_nodes": int(record["TotalNodes"]),
    }


def _limited(text: str | None) -> int | None:
    return None if text in (None, "UNLIMITED") else int(text)


def test_partitions_are_as_scontrol_shows_them(cluster: Cluster) -> None:
    listed, look = still(cluster, "partitions")
    seen = {partition.name: partition for partition in look.partitions}
    assert seen.keys() == {record["PartitionName"] for record in listed}
    for record in listed:
        partition, expected = seen[record["PartitionName"]], of_partition(record)
        assert {name: getattr(partition, name) for name in expected} == expected
        assert {*partition.nodes} == {*hosts(record["Nodes"])}
        if partition.flags is not None:
            assert ("DEFAULT" in partition.flags) == (record["Default"] == "YES")


def test_reservations_are_as_scontrol_shows_them(cluster: Cluster) -> None:
    _, look = still(cluster, "reservations")
    (kept,) = look.reservations
    assert (kept.name, kept.nodes, kept.accounts, kept.users) == ("kept", ("cpu-1",), ("physics",), ())
    assert {"MAINT", "IGNORE_JOBS"} <= {*kept.flags}
    assert kept.start
    assert kept.end == kept.start + 3600


def test_every_version_of_the_api_says_the_same(cluster: Cluster) -> None:
    job = cluster.run("sbatch", "--parsable", "--exclusive", "--wrap=sleep 3600", "--chdir=/tmp", user=JOB_USER)
    _, look = still(cluster, "jobs")
    assert cluster.rest
    text, found = token(key()), []
    for version in VERSIONS:
        answers = {what: cluster.rest.request("GET", what, text, api=version) for what in ("jobs/", "nodes/")}
        if answers["jobs/"][0] == 404:
            continue
        found.append(version)
        (its,) = (item for item in map(job_of, answers["jobs/"][1]["jobs"]) if item.number == int(job))
        # That is why jobs are never asked of it.
        assert its.exclusive == ("" if version == "v0.0.45" else "node")
        assert {node_of(item).name for item in answers["nodes/"][1]["nodes"]} == {node.name for node in look.nodes}
        for what, read in (("partitions", partition_of), ("reservations", reservation_of)):
            status, answer = cluster.rest.request("GET", f"{what}/", text, api=version)
            read_all = [*map(read, answer[what])]
            assert (status, len(read_all)) == (200, len(getattr(look, what)))
            for item, other in zip(read_all, getattr(look, what), strict=True):
                if isinstance(item, LivePartition):
                    assert (item.name, item.oversubscribe, item.max_time) == (
                        other.name,
                        other.oversubscribe,
                        other.max_time,
                    )
    release = look.release.rpartition(".")[0]
    assert found == [*{"24.11": VERSIONS[3:], "26.05": VERSIONS[:4]}[release]]
    cluster.run("scancel", job.strip())


def test_a_look_with_a_token_of_another_key_is_an_error(cluster: Cluster) -> None:
    with pytest.raises(LiveClusterError, match="The token is of no use: it has expired, or is of another key"):
        take_look(slurmrestd(cluster, token(b"another")))


def test_gpus_are_known_where_no_count_is_kept(site: Site) -> None:
    cluster = Cluster(site)
    configured = with_device_files(files(), {"gpu-[0-9]": 2}, "a100")
    cluster.start_controller(configured)
    cluster.start_rest(configured)
    cluster.start_workers(GPU, gpus={"gpu-0": 2})
    wanted = {}
    for options, gpus in (("--gres=gpu:2", 2), ("--gpus=1", 1), ("--gpus-per-task=1 --ntasks=2", 2), ("", 0)):
        submit = ("sbatch", "--parsable", "--partition=gpu", "--chdir=/tmp", *options.split(), "--wrap=sleep 3600")
        wanted[int(cluster.run(*submit, user=JOB_USER))] = gpus
    look = take_look(slurmrestd(cluster))
    assert not any("gres/gpu" in job.tres for job in look.jobs)
    assert {job.number: job.gpus for job in look.jobs} == wanted
