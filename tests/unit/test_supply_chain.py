"""What runs on forges comes by hash and has no right that it doesn't need: all workflows, those of examples too.

What counts as pinned is as Scorecard has it: `isUnpinnedPipInstall` in checks/raw/shell_download_validate.go of
ossf/scorecard. The list of workflows is closed: a new file is looked at by itself.
"""

import re
import shlex
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from devcluster.parts import MODULES, PARTS
from tests.doc_blocks import blocks_of
from tests.project_metadata import pyproject

FILES = tuple(
    sorted(
        file
        for folder in (".github/workflows", "examples/workflows")
        for file in (CHECKOUT / folder).iterdir()
        if file.suffix in {".yml", ".yaml"}
    )
)
ON_GITHUB = tuple(file for file in FILES if "gitlab" not in file.name)
TRIES_RANGES = "pythons.yml"
"""Whose purpose is to install what nobody has seen yet: the newest packages in the ranges, and the lowest."""
PACKAGES = re.compile(r"\b(?:pip3?|pipx|uv)\b[^&|;\n]*?\b(?:install|sync|run)\b[^&|;\n]*")


def _jobs(text: str) -> dict[str, dict[str, Any]]:
    """Return the jobs by name: GitLab has them at the top."""
    file = yaml.safe_load(text)
    jobs: dict[str, dict[str, Any]] = file.get("jobs", file)
    return jobs


def _scripts(job: dict[str, Any]) -> Iterator[str]:
    """Yield what a job runs by a shell."""
    yield from job.get("script", ())
    yield from (step["run"] for step in job.get("steps", ()) if "run" in step)


def _installs(text: str) -> list[str]:
    """Return each command that installs packages of Python."""
    scripts = (script for job in _jobs(text).values() for script in _scripts(job))
    return [found[0].strip() for script in scripts for found in PACKAGES.finditer(script)]


def _pinned(command: str) -> bool:
    """Tell whether all that it installs is given by hash, or lies in the checkout already."""
    words = {*shlex.split(command)}
    return "--require-hashes" in words or {"--no-index", "--no-deps"} <= words


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_packages_come_by_hash(file: Path) -> None:
    commands = _installs(file.read_text())
    unpinned = [command for command in commands if not _pinned(command)]
    if file.name == TRIES_RANGES:
        assert unpinned == [
            "pip install -e '.[gke,ack]' --group dev",
            "uv pip install --system --resolution lowest-direct -e '.[gke,ack]' --group dev",
        ]
        unpinned = []
    assert unpinned == []


def test_a_workflow_on_a_page_is_as_safe_to_copy() -> None:
    texts = [
        block.text for page in (CHECKOUT / "docs").glob("*.md") for block in blocks_of(page) if "uses: " in block.text
    ]
    assert texts
    for text in texts:
        assert _installs(text)
        assert all(map(_pinned, _installs(text))), text
        assert text.count("checkout@") == text.count("persist-credentials: false")


def test_commands_that_install_are_found() -> None:
    text = yaml.safe_dump(
        {"jobs": {"a": {"steps": [{"run": "cd x && python -m pip install a\nuv run b"}, {"run": "ls"}]}}}
    )
    assert _installs(text) == ["pip install a", "uv run b"]
    assert not any(map(_pinned, _installs(text)))
    assert _pinned("pip install --require-hashes -r locks/base.lock")
    assert not _pinned("pip install --no-deps a")


def test_a_job_whose_packages_have_no_hashes_has_nothing_to_steal() -> None:
    text = (CHECKOUT / ".github" / "workflows" / TRIES_RANGES).read_text()
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert not any("permissions" in job or "environment" in job for job in workflow["jobs"].values())
    assert not re.search(r"secrets\.|github\.token|actions/cache|upload-artifact", text)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_lock_that_a_workflow_names_is_there_and_has_hashes(file: Path) -> None:
    for command in _installs(file.read_text()):
        for lock in re.findall(r"-r (\S+)", command):
            folder, _, name = lock.partition("/")
            # A team takes wheel.lock from a release, or from locks/.
            assert folder == ("wheels" if file.parent.parent.name == "examples" else "locks"), command
            lines = (CHECKOUT / "locks" / name).read_text().replace("\\\n", " ").splitlines()
            assert lines
            assert [line for line in lines if "--hash=sha256:" not in line] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_that_is_fetched_is_run_as_it_comes(file: Path) -> None:
    for job in _jobs(file.read_text()).values():
        for script in _scripts(job):
            assert not re.search(r"(curl|wget)[^\n]*\|", script)
            assert ("sha256sum --check" in script) == bool(re.search(r"\b(curl|wget) -", script)), script


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_job_ends_by_itself_and_has_its_rights_stated(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text())
    for name, job in _jobs(file.read_text()).items():
        if "gitlab" in file.name:
            assert re.fullmatch(r"\d+ minutes", job["timeout"])
            continue
        assert isinstance(job["timeout-minutes"], int), name
        assert isinstance(job.get("permissions", workflow["permissions"]), dict), name


