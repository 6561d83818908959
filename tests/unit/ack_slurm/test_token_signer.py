"""What signs the copilot's token for a Slurm outside."""

import base64
import hashlib
import hmac
import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pulumi_slurm.ack_slurm.manifests.token_signer import LIFETIME_SECONDS, token_signer
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.loading import load_model
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.shellcheck import findings
from tests.signing import STAND_INS, environment, signer
from tests.waiting import HANGS

OUTSIDE = {"name": "hpc", "addresses": ["10.1.0.4"], "jwtKeySecret": {"name": "hpc-jwt", "key": "jwt_hs256.key"}}
Sign = Callable[[bytes], str]


def outside() -> OutsideSlurmSpec:
    return load_model(OutsideSlurmSpec, OUTSIDE, "The outside")


@pytest.fixture
def sign(tmp_path: Path) -> Sign:
    """Runs the program with a key, and returns the token that it writes."""

    def token(key: bytes) -> str:
        for name, script in STAND_INS.items():
            (tmp_path / name).write_text(script)
            (tmp_path / name).chmod(0o755)
        (tmp_path / "key").write_bytes(key)
        container = signer(outside())
        env = environment(container, str(tmp_path / "key"))
        env |= {"HOME": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        subprocess.run(container["command"], env=env, check=False, timeout=HANGS)
        patch = json.loads((tmp_path / "patch").read_text())
        assert list(patch) == ["stringData"]
        assert list(patch["stringData"]) == ["hpc"]
        return str(patch["stringData"]["hpc"])

    return token


@pytest.mark.parametrize(
    "key",
    [
        bytes(range(32)),
        b"\n" * 64,
        bytes(range(256)),
        b"0123456789abcdef0123456789abcdef0123456789abcdef%\\'\" \0\xff\n",
    ],
    ids=["short", "a-block", "longer-than-a-block", "what-a-shell-could-misread"],
)
def test_a_token_is_signed_as_slurm_checks_it(sign: Sign, tmp_path: Path, key: bytes) -> None:
    head, claims, signature = sign(key).split(".")
    expected = hmac.digest(key, f"{head}.{claims}".encode(), hashlib.sha256)
    assert signature == base64.urlsafe_b64encode(expected).rstrip(b"=").decode()
    assert json.loads(_decoded(head)) == {"alg": "HS256", "typ": "JWT"}
    claimed = json.loads(_decoded(claims))
    assert claimed["sun"] == "slurm"
    assert claimed["exp"] - claimed["iat"] == LIFETIME_SECONDS
    assert claimed["iat"] <= time.time()
    # Neither is on a command line, which others on the machine can read.
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert call == "patch secret ack-slurm-jwt-token --type=merge --patch-file=/dev/stdin"
    assert (tmp_path / "ready").exists()


def test_without_the_key_nothing_is_written(tmp_path: Path) -> None:
    container = signer(outside())
    env = {**environment(container, str(tmp_path / "key")), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(container["command"], env=env, check=False, timeout=HANGS, capture_output=True)
    assert done.returncode
    assert not (tmp_path / "ready").exists()


def test_the_program_means_what_it_looks() -> None:
    assert findings(signer(outside())["command"][-1], "sh") == []


def test_it_may_change_no_other_secret_and_reads_the_key_from_a_volume() -> None:
    objects = token_signer(ClusterRef(name="hpc", namespace="operator"), outside())
    (rule,) = objects["token-role"]["rules"]
    assert (rule["resources"], rule["resourceNames"]) == (["secrets"], ["ack-slurm-jwt-token"])
    pod = objects["token-deployment"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["fsGroup"] == pod["securityContext"]["runAsUser"]
    assert {"name": "jwt", "secret": {"secretName": "hpc-jwt", "defaultMode": 0o440}} in pod["volumes"]
    assert (
        token_signer(
            ClusterRef(name="hpc", namespace="operator"), outside().model_copy(update={"jwt_key_secret": None})
        )
        == {}
    )


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
