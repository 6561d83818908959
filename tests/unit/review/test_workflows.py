"""The workflows of examples/workflows that review changes: what they may do, and what their scripts do."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT, PYTHON_PATH
from tests.unit.review.forges import REPOSITORY, TOKEN, Forge, github, gitlab
from tests.unit.review.test_command import settings
from tests.unit.review.test_comments import PULL, RUN, SHA

FOLDER = CHECKOUT / "examples" / "workflows"
WORKFLOWS = {file.stem: yaml.safe_load(file.read_text()) for file in FOLDER.glob("*.yaml") if "gitlab" not in file.name}
URN = "urn:pulumi:hpc::clusters::kubernetes:core/v1:ConfigMap::files"
EVENT = {
    "op": "update",
    "urn": URN,
    "type": "kubernetes:core/v1:ConfigMap",
    "old": {"inputs": {}},
    "new": {"inputs": {}},
}
FAILED = {"sequence": 2, "diagnosticEvent": {"severity": "error", "message": "no such pool"}}
CHANGE = json.dumps({"sequence": 1, "resourcePreEvent": {"metadata": EVENT}}) + "\n"
EVENTS = CHANGE + json.dumps({"sequence": 3, "summaryEvent": {"result": "succeeded"}}) + "\n"
IGNORED = frozenset(
    {"GITHUB_TOKEN", "GH_TOKEN", "PULUMI_BACKEND_URL", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"}
)


@pytest.fixture
def forge() -> Iterator[Forge]:
    with github() as forge:
        yield forge


@dataclass
class Machine:
    """A runner in a folder: it has the programs that a workflow's steps call, and runs these as the forge does."""

    folder: Path
    environment: dict[str, str]
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    printed: str = ""

    @property
    def work(self) -> Path:
        """The folder with the checkout."""
        return self.folder / "work"

    @property
    def summary(self) -> str:
        """What the job's summary has."""
        return (self.folder / "summary").read_text()

    def program(self, name: str, script: str) -> None:
        """Add a program."""
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/bash\n{script}\n")
        file.chmod(0o755)

    def job(self, job: Mapping[str, Any], **expressions: str) -> None:
        """Run the steps of a job with a name until one fails; those without one come from outside."""
        for step in job["steps"]:
            if "name" in step and "run" in step and not self.step(step, job.get("env", {}), expressions):
                return

    def step(self, step: Mapping[str, Any], env: Mapping[str, str], expressions: Mapping[str, str]) -> bool:
        """Run a step: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax (shell)."""
        output = self.folder / "output"
        output.write_text("")
        named = {key: self._value(text, expressions) for key, text in {**env, **step.get("env", {})}.items()}
        shell = ["--noprofile", "--norc", "-eo", "pipefail"] if "shell" in step else ["-e"]
        done = self.run(["bash", *shell, "-c", step["run"]], {**named, "GITHUB_OUTPUT": str(output)})
        if "id" in step:
            self.outputs[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        self.codes[step["name"]] = done
        return done == 0

    def run(self, words: list[str], env: Mapping[str, str]) -> int:
        """Run something in the checkout; return its exit code."""
        every = {**self.environment, **env}
        done = subprocess.run(words, cwd=self.work, env=every, capture_output=True, text=True, check=False)
        self.printed += done.stdout + done.stderr
        assert "Traceback" not in self.printed
        return done.returncode

    def _value(self, text: str, expressions: Mapping[str, str]) -> str:
        """Return a text with its one expression put in."""
        whole = re.fullmatch(r"\$\{\{ (.+) \}\}", text)
        if not whole:
            return text
        if output := re.fullmatch(r"steps\.(\w+)\.outputs\.(\w+)", whole[1]):
            return self.outputs[output[1]][output[2]]
        if whole[1].startswith(("secrets.", "vars.")):
            return ""
        return expressions[whole[1]]


@pytest.fixture
def machine(tmp_path: Path, forge: Forge) -> Machine:
    for name in ("bin", "work", "temp"):
        (tmp_path / name).mkdir()
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7}}))
    machine = Machine(
        tmp_path,
        {
            "PATH": f"{tmp_path}/bin:{os.environ['PATH']}",
            "PYTHONPATH": PYTHON_PATH,
            "GITHUB_API_URL": forge.address,
            "GITHUB_GRAPHQL_URL": f"{forge.address}/graphql",
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_WORKSPACE": str(tmp_path / "work"),
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "HOME": str(tmp_path),
        },
    )
    for name, file in ((".github", "github_comment.py"), (".gitlab", "gitlab_note.py")):
        (machine.work / name).mkdir()
        (machine.work / name / file).symlink_to(FOLDER / file)
    machine.program("pulumi-slurm", f'exec {sys.executable} -m pulumi_slurm "$@"')
    machine.program("python", f'exec {sys.executable} "$@"')
    return machine


