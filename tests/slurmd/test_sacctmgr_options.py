"""Options of sacctmgr: what we accept it sets, what we refuse it refuses."""

import pytest

from pulumi_slurm.model.sacctmgr_options import ACCOUNT_OPTIONS, QOS_FLAGS, QOS_OPTIONS, Form, option_issues
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import CommandError
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.sacctmgr import SacctmgrPod

pytestmark = ON_THE_NEWEST

TAKEN = {
    Form.NUMBER: ("0", "7", "2147483647", "-1"),
    Form.AMOUNT: ("0", "6000000000", "-1"),
    Form.WORD: ("NoUsersAreCoords",),
    Form.FACTOR: ("0", "0.5", "2", "-1"),
    Form.TIME: ("60", "1-0", "1:30:00", "-1"),
    Form.TRES: ("cpu=1,node=2", "mem=10g", "cpu=-1"),
    Form.PREEMPT_MODE: ("cancel", "requeue", "cluster"),
}
REFUSED = {
    Form.NUMBER: ("soon",),
    Form.AMOUNT: ("soon",),
    Form.WORD: (),
    Form.FACTOR: ("half",),
    Form.TIME: ("soon",),
    Form.TRES: ("cpu", "gpus"),
    Form.PREEMPT_MODE: ("never", "cancel,requeue", "gang,within"),
}
ENTITIES = {"qos": QOS_OPTIONS, "account": ACCOUNT_OPTIONS}


def issues(entity: str, name: str, text: str) -> list[str]:
    return [str(issue) for issue in option_issues(ENTITIES[entity], {}, name, text)]


@pytest.fixture(scope="module")
def pod(accounted_cluster: Cluster) -> SacctmgrPod:
    """Return a pod with sacctmgr. The database knows a cluster, by which the account root has an association."""
    pod = SacctmgrPod(accounted_cluster.site)
    pod.run("sacctmgr", "--immediate", "add", "cluster", "c")
    return pod


def change(pod: SacctmgrPod, entity: str, *options: str) -> str:
    name = {"qos": "normal", "account": "root"}[entity]
    return pod.run("sacctmgr", "--immediate", "modify", entity, "where", f"name={name}", "set", *options)


def first_letters(name: str, entity: str) -> str:
    """Return the fewest letters that stand for an option."""
    return name[: ENTITIES[entity][name][0]]


@pytest.mark.parametrize("short", [False, True], ids=["whole", "short"])
@pytest.mark.parametrize("entity", ENTITIES)
def test_sacctmgr_sets_what_we_accept(pod: SacctmgrPod, entity: str, short: bool) -> None:
    for position in range(4):
        lines = {}
        for name, (_, form) in ENTITIES[entity].items():
            text = TAKEN[form][min(position, len(TAKEN[form]) - 1)]
            written = first_letters(name, entity) if short else name.lower()
            assert issues(entity, written, text) == []
            lines[written] = text
        said = change(pod, entity, *(f"{name}={text}" for name, text in lines.items()))
        assert "Modified" in said


@pytest.mark.parametrize("entity", ENTITIES)
@pytest.mark.parametrize("form", Form)
def test_sacctmgr_refuses_the_values_that_we_refuse(pod: SacctmgrPod, entity: str, form: Form) -> None:
    names = [name for name, (_, of_option) in ENTITIES[entity].items() if of_option is form]
    for text in REFUSED[form]:
        for name in names[:2]:
            assert issues(entity, name, text)
            with pytest.raises(CommandError):
                change(pod, entity, f"{name}={text}")


@pytest.mark.parametrize(
    ("entity", "name"), [("qos", "GrcTime"), ("qos", "MaxJobsAccrue"), ("account", "GraceTime"), ("account", "Gr")]
)
def test_sacctmgr_refuses_the_names_that_we_refuse(pod: SacctmgrPod, entity: str, name: str) -> None:
    assert issues(entity, name, "1")
    with pytest.raises(CommandError):
        change(pod, entity, f"{name}=1")


def test_flags_of_a_qos_are_those_of_sacctmgr(pod: SacctmgrPod) -> None:
    for flag in QOS_FLAGS:
        change(pod, "qos", f"Flags={flag}")
        assert pod.run("sacctmgr", "--parsable2", "--noheader", "show", "qos", "normal", "format=flags").strip() == flag


def test_sacctmgr_misreads_amounts_that_we_refuse(pod: SacctmgrPod) -> None:
    assert issues("qos", "GrpTRESMins", "cpu=x")
    change(pod, "qos", "GrpTRESMins=cpu=x")
    shown = pod.run("sacctmgr", "--parsable2", "--noheader", "show", "qos", "normal", "format=grptresmins")
    assert "cpu=0" in shown


def test_a_user_may_have_a_domain(pod: SacctmgrPod) -> None:
    pod.run("sacctmgr", "--immediate", "add", "user", "name=alice@example.org", "account=root")
    shown = pod.run("sacctmgr", "--parsable2", "--noheader", "show", "assoc", "format=user")
    assert "alice@example.org" in shown.splitlines()
