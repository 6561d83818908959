"""QoS and accounts of a specification, brought into a fresh database by the scripts of its Jobs.

The tests of one cluster go on where the one before has ended, as its owner would; where that was left out, they begin
with the specification.
"""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.loading import load
from pulumi_slurm.manifests import slinky
from pulumi_slurm.model import AccountingSpec, SecretKeyRef, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files
from tests.slurmd.host import CommandError
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import rendered_files
from tests.slurmd.sacctmgr import SacctmgrPod
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST

STATED: dict[str, Any] = {
    "name": "c",
    "clusterName": "Site.1_of-Slurm",
    "nodeSets": [{"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}, "extraGres": ["tmpdisk:100G"]}],
    "partitions": [
        {
            "name": "p",
            "nodeSets": ["cpu"],
            "default": True,
            "qos": "part",
            "allowQos": ["normal", "high", "one"],
            # slurmctld starts with a weight of what no node has, since it is counted.
            "tresBillingWeights": {"GRES/fpga": 2, "license/matlab": 1},
        }
    ],
    "slurmConf": {
        "accountingStorageEnforce": ["associations", "limits", "qos"],
        "defMemPerCpu": 100,
        # So that the reasons why jobs wait are there soon.
        "schedulerParameters": ["bf_interval=1", "sched_interval=1"],
    },
    "accounting": {
        "qos": [
            {"name": "part", "grpTres": {"gres/tmpdisk": 50}},
            {
                "name": "high",
                "priority": 100,
                "preempt": ["normal"],
                "maxWall": "1-0",
                "flags": ["DenyOnLimit"],
                "maxTresPerUser": {"cpu": 1},
            },
            {"name": "one", "maxJobsPerUser": 1},
            {"name": "other"},
        ],
        "accounts": [
            {
                "name": "ml",
                "parent": "science",
                "description": "Group of A, B & C",
                "users": [JOB_USER],
                "qos": ["normal", "high", "one"],
                "grpTres": {"cpu": 1},
            },
            {"name": "science", "fairshare": 10, "grpJobs": 20, "options": {"GrpSubmitJobs": "30"}},
            {"name": "chemistry", "parent": "science", "defaultQos": "normal"},
        ],
    },
}
QOS = "name,priority,preempt,maxwall,flags,grptres,maxtrespu,maxjobspu"
ASSOCIATIONS = "account,user,parentname,fairshare,grpjobs,grpsubmit,grptres,qos,defaultqos"
QOS_SHOWN = [
    "normal|0||||||",
    "part|0||||gres/tmpdisk=50||",
    "high|100|normal|1-00:00:00|DenyOnLimit||cpu=1|",
    "one|0||||||1",
    "other|0||||||",
]
ASSOCIATIONS_SHOWN = [
    "root|||1||||normal|",
    "root|root||1||||normal|",
    "science||root|10|20|30||normal|",
    "chemistry||science|1||||normal|normal",
    "ml||science|1|||cpu=1|high,normal,one|",
    f"ml|{JOB_USER}||1||||high,normal,one|",
]
FORGED = "/tmp/forged"
STRANGER = "daemon"
"""A user of whom the database knows nothing at first."""


def changed() -> dict[str, Any]:
    """Return the specification with an account elsewhere, other limits, another user, and one QoS less."""
    config = copy.deepcopy(STATED)
    qos, accounts = config["accounting"]["qos"], config["accounting"]["accounts"]
    qos[1] |= {"priority": 50, "maxWall": "2-0"}
    del qos[3]
    accounts[0] |= {"parent": "chemistry", "grpTres": {"cpu": 2}}
    accounts[2] |= {"users": [STRANGER]}
    return config


class Accounts:
    """A cluster whose slurmdbd knows nothing at first."""

    def __init__(self, site: Site, series: Series) -> None:
        self.cluster = Cluster(site)
        self.sacctmgr = SacctmgrPod(site)
        self.series = series
        self.cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})

    def run(self, role: str, script: str | None, config: dict[str, Any] = STATED) -> str:
        """Run one Job and return what it prints."""
        return self.sacctmgr.run_job(load(config)[0], role, script)

    def start_controller(self, spec: SlurmSpec) -> None:
        self.cluster.start_controller(self.slurm_files(spec))

    def slurm_files(self, spec: SlurmSpec) -> Files:
        listed = {"gres.conf": "NodeName=cpu-0 Name=tmpdisk Count=100G\n"}
        return {**rendered_files(spec, self.series), **listed}

    def apply(self, config: dict[str, Any]) -> str:
        """Do what an `up` does, and return what the Jobs print."""
        spec, _ = load(config)
        printed = self.run("qos", qos_script(spec), config)
        if self.cluster.controller.daemon is None:
            self.start_controller(spec)
        return printed + self.run("accounts", accounts_script(spec), config)

    def shown(self, entity: str, fields: str, *where: str) -> list[str]:
        """Return the rows that sacctmgr shows."""
        command = ("sacctmgr", "--noheader", "--parsable2", "show", entity, *where, f"format={fields}")
        return self.sacctmgr.run(*command).splitlines()

    def srun(self, *arguments: str, user: str = JOB_USER) -> str:
        """Return what a job prints, or what is said of it."""
        command = ["srun", "--quiet", "--immediate=600", *arguments, "hostname"]
        done = self.cluster.controller.host.attempt(command, user=user)
        return done.stdout or done.stderr

    def sbatch(self, *arguments: str) -> str:
        """Submit a long job and return its number."""
        command = ("sbatch", "--parsable", "--output=/dev/null", *arguments, "--wrap=sleep 3600")
        return self.cluster.run(*command, user=JOB_USER).strip()

    def reason(self, *arguments: str) -> str:
        """Return why a job waits, and cancel it."""
        job = self.sbatch(*arguments)

        daemon = self.cluster.controller.daemon
        assert daemon

        def shown_reason() -> str:
            state, reason = self.cluster.run("squeue", "--noheader", f"--jobs={job}", "--format=%T %r").split()
            assert state == "PENDING", f"{state}: {arguments}"
            return reason

        reason = daemon.eventually(
            "looking at the job", shown_reason, lambda reason: reason not in ("None", "Priority")
        )
        self.cluster.run("scancel", job)
        return reason


