"""What scontrol and sacctmgr change behind a stack is found and named; the way back, or the file's change, ends it."""

import random
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.drift import Finding, Kind, of_slurm
from pulumi_slurm_cli.drift.adopt import changed
from pulumi_slurm_cli.live import Look, take_database_look, take_look
from pulumi_slurm_stacks.config import judge
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files
from tests.slurmd.looking import slurmrestd
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import rendered_files
from tests.slurmd.sacctmgr import SacctmgrPod
from tests.slurmd.site import Site
from tests.waiting import eventually

pytestmark = ON_THE_NEWEST

STACK = """\
config:
  # How the stack is made.
  slurm:kind: kubernetes
  slurm:rootKey: { secure: AAABAI }
  slurm:pools:
    - { name: cpu, machine: { cpus: 2, memory: 4Gi }, nodeLabels: { a: b } }  # all there is
  slurm:cluster:
    name: c
    nodeSets:
      - { name: cpu, pool: cpu, replicas: 2, weight: 5, features: [fast] }
      - name: big  # one of its kind
        pool: cpu
        replicas: 1
    accounting:
      qos:
        - { name: high, priority: 10, maxTresPerUser: { cpu: 4 } }  # in a hurry
        - { name: low, grpJobs: 9 }
      accounts:
        # The whole institute.
        - { name: institute, qos: [normal, high, low], maxWall: 2-00:00:00 }
        - { name: physics, parent: institute, users: [alice], grpTres: { cpu: 20 } }
        - name: biology
          parent: institute
          fairshare: 5  # they paid
          users: [bob]
    partitions:
      # The one for everybody.
      - { name: all, nodeSets: [ALL], default: true, maxTime: 1-00:00:00 }
      - name: cpu
        nodeSets: [cpu]
        maxTime: "12:00:00"  # half a day
        defaultTime: 30
        maxNodes: 2
        overSubscribe: FORCE
        overSubscribeJobs: 3
        priorityTier: 4
        defMemPerCpu: 100M
        extra: { Alternate: all }
      - name: closed
        nodeSets: [cpu, big]
        state: DRAIN
        allowGroups: [root]
        allowAccounts: [Institute]  # which Slurm has in lower case
        graceTime: 60
        maxCpusPerSocket: 8
"""
CONFS = {
    "cpu-0": "Features=cpu,fast Weight=5",
    "cpu-1": "Features=cpu,fast Weight=5",
    "big-0": "Features=big",
}
PARTITIONS = ("all", "cpu", "closed")
VALUES = {
    "State": ["UP", "DOWN", "DRAIN", "INACTIVE"],
    "MaxTime": ["UNLIMITED", "2:00:00", "3-00:00:00", "45"],
    "DefaultTime": ["10", "1:00:00"],
    "MaxNodes": ["UNLIMITED", "1", "3"],
    "MinNodes": ["0", "1", "2"],
    "MaxCPUsPerNode": ["UNLIMITED", "1", "2"],
    "MaxCPUsPerSocket": ["UNLIMITED", "1", "2"],
    "PriorityTier": ["1", "7", "65000"],
    "PriorityJobFactor": ["1", "9"],
    "GraceTime": ["0", "15"],
    "OverSubscribe": ["NO", "YES:2", "FORCE:5", "EXCLUSIVE"],
    "AllowGroups": ["ALL", "root", "root,alice"],
    "DefMemPerCPU": ["0", "250"],
    "MaxMemPerNode": ["0", "3000"],
}
KEPT = 40
FURTHER = pytest.mark.repeats("tests/slurmd/test_drift.py, with its first edits")


@dataclass(frozen=True)
class Edit:
    """A change by scontrol or sacctmgr, and what is to be found of it."""

    command: tuple[str, ...]
    """Words of scontrol, or of sacctmgr if that is the first."""
    subject: str
    key: str
    kind: Kind = Kind.DANGEROUS


