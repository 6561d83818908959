"""Contents of files in /etc/slurm: those that we refuse end the real slurmctld, and what looks alike starts it."""

import json
import re
from typing import NamedTuple

import pytest

from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files
from tests.slurmd.operator_files import files
from tests.slurmd.refusal import NODE_SETS, is_accepted, refused_at

TREE, BLOCK = ({"TopologyPlugin": f"topology/{kind}"} for kind in ("tree", "block"))


class Case(NamedTuple):
    """A file, lines of slurm.conf beside it, and what slurmctld says, as a regular expression."""

    file: str
    text: str
    lines: dict[str, str] = {}
    message: str = ""
    since: str = ""
    """The first series that ends, or that takes it."""


def topology(text: str, lines: dict[str, str], message: str = "", since: str = "") -> Case:
    """Return a case of topology.conf."""
    return Case("topology.conf", text, lines, message, since)


def yaml_topology(network: str, message: str = "", since: str = "26.05") -> Case:
    """Return a case of topology.yaml."""
    return Case("topology.yaml", f"- {{topology: t, cluster_default: true, {network}}}\n", {}, message, since)


def job_submit(text: str, message: str = "") -> Case:
    """Return a case of job_submit.lua."""
    return Case("job_submit.lua", text, {"JobSubmitPlugins": "lua"}, message)


def helpers(text: str, message: str = "") -> Case:
    """Return a case of helpers.conf."""
    return Case("helpers.conf", text, {"NodeFeaturesPlugins": "node_features/helpers"}, message)


