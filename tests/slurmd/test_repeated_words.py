"""Words of one name in one value: which of them slurmctld uses, also of what `slurmconf` has read and written."""

import re
from collections.abc import Iterator

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse, render
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Controller
from tests.slurmd.operator_files import files
from tests.slurmd.site import Site

SUBMIT = ("sbatch", "--parsable", "--hold", "--array=0-5", "--output=/dev/null", "--wrap=true")


@pytest.fixture(scope="module")
def controller(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controller]:
    with Site(image, tmp_path_factory.mktemp("words")) as site:
        yield Controller(site.host("c-controller-0", ["c-controller", "c-controller.slurm"]))


def start(controller: Controller, image: SlurmImage, text: str, *, rewritten: bool) -> None:
    nodes = "NodeName=n[0-1] CPUs=4 RealMemory=4096 State=FUTURE\n"
    conf = f"{text}\n{nodes}PartitionName=all Nodes=ALL Default=YES TRESBillingWeights=CPU=1\n"
    conf = render(parse(conf, File.SLURM, Series.of(image.version))) if rewritten else conf
    controller.start(files(conf))


@pytest.mark.parametrize("rewritten", [False, True], ids=["as written", "read and written"])
@pytest.mark.parametrize(("first", "second", "accepted"), [(2, 9, False), (9, 2, True)])
def test_of_scheduler_parameters_the_first_of_a_name_counts(
    controller: Controller, image: SlurmImage, first: int, second: int, accepted: bool, rewritten: bool
) -> None:
    words = f"max_array_tasks={first},defer,Max_Array_Tasks={second}"
    start(controller, image, f"SchedulerParameters={words}", rewritten=rewritten)
    done = controller.host.attempt([*SUBMIT], user=JOB_USER)
    assert (done.returncode == 0) is accepted, done.stderr


@pytest.mark.parametrize("rewritten", [False, True], ids=["as written", "read and written"])
def test_of_licenses_those_of_one_name_add_up(controller: Controller, image: SlurmImage, rewritten: bool) -> None:
    start(controller, image, "Licenses=b:3,a:1,a:1,b:2", rewritten=rewritten)
    shown = controller.host.run(["scontrol", "show", "licenses"])
    assert dict(re.findall(r"LicenseName=(\w+)\s+Total=(\d+)", shown)) == {"a": "2", "b": "5"}


@pytest.mark.parametrize("rewritten", [False, True], ids=["as written", "read and written"])
@pytest.mark.parametrize(("weights", "billing"), [("CPU=7,Node=0,cpu=3", "3"), ("cpu=3,Node=0,CPU=7", "7")])
def test_of_weights_the_last_of_a_name_counts(
    controller: Controller, image: SlurmImage, weights: str, billing: str, rewritten: bool
) -> None:
    nodes = "NodeName=n[0-1] CPUs=4 RealMemory=4096 State=FUTURE\n"
    text = f"{nodes}PartitionName=all Nodes=ALL Default=YES TRESBillingWeights={weights}\n"
    controller.start(files(render(parse(text, File.SLURM, Series.of(image.version))) if rewritten else text))
    job = controller.host.run([*SUBMIT], user=JOB_USER).strip()
    shown = controller.host.run(["scontrol", "show", "job", job])
    assert re.findall(r"billing=(\d+)", shown)[:1] == [billing], shown


@pytest.mark.parametrize("rewritten", [False, True], ids=["as written", "read and written"])
@pytest.mark.parametrize(("words", "kept"), [("nojobs,qos,all", False), ("all,qos,nojobs", True)])
def test_all_takes_back_what_is_enforced_before_it(
    accounted_cluster: Cluster, image: SlurmImage, words: str, kept: bool, rewritten: bool
) -> None:
    text = f"AccountingStorageEnforce={words}\n"
    text = render(parse(text, File.SLURM, Series.of(image.version))) if rewritten else text
    accounted_cluster.start_controller(files(text, accounting=True))
    shown = accounted_cluster.run("scontrol", "show", "config")
    (enforced,) = re.findall(r"AccountingStorageEnforce\s*=\s*(\S+)", shown)
    assert ("nojobs" in enforced.split(",")) is kept
