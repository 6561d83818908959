"""slurmctld of both releases with files as the operator writes them."""

import pytest

from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.conf import render
from tests.slurmd.controller import Controller
from tests.slurmd.operator_files import CPU_AND_GPU, files


def test_it_starts_and_has_the_partitions_of_the_file(controller: Controller) -> None:
    daemon = controller.start(files())
    assert "slurmctld version" in daemon.log
    assert controller.host.run(["sinfo", "--noheader", "--format=%P"]).split() == ["cpu*", "gpu", "all"]


def test_other_files_start_from_nothing(controller: Controller) -> None:
    controller.start(files(CPU_AND_GPU + "FirstJobId=100\n"))
    controller.start(files("NodeSet=big Feature=big\nPartitionName=big Nodes=big\n"))
    assert controller.host.run(["sinfo", "--noheader", "--format=%P"]).split() == ["big"]


def test_reconfigure_takes_new_files(controller: Controller) -> None:
    controller.start(files())
    controller.reconfigure(files(CPU_AND_GPU + "PartitionName=more Nodes=cpu\n"))
    assert "more" in controller.host.run(["sinfo", "--noheader", "--format=%P"]).split()


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("NoSuchKey=1\n", "unrecognized key: NoSuchKey"),
        ("PartitionName=main Nodes=nonesuch\n", "Invalid node names in partition main"),
        ("PreemptType=preempt/qos\n", "PreemptType and PreemptMode values incompatible"),
    ],
)
def test_what_it_refuses_is_reported_with_its_own_words(controller: Controller, end: str, message: str) -> None:
    assert message in controller.launch(files(end)).last_words()


def test_a_first_start_knows_the_node_sets_of_our_partitions(controller: Controller) -> None:
    """The operator's lines about node sets come only when their NodeSets exist, which is after slurmctld's start."""
    node_sets = [{"name": name, "machine": {"cpus": 8, "memory": "32Gi"}} for name in ("cpu", "big")]
    partitions = [{"name": "both", "nodeSets": ["cpu", "big"]}, {"name": "big", "nodeSets": ["big"]}]
    spec, _ = load({"name": "c", "nodeSets": node_sets, "partitions": partitions})
    controller.start(files(render(additions(spec))))
    assert controller.host.run(["sinfo", "--noheader", "--format=%P %D"]).split("\n")[:2] == ["both 0", "big 0"]