class World:
    """A cluster of a stack's file."""

    def __init__(self, cluster: Cluster, image: SlurmImage) -> None:
        self.cluster = cluster
        self.image = image

    def files(self) -> Files:
        return rendered_files(stated(STACK)[0], Series.of(self.image.version))

    def look(self) -> Look:
        return take_look(slurmrestd(self.cluster))

    def found(self, text: str = STACK) -> list[Finding]:
        return self.in_look(self.look(), text)

    def in_look(self, look: Look, text: str = STACK) -> list[Finding]:
        spec, pools = stated(text)
        database = take_database_look(slurmrestd(self.cluster))
        return [item for item in of_slurm(spec, pools, look, database) if item.kind is not Kind.VULNERABLE]

    def scontrol(self, *words: str) -> None:
        self.run("scontrol", *words)

    def run(self, *words: str) -> None:
        self.cluster.run(*(words if words[0] in ("scontrol", "sacctmgr") else ("scontrol", *words)))

    def wait_for_nodes(self) -> None:
        for name in CONFS:
            self.cluster.wait_idle(name)

    def restart(self) -> None:
        self.cluster.start_controller(self.files(), keep_state=True)
        self.wait_for_nodes()


def stated(text: str) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    judgement = judge(StackFile.of(text))
    assert not judgement.errors
    assert isinstance(judgement.config, KubernetesConfig)
    return judgement.config.cluster, judgement.config.pools


@pytest.fixture(scope="module")
def world(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with Site(image, tmp_path_factory.mktemp("drift")) as site:
        cluster = Cluster(site)
        world = World(cluster, image)
        files, spec = world.files(), stated(STACK)[0]
        cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
        jobs = SacctmgrPod(site)
        jobs.run_job(spec, "qos", qos_script(spec))
        cluster.start_controller(files)
        jobs.run_job(spec, "accounts", accounts_script(spec))
        cluster.start_rest(files, accounting=True)
        cluster.start_workers(CONFS)
        yield world


def test_nothing_is_found_on_an_untouched_cluster(world: World) -> None:
    assert world.found() == []
    world.cluster.reconfigure(world.files())
    world.wait_for_nodes()
    assert world.found() == []
    world.restart()
    assert world.found() == []


def test_a_user_who_is_only_in_the_applied_file_was_not_made_by_hand(world: World) -> None:
    (finding,) = world.found(STACK.replace("users: [bob]", "users: []"))
    assert (finding.kind, "the stack has added it" in finding.problem) == (Kind.OURS, True)


def draw(numbers: random.Random) -> Edit:
    kind = numbers.choice(
        ("option",) * 8 + ("drain", "weight", "features", "reservation", "partition", "gone") + ("database",) * 6
    )
    node, partition = numbers.choice([*CONFS]), numbers.choice(PARTITIONS)
    if kind == "option":
        key = numbers.choice([*VALUES])
        value = numbers.choice(VALUES[key])
        return Edit(("update", f"PartitionName={partition}", f"{key}={value}"), f"partition {partition}", key)
    if kind == "database":
        return draw_of_database(numbers)
    reservation = ("ReservationName=mine", "StartTime=now+1hour", "Duration=60", f"Nodes={node}", "Users=root")
    odd = ("AvailableFeatures=cpu,big,odd", "ActiveFeatures=cpu,big,odd")
    drain = ("update", f"NodeName={node}", "State=DRAIN", "Reason=bad disk")
    return {
        "drain": Edit(drain, f"node {node}", "drained by root", Kind.ON_PURPOSE),
        "weight": Edit(
            ("update", f"NodeName={node}", f"Weight={numbers.randint(10, 99)}"), f"node {node}", "its weight"
        ),
        "features": Edit(("update", f"NodeName={node}", *odd), f"node {node}", "its features"),
        "reservation": Edit(
            ("create", "reservation", *reservation), "reservation mine", "1 node for root", Kind.ON_PURPOSE
        ),
        "partition": Edit(
            ("create", "PartitionName=mine", "Nodes=cpu-0"), "partition mine", "in slurmctld's memory alone"
        ),
        "gone": Edit(("delete", f"PartitionName={partition}"), f"partition {partition}", "no such partition"),
    }[kind]


def draw_of_database(numbers: random.Random) -> Edit:
    def sacctmgr(words: str) -> tuple[str, ...]:
        return ("sacctmgr", "--immediate", *words.split())

    account, number = numbers.choice(["physics", "biology"]), numbers.randint(21, 99)
    where = f"modify account where name={account} cluster=c set"
    qos, what = numbers.choice(["high", "low"]), "made by hand"
    edits = [
        *(
            Edit(sacctmgr(f"{where} {key}={value}"), f"account {account}", key)
            for key, value in (
                ("GrpTRES", f"cpu={number}"),
                ("GrpTRES", f"node={number}"),
                ("GrpJobs", number),
                ("MaxWall", f"{number}:00:00"),
                ("Fairshare", number),
            )
        ),
        *(
            Edit(sacctmgr(f"modify qos where name={qos} set {key}={value}"), f"QoS {qos}", key)
            for key, value in (
                ("Priority", number),
                ("GrpJobs", number),
                ("MaxJobsPerUser", number),
                ("MaxTRESPerUser", f"cpu={number}"),
                ("MaxWall", number),
            )
        ),
        Edit(sacctmgr("add account odd cluster=c parent=institute"), "account odd", what),
        Edit(sacctmgr("add qos odd priority=3"), "QoS odd", what),
        Edit(sacctmgr(f"add user eve account={account} cluster=c"), f"user eve of account {account}", what),
        Edit(
            sacctmgr("delete user where name=bob account=biology cluster=c"),
            "user bob of account biology",
            "not made yet, or lost",
            Kind.OURS,
        ),
    ]
    return numbers.choice(edits)


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=FURTHER) for first in range(KEPT, 200, KEPT))])
def test_edits_are_found_and_undone_and_adopted(world: World, seed: int, first: int) -> None:
    numbers = random.Random(f"{seed} {first}")
    done = 0
    world.restart()
    while done < KEPT:
        edit = draw(numbers)
        world.run(*edit.command)
        found = world.found()
        if not found:
            # What was so already; but nothing else may go unseen.
            assert edit.key in VALUES, edit
            continue
        done += 1
        assert [(item.kind, item.subject) for item in found] == [(edit.kind, edit.subject)], (edit, found)
        (finding,) = found
        assert edit.key in finding.problem, (edit, finding)
        if finding.adoption:
            text = changed(STACK, finding.adoption)
            # One of two nodes of a set is not all of them.
            left = world.found(text)
            assert not left or edit.key == "its weight", (edit, finding, left)
            removed = any(change.value is None for change in finding.adoption)
            assert removed or text.count("#") == STACK.count("#")
        words = shlex.split(finding.way_back)
        assert words[0] in ("scontrol", "sacctmgr")
        world.run(*words)
        if words[1] == "reconfigure":
            world.wait_for_nodes()
        assert eventually("nothing found", lambda: [*map(str, world.found())] or "nothing") == "nothing", edit