def engine(machine: Machine, events: str, code: int) -> None:
    """Have a preview with these events."""
    (machine.folder / "log").write_text(events)
    machine.program("pulumi", f'echo "$*" >>{machine.folder}/asked; cp {machine.folder}/log "${{@: -1}}"; exit {code}')


GIVEN = {"github.token": TOKEN, "matrix.stack": "hpc", "github.event.pull_request.head.sha": SHA}


@pytest.mark.parametrize(
    ("events", "code", "title", "red"),
    [
        (EVENTS, 0, "### ✅ clusters/hpc: nothing for jobs", False),
        (CHANGE + json.dumps(FAILED), 255, "**The preview failed", True),
        # A finding of a policy fails a preview without an error.
        (EVENTS, 1, "### ✅ clusters/hpc: nothing for jobs", True),
    ],
)
def test_a_branch_is_previewed_and_has_its_comment(
    machine: Machine, forge: Forge, events: str, code: int, title: str, red: bool
) -> None:
    engine(machine, events, code)
    machine.job(WORKFLOWS["review"]["jobs"]["review"], **GIVEN)
    assert machine.codes == {"preview": 0, "review": 0, "comment": 0, "verdict": int(red)}, machine.printed
    asked = (machine.folder / "asked").read_text()
    assert asked == "preview --stack hpc --non-interactive --event-log events.json\n"
    (written,) = forge.written
    assert title in written.body
    assert f" of {SHA[:12]}, 20" in written.body.splitlines()[-1]
    assert machine.summary == written.body
    assert ("::error::the preview of hpc failed" in machine.printed) == red


def test_where_there_is_no_log_the_run_fails_before_a_comment(machine: Machine, forge: Forge) -> None:
    machine.program("pulumi", "echo no such backend; exit 255")
    machine.job(WORKFLOWS["review"]["jobs"]["review"], **GIVEN)
    assert machine.codes == {"preview": 0, "review": 2}
    assert "events.json: it can't be read" in machine.printed
    assert not forge.written


def git(machine: Machine, *words: str) -> None:
    """Run git in the checkout."""
    assert machine.run(["git", "-c", "user.name=a", "-c", "user.email=a@a", *words], {}) == 0, machine.printed


def merge(machine: Machine, **changes: object) -> None:
    """Check a pull request out, as the merge of base and head, of which head has the stack's file with changes."""
    git(machine, "init", "-q", "-b", "main")
    settings(machine.work, "Pulumi.hpc.yaml")
    git(machine, "add", "Pulumi.hpc.yaml")
    git(machine, "commit", "-qm", "base")
    git(machine, "checkout", "-qb", "head")
    settings(machine.work, "Pulumi.hpc.yaml", **changes)
    git(machine, "commit", "-qam", "head")
    git(machine, "checkout", "-q", "main")
    git(machine, "merge", "-q", "--no-ff", "head")


LEFT = "e" * 40
"""Where the fork's branch has left the other one."""
OF_A_FORK = {"github.token": TOKEN, "matrix.stack": "hpc", "github.event.workflow_run.head_sha": SHA}


def of_fork(machine: Machine, forge: Forge, **changes: object) -> None:
    """Have the forge tell of a fork's pull request, whose stack's file has changes."""
    forge.pulls.append(PULL)
    forge.merge_bases[f"main...{SHA}"] = LEFT
    for commit, changed in ((LEFT, {}), (SHA, changes)):
        settings(machine.folder, "Pulumi.hpc.yaml", **changed)
        forge.files[commit] = {"Pulumi.hpc.yaml": (machine.folder / "Pulumi.hpc.yaml").read_text()}
    (machine.work / "Pulumi.yaml").write_text("name: clusters\nruntime: python\n")
    (machine.folder / "event.json").write_text(json.dumps({"workflow_run": RUN}))


