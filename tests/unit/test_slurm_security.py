"""A preview warns of releases of Slurm with published vulnerabilities, and takes images by their digest."""

import dataclasses
from typing import Any

import pytest

from pulumi_slurm.errors import SpecError, collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.model.releases.slurm_security import SECURITY_FIXES, release_in

DIGEST = f"sha256:{'0123456789abcdef' * 4}"
MACHINE = {"cpus": 4, "memory": "8Gi"}
OLD = "ghcr.io/slinkyproject/slurmctld:25.11.7-ubuntu24.04"


def warned(**cluster: Any) -> dict[str, str]:
    """Return the warnings of this rule, by path."""
    with collected_warnings() as errors:
        load({"name": "hpc", **cluster})
    found = [error for error in errors if error.code == "slurm-release-has-no-known-vulnerability"]
    return {str(error).partition(" = ")[0]: str(error) for error in found}


def test_a_release_with_vulnerabilities_is_warned_of_with_the_one_that_mends_them() -> None:
    assert warned(slurmVersion="25.11.7") == {
        "slurmVersion": 'slurmVersion = "25.11.7": this release has 8 published vulnerabilities, CVE-2026-65107 and '
        "others: operators can make themselves administrators in slurmdbd, and users can end slurmd and slurmstepd. "
        "Take 25.11.8 of 2026-09-02 or a later release."
    }


@pytest.mark.parametrize(
    ("cluster", "paths"),
    [
        ({}, []),
        ({"slurmVersion": "25.11"}, []),
        ({"slurmVersion": "25.11.8"}, []),
        ({"slurmVersion": "25.11.10"}, []),
        ({"slurmVersion": "26.05.4", "operatorVersion": "1.1.3"}, []),
        ({"slurmVersion": "26.05.3", "operatorVersion": "1.1.3"}, ["slurmVersion"]),
        ({"images": {"tag": "25.11.2-mine"}}, ["images.tag"]),
        ({"images": {"tag": "mine-25.11.2"}}, []),
        ({"slurmVersion": "25.11.2", "images": {"tag": "stable"}}, []),
        ({"controller": {"image": OLD}}, ["controller.image"]),
        ({"controller": {"image": f"{OLD}@{DIGEST}"}}, ["controller.image"]),
        ({"controller": {"image": f"registry:5000/slurmctld@{DIGEST}"}}, []),
        (
            {"slurmVersion": "25.11.8", "accounting": {"slurmVersion": "25.11.2"}},
            ["accounting.slurmVersion"],
        ),
    ],
)
def test_versions_and_tags_say_what_runs(cluster: dict[str, Any], paths: list[str]) -> None:
    assert [*warned(**cluster)] == paths


def test_a_version_of_which_no_image_is_taken_says_nothing() -> None:
    image = f"registry.example.org/slurm@{DIGEST}"
    own = {"image": image}
    every = {"controller": own, "restApi": own, "nodeSets": [{"name": "cpu", "machine": MACHINE, **own}]}
    assert warned(slurmVersion="25.11.2", **every) == {}
    assert [*warned(slurmVersion="25.11.2", **{**every, "restApi": {}})] == ["slurmVersion"]


def test_daemons_elsewhere_are_of_another_release() -> None:
    outside = {
        "controller": {"external": {"host": "slurmctld.example.org", "port": 6817}},
        "keys": {"slurm": {"existing": {"name": "k", "key": "s"}}, "jwt": {"existing": {"name": "k", "key": "j"}}},
    }
    assert [*warned(slurmVersion="25.11.2", **outside)] == ["slurmVersion"]
    assert warned(slurmVersion="25.11.2", restApi={"image": f"a/b@{DIGEST}"}, **outside) == {}


@pytest.mark.parametrize(
    ("text", "release"),
    [("25.11.8-ubuntu24.04", (25, 11, 8)), ("25.11-ubuntu24.04", None), ("25.11.8.1", None), ("latest", None)],
)
def test_a_release_is_the_beginning_of_a_tag(text: str, release: tuple[int, int, int] | None) -> None:
    assert release_in(text) == release


def test_every_series_that_the_operator_runs_is_in_each_fix() -> None:
    series = {(one.year, one.month) for one in OS_BY_SERIES}
    for fix in SECURITY_FIXES:
        assert {mended[:2] for mended in fix.mended_in} == series


IMAGE = f"registry.example.org/name:1.2@{DIGEST}"


def images_of(item: Any) -> set[str]:
    """Return all images in an object."""
    if isinstance(item, dict):
        own = {item["image"]} if isinstance(item.get("image"), str) else set()
        return own.union(*map(images_of, item.values()))
    return set().union(*map(images_of, item)) if isinstance(item, list) else set()


def test_every_image_is_taken_by_its_digest() -> None:
    own = {"image": IMAGE}
    spec, pools = load(
        {
            "name": "hpc",
            "images": {"logfile": IMAGE, "kubectl": IMAGE, "tag": "unused"},
            "controller": own,
            "accounting": {**own, "database": own},
            "restApi": own,
            "identity": {"directory": own},
            "loginSets": [{"name": "login", **own}],
            "nodeSets": [{"name": "cpu", "machine": MACHINE, **own, "sidecars": [{"name": "log", **own}]}],
            "monitoring": {"prometheus": own},
            "topologies": [{"name": "t", "kind": "tree", "nodeLabels": ["rack"]}],
        }
    )
    found = images_of([*render(spec, pools)])
    # Jobs of ours take the image of `images`, as slurmctld would have it.
    assert found == {IMAGE, "ghcr.io/slinkyproject/slurmctld:unused"}


def test_a_digest_in_place_of_a_tag_is_refused_with_what_takes_one() -> None:
    with pytest.raises(SpecError) as refused:
        load({"name": "hpc", "images": {"tag": DIGEST}})
    assert "each daemon's own image has a digest of its own" in str(refused.value)


def test_one_vulnerability_has_no_others() -> None:
    several = SECURITY_FIXES[0]
    assert several.listed == f"{len(several.cves)} published vulnerabilities, {several.cves[0]} and others"
    assert dataclasses.replace(several, cves=("CVE-1",)).listed == "a published vulnerability, CVE-1"
