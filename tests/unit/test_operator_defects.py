"""A preview warns of known errors of the operator's release, where they concern the specification."""

from typing import Any

import pytest

from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import DEFAULT_OPERATOR

NODE_SET = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "scalingMode": "DaemonSet"}
TOKEN = {"name": "api", "username": "slurm"}


def shown(release: str, **cluster: Any) -> list[str]:
    with collected_warnings() as errors:
        load({"name": "hpc", "operatorVersion": release, **cluster})
    return [str(error) for error in errors if error.code == "operator-release-has-no-known-defects"]


@pytest.mark.parametrize(
    ("release", "mended"),
    [("1.0.0", "1.0.5"), ("1.0.4", "1.0.5"), ("1.0.5", None), ("1.1.1", "1.1.2"), ("1.1.2", None), ("1.2.0", None)],
)
def test_a_slurmctld_that_can_hang_is_warned_of_in_one_line(release: str, mended: str | None) -> None:
    texts = shown(release)
    assert len(texts) == (1 if mended else 0)
    if mended:
        assert f'operatorVersion = "{release}": in this release slurmctld can hang' in texts[0]
        assert f'Write operatorVersion "{mended}".' in texts[0]


@pytest.mark.parametrize(
    ("release", "mended"),
    [("1.0.5", None), ("1.1.2", "1.1.3"), ("1.1.3", None), ("1.2.1", "1.2.2"), ("1.2.999", None), ("1.3.0", None)],
)
def test_tokens_that_can_expire_are_warned_of(release: str, mended: str | None) -> None:
    assert shown(release) == []
    assert shown(release, tokens=[{**TOKEN, "refresh": False}]) == []
    texts = shown(release, tokens=[TOKEN])
    assert len(texts) == (1 if mended else 0)
    assert all("tokens" in text and f'Write operatorVersion "{mended}".' in text for text in texts)


@pytest.mark.parametrize(("release", "warned"), [("1.1.2", True), ("1.2.1", True), ("1.3.0", False)])
def test_rolling_updates_that_can_stop_are_warned_of(release: str, *, warned: bool) -> None:
    texts = shown(release, nodeSets=[NODE_SET])
    assert len(texts) == warned
    assert all('Write operatorVersion "1.3.0", or updateStrategy: {type: "OnDelete"}' in text for text in texts)
    assert shown(release, nodeSets=[{**NODE_SET, "updateStrategy": {"type": "OnDelete"}}]) == []


def test_there_is_one_line_for_each_and_none_for_the_default_release() -> None:
    assert len(shown("1.1.0", tokens=[TOKEN, {**TOKEN, "name": "b"}], nodeSets=[NODE_SET])) == 3
    assert shown(DEFAULT_OPERATOR) == []