def test_the_run_of_a_fork_has_a_summary_and_writes_nothing(machine: Machine, forge: Forge) -> None:
    merge(machine, nodeSets=[{"replicas": 2}, {}])
    machine.job(WORKFLOWS["review"]["jobs"]["fork"], **GIVEN)
    assert machine.codes == {"review": 0}, machine.printed
    assert "### ⏳ slurm/hpc: drains first" in machine.summary
    assert not forge.asked


def test_the_base_reviews_a_fork_s_files_and_believes_nothing_of_its_run(machine: Machine, forge: Forge) -> None:
    of_fork(machine, forge, nodeSets=[{"replicas": 2}, {}])
    # What a fork's run leaves is where it would be taken from.
    machine.program("gh", f'cp "{machine.folder}/lie.json" "${{@: -1}}"')
    for lie in (machine.folder / "lie.json", machine.work / "review.json"):
        lie.write_text("{}")
    machine.job(WORKFLOWS["review-of-forks"]["jobs"]["comment"], **OF_A_FORK)
    assert machine.codes == {"take": 0, "review": 0, "comment": 0}, machine.printed
    (written,) = forge.written
    assert "> From the stack's two files alone" in written.body
    assert "### ⏳ clusters/hpc: drains first" in written.body
    assert f" of {SHA[:12]}, 20" in written.body.splitlines()[-1]


def test_a_fork_s_new_stack(machine: Machine, forge: Forge) -> None:
    of_fork(machine, forge)
    forge.files[LEFT].clear()
    machine.job(WORKFLOWS["review-of-forks"]["jobs"]["comment"], **OF_A_FORK)
    (written,) = forge.written
    assert "is new" in written.body


def test_a_fork_that_has_a_newer_commit_has_no_comment_yet(machine: Machine, forge: Forge) -> None:
    of_fork(machine, forge)
    forge.pulls.clear()
    machine.job(WORKFLOWS["review-of-forks"]["jobs"]["comment"], **OF_A_FORK)
    assert machine.codes == {"take": 0, "review": 0, "comment": 0}, machine.printed
    assert "no open pull request ends with this commit any more" in machine.printed
    assert not forge.written


def test_a_commit_that_is_not_found_is_no_stack_that_goes(machine: Machine, forge: Forge) -> None:
    of_fork(machine, forge)
    del forge.files[SHA]
    machine.job(WORKFLOWS["review-of-forks"]["jobs"]["comment"], **OF_A_FORK)
    assert machine.codes == {"take": 1}
    assert f"404 No commit found for the ref {SHA}\n" in machine.printed
    assert not forge.written


@pytest.mark.parametrize(
    ("text", "step", "problem"),
    [
        ("#" * (4 * 2**20 + 1), "take", "this file has more than 4194304 bytes"),
        ("config: {slurm:kind: [}", "review", "Pulumi.hpc.yaml"),
    ],
)
def test_a_fork_s_file_that_is_none_has_no_comment(
    machine: Machine, forge: Forge, text: str, step: str, problem: str
) -> None:
    of_fork(machine, forge)
    forge.files[SHA]["Pulumi.hpc.yaml"] = text
    machine.job(WORKFLOWS["review-of-forks"]["jobs"]["comment"], **OF_A_FORK)
    assert [name for name, code in machine.codes.items() if code] == [step]
    assert problem in machine.printed
    assert not forge.written


def on_gitlab(machine: Machine) -> tuple[dict[str, Any], str]:
    """Have an engine in an archive that curl fetches, and nowhere else; return the job and the archive's checksum."""
    (machine.folder / "pulumi").mkdir()
    (machine.folder / "bin" / "pulumi").rename(machine.folder / "pulumi" / "pulumi")
    archive = machine.folder / "archive.tar.gz"
    with tarfile.open(archive, "w:gz") as opened:
        opened.add(machine.folder / "pulumi", "pulumi")
    shutil.rmtree(machine.folder / "pulumi")
    machine.program("curl", f'cp {archive} "$(basename "${{@: -1}}")"')
    machine.program("pip", "exit 0")
    (job,) = yaml.safe_load((FOLDER / "review.gitlab-ci.yaml").read_text()).values()
    return job, hashlib.sha256(archive.read_bytes()).hexdigest()


