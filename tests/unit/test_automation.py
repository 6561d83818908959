"""What runs before a commit and for every change on a forge is what the launcher runs."""

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.__main__ import CHECKS, CODE, lint
from devcluster.debian import TO_BUILD, TO_RUN
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT
from devcluster.testing import EVIDENCE
from pulumi_slurm.version import __version__
from tests.doc_blocks import commands
from tests.project_metadata import project, pyproject
from tools import plugin_archive

WORKFLOWS = ("ci", "fresh", "nightly", "pythons", "release", "vulnerabilities")
ON_REAL_SLURM = ("ci", "fresh", "nightly")


def _hooks() -> list[dict[str, Any]]:
    (repository,) = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text())["repos"]
    assert repository["repo"] == "local"
    hooks: list[dict[str, Any]] = repository["hooks"]
    return hooks


def test_hooks_before_a_commit_are_the_checks_of_lint() -> None:
    hooks = [hook for hook in _hooks() if hook.get("stages") != ["commit-msg"]]
    entries = {hook["id"]: hook["entry"] for hook in hooks}
    assert entries == {name: f"python3 devcluster/bootstrap.py lint {name}" for name in CHECKS}
    for hook in hooks:
        # Nothing is fetched, and a check sees all code, since a change in one file shows in another.
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False
        code = ("__main__.py", "components/pulumi_slurm/__init__.pyi", "pyproject.toml")
        for changed in ("README.md", "docs/reference/stack.md", "mkdocs.yml") if hook["id"] == "links" else code:
            assert re.search(hook["files"], changed), changed


def test_a_hook_reads_the_message_of_a_commit() -> None:
    config = yaml.safe_load((CHECKOUT / ".pre-commit-config.yaml").read_text())
    assert "commit-msg" in config["default_install_hook_types"]
    (hook,) = [hook for hook in _hooks() if hook.get("stages") == ["commit-msg"]]
    assert (hook["language"], hook["entry"]) == ("system", "python3 -m tools.commit_message")


def test_lint_refuses_a_check_that_it_does_not_have() -> None:
    with pytest.raises(DevclusterError, match="there is no check typos: name one of format, style, types, links"):
        lint(["types", "typos"])


def test_lint_looks_at_all_code() -> None:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert {Path(name).parts[0] for name in listed.stdout.splitlines()} == set(CODE)


