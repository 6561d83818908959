"""Fields that ack-slurm-operator has nothing for, and lines that the Slurm in its image doesn't read."""

import pytest

from pulumi_slurm.ack_slurm.cluster import AckSlurmClusterArgs
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.ack_slurm.rules.conf_lines import image_supports_the_lines
from pulumi_slurm.ack_slurm.rules.context import RuleContext
from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm.errors import SpecError
from pulumi_slurm.model import SlurmConfSpec
from pulumi_slurm.rules import check_lines
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry
from tests.unit.ack_slurm.examples import ack, cluster


def test_every_key_of_an_entry_is_one_of_the_series() -> None:
    """Also those that no field of the specification is, here as one that the oldest series doesn't have."""
    spec, pools = cluster()
    context = RuleContext(spec, tuple(pools), ack(slurmVersion="23.02"))
    entry = Entry("NodeName", "a", {"CPUs": 1, "CoreSpec": 1, "Topology": "net"})
    context.__dict__["conf"] = Conf(File.SLURM, {}, (entry,))
    problems = [error.problem for error in image_supports_the_lines(context)]
    assert problems == [
        "slurm.conf needs a line with the key CoreSpec: there is no such key on NodeName lines of slurm.conf",
        "slurm.conf needs a line with the key Topology: it is new in Slurm 25.05, and this is 23.02",
    ]


def test_requirements_are_judged_by_the_lines_of_this_operator() -> None:
    """Of each pair that slurmctld refuses one is here the operator's, and in slurm-operator's lines it isn't."""
    spec, pools = cluster(slurmConf={"extra": {"PrologFlags": "X11"}})
    assert [str(error) for error in check_lines(spec, slurm_conf_lines(spec))] == []
    assert [error.code for error in check_ack_slurm(spec, pools, ack())] == ["lines-meet-their-requirements"]


@pytest.mark.parametrize("extra", [{"MaxNodeCount": "many"}, {"SuspendTime": "soon"}, {"NoSuchKey": "1"}])
def test_lines_that_nobody_can_read_are_told_by_their_path_alone(extra: dict[str, str]) -> None:
    spec, pools = cluster()
    unread = spec.model_copy(update={"slurm_conf": SlurmConfSpec(extra=extra)})
    with pytest.raises(SpecError) as caught:
        AckSlurmClusterArgs(spec=unread, pools=pools)
    assert [error.path for error in caught.value.errors] == [("cluster", "slurm_conf", "extra", *extra)]
