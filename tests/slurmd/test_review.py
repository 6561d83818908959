"""What a review says of jobs, held against what becomes of them on real daemons."""

import copy

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm_cli.live import take_look
from pulumi_slurm_cli.review.admission import Admission
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.jobs import Outcome, jobs_in_the_way
from tests.slurmd.cluster import Cluster
from tests.slurmd.looking import slurmrestd
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.review_bed import BASE, UNDECIDED, ReviewBed, Score
from tests.waiting import eventually

pytestmark = ON_THE_NEWEST

COUNT = 8
"""Of each series of Slurm."""
MORE = pytest.mark.repeats("tests/slurmd/test_review.py, with its first changes")


@pytest.fixture(scope="module")
def bed(accounted_cluster: Cluster) -> ReviewBed:
    return ReviewBed(accounted_cluster)


@pytest.fixture(autouse=True)
def _fresh_score(bed: ReviewBed) -> None:
    bed.score = Score()


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=MORE) for part in range(1, 19))])
def test_jobs_become_what_was_said(bed: ReviewBed, seed: int, part: int, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(COUNT):
        bed.run(seed + 1000 * part + number)
    score = bed.score
    with capsys.disabled():
        print(f"\nSlurm {bed.series}, {COUNT} changes: {dict(score.right)}")
    assert score.missed == []
    assert score.wrong == []
    assert score.right["never starts"] + score.right["holds the update up"]


def test_a_partition_is_open_once_none_of_its_accounts_is_left(bed: ReviewBed) -> None:
    partition = {"name": "p", "nodeSets": ["ALL"], "default": True, "allowAccounts": ["a"]}
    before = {**copy.deepcopy(BASE), "partitions": [partition]}
    after = copy.deepcopy(before)
    after["accounting"]["accounts"] = [item for item in after["accounting"]["accounts"] if item["name"] == "b"]
    bed.apply(before)
    number = int(str(bed.submit(("--account=b", "--time=600"))))
    eventually("a job that waits for more than a look", lambda: bed.states()[number][1] not in UNDECIDED)
    jobs = take_look(slurmrestd(bed.cluster)).unfinished
    assert [job.state for job in jobs] == ["PENDING"]
    change = ClusterChange("c", ClusterSide(*load(before)), ClusterSide(*load(after)))
    assert [*jobs_in_the_way(change, jobs, [])] == []
    bed.apply(after)
    eventually("a job that runs", lambda: bed.states()[number][0] == "RUNNING")
    bed.clean_up()


@pytest.mark.parametrize(
    "wishes",
    [("--cpus-per-task=3",), ("--mincpus=2",), ("--mem=200",), ("--mem-per-cpu=300", "--cpus-per-task=2")],
    ids=" ".join,
)
def test_limits_count_what_slurmctld_gives(bed: ReviewBed, wishes: tuple[str, ...]) -> None:
    """Where a partition's minNodes makes it take two nodes, it gives more than it states for the job that waits."""
    config = {**copy.deepcopy(BASE), "partitions": [{"name": "p", "nodeSets": ["cpu"], "minNodes": 2, "default": True}]}
    bed.apply(config)
    number = int(str(bed.submit(("--hold", "--account=a", "--qos=high", *wishes))))
    look = take_look(slurmrestd(bed.cluster))
    (waiting,) = [job for job in look.unfinished if job.number == number]
    bed.cluster.run("scontrol", "release", str(number))
    eventually("a job that runs", lambda: bed.states()[number][0] == "RUNNING")
    (running,) = [job for job in take_look(slurmrestd(bed.cluster)).unfinished if job.number == number]
    bed.clean_up()
    for name in ("cpu", "mem"):
        for limit, is_beyond in ((running.tres[name], False), (running.tres[name] - 1, True)):
            after = copy.deepcopy(config)
            (qos,) = [one for one in after["accounting"]["qos"] if one["name"] == "high"]
            qos["grpTres"] = {name: limit}
            why = Admission(ClusterSide(*load(after)), look.nodes).why_it_never_starts(waiting)
            assert bool(why) is is_beyond, (name, limit, why)


def test_limits_of_time_that_is_used_together_end_jobs_that_run(bed: ReviewBed) -> None:
    before = {**copy.deepcopy(BASE), "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}]}
    before["accounting"]["qos"].append({"name": "other"})
    account, other = before["accounting"]["accounts"]
    account["qos"].append("other")
    after = copy.deepcopy(before)
    high, low = after["accounting"]["qos"]
    high["options"] = {"GrpTRESMins": "cpu=0"}
    low["options"] = {"MaxTRESMinsPerJob": "cpu=0"}
    account, other = after["accounting"]["accounts"]
    account |= {"maxWall": "1", "grpTres": {"cpu": 1}, "grpJobs": 0}
    other["options"] = {"GrpWall": "0"}
    bed.apply(before)
    *end, goes_on = (
        int(str(bed.submit((f"--account={of}", f"--qos={qos}", "--time=600"))))
        for of, qos in (("a", "high"), ("a", "other"), ("b", "normal"), ("a", "normal"))
    )
    eventually("four running jobs", lambda: [state for state, _ in bed.states().values()] == ["RUNNING"] * 4)
    jobs = take_look(slurmrestd(bed.cluster)).unfinished
    change = ClusterChange("c", ClusterSide(*load(before)), ClusterSide(*load(after)))
    found = {item.job.number: item.outcome for item in jobs_in_the_way(change, jobs, [])}
    assert found == dict.fromkeys(end, Outcome.ENDS)
    bed.apply(after)
    # slurmctld looks at it twice a minute.
    eventually("the end of jobs", lambda: bed.states().keys().isdisjoint(end))
    assert bed.states()[goes_on][0] == "RUNNING"
    bed.clean_up()