@pytest.fixture(scope="module")
def accounts(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Accounts]:
    with Site(image, tmp_path_factory.mktemp("accounts")) as site:
        yield Accounts(site, Series.of(image.version))


@pytest.fixture
def begun(accounts: Accounts) -> Accounts:
    """A cluster with the specification's QoS, accounts and worker, also where tests before were left out."""
    if accounts.cluster.controller.daemon is None:
        accounts.apply(STATED)
    if not accounts.cluster.workers:
        accounts.cluster.start_workers({"cpu-0": "Features=cpu Gres=tmpdisk:100G"})
    return accounts


def test_qos_are_there_before_slurmctld_and_the_rest_after(accounts: Accounts) -> None:
    spec, _ = load(STATED)
    if accounts.series >= Series(26, 5):
        # Without the first Job: slurmctld exits, and so does its pod, again and again.
        assert "Partition p has an invalid AllowQOS" in accounts.cluster.refusal(accounts.slurm_files(spec))
    accounts.run("qos", qos_script(spec))
    assert accounts.shown("qos", "name") == ["normal", "part", "high", "one", "other"]
    assert accounts.shown("assoc", "account,user") == ["root|", "root|root"]
    accounts.start_controller(spec)
    accounts.run("accounts", accounts_script(spec))
    assert accounts.shown("qos", QOS) == QOS_SHOWN
    assert accounts.shown("assoc", ASSOCIATIONS) == ASSOCIATIONS_SHOWN
    # sacctmgr makes all letters small.
    assert "ml|group of a, b & c" in accounts.shown("account", "account,descr")


def test_a_second_run_changes_nothing(begun: Accounts) -> None:
    assert "Adding" not in begun.apply(STATED)
    assert begun.shown("qos", QOS) == QOS_SHOWN
    assert begun.shown("assoc", ASSOCIATIONS) == ASSOCIATIONS_SHOWN


def test_who_has_the_account_and_the_qos_runs(begun: Accounts) -> None:
    for arguments in ((), ("--account=ml",), ("--qos=high",), ("--gres=tmpdisk:3",)):
        assert begun.srun(*arguments) == "cpu-0\n", arguments