def test_levels_of_the_log_that_scontrol_sets_are_found(world: World) -> None:
    for command, name, back in (
        ("setdebug debug2", "SlurmctldDebug", "scontrol setdebug info"),
        ("setdebugflags +backfill +gres", "DebugFlags", "scontrol setdebugflags -backfill -gres"),
        ("schedloglevel enable", "SlurmSchedLogLevel", "scontrol schedloglevel 0"),
    ):
        world.scontrol(*command.split())
        found = world.found()
        if Series.of(world.image.version) < Series(26, 5):
            # Its slurmrestd doesn't tell slurm.conf.
            assert found == []
            continue
        (finding,) = found
        assert (finding.kind, finding.subject) == (Kind.DANGEROUS, "slurm.conf")
        assert finding.problem.startswith(name)
        assert world.found(changed(STACK, finding.adoption)) == []
        assert finding.way_back == back
        world.run(*shlex.split(back))
        assert world.found() == []
    world.restart()


def test_a_file_that_slurmctld_has_not_read_is_found(world: World) -> None:
    text = STACK.replace("    partitions:\n", "    slurmConf: { extra: { KillWait: 45 } }\n    partitions:\n")
    found = world.found(text)
    if Series.of(world.image.version) >= Series(26, 5):
        (finding,) = found
        assert (finding.kind, finding.way_back) == (Kind.OURS, "scontrol reconfigure")
        assert "KillWait is 30 in slurmctld's memory, and 45 in the specification" in finding.problem
    else:
        assert found == []


def test_what_a_reconfigure_loses_is_no_longer_found(world: World) -> None:
    world.scontrol("update", "PartitionName=cpu", "State=DOWN", "MaxTime=1")
    assert [item.subject for item in world.found()] == ["partition cpu"] * 2
    world.restart()
    assert world.found() == []
