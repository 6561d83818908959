"""docs/pull-requests.md: what it shows is what `check` says, and what it has people write is taken."""

import re

import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.checking.check import Level, check
from pulumi_slurm_cli.checking.reports import Format, report
from tests.doc_blocks import blocks_of
from tests.unit.check.test_check import WARNED

PAGE = CHECKOUT / "docs" / "pull-requests.md"


def block(name: str) -> str:
    (found,) = (block.text for block in blocks_of(PAGE) if block.check == name)
    return found


def test_the_findings_are_those_of_the_file() -> None:
    assert report(check(block("checked-file"), "Pulumi.hpc.yaml"), Format.TEXT) == block("findings").strip()


def test_the_warning_is_accepted() -> None:
    accepted = block("accepted").removeprefix("config:\n")
    (note,) = check(f"{WARNED}{accepted}", "Pulumi.hpc.yaml")
    assert note.level is Level.NOTE


def test_workflow_and_hook_run_the_command_over_stacks_files() -> None:
    workflow, hooks = (yaml.safe_load(block(name)) for name in ("workflow", "pre-commit"))
    assert [step.get("run") for step in workflow["jobs"]["stacks"]["steps"]][-1].startswith("pulumi-slurm check ")
    (hook,) = (hook for repository in hooks["repos"] for hook in repository["hooks"])
    # pre-commit installs from a folder of its own, where a wheel of the repository is not found.
    assert (hook["entry"], hook["language"]) == ("pulumi-slurm check", "system")
    names = ["Pulumi.hpc.yaml", "Pulumi.a.b.yml", "Pulumi.yaml", "docs/Pulumi.x.yaml", "Pulumi.x.yaml.j2"]
    assert [name for name in names if re.search(hook["files"], name)] == names[:2]


def test_the_page_names_every_format_but_the_one_for_people() -> None:
    named = re.findall("--format ([a-z]+)", PAGE.read_text())
    assert set(named) == {*Format} - {Format.TEXT}