def test_who_has_them_not_is_refused(begun: Accounts) -> None:
    wrong_account, wrong_qos = "Invalid account or account/partition combination", "Invalid qos specification"
    assert wrong_account in begun.srun("--account=chemistry")
    assert wrong_account in begun.srun(user=STRANGER)
    assert wrong_qos in begun.srun("--qos=other")
    assert wrong_qos in begun.srun("--qos=nonesuch")


def test_limits_hold(begun: Accounts) -> None:
    assert "QOSMaxCpuPerUserLimit" in begun.srun("--qos=high", "--ntasks=2")
    assert begun.reason("--ntasks=2") == "AssocGrpCpuLimit"
    assert begun.reason("--gres=tmpdisk:60") == "QOSGrpGRES"
    first = begun.sbatch("--qos=one")
    assert begun.reason("--qos=one") == "QOSMaxJobsPerUserLimit"
    begun.cluster.run("scancel", first)
    begun.cluster.wait_idle("cpu-0")


def test_changes_arrive(begun: Accounts) -> None:
    begun.apply(changed())
    assert begun.shown("qos", "name,priority,maxwall", "high") == ["high|50|2-00:00:00"]
    # What is no longer in the specification goes.
    assert begun.shown("qos", "name", "other") == []
    assert begun.shown("assoc", "account,user,parentname,grptres", "account=ml") == [
        "ml||chemistry|cpu=2",
        f"ml|{JOB_USER}||",
    ]
    assert begun.srun(user=STRANGER) == "cpu-0\n"
    assert begun.srun("--ntasks=2") == "cpu-0\n" * 2


ALL_OPTIONS: dict[str, Any] = {
    "name": "c",
    "nodeSets": STATED["nodeSets"],
    "accounting": {
        "admins": ["daemon"],
        "qos": [
            {
                "name": "full",
                "priority": 9,
                "preempt": ["normal"],
                "maxTresPerUser": {"cpu": 1, "mem": 1000},
                "maxJobsPerUser": 2,
                "flags": ["DenyOnLimit"],
                "grpTres": {"cpu": 7},
                "grpJobs": 3,
                "maxWall": "1-0",
                "options": {"GraceTime": "60", "MaxTRESPerJob": "cpu=3,node=2", "UsageFactor": "2"},
            },
            {"name": "normal", "grpJobs": 100},
        ],
        "accounts": [
            {
                "name": "lab",
                "parent": "school",
                "description": "the lab",
                "fairshare": 4,
                "qos": ["normal", "full"],
                "defaultQos": "normal",
                "users": [STRANGER, "nobody"],
                "coordinators": ["nobody"],
                "grpTres": {"cpu": 7, "mem": 10},
                "grpJobs": 3,
                "maxWall": "1-0",
                "options": {"GrpSubmitJobs": "30", "MaxTRESPerNode": "cpu=3"},
            },
            {"name": "school", "users": [STRANGER]},
        ],
    },
}
EVERYTHING = {
    "qos": "name,priority,preempt,flags,grptres,grpjobs,maxwall,maxtrespu,maxjobspu,gracetime,maxtres,usagefactor",
    "assoc": "account,user,parentname,fairshare,qos,defaultqos,grptres,grpjobs,maxwall,grpsubmit,maxtrespernode",
    "account": "account,descr",
    "user": "user,defaultaccount,admin",
}


def with_accounting(accounting: dict[str, Any]) -> dict[str, Any]:
    return {**ALL_OPTIONS, "accounting": accounting}


class Database:
    """A database of its own, changed by one specification after another."""

    def __init__(self, site: Site) -> None:
        self._cluster = Cluster(site)
        self.start()
        self._sacctmgr = SacctmgrPod(site)

    def start(self) -> None:
        self._cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})

    def stop(self) -> None:
        assert self._cluster.accounting
        self._cluster.accounting.stop()

    def wait_shortly(self) -> None:
        self._sacctmgr.wait_seconds = 3

    def apply(self, config: dict[str, Any]) -> str:
        spec, _ = load(config)
        self._sacctmgr.run_job(spec, "qos", qos_script(spec))
        return self._sacctmgr.run_job(spec, "accounts", accounts_script(spec))

    def sacctmgr(self, *command: str) -> str:
        return self._sacctmgr.run("sacctmgr", "--immediate", *command)

    def has_file(self, path: str) -> bool:
        """Return whether a file is on the machine that runs the Jobs."""
        return (self._sacctmgr.host.root / path.lstrip("/")).exists()

    def shown(self) -> dict[str, set[str]]:
        """Return everything that can be set, as sacctmgr shows it."""
        command = ("sacctmgr", "--noheader", "--parsable2", "show")
        return {
            entity: set(self._sacctmgr.run(*command, entity, f"format={fields}").splitlines())
            for entity, fields in EVERYTHING.items()
        }


