"""Which refusals of a Controller are worth another try."""

import asyncio

import pulumi
import pytest

from pulumi_slurm.slinky import webhook_cache
from pulumi_slurm.slinky.webhook_cache import TIMES, is_sent_again

NOT_FOUND = (
    'resource "urn:pulumi:a::slurm::kubernetes:slinky.slurm.net/v1beta1:Controller::hpc-controller" was not '
    "successfully created by the Kubernetes API server: "
    'admission webhook "controller-v1beta1.kb.io" denied the request: '
)


def decided(monkeypatch: pytest.MonkeyPatch, *errors: str) -> bool:
    monkeypatch.setattr(webhook_cache, "SECONDS", 0)
    return asyncio.run(is_sent_again(pulumi.ErrorHookArgs("urn", "id", "hpc-controller", "type", errors=[*errors])))


@pytest.mark.parametrize(
    "refusal",
    [
        'ConfigMap "hpc-config-a3059f82" not found',
        '[ConfigMap "hpc-config-a3059f82" not found, ConfigMap "hpc-config-2-b1059f82" not found]',
    ],
)
def test_a_config_map_may_come(monkeypatch: pytest.MonkeyPatch, refusal: str) -> None:
    error = NOT_FOUND + refusal
    assert decided(monkeypatch, error)
    assert decided(monkeypatch, *[error] * TIMES)
    assert not decided(monkeypatch, *[error] * (TIMES + 1))


@pytest.mark.parametrize(
    "refusal",
    [
        "cannot change ClusterName after deployment",
        '[ConfigMap "hpc-config-a3059f82" not found, cannot change ClusterName after deployment]',
    ],
)
def test_another_refusal_is_shown_at_once(monkeypatch: pytest.MonkeyPatch, refusal: str) -> None:
    assert not decided(monkeypatch, NOT_FOUND + refusal)
    assert not decided(monkeypatch, NOT_FOUND + refusal, NOT_FOUND + 'ConfigMap "hpc-config-a3059f82" not found')
