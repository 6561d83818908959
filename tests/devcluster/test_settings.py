"""The settings file for the engine: the person's own, plus what Pulumi has added to the last copy."""

from pathlib import Path

import pytest

from devcluster import settings
from devcluster.errors import DevclusterError

pytestmark = pytest.mark.unit

SECRETS = {"slurm:rootKey": {"secure": "kept"}, "slurm:ldapBindPassword": {"secure": "kept"}}
KEPT = {"encryptionsalt": "kept", "config": {**SECRETS, "slurm:old": "x"}}


def test_salt_and_secrets_are_kept_and_nothing_else() -> None:
    merged = settings.merge({"config": {"slurm:kind": "local"}}, KEPT)
    assert merged == {"encryptionsalt": "kept", "config": {**SECRETS, "slurm:kind": "local"}}


def test_what_the_person_has_set_is_kept() -> None:
    own = {"encryptionsalt": "own", "config": {"slurm:rootKey": {"secure": "own"}}}
    assert settings.merge(own, KEPT) == own


def test_refresh_leaves_the_own_file_alone(tmp_path: Path) -> None:
    own, copy = tmp_path / "Pulumi.x.yaml", tmp_path / "copy.yaml"
    text = "config:\n  slurm:kind: local # a comment\n"
    own.write_text(text)
    assert settings.refresh(own, copy) == settings.read(copy)
    assert own.read_text() == text
    assert copy.stat().st_mode & 0o077 == 0


def test_kind_is_read_and_a_missing_file_names_the_remedy(tmp_path: Path) -> None:
    own = tmp_path / "Pulumi.x.yaml"
    with pytest.raises(DevclusterError, match=r"no Pulumi\.x\.yaml: copy Pulumi\.kubernetes\.yaml"):
        settings.kind(own, "x")
    own.write_text("config: {'slurm:kind': kubernetes}")
    assert settings.kind(own, "x") == "kubernetes"


@pytest.mark.parametrize("text", ["config: [", "- a", "config: text"])
def test_a_broken_file_is_one_line(tmp_path: Path, text: str) -> None:
    own = tmp_path / "Pulumi.x.yaml"
    own.write_text(text)
    with pytest.raises(DevclusterError) as caught:
        settings.read(own)
    assert "\n" not in str(caught.value)