@pytest.mark.parametrize("folder", [name for name in CODE if name != "tests"])
def test_lint_finds_what_opens_a_hole(folder: str) -> None:
    """One of each kind that no folder may have."""
    file = folder if folder.endswith(".py") else f"{folder}/new.py"
    code = '''"""A module."""

import pickle
import ssl
import subprocess
from hashlib import md5

from yaml import UnsafeLoader, load

print(subprocess.run("ls", shell=True, check=True), pickle.loads(b""), ssl._create_unverified_context(), eval("1"))
print(md5(b""), load("", UnsafeLoader))
'''
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format=concise"]
    done = subprocess.run(
        [*ruff, "--stdin-filename", file, "-"], input=code, cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    found = set(re.findall(r" (S\d+) ", done.stdout))
    assert {"S301", "S307", "S323", "S324", "S506", "S602"} <= found, done.stdout + done.stderr


def _workflow(name: str) -> dict[Any, Any]:
    workflow: dict[Any, Any] = yaml.safe_load((CHECKOUT / ".github" / "workflows" / f"{name}.yml").read_text())
    return workflow


def test_the_workflow_calls_what_every_change_has_to_pass() -> None:
    workflow = _workflow("ci")
    (job,) = workflow["jobs"].values()
    assert {"run": ".ci/run"} in job["steps"]
    assert os.access(CHECKOUT / ".ci" / "run", os.X_OK)
    # YAML 1.1 reads the key `on` as true.
    assert workflow[True] == {"push": {"branches": ["main"]}, "pull_request": None}
    assert workflow["permissions"] == {"contents": "read"}


def test_each_night_all_tests_run() -> None:
    workflow = _workflow("nightly")
    (job,) = workflow["jobs"].values()
    assert {"run": "make test-all"} in job["steps"]
    assert {"run": "make coverage"} in job["steps"]
    assert workflow[True].keys() == {"schedule", "workflow_dispatch"}
    # Else what can't run there would be skipped.
    assert job["env"]["CI"] == "true"


@pytest.mark.parametrize("name", ON_REAL_SLURM)
def test_the_workflow_keeps_what_failed_tests_leave(name: str) -> None:
    (job,) = _workflow(name)["jobs"].values()
    last = job["steps"][-1]
    assert last["if"] == "failure()"
    assert last["with"]["path"] == f"/tmp/{EVIDENCE}*"


@pytest.mark.parametrize("name", ON_REAL_SLURM)
def test_the_workflow_has_what_real_slurm_needs(name: str) -> None:
    (job,) = _workflow(name)["jobs"].values()
    assert job["container"]["image"].startswith("debian:")
    assert job["container"]["options"] == "--privileged"
    (install,) = [step["run"] for step in job["steps"] if "apt-get install" in step.get("run", "")]
    installed = set(install.split("apt-get install")[1].split())
    assert {*TO_RUN.values(), *TO_BUILD.values(), "git", "make", "python3", "python3-venv"} <= installed


@pytest.mark.parametrize("name", ["ci", "nightly"])
def test_the_workflow_keeps_the_toolchain(name: str) -> None:
    (job,) = _workflow(name)["jobs"].values()
    (cache,) = [step for step in job["steps"] if step.get("uses", "").startswith("actions/cache@")]
    assert cache["with"]["path"] == job["env"]["PULUMI_SLURM_CACHE"]
    for pattern in re.findall(r"'([^']+)'", cache["with"]["key"]):
        assert list(CHECKOUT.glob(pattern)), pattern


def test_each_week_both_commands_of_the_readme_run_on_a_machine_with_nothing_of_ours() -> None:
    (job,) = _workflow("fresh")["jobs"].values()
    assert [step["run"] for step in job["steps"] if step.get("run", "").startswith("make")] == [
        "make up",
        "make test",
        "make down",
    ]
    assert not any("cache" in step.get("uses", "") for step in job["steps"])


def test_no_workflow_may_do_more_than_read() -> None:
    assert {file.stem for file in (CHECKOUT / ".github" / "workflows").iterdir()} == set(WORKFLOWS)
    assert all(_workflow(name)["permissions"] == {"contents": "read"} for name in WORKFLOWS)


def test_a_release_is_tried_in_an_empty_environment_and_published_by_nobody() -> None:
    workflow = _workflow("release")
    build, attest, draft = (workflow["jobs"][name] for name in ("build", "attest", "draft"))
    assert workflow[True] == {"push": {"tags": ["v*"]}}
    runs = [step.get("run", "") for step in build["steps"]]
    (tried,) = [run for run in runs if "/tmp/empty/bin/pip install --no-index --no-deps dist/*.whl" in run]
    assert [script for script in project()["scripts"] if f"empty/bin/{script} --help" not in tried] == []
    assert build["permissions"] == {"contents": "read"}
    assert attest["permissions"] == {"actions": "read", "id-token": "write", "attestations": "write"}
    assert draft["permissions"] == {"actions": "read", "contents": "write"}
    assert "--draft" in draft["steps"][-1]["run"]
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert not any("publish" in str(step) or "twine" in str(step) for step in steps)


def test_a_release_has_the_plugin_for_each_machine(tmp_path: Path) -> None:
    """What is in them is tried in tests/e2e/test_package_from_a_repository.py."""
    steps = _workflow("release")["jobs"]["build"]["steps"]
    (command,) = [line for step in steps for line in step.get("run", "").splitlines() if "plugin_archive" in line]
    plugin_archive.main(tmp_path)
    assert {"LICENSE", "NOTICE"} <= {name for name, _ in plugin_archive.content()}
    assert command == "python -m tools.plugin_archive dist"
    name = f"pulumi-resource-slurm-v{__version__}"
    assert {file.name for file in tmp_path.iterdir()} == {
        f"{name}-{system}-{processor}.tar.gz"
        for system in ("darwin", "linux", "windows")
        for processor in ("amd64", "arm64")
    }


def test_an_environment_of_one_s_own_is_tried_on_each_python() -> None:
    job = _workflow("pythons")["jobs"]["tests"]
    documented = {line for _, line in commands("own-environment")}
    assert documented
    assert documented <= {step.get("run") for step in job["steps"]}
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project()["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == named
    assert project()["requires-python"] == f">={named[0]}"


def test_the_lock_is_installed_by_the_pip_of_each_python() -> None:
    jobs = _workflow("pythons")["jobs"]
    assert {*jobs["tests"]["strategy"]["matrix"]["python"]} <= {*jobs["lock"]["strategy"]["matrix"]["python"]}
    assert jobs["lock"]["steps"][-1] == {"run": "python devcluster/bootstrap.py python --version"}


def test_the_lowest_packages_are_tried_on_the_oldest_python() -> None:
    jobs = _workflow("pythons")["jobs"]
    steps = jobs["lowest"]["steps"]
    assert steps[1]["with"]["python-version"] == jobs["tests"]["strategy"]["matrix"]["python"][0]
    assert steps[-1] == jobs["tests"]["steps"][-1]
    assert "--resolution lowest-direct -e '.[gke,ack]' --group dev" in steps[-2]["run"]


def test_each_requirement_has_a_lowest_version() -> None:
    groups = pyproject()["dependency-groups"]
    named = [*project()["dependencies"], *itertools.chain(*project()["optional-dependencies"].values())]
    named += [one for group in groups.values() for one in group if isinstance(one, str)]
    assert [one for one in named if ">=" not in one] == []