@pytest.mark.parametrize("file", ON_GITHUB, ids=lambda file: file.name)
def test_actions_come_by_hash(file: Path) -> None:
    """A tag can be moved to other code; readers and Dependabot go by the comment."""
    lines = [line.partition("uses: ")[2] for line in file.read_text().splitlines() if "uses: " in line]
    steps = [step["uses"] for job in _jobs(file.read_text()).values() for step in job["steps"] if "uses" in step]
    assert [line.split()[0] for line in lines] == steps
    for line in lines:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line


def test_one_action_has_one_hash() -> None:
    """Also on the pages, from which people copy."""
    pages = [block.text for page in (CHECKOUT / "docs").glob("*.md") for block in blocks_of(page)]
    texts = [file.read_text() for file in FILES] + pages
    hashes: dict[str, set[str]] = {}
    for action, pin in re.findall(r"uses: ([\w/-]+)@(.+)", "\n".join(texts)):
        hashes.setdefault(action, set()).add(pin)
    assert "actions/checkout" in hashes
    assert {action: pins for action, pins in hashes.items() if len(pins) > 1} == {}


@pytest.mark.parametrize("file", ON_GITHUB, ids=lambda file: file.name)
def test_no_checkout_keeps_the_token(file: Path) -> None:
    for job in _jobs(file.read_text()).values():
        for step in job["steps"]:
            if "checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False


def test_what_signs_a_release_installs_nothing() -> None:
    jobs = _jobs((CHECKOUT / ".github" / "workflows" / "release.yml").read_text())
    signing = {name for name, job in jobs.items() if "id-token" in job["permissions"]}
    assert signing == {"attest"}
    writing = {name for name, job in jobs.items() if "write" in job["permissions"].values()}
    assert writing == {"attest", "draft"}
    for name in writing:
        assert not any("checkout@" in step.get("uses", "") for step in jobs[name]["steps"])
        programs = {line.split()[0] for script in _scripts(jobs[name]) for line in script.splitlines()}
        assert programs <= {"gh", "cp"}


def test_a_release_is_built_by_what_is_pinned_alone() -> None:
    build = _jobs((CHECKOUT / ".github" / "workflows" / "release.yml").read_text())["build"]
    script = "\n".join(_scripts(build))
    assert "python -m build --no-isolation\n" in script
    lock = (CHECKOUT / "locks" / "release.lock").read_text()
    for needed in (*pyproject()["build-system"]["requires"], *pyproject()["dependency-groups"]["release"]):
        name = re.split(r"[<>=]", needed)[0]
        assert f"\n{name}==" in f"\n{lock}"


def test_a_release_has_its_packages_and_where_it_comes_from() -> None:
    jobs = _jobs((CHECKOUT / ".github" / "workflows" / "release.yml").read_text())
    script = "\n".join(_scripts(jobs["build"]))
    assert "--output-file dist/pulumi_slurm.cdx.json" in script
    assert "cp locks/wheel.lock dist/\n" in script
    (bundle,) = [step["with"]["path"] for step in jobs["attest"]["steps"] if "upload-artifact@" in step.get("uses", "")]
    assert bundle.endswith(".intoto.jsonl")
    assert set(jobs["draft"]["needs"]) == {"build", "attest"}
    fetched = re.findall(r"--name (\w+)", "\n".join(_scripts(jobs["draft"])))
    kept = [
        step["with"]["name"]
        for job in jobs.values()
        for step in job["steps"]
        if "upload-artifact@" in step.get("uses", "")
    ]
    assert fetched == kept


