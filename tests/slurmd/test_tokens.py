"""slurmrestd accepts tokens of the cluster's key and of no other, also after the keys were rotated."""

import base64

import pytest

from pulumi_slurm.derived.operator_lines import user_claim_lines
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.loading import load
from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import CPU_AND_GPU, SLURMDBD_CONF, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import JWKS
from tests.slurmd.rest import token
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST

ROOT_KEY = base64.b64encode(bytes(range(32))).decode()


def keys(generation: int) -> dict[str, str | bytes]:
    names = {Purpose.SLURM: "slurm.key", Purpose.JWT: "jwt.key"}
    return {name: derive(ROOT_KEY, "c", purpose, generation) for purpose, name in names.items()}


def token_of(generation: int, user: str = "slurm", seconds: int = 600) -> str:
    return token(str(keys(generation)["jwt.key"]).encode(), user, seconds=seconds)


@pytest.fixture
def cluster(site: Site) -> Cluster:
    return Cluster(site)


def accepted(cluster: Cluster, text: str) -> bool:
    assert cluster.rest
    status, answer = cluster.rest.get("nodes", text)
    if status != 200:
        assert [error["error"] for error in answer["errors"]] == ["Protocol authentication error"]
    return status == 200


def test_a_token_of_our_key_is_accepted_and_no_other(cluster: Cluster) -> None:
    both = {**files(), **keys(1)}
    cluster.start_controller(both)
    cluster.start_rest(both)
    assert accepted(cluster, token_of(1))
    assert not accepted(cluster, token_of(2))
    assert not accepted(cluster, token_of(1, seconds=-5))
    assert not accepted(cluster, token_of(1)[:-4])


def test_a_claim_of_an_identity_provider_has_the_name_of_the_user_beside_slurms_own(cluster: Cluster) -> None:
    provider = {"name": "provider", "key": "keys.json", "userClaim": "preferred_username"}
    spec, _ = load({"name": "c", "keys": {"jwks": provider}})
    (line,) = user_claim_lines(spec.keys).items()
    elsewhere = token(str(keys(1)["jwt.key"]).encode(), claim="preferred_username")
    for lines, taken in (("", False), (f"{'='.join(line)}\n", True)):
        both = {**files(CPU_AND_GPU + lines), "jwks.json": JWKS, **keys(1)}
        cluster.start_controller(both)
        cluster.start_rest(both)
        assert [accepted(cluster, text) for text in (elsewhere, token_of(1))] == [taken, True]


def test_after_a_rotation_only_the_new_token_is_accepted(cluster: Cluster) -> None:
    for generation in (1, 2):
        # In the order in which the operator replaces the pods.
        cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF, **keys(generation)})
        both = {**files(accounting=True), **keys(generation)}
        cluster.start_controller(both, keep_state=generation > 1)
        cluster.start_rest(both, accounting=True)
        cluster.start_workers({"cpu-0": "Features=cpu"}, slurm_key=keys(generation)["slurm.key"])
        assert cluster.run("srun", "--quiet", "hostname").strip() == "cpu-0"
        # A job that is not quite over when the key changes keeps its node for minutes; docs say to rotate without jobs.
        cluster.wait_idle("cpu-0")
        assert [old for old in (1, 2) if accepted(cluster, token_of(old))] == [generation]
