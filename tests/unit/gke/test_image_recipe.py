"""The recipe of an image that docs/gke-images.md has, and the registry that it is pushed to."""

import re
from pathlib import Path

import yaml

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.images import own_repository, repository_url
from pulumi_slurm.model import ImagesSpec
from pulumi_slurm.model.images import Daemon
from tests.shipped_stacks import shipped

CHECKOUT = Path(__file__).parents[3]


def test_the_recipe_begins_with_the_image_that_workers_have_without_it() -> None:
    recipe = (CHECKOUT / "examples" / "gke-image" / "Dockerfile").read_text()
    version = shipped("gke")["slurm:cluster"]["slurmVersion"]
    assert re.findall("^FROM (.*)$", recipe, re.MULTILINE) == [ImagesSpec().of(Daemon.SLURMD, version)]


def test_the_page_pushes_to_the_registry_of_the_example_and_uses_that_image() -> None:
    settings = shipped("gke")
    gke = GkeSpec.model_validate({**settings["slurm:gke"], "name": settings["slurm:cluster"]["name"]})
    url = repository_url(gke.region, gke.project, own_repository(GkePlan.of(gke)))
    page = (CHECKOUT / "docs" / "gke-images.md").read_text()
    assert re.findall(r"[a-z0-9-]+-docker\.pkg\.dev/\S+/slurmd:25\.11-1", page) == [f"{url}/slurmd:25.11-1"] * 2


def test_the_build_runs_as_an_account_that_may_push_and_says_where_its_logs_go() -> None:
    """The account that Cloud Build takes by itself in new projects has no roles, and one's own needs a place for logs.

    Source: https://cloud.google.com/build/docs/securing-builds/configure-user-specified-service-accounts.
    """
    page = (CHECKOUT / "docs" / "gke-images.md").read_text()
    ((role, granted),) = re.findall(r"--role=(\S+) \\\n +--member=serviceAccount:(\S+)", page)
    (submitted,) = re.findall(r"--service-account=projects/my-project/serviceAccounts/(\S+)", page)
    assert (role, granted) == ("roles/cloudbuild.builds.builder", submitted)
    assert granted.startswith(re.findall(r"service-accounts create (\S+)", page)[0] + "@my-project.")
    (config,) = re.findall(r"--config=(\S+)", page)
    build = yaml.safe_load((CHECKOUT / config).read_text())
    assert build["options"]["logging"] == "CLOUD_LOGGING_ONLY"
    assert build["images"] == ["$_IMAGE"]
    assert "$_IMAGE" in build["steps"][0]["args"]
    assert "--substitutions=_IMAGE=" in page