def test_make_writes_every_lock() -> None:
    makefile = (CHECKOUT / "Makefile").read_text()
    (alone,) = re.findall(r"^ALONE = (.*)$", makefile, re.M)
    written = {*re.findall(r"--output-file locks/([a-z]+)\.lock", makefile), *alone.split()}
    assert written == {file.stem for file in (CHECKOUT / "locks").iterdir()}
    assert set(alone.split()) <= set(pyproject()["dependency-groups"])


def test_locks_that_are_used_together_have_one_version_of_a_package() -> None:
    def packages(name: str) -> set[str]:
        return {*re.findall(r"^[a-z0-9.-]+==\S+", (CHECKOUT / "locks" / f"{name}.lock").read_text(), re.M)}

    tested = packages("tests")
    for name in ("base", "gke", "ack", "wheel"):
        assert packages(name) <= tested, name


def test_no_lock_names_a_registry() -> None:
    for file in (CHECKOUT / "locks").iterdir():
        assert not re.search(r"://|--(extra-)?index-url|--find-links", file.read_text()), file.name


def _listed(*patterns: str) -> list[Path]:
    """Return the files of git by their names, without the folder of the checkout."""
    command = ["git", "ls-files", *(f":(glob)**/{pattern}" for pattern in patterns)]
    listed = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return [Path(name) for name in listed.stdout.splitlines() if (CHECKOUT / name).exists()]


PINS = {
    "gomod": ("go.mod",),
    "npm": ("package.json",),
    "docker": ("Dockerfile*",),
    "pip": ("requirements*.txt", "pyproject.toml"),
}
"""In which files each of Dependabot's ecosystems finds what it raises."""


@pytest.mark.parametrize("ecosystem", PINS)
def test_newer_releases_of_all_that_is_pinned_are_proposed(ecosystem: str) -> None:
    updates = yaml.safe_load((CHECKOUT / ".github" / "dependabot.yml").read_text())["updates"]
    (entry,) = [update for update in updates if update["package-ecosystem"] == ecosystem]
    # What names nothing but this package has nothing to raise.
    files = [file for file in _listed(*PINS[ecosystem]) if re.search(r"\d", (CHECKOUT / file).read_text())]
    folders = {f"/{file.parent.as_posix().removeprefix('.')}" for file in files}
    assert folders
    assert {one for one in folders if not any(fnmatch(one, pattern) for pattern in entry["directories"])} == set()
    unused = [pattern for pattern in entry["directories"] if not any(fnmatch(one, pattern) for one in folders)]
    assert unused == []


def test_newer_releases_of_actions_are_proposed() -> None:
    updates = yaml.safe_load((CHECKOUT / ".github" / "dependabot.yml").read_text())["updates"]
    assert {update["package-ecosystem"] for update in updates} == {"github-actions", *PINS}


def test_known_vulnerabilities_are_looked_for_in_all_that_is_pinned() -> None:
    text = (CHECKOUT / ".github" / "workflows" / "vulnerabilities.yml").read_text()
    jobs = _jobs(text)
    assert yaml.safe_load(text)[True].keys() == {"schedule", "workflow_dispatch"}
    # A package that isn't found is passed over without it, and the run is green.
    assert "pip-audit --strict --disable-pip --require-hashes -r" in text
    assert "for lock in locks/*.lock" in text
    assert jobs["go"]["strategy"]["matrix"]["part"] == sorted(name for name, part in PARTS.items() if part.binaries)
    (audit,) = [script for script in _scripts(jobs["npm"]) if "npm audit" in script]
    locks = [f"--prefix {file.parent}" for file in _listed("package-lock.json")]
    assert [lock for lock in locks if lock not in audit] == []


@pytest.mark.parametrize("name", [name for name, part in PARTS.items() if part.binaries])
def test_programs_in_go_are_where_govulncheck_looks(name: str) -> None:
    """It's given `.` where there is a main.go, and else the pattern `tool`, which is of what go.mod names as tools."""
    module = MODULES / name
    tools = re.findall(r"^(?:tool |\t)([^\s(]\S*)$", (module / "go.mod").read_text(), re.M)
    here = ["."] if (module / "main.go").exists() else []
    assert {package for _, package in PARTS[name].binaries} == {*tools, *here}


def test_govulncheck_is_pinned() -> None:
    folder = CHECKOUT / "tools" / "govulncheck"
    (version,) = re.findall(r"golang\.org/x/vuln (v\S+)", (folder / "go.mod").read_text())
    assert f"golang.org/x/vuln {version} h1:" in (folder / "go.sum").read_text()