@pytest.mark.parametrize("checksum", ["", "0" * 64])
def test_no_engine_is_run_on_gitlab_that_has_another_checksum(machine: Machine, checksum: str) -> None:
    engine(machine, EVENTS, 0)
    job, _ = on_gitlab(machine)
    assert job["variables"]["PULUMI_SHA256"] == ""
    (script,) = [line for line in job["script"] if "get.pulumi.com" in line]
    variables = {name: str(value) for name, value in job["variables"].items()}
    environment = {**variables, "PULUMI_SHA256": checksum, "REVIEW_TOKEN": TOKEN, "STACK": "hpc"}
    assert machine.run(["bash", "-eo", "pipefail", "-c", script], environment) == 1
    assert ("computed checksum did NOT match" if checksum else "set PULUMI_SHA256") in machine.printed
    assert not (machine.folder / "asked").exists()


@pytest.mark.parametrize(("token", "code"), [(TOKEN, 0), (TOKEN, 1), ("", 0)])
def test_the_job_on_gitlab_reviews_and_writes_a_note(machine: Machine, token: str, code: int) -> None:
    merge(machine, nodeSets=[{"replicas": 2}, {}])
    engine(machine, EVENTS, code)
    job, checksum = on_gitlab(machine)
    with gitlab() as lab:
        environment = {
            **{name: str(value) for name, value in job["variables"].items()},
            "CI_API_V4_URL": lab.address,
            "CI_MERGE_REQUEST_PROJECT_ID": "5",
            "CI_MERGE_REQUEST_IID": "7",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD^1",
            "CI_COMMIT_SHA": SHA,
            "STACK": "hpc",
            "REVIEW_TOKEN": token,
            "PULUMI_SHA256": checksum,
        }
        # The stack's file has no root key, which check would tell.
        lines = [line for line in job["script"] if not line.startswith("pulumi-slurm check")]
        done = machine.run(["bash", "-eo", "pipefail", "-c", "\n".join(lines)], environment)
        assert done == code, machine.printed
        assert [one.body.splitlines()[2] for one in lab.written] == (
            ["### ✅ clusters/hpc: nothing for jobs"] if token else []
        )
    assert "of 0123456789ab" in (machine.work / "review.md").read_text()
    assert job["artifacts"]["paths"] == ["review.md", "review.json"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_workflow_gives_strangers_a_right_or_runs_their_words(name: str) -> None:
    workflow = WORKFLOWS[name]
    # YAML 1.1 reads the key `on` as true.
    assert "pull_request_target" not in str(workflow[True])
    assert workflow["permissions"] in ({}, {"contents": "read"}, {"contents": "read", "id-token": "write"})
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            # https://docs.github.com/en/actions/concepts/security/script-injections
            assert "${{" not in step.get("run", "")
            assert "shell" in step or len(step.get("run", "").splitlines()) <= 1
            if "checkout@" in step.get("uses", ""):
                assert "ref" not in step.get("with", {})


def test_secrets_are_for_branches_of_the_repository_alone() -> None:
    jobs = {**WORKFLOWS["review"]["jobs"], **WORKFLOWS["review-of-forks"]["jobs"]}
    with_secrets = {name for name, job in jobs.items() if "secrets." in str(job)}
    assert with_secrets == {"review"}
    # A branch can be read there before its program runs; docs/review-rights.md says how.
    assert {name for name, job in jobs.items() if job.get("environment") == "review"} == with_secrets
    assert {name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()} == {
        "review",
        "comment",
    }
    own = "github.event.pull_request.head.repo.full_name == github.repository"
    assert jobs["review"]["if"] == own
    assert jobs["fork"]["if"] == own.replace("==", "!=")
    assert WORKFLOWS["review-of-forks"][True]["workflow_run"]["workflows"] == [WORKFLOWS["review"]["name"]]
    # Who writes has no code of others in its steps, and who has their data no token.
    steps = {step["name"]: step for step in jobs["comment"]["steps"] if "name" in step}
    assert {name for name, step in steps.items() if "github.token" in str(step)} == {"take", "comment"}
