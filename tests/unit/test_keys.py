"""Keys: derived from one root key, the same from run to run, different wherever anything differs."""

import base64

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.keys import Purpose, decode_root_key, derive

ROOT = base64.b64encode(bytes(range(32))).decode()


def test_a_key_never_changes_from_release_to_release() -> None:
    # A change here would rotate every key of every cluster at its next `pulumi up`.
    assert derive(ROOT, "hpc", Purpose.SLURM) == "quC54Z3M28FXrKeeTP8HE2eQj7JZYb6vpLf-TMf5hvezpARa-8dAAArVRq70ZaLQ"


def test_every_purpose_cluster_and_generation_has_a_key_of_its_own() -> None:
    keys = [
        derive(ROOT, cluster, purpose, generation)
        for cluster in ("a", "b")
        for purpose in Purpose
        for generation in (1, 2)
    ]
    assert len(set(keys)) == len(keys)


@given(st.binary(min_size=32, max_size=32))
def test_keys_are_long_enough_and_need_no_quoting(root: bytes) -> None:
    key = derive(base64.b64encode(root).decode(), "hpc", Purpose.DATABASE)
    assert len(key) == 64
    assert set(key) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@pytest.mark.parametrize("text", ["", "hunter2", base64.b64encode(b"short").decode(), ROOT[:-4], ROOT + ROOT])
def test_a_wrong_root_key_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="pulumi config set --secret slurm:rootKey") as raised:
        decode_root_key(text)
    assert not text or text not in str(raised.value)
