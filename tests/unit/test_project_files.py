"""Files for those who carry the project on say what the project does."""

import configparser
import re
import subprocess
from pathlib import Path

from devcluster.folders import CHECKOUT, SOURCES
from pulumi_slurm.model import kubernetes_fields
from tests.editor import SCHEMA_FILE
from tests.generated import generated
from tests.project_metadata import project, pyproject
from tools import operator_fields, package_schema

CATEGORIES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""Of https://keepachangelog.com/en/1.1.0/."""


def test_license_is_the_one_that_the_package_names() -> None:
    text = (CHECKOUT / "LICENSE").read_text()
    assert project()["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0, January 2004\n" in text
    assert "9. Accepting Warranty or Additional Liability." in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_notice_names_each_table_of_what_others_have_stated() -> None:
    """A table is what isn't code, but for what is generated from our own models."""
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    files = {Path(name) for name in listed.stdout.splitlines() if (CHECKOUT / name).exists()}
    patterns = re.findall(r"(?m)^    (\S+)$", (CHECKOUT / "NOTICE").read_text())
    assert {pattern for pattern in patterns if not any(file.match(pattern) for file in files)} == set()
    packages = pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    code = {".py", ".pyi", ".typed"}
    tables = {
        file
        for file in files
        if any(file.is_relative_to(package) for package in packages)
        and file.suffix not in code
        and CHECKOUT / file != package_schema.FILE
    }
    tables |= {operator_fields.FILE.relative_to(CHECKOUT)}
    tables |= {file for file in files if file.parts[:2] == ("tests", "crds") and "samples" not in file.parts}
    tables = {file for file in tables if file.name != "README.md"}
    assert len(tables) > 10
    assert {file for file in tables if not any(file.match(pattern) for pattern in patterns)} == set()
    assert pyproject()["project"]["license-files"] == ["LICENSE", "NOTICE"]


def test_changelog_keeps_its_form() -> None:
    lines = (CHECKOUT / "CHANGELOG.md").read_text().splitlines()
    unreleased, *releases = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert unreleased == "[Unreleased]"
    for release in releases:
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", release), release
    dates = [release.rpartition(" ")[2] for release in releases]
    assert dates == sorted(dates, reverse=True)
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= CATEGORIES


def test_editors_are_told_what_ruff_checks() -> None:
    parser = configparser.ConfigParser()
    parser.read_string("[top]\n" + (CHECKOUT / ".editorconfig").read_text())
    assert parser["top"]["root"] == "true"
    assert parser["*.{py,pyi}"].getint("max_line_length") == pyproject()["tool"]["ruff"]["line-length"]


AS_FOUND = ".site"
"""Configurations in other encodings and with other ends of lines, which the importer has to read."""


def test_files_are_as_editors_are_told() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0")[:-1]:
        if name.endswith(AS_FOUND):
            continue
        file = CHECKOUT / name
        # A file that is deleted but not committed yet is still listed.
        text = file.read_bytes().decode() if file.exists() else ""
        assert "\r" not in text, name
        assert not re.search(r"[ \t]$", text, re.M), f"{name}: space at the end of a line"
        assert not text or text.endswith("\n"), f"{name}: no newline at the end"


def test_every_tool_knows_the_folders_of_the_packages() -> None:
    tool = pyproject()["tool"]
    for folders in (tool["ruff"]["src"], tool["mypy"]["mypy_path"], tool["pytest"]["ini_options"]["pythonpath"]):
        assert [folder for folder in folders if folder in SOURCES] == [*SOURCES]
    packages = tool["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert [package.partition("/")[0] for package in packages] == [*SOURCES]
    assert tool["coverage"]["run"]["source"] == packages
    assert {f"/{package}" for package in packages} <= {*tool["hatch"]["build"]["targets"]["sdist"]["include"]}


def test_forges_fold_what_is_generated() -> None:
    tables = (package_schema.FILE, kubernetes_fields.FILE, operator_fields.FILE, SCHEMA_FILE)
    folders = (CHECKOUT / "docs" / "reference", CHECKOUT / "locks", operator_fields.SCHEMAS)
    written = [
        *tables,
        *(CHECKOUT / "components").rglob("dicts.py"),
        *(file for one in folders for file in one.iterdir()),
    ]
    assert generated(written) == {*written}