SUBMIT = "function slurm_job_submit(a, b, c)\n  return slurm.SUCCESS\nend\n"
MODIFY = "function slurm_job_modify(a, b, c, d) return 0 end\n"
NOT_LOADED = "failed to initialize job_submit plugin"
DEEP = [*(f"SwitchName=s{index} Switches=s{index + 1}" for index in range(22)), "SwitchName=s22 Nodes=cpu-0"]
ENDS = {
    "switches in a circle": topology("SwitchName=a Switches=b\nSwitchName=b Switches=a\n", TREE, "is not a tree"),
    "a switch below itself": topology("SwitchName=a Switches=a\n", TREE, "has invalid child .a."),
    "a switch that is none": topology("SwitchName=a Switches=z\n", TREE, "has invalid child .z."),
    "a switch twice": topology("SwitchName=a Nodes=x\nSwitchName=a Nodes=y\n", TREE, "already been defined"),
    "a switch with both": topology("SwitchName=a Nodes=x\nSwitchName=b Nodes=y Switches=a\n", TREE, "has both child"),
    "a long name": topology(f"SwitchName={'a' * 65} Nodes=x\n", TREE, "must be shorter than 64"),
    "switches from the top down": topology("\n".join(DEEP), TREE, "is not a tree"),
    "no switch": topology("# none\n", TREE, "No switches configured", "26.05"),
    "blocks for a tree": topology("BlockName=a Nodes=x\n", TREE, "unrecognized key: BlockName"),
    "sizes for a tree": topology("SwitchName=a Nodes=x\nBlockSizes=4\n", TREE, "unrecognized key: BlockSizes"),
    "a tree for blocks": topology("SwitchName=a Nodes=x\n", BLOCK, "unrecognized key: SwitchName"),
    "no block": topology("BlockSizes=4\n", BLOCK, "No blocks configured", "26.05"),
    "sizes in words": topology("BlockName=b Nodes=x\nBlockSizes=four\n", BLOCK, "Invalid BlockSizes value: four"),
    "sizes of no power": topology("BlockName=b Nodes=x\nBlockSizes=4,6\n", BLOCK, "Invalid BlockSizes value: 6"),
    "a block twice": topology("BlockName=b\nBlockName=b\nBlockSizes=4\n", BLOCK, "already been defined", "26.05"),
    "no sizes": topology("BlockName=b Nodes=cpu-0\n", BLOCK, "BlockSizes are not set|not contains any nodes"),
    "a script of one function": job_submit(SUBMIT, "missing required function slurm_job_modify"),
    "a script of a local function": job_submit(f"{SUBMIT}local {MODIFY}", NOT_LOADED),
    "a script in a comment": job_submit(f"--[[{SUBMIT}{MODIFY}]]", NOT_LOADED),
    "a script without an end": job_submit(f"{MODIFY}{SUBMIT.removesuffix('end' + chr(10))}", "'end' expected"),
    "a script with a mark of C": job_submit(f"{SUBMIT}{MODIFY}if 1 != 2 then end\n", "'then' expected near '!'"),
    "a script with an open text": job_submit(f"{SUBMIT}{MODIFY}x = 'abc\n", "unfinished string"),
    "an empty script of burst buffers": Case("burst_buffer.lua", "\n", {"BurstBufferType": "burst_buffer/lua"}, "lua"),
    "an empty script of completed jobs": Case("jobcomp.lua", "\n", {"JobCompType": "jobcomp/lua"}, "jobcomp plugin"),
    "a feature with a colon": helpers("Feature=rack:1 Helper=/bin/a\n", "failed to initialize node_features plugin"),
    "a feature with a digit first": helpers("Feature=1a Helper=/bin/a\n", "node_features plugin"),
    "no feature": helpers("NodeName=cpu-0 Helper=/bin/a\n", "no type Feature"),
    "a key of no features": helpers("Featur=a\n", "node_features plugin"),
    "no time": helpers("BootTime=long\n", "node_features plugin"),
    "resources of nodes that register later": Case(
        "resources.yaml",
        "- {resource: r, mode: MODE_1, layers: [{nodes: [cpu-0], count: 4}]}\n",
        message="Can't set hres_id or bitmap",
        since="26.05",
    ),
    "a key that no plugin reads": Case("acct_gather.conf", "EnergyPMI=yes\n", message="unrecognized key: EnergyPMI"),
    "no sizes in topology.yaml": yaml_topology("block: {blocks: [{block: b}]}", "BlockSizes are not set"),
}
STARTS = {
    "trees": topology("SwitchName=a Nodes=x\nSwitchName=A Nodes=y\nSwitchName=b Switches=a,A LinkSpeed=1\n", TREE),
    "a switch below two": topology("SwitchName=a Nodes=x\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n", TREE),
    "switches from the bottom up": topology("\n".join(reversed(DEEP)), TREE),
    "an empty switch": topology("SwitchName=a\n", TREE, since="26.05"),
    "blocks": topology("BlockName=b\nBlockName=B Nodes=cpu-0\nBlockSizes=4abc,4,16\n", BLOCK, since="26.05"),
    "a script": job_submit(SUBMIT + MODIFY),
    "a script with another's line ends": job_submit((SUBMIT + MODIFY).replace("\n", "\r\n")),
    "a script with a first line of its own": job_submit(f"#!/usr/bin/lua !\n{SUBMIT}{MODIFY}"),
    "a script with assigned functions": job_submit("slurm_job_submit, slurm_job_modify = print, print\n"),
    "a script that makes functions": job_submit(
        "for _, n in ipairs({'submit', 'modify'}) do _G['slurm_job_'..n] = print end"
    ),
    "a script that nothing loads": Case("job_submit.lua", "function ("),
    "features": helpers(
        "Feature=nps1,nps2 Helper=/bin/a Flags=rebootless\nFeature=mig=on Helper=/bin/b\nNodeName=cpu-0 Feature=mig=on "
        "Helper=/bin/c\nMutuallyExclusive=nps1,nps2\nMutuallyExclusive=a\nAllowUserBoot=root,slurm\nBootTime=UNLIMITED\nExecTime=9\n"
    ),
    "a circle that no plugin reads": topology("SwitchName=a Switches=a\n", {}),
}


def specification(case: Case) -> str:
    """Return what a specification has beside name and node sets."""
    return json.dumps({"configFiles": {case.file: case.text}, "slurmConf": {"extra": case.lines}})


def slurm_files(case: Case) -> Files:
    """Return what slurmctld starts with."""
    lines = "".join(f"{key}={value}\n" for key, value in case.lines.items())
    return {**files(NODE_SETS + lines), case.file: case.text}


@pytest.mark.parametrize("case", ENDS.values(), ids=ENDS.keys())
def test_slurmctld_ends_with_contents_that_we_refuse(cluster: Cluster, case: Case) -> None:
    assert set(refused_at(specification(case))) == {f'configFiles["{case.file}"]'}
    if cluster.site.image.series >= case.since:
        assert re.search(case.message, cluster.refusal(slurm_files(case)))


@pytest.mark.parametrize("case", STARTS.values(), ids=STARTS.keys())
def test_slurmctld_starts_with_contents_that_we_accept(cluster: Cluster, case: Case) -> None:
    assert is_accepted(specification(case))
    if cluster.site.image.series >= case.since:
        cluster.start_controller(slurm_files(case))
