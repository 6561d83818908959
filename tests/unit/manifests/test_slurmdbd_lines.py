"""Lines of slurmdbd.conf that go with the operator's."""

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render


@pytest.mark.parametrize("operator", ["1.1.3", "1.2.1"])
@pytest.mark.parametrize(
    ("stated", "written"),
    [("cred_expire=5", "use_client_ids,cred_expire=5"), ("USE_client_ids", "use_client_ids")],
)
def test_users_of_other_pods_stay_known_to_slurmdbd(operator: str, stated: str, written: str) -> None:
    extra = {"authinfo": stated, "CommitDelay": 1}
    spec, pools = load({"name": "c", "operatorVersion": operator, "accounting": {"extraConf": extra}})
    (accounting,) = [one for one in render(spec, pools) if one["kind"] == "Accounting"]
    assert f"authinfo={written}".lower() in accounting["spec"]["extraConf"].lower().splitlines()


@pytest.mark.parametrize("operator", ["1.1.3", "1.2.1"])
def test_slurmctld_and_slurmdbd_know_the_claim_with_the_name_of_the_user(operator: str) -> None:
    keys = {"jwks": {"name": "provider", "key": "keys.json", "userClaim": "preferred_username"}}
    spec, pools = load({"name": "c", "operatorVersion": operator, "accounting": {}, "keys": keys})
    words = {"jwt_key=/etc/slurm/jwt.key", "jwks=/etc/slurm/jwks.json", "userclaimfield=preferred_username"}
    lines = [
        line.partition("=")[2]
        for one in render(spec, pools)
        if one["kind"] in {"Accounting", "Controller"}
        for line in one["spec"]["extraConf"].splitlines()
        if line.startswith("AuthAltParameters=")
    ]
    assert [set(line.split(",")) for line in lines] == [words, words]
