"""Which pods a rotated key replaces: those whose template changes."""

from typing import Any

from pulumi_slurm.manifests.objects import KEY_GENERATIONS
from tests.unit.manifests.rendered import WHOLE, rendered_by_kind

WITH_PODS = ("Controller", "Accounting", "RestApi", "NodeSet", "LoginSet")


def replaced_by(**keys: Any) -> set[str]:
    before, after = rendered_by_kind(**WHOLE), rendered_by_kind(**WHOLE, keys=keys)
    return {kind for kind in WITH_PODS if before[kind]["spec"]["template"] != after[kind]["spec"]["template"]}


def test_the_jwt_key_replaces_no_worker_and_ends_no_login() -> None:
    """The operator mounts it in the pods of slurmctld and slurmdbd alone."""
    assert replaced_by(jwt={"generation": 2}) == {"Controller", "Accounting"}


def test_the_slurm_key_replaces_every_pod() -> None:
    assert replaced_by(slurm={"generation": 2}) == set(WITH_PODS)


def test_a_sacctmgr_job_reads_the_jwt_key_alone() -> None:
    """Its token is signed with it; another Job only repeats the commands."""
    job = rendered_by_kind(**WHOLE)["Job"]
    assert rendered_by_kind(**WHOLE, keys={"slurm": {"generation": 2}})["Job"] == job
    assert rendered_by_kind(**WHOLE, keys={"jwt": {"generation": 2}})["Job"]["spec"] != job["spec"]


def test_pods_of_clusters_without_rotations_stay_when_the_library_is_upgraded() -> None:
    """Each release has written this text, and another would replace all workers."""
    objects = rendered_by_kind(**WHOLE)
    annotations = {kind: objects[kind]["spec"]["template"]["metadata"]["annotations"] for kind in WITH_PODS}
    assert {kind: texts[KEY_GENERATIONS] for kind, texts in annotations.items()} == dict.fromkeys(
        WITH_PODS, "slurm=1,jwt=1"
    )
