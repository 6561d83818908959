"""Fields that ack-slurm-operator has nothing for, and lines that the Slurm in its image doesn't read."""

from typing import Any

import pytest

from pulumi_slurm.ack.slurm.rules.conf_lines import image_supports_the_lines
from pulumi_slurm.ack.slurm.rules.context import RuleContext
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry
from tests.unit.ack.errors.harness import Case, errors_of
from tests.unit.ack.examples import ack, cluster

CASES: dict[str, Case] = {
    "19: host name of the controller": (
        {"ack": {"overrides": {"slurmctld": {"template": {"spec": {"hostname": "head"}}}}}},
        [
            (
                'ack.slurm.overrides.slurmctld.template.spec.hostname = "head": the operator sets the '
                "host names of controllers, which slurm.conf has to contain. Leave it out."
            ),
        ],
    ),
    "19: unknown field in a start script": (
        {"ack": {"controller": {"initBash": "echo {{.Name}}\n"}}},
        [
            (
                'ack.slurm.controller.initBash = "echo {{.Name}}\\n": the operator reads the script as a Go '
                "template, and {{.Name}} is not one of its two fields. Write {{.MungeKeyPath}} or "
                "{{.SlurmConfPath}}; for braces of the shell put a space between them."
            ),
        ],
    ),
    "19: unknown key": (
        {"cluster": {"slurmConf": {"extra": {"AccuntingStorageHost": "x"}}}},
        [
            (
                'cluster.slurmConf.extra.AccuntingStorageHost = "x": there is no such key in slurm.conf. '
                "Write AccountingStorageHost, if you mean that."
            ),
        ],
    ),
    "19: key of a newer Slurm": (
        {"cluster": {"slurmConf": {"extra": {"HashPlugin": "hash/sha3"}}}},
        [
            (
                'cluster.slurmConf.extra.HashPlugin = "hash/sha3": it is new in Slurm 24.05, and this is '
                "23.02. Leave it out, or use Slurm 24.05."
            ),
        ],
    ),
    "19: field that is a key of a newer Slurm": (
        {
            "cluster": {
                "partitions": [{"name": "all", "nodeSets": ["ALL"], "topology": "net"}],
                "configFiles": {},
                "topologies": [{"name": "net", "kind": "tree", "nodeLabels": ["example.org/rack"]}],
            }
        },
        [
            (
                'cluster.topologies = [{"name": "net", "kind": "tree", "nodeLabels": ["example.org/rack"]}]: with '
                "ack-slurm-operator nothing tells Slurm where its nodes are. Leave it out; write topology.conf into "
                "configFiles."
            ),
            (
                'cluster.partitions[0].topology = "net": it is new in Slurm 25.05, and this is 23.02. Leave it out, '
                "or use Slurm 25.05."
            ),
        ],
    ),
    "19: fields without an effect": (
        {
            "cluster": {
                "monitoring": {"metrics": False},
                "restApi": {"service": {"type": "NodePort"}},
                "images": {"registry": "registry.example.org/slurm", "tag": "25.11", "logfile": "alpine:3"},
                "controller": {"inplaceReconfigure": False},
                "operatorVersion": "1.2.2",
            }
        },
        [
            (
                "cluster.controller.inplaceReconfigure = false: with ack-slurm-operator nothing reconfigures slurmctld "
                "by itself. Leave it out."
            ),
            (
                'cluster.restApi.service = {"type": "NodePort"}: ack-slurm-operator makes the Service of slurmrestd. '
                "Leave it out."
            ),
            (
                "cluster.monitoring.metrics = false: with ack-slurm-operator slurmctld has no metrics, so there are "
                "none to switch off. Leave it out."
            ),
            (
                'cluster.images.registry = "registry.example.org/slurm": it is for images of which each has one '
                "daemon, and Alibaba's image has all of them. Leave it out; set ack.slurm.image, or image of a daemon."
            ),
            (
                'cluster.images.tag = "25.11": it is for images of which each has one daemon, and Alibaba\'s image '
                "has all of them. Leave it out; set ack.slurm.image, or image of a daemon."
            ),
            ('cluster.images.logfile = "alpine:3": with ack-slurm-operator no container prints logs. Leave it out.'),
        ],
    ),
    "19: file of a newer Slurm": (
        {"cluster": {"configFiles": {"topology.yaml": "- topology: default\n  cluster_default: true\n  flat: true\n"}}},
        [
            (
                'cluster.configFiles["topology.yaml"] = "the file": topology.yaml:1: Slurm 23.02 does not '
                "read it, only 25.05 and later. Write topology.conf instead."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected


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