@pytest.fixture
def database(site: Site) -> Database:
    return Database(site)


def test_what_leaves_the_specification_leaves_the_database(database: Database) -> None:
    bare = {
        "admins": [],
        "qos": [{"name": "full"}],
        "accounts": [{"name": "lab", "users": ["nobody"], "parent": "school"}, {"name": "school"}],
    }
    first = {
        **bare,
        "accounts": [{"name": "lab", "parent": "school", "users": ["nobody", STRANGER]}, {"name": "school"}],
    }
    database.apply(with_accounting(first))
    database.apply(with_accounting(bare))
    expected = database.shown()
    assert f"lab|{STRANGER}" not in str(expected)
    database.apply(ALL_OPTIONS)
    full = database.shown()
    assert f"{STRANGER}|school|Administrator" in full["user"]
    assert not any(rows == expected[entity] for entity, rows in full.items())
    # Every option is reset, and only one of two users stays.
    printed = database.apply(with_accounting(bare))
    assert "no longer in the specification: reset_qos full MaxTRESPerUser=mem=-1" in printed
    assert database.shown() == expected
    # The last of them go, and a second time changes nothing.
    database.apply(with_accounting({"qos": [], "accounts": []}))
    assert {row.split("|")[0] for row in database.shown()["account"]} == {"root"}
    assert {row.split("|")[0] for row in database.shown()["qos"]} == {"normal"}
    assert "no longer" not in database.apply(with_accounting({"qos": [], "accounts": []}))


def test_what_a_run_that_failed_has_added_goes_with_the_next(database: Database) -> None:
    """It kept no lines that undo it, which the run after it would have read."""
    qos, school = [{"name": "full"}], {"name": "school", "users": ["nobody"]}
    config = with_accounting({"qos": qos, "accounts": [school]})
    database.apply(config)
    expected = database.shown()
    lab, fails = (
        {"name": "lab", "parent": "school", "users": [STRANGER, "nobody"]},
        {"name": "zoo", "parent": "lab", "grpTres": {"gres/nonesuch": 1}},
    )
    accounts = [{**school, "users": ["nobody", STRANGER]}, lab, fails]
    with pytest.raises(CommandError, match="nonesuch"):
        database.apply(with_accounting({"qos": qos, "accounts": accounts}))
    database.sacctmgr("add", "user", JOB_USER, "account=school")
    added = database.shown()["assoc"]
    assert {row.split("|")[0] for row in added} == {"root", "school", "lab", "zoo"}
    printed = database.apply(config)
    assert f"added before, and not in the specification: remove_user {STRANGER} school c" in printed
    database.sacctmgr("delete", "user", "where", f"name={JOB_USER}")
    assert database.shown() == expected
    assert "added before" not in database.apply(config)


def test_names_in_the_database_are_no_commands(database: Database) -> None:
    """Whoever may add users chooses their names, and the mark."""
    config = with_accounting({"qos": [{"name": "full"}], "accounts": [{"name": "school", "users": ["nobody"]}]})
    database.apply(config)
    for forged in (f"x;>{FORGED}", "*", "$(kill $$)"):
        database.sacctmgr("add", "user", forged, "account=school", "cluster=c", "comment=pulumi-slurm")
    expected = database.shown()
    database.apply(config)
    assert database.shown() == expected
    assert not database.has_file(FORGED)


def test_a_qos_goes_from_accounts_that_stay_and_at_once_from_the_database(database: Database) -> None:
    account = {"name": "lab", "users": ["nobody"]}
    database.apply(with_accounting({"qos": [{"name": "full"}], "accounts": [{**account, "qos": ["normal", "full"]}]}))
    printed = database.apply(with_accounting({"qos": [], "accounts": [{**account, "qos": ["normal"]}]}))
    assert "The QoS full stays" not in printed
    assert {row.split("|")[0] for row in database.shown()["qos"]} == {"normal"}


