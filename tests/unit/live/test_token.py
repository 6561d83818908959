"""Where a token comes from, and that no message repeats it."""

import base64
import json
from pathlib import Path

import pytest

from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.live import LiveClusterError, ServiceAddress, token_of_environment, token_of_file, token_of_secret
from tests.slurmd.rest import token
from tests.unit.live.api_server import put_kubectl

GOOD = token(b"k", "admin", seconds=24 * 60 * 60)
"""Made long before it is used, where all tests run at once."""
OLD = token(b"k", "admin", seconds=-5)
CLUSTER = ServiceAddress("slurm", "slurm-slurmrestd", "http", Kubectl("mine"))


@pytest.mark.parametrize("text", [GOOD, f"{GOOD}\n", f"SLURM_JWT={GOOD}\n"])
def test_a_file_has_it_alone_or_as_scontrol_writes_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "token").write_text(text)
    assert token_of_file(tmp_path / "token") == GOOD


def test_the_environment_has_it_or_not() -> None:
    assert token_of_environment({"SLURM_JWT": GOOD}) == GOOD
    assert token_of_environment({"SLURM_JWT": ""}) is None
    assert token_of_environment({}) is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is no token. Write what `scontrol token` prints."),
        ("one two", "this is no token."),
        ("töken", "this is no token."),
        (OLD, "the token expired at "),
    ],
)
def test_a_token_of_no_use(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "token").write_text(text)
    with pytest.raises(LiveClusterError) as told:
        token_of_file(tmp_path / "token")
    assert str(told.value).startswith(f"{tmp_path / 'token'}: {problem}")
    assert not text or text not in str(told.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LiveClusterError, match="none: it can't be read: no such file or directory"):
        token_of_file(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(LiveClusterError, match="bytes: it can't be read: it is not text"):
        token_of_file(tmp_path / "bytes")


def test_a_secret_is_read_by_kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = {"data": {"SLURM_JWT": base64.b64encode(GOOD.encode()).decode()}}
    put_kubectl(tmp_path, f"#!/bin/sh\necho \"$*\" > {tmp_path}/asked\necho '{json.dumps(secret)}'\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert token_of_secret("slurm-token-admin", CLUSTER) == GOOD
    assert (tmp_path / "asked").read_text() == (
        "--context=mine --request-timeout=60s get secret slurm-token-admin --namespace=slurm --output=json\n"
    )


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (
            "echo 'Error from server (NotFound)' >&2; exit 1",
            "it can't be read: kubectl: Error from server (NotFound). Name a file",
        ),
        ("exit 3", "it can't be read: kubectl: it ended with 3. Name a file"),
        ("echo '{}'", "it has no SLURM_JWT. Name a file with a token, or set SLURM_JWT."),
        ("echo '{\"data\": null}'", "it has no SLURM_JWT."),
        ("echo hello", "it can't be read: kubectl: it printed something else than an object. Name a file"),
        ('echo \'{"data": {"SLURM_JWT": "IA=="}}\'', "this is no token."),
    ],
)
def test_a_secret_without_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, problem: str) -> None:
    put_kubectl(tmp_path, f"#!/bin/sh\n{script}\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(LiveClusterError) as told:
        token_of_secret("slurm-token-admin", CLUSTER)
    assert str(told.value).startswith(f"Secret slurm-token-admin in namespace slurm: {problem}")
