"""Fields that ack-slurm-operator has nothing for, and lines that the Slurm in its image doesn't read."""

from pulumi_slurm.ack_slurm.rules.conf_lines import image_supports_the_lines
from pulumi_slurm.ack_slurm.rules.context import RuleContext
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