def test_what_others_have_created_stays(database: Database) -> None:
    database.apply(ALL_OPTIONS)
    database.sacctmgr("add", "account", "portal", "parent=school")
    database.sacctmgr("add", "user", JOB_USER, "account=lab")
    database.sacctmgr("modify", "account", "where", "name=lab", "set", "GrpWall=100")
    database.sacctmgr("add", "qos", "theirs")
    printed = database.apply(with_accounting({"qos": [], "accounts": []}))
    assert "The account lab stays" in printed
    assert "The account school stays" in printed
    shown = database.shown()
    assert {row.split("|")[0] for row in shown["account"]} == {"root", "school", "lab", "portal"}
    assert {tuple(row.split("|")[:2]) for row in shown["assoc"]} >= {("lab", JOB_USER), ("portal", "")}
    assert not any(row.startswith(f"lab|{STRANGER}|") for row in shown["assoc"])
    assert {row.split("|")[0] for row in shown["qos"]} == {"normal", "theirs"}
    # What they have removed themselves is no error.
    database.apply(ALL_OPTIONS)
    database.sacctmgr("delete", "user", STRANGER)
    database.sacctmgr("delete", "qos", "full")
    database.apply(with_accounting({"qos": [], "accounts": []}))


def test_what_was_there_before_stays(database: Database) -> None:
    database.sacctmgr("add", "cluster", "c")
    database.sacctmgr("add", "qos", "full")
    for account in ("school", "lab"):
        database.sacctmgr("add", "account", account, "cluster=c")
    database.sacctmgr("add", "user", "nobody", "account=lab", "cluster=c")
    database.apply(ALL_OPTIONS)
    printed = database.apply(with_accounting({"qos": [], "accounts": []}))
    assert "The QoS full stays: it was not added here." in printed
    assert "The account school stays: it was not added here." in printed
    assert "The user nobody stays in the account lab" in printed
    shown = database.shown()
    assert {row.split("|")[0] for row in shown["qos"]} == {"normal", "full"}
    of_accounts = {tuple(row.split("|")[:2]) for row in shown["assoc"]}
    assert of_accounts == {("root", ""), ("root", "root"), ("school", ""), ("lab", ""), ("lab", "nobody")}


def test_what_others_have_added_to_ours_stays(database: Database) -> None:
    database.apply(ALL_OPTIONS)
    database.sacctmgr("add", "user", STRANGER, "account=lab", "partition=p")
    database.sacctmgr("add", "account", "portal", "cluster=c")
    database.sacctmgr("modify", "account", "where", "name=portal", "set", "QosLevel+=full")
    printed = database.apply(with_accounting({"qos": [], "accounts": []}))
    assert f"The user {STRANGER} stays in the account lab" in printed
    assert "The QoS full stays: accounts or users that are not in the specification have it." in printed
    shown = ("--noheader", "--parsable2", "show", "association", "where", "cluster=c", "format=account,partition")
    assert database.sacctmgr(*shown, f"user={STRANGER}").splitlines() == ["lab|", "lab|p"]
    assert any(row.startswith("portal|") and "|full,normal|" in row for row in database.shown()["assoc"])


def test_a_database_without_an_answer_fails_the_job(database: Database) -> None:
    nothing = with_accounting({"qos": [], "accounts": []})
    database.apply(ALL_OPTIONS)
    database.stop()
    database.wait_shortly()
    with pytest.raises(CommandError, match=r"(?s)Connection refused.*sacctmgr did not reach slurmdbd"):
        database.apply(nothing)
    database.start()
    database.apply(nothing)
    assert {row.split("|")[0] for row in database.shown()["qos"]} == {"normal"}


def test_slurmdbd_takes_further_lines(site: Site) -> None:
    cluster = Cluster(site)
    config = AccountingSpec(extra_conf={"PurgeJobAfter": "12months", "PidFile": "/run/slurm dbd #1.pid"})
    password = SecretKeyRef(name="db", key="password")
    manifest = slinky.accounting(ClusterRef(name="c"), config, host="mariadb", password=password)
    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF + manifest["spec"]["extraConf"] + "\n"})
    assert cluster.accounting
    assert (cluster.accounting.host.root / "run/slurm dbd #1.pid").exists()
    assert "PurgeJobAfter          = 12 months" in SacctmgrPod(site).run("sacctmgr", "show", "config")
