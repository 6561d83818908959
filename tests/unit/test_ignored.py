"""Warnings of what Slurm ignores without a word: files that nothing reads."""

from typing import Any

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster

TREE = "SwitchName=a Nodes=cpu-0\n"
LUA = "function slurm_job_submit() end function slurm_job_modify() end"


def warned(**fields: Any) -> list[str]:
    errors = check_cluster(SlurmSpec(name="c", **fields))
    return [str(error) for error in errors if error.severity is Severity.WARNING]


@pytest.mark.parametrize(
    ("name", "text", "lines", "key"),
    [
        ("topology.conf", TREE, {"TopologyPlugin": "topology/flat"}, "TopologyPlugin"),
        ("job_submit.lua", LUA, {"JobSubmitPlugins": "throttle"}, "JobSubmitPlugins"),
        ("cli_filter.lua", "", {}, "CliFilterPlugins"),
        ("helpers.conf", "", {}, "NodeFeaturesPlugins"),
        ("burst_buffer.conf", "", {}, "BurstBufferType"),
    ],
)
def test_a_file_that_nothing_reads(name: str, text: str, lines: dict[str, str], key: str) -> None:
    (warning,) = warned(configFiles={name: text}, slurmConf={"extra": lines})
    assert f"nothing reads it, since slurm.conf has no {key} that does" in warning


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("topology.conf", TREE, {"TopologyPlugin": "topology/tree"}),
        ("job_submit.lua", LUA, {"JobSubmitPlugins": "throttle, lua"}),
        ("job_submit.lua", LUA, {"jobsubmitplugins": "job_submit/lua"}),
    ],
)
def test_a_file_that_is_read(name: str, text: str, lines: dict[str, str]) -> None:
    assert warned(configFiles={name: text}, slurmConf={"extra": lines}) == []


@pytest.mark.parametrize(("users", "unknown"), [("root,slurm", []), ("root,alice", ["alice"]), ("12345", ["12345"])])
def test_who_may_reboot_nodes_for_their_features(users: str, unknown: list[str]) -> None:
    files, lines = {"helpers.conf": f"AllowUserBoot={users}\n"}, {"NodeFeaturesPlugins": "node_features/helpers"}
    warnings = warned(configFiles=files, slurmConf={"extra": lines})
    assert [f"Slinky's image may not know {user}" in text for user in unknown for text in warnings] == [True] * len(
        unknown
    )
    assert warned(configFiles=files, slurmConf={"extra": lines}, controller={"image": "a.example/b:1"}) == []
