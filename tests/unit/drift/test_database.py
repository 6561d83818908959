"""Accounts, users and QoS in a look at slurmdbd."""

import dataclasses
import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm_cli.drift import Finding, Kind, has_database, of_slurm, removals_last
from pulumi_slurm_cli.drift.adopt import changed
from pulumi_slurm_cli.live import DatabaseLook, LiveAssociation, LiveQos
from tests.unit.drift.worlds import STACK, look, stated

ACCOUNTED = STACK.replace(
    "    accounting: {}\n",
    """\
    accounting:
      qos:
        - { name: high, priority: 10 }  # in a hurry
      accounts:
        # The whole institute.
        - { name: physics, maxWall: 2-00:00:00, users: [alice, bob] }
        - name: theory
          parent: physics
          fairshare: 5  # they paid
""",
)
WALL = 2 * 24 * 60


def association(account: str, user: str = "", **fields: Any) -> LiveAssociation:
    default: dict[str, Any] = {
        "cluster": stated(ACCOUNTED)[0].slurm_name.lower(),
        "partition": "",
        "parent": "" if user else "root",
        "fairshare": 1,
        "qos": ("normal",),
        "default_qos": "",
        "grp_tres": {},
        "grp_jobs": math.inf,
        "max_wall": math.inf,
        "comment": "",
    }
    return LiveAssociation(account=account, user=user, **{**default, **fields})


def qos(name: str, **fields: Any) -> LiveQos:
    default: dict[str, Any] = {
        "priority": 0,
        "preempt": (),
        "grp_tres": {},
        "grp_jobs": math.inf,
        "max_wall": math.inf,
        "max_tres_per_user": {},
        "max_jobs_per_user": math.inf,
    }
    return LiveQos(name=name, **{**default, **fields})


ROOT = (association("root", parent=""), association("root", "root"))
PHYSICS = association("physics", max_wall=WALL)
USERS = (association("physics", "alice"), association("physics", "bob"))
THEORY = association("theory", parent="physics", fairshare=5, max_wall=WALL)
QOS = (qos("normal"), qos("high", priority=10))


def found(*associations: LiveAssociation, qualities: tuple[LiveQos, ...] = QOS, text: str = ACCOUNTED) -> list[Finding]:
    database = DatabaseLook((*ROOT, *associations), qualities)
    return of_slurm(*stated(text), look(), database)


def test_nothing_is_found_in_an_untouched_database() -> None:
    assert has_database(stated(ACCOUNTED)[0])
    elsewhere = association("odd", cluster="another")
    assert found(PHYSICS, *USERS, THEORY, elsewhere) == []


def test_lists_that_the_file_leaves_out_are_not_compared() -> None:
    assert not has_database(stated(STACK)[0])
    assert of_slurm(*stated(STACK), look(), DatabaseLook((association("odd"),), (qos("odd"),))) == []


@pytest.mark.parametrize(
    ("gone", "back"),
    [
        (1, "sacctmgr --immediate add user alice account=physics cluster=c"),
        (2, "sacctmgr --immediate add user bob account=physics cluster=c"),
        (3, "sacctmgr --immediate add account theory cluster=c parent=physics"),
    ],
)
def test_what_is_gone_is_ours(gone: int, back: str) -> None:
    every = [PHYSICS, *USERS, THEORY]
    del every[gone]
    (finding,) = found(*every)
    assert (finding.kind, finding.way_back) == (Kind.OURS, back)
    assert found(*every, text=changed(ACCOUNTED, finding.adoption)) == []


def test_what_was_made_by_hand_is_dangerous() -> None:
    odd, eve = association("odd", parent="physics", max_wall=WALL), association("physics", "eve")
    seen = (PHYSICS, *USERS, THEORY, odd, eve, association("odd", "mallory"))
    findings = found(*seen, qualities=(*QOS, qos("mine", priority=7)))
    assert [(item.kind, item.subject, item.way_back) for item in findings] == [
        (Kind.DANGEROUS, "QoS mine", "sacctmgr --immediate delete qos where name=mine"),
        (Kind.DANGEROUS, "account odd", "sacctmgr --immediate delete account where name=odd cluster=c"),
        (
            Kind.DANGEROUS,
            "user eve of account physics",
            "sacctmgr --immediate delete user where name=eve account=physics cluster=c",
        ),
    ]
    text = ACCOUNTED
    for finding in findings:
        text = changed(text, finding.adoption)
    assert found(*seen, qualities=(*QOS, qos("mine", priority=7)), text=text) == []
    assert text.count("#") == ACCOUNTED.count("#")


def test_what_the_stack_has_added_is_not_made_by_hand() -> None:
    """Of a file that isn't applied yet, or of an update that failed, whose file was taken back."""
    odd, eve = (association(*names, comment="pulumi-slurm") for names in (("odd",), ("physics", "eve")))
    findings = found(PHYSICS, *USERS, THEORY, odd, eve)
    assert [(item.kind, item.subject) for item in findings] == [
        (Kind.OURS, "account odd"),
        (Kind.OURS, "user eve of account physics"),
    ]
    assert all("not applied yet, or of an update that failed" in item.problem for item in findings)


LIMITS: dict[str, st.SearchStrategy[Any]] = {
    "fairshare": st.integers(2, 1000),
    "grp_tres": st.dictionaries(st.sampled_from(["cpu", "node", "gres/gpu"]), st.integers(0, 1000), min_size=1),
    "grp_jobs": st.integers(0, 1000),
    "max_wall": st.integers(1, 10_000),
}


@given(st.data(), st.sampled_from(sorted(LIMITS)))
def test_a_limit_is_found_and_can_be_adopted(data: st.DataObject, field: str) -> None:
    edited = dataclasses.replace(THEORY, **{field: data.draw(LIMITS[field])})
    findings = found(PHYSICS, *USERS, edited)
    if edited == THEORY:
        assert findings == []
        return
    (finding,) = findings
    assert (finding.kind, finding.subject) == (Kind.DANGEROUS, "account theory")
    assert finding.way_back.startswith("sacctmgr --immediate modify account where name=theory cluster=c set ")
    assert found(PHYSICS, *USERS, edited, text=changed(ACCOUNTED, finding.adoption)) == []


def test_a_limit_that_is_gone_is_taken_out_of_the_file_and_set_again_by_the_command() -> None:
    (finding,) = found(
        dataclasses.replace(PHYSICS, max_wall=math.inf), *USERS, dataclasses.replace(THEORY, max_wall=math.inf)
    )
    assert finding.problem == "MaxWall is not set in the database, and 2-00:00:00 in the specification"
    assert finding.way_back.endswith(" set MaxWall=2-00:00:00")
    assert "maxWall" not in changed(ACCOUNTED, finding.adoption)
    (taken,) = found(PHYSICS, *USERS, dataclasses.replace(THEORY, grp_tres={"cpu": 5, "node": 2}))
    assert taken.way_back.endswith(" set GrpTRES=cpu=-1,node=-1")


def test_items_of_lists_are_removed_from_behind() -> None:
    findings = found(PHYSICS)
    text = ACCOUNTED
    for finding in removals_last(findings):
        text = changed(text, finding.adoption)
    assert found(PHYSICS, text=text) == []
