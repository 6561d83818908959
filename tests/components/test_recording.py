"""What is recorded without an engine is what the program registers, and nothing of the process changes."""

import asyncio
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pulumi
import pytest
import yaml
from pulumi.runtime import rpc

from devcluster.folders import CHECKOUT
from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.errors import SpecError
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.checking.stack_file import StackFile
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.offline.preview import offline_preview
from pulumi_slurm_cli.offline.recording import Recording, record
from pulumi_slurm_cli.review.cluster_change import cluster_changes
from pulumi_slurm_cli.review.partition_sizes import cluster_size
from pulumi_slurm_stacks import build as build_stack
from tests.components.ack import test_existing as ack_existing, test_stack as ack
from tests.components.conftest import Recorder, Registered, recorded, registered
from tests.components.gke import test_existing as gke_existing, test_stack as gke
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY, read

PROVIDER = "pulumi:providers:kubernetes"
_BELONGING = {"kubernetes:core/v1:Namespace", "kubernetes:core/v1:ConfigMap"}
"""What belongs to one stack, which a run alone knows."""
UNKNOWN_IN: Mapping[str, set[str]] = {
    "kubernetes": _BELONGING,
    "gke": _BELONGING | {"kubernetes:core/v1:PersistentVolume", "kubernetes:discovery.k8s.io/v1:EndpointSlice"},
    "ack": _BELONGING | {"kubernetes:core/v1:PersistentVolume", "kubernetes:core/v1:Service"},
}
STACKS = sorted(path.name.split(".")[1] for path in CHECKOUT.glob("Pulumi.*.yaml"))


def recording(settings: Mapping[str, Any]) -> Recording:
    return record(StackFile.of(yaml.safe_dump({"config": dict(settings)})), project="slurm", stack="test")


def registrations(stack: str) -> list[Registered]:
    """Return what the program registers for a shipped stack under the mocks of other tests."""
    settings = shipped(stack)
    if settings["slurm:kind"] == "gke":
        return gke.make(settings)
    if settings["slurm:kind"] == "ack":
        return ack.make(settings)
    config, secrets = read(settings if settings["slurm:kind"] == "copilot" else {"slurm:rootKey": ROOT_KEY, **settings})
    return registered(recorded(lambda: build_stack(config, secrets), Recorder({})))


def same(ours: Any, theirs: Any, *, secret: bool = False) -> bool:
    """Return whether recorded inputs are those registered, as far as they are known and no secrets."""
    if rpc.is_rpc_secret(theirs):
        # Their reader marks all around a secret as one.
        return same(ours, rpc.unwrap_rpc_secret(theirs), secret=True)
    if ours == SECRET:
        return secret
    if ours == UNKNOWN:
        return True
    if isinstance(ours, dict) and isinstance(theirs, dict):
        # What a cloud computes is unknown to us, and None under mocks, unless they say otherwise.
        known = {key: value for key, value in ours.items() if value != UNKNOWN or key in theirs}
        return known.keys() == theirs.keys() and all(same(known[key], theirs[key], secret=secret) for key in known)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(same(a, b, secret=secret) for a, b in zip(ours, theirs, strict=True))
    return bool(ours == theirs)


@pytest.mark.usefixtures("kubeconfig_with_a_context")
@pytest.mark.parametrize("stack", STACKS)
def test_what_is_recorded_is_what_is_registered(stack: str) -> None:
    ours = {one.urn: one for one in recording(shipped(stack)).resources}
    theirs = {one.urn: one for one in registrations(stack)}
    assert [*ours] == sorted(theirs)
    for urn, one in theirs.items():
        mine = ours[urn]
        assert (mine.type, mine.name, mine.parent) == (one.typ, one.name, one.parent)
        # What isn't known yet, as in a preview, comes after all that it may come of.
        assert one.depends_on <= {*mine.depends_on}
        assert mine.retain_on_delete == one.retained
        # The SDK takes it from the environment.
        from_environment = {"kubeconfig"} - mine.inputs.keys() if one.typ == PROVIDER else set()
        inputs = {key: value for key, value in one.inputs.items() if key not in from_environment}
        assert same(mine.inputs, inputs), (urn, mine.inputs, inputs)


@pytest.mark.parametrize("stack", ["gke", "ack", "kubernetes"])
def test_only_what_a_cloud_computes_is_unknown(stack: str) -> None:
    unknown = {
        one.type
        for one in recording(shipped(stack)).resources
        if UNKNOWN in json.dumps({**one.inputs}) and not one.type.startswith(("gcp:", "alicloud:"))
    }
    assert unknown == UNKNOWN_IN[stack]


def test_no_secret_is_needed_or_read() -> None:
    plain = recording(shipped("local"))
    for root_key in (ROOT_KEY, {"secure": "v1:AAAA"}, "not a key"):
        assert recording({**shipped("local"), "slurm:rootKey": root_key}).resources == plain.resources
    secrets = [one for one in plain.resources if one.type == "kubernetes:core/v1:Secret"]
    assert secrets
    assert {json.dumps(one.inputs["stringData"]) for one in secrets} == {json.dumps(SECRET)}


def test_encrypted_settings_of_other_packages_are_told_as_secrets() -> None:
    settings = {**shipped("gke"), "gcp:accessToken": {"secure": "v1:AAAA"}, "gcp:billingProject": "payer"}
    (google,) = [one for one in recording(settings).resources if one.type == "pulumi:providers:gcp"]
    assert (google.inputs["accessToken"], google.inputs["billingProject"]) == (SECRET, "payer")


def test_options_are_those_that_the_program_states() -> None:
    protected = {one.name for one in recording(shipped("gke")).resources if one.protect}
    assert protected == {
        *("slurm-cloudsql-instance", "slurm-subnetwork", "slurm-cluster", "slurm-home-filestore", "slurm-network")
    }


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            {"slurm:cluster": {"secure": "v1:AAAA"}},
            "slurm:cluster: it is encrypted, and only a run of the stack can read it. "
            "Run `pulumi preview --diff`, or write it in clear.",
        ),
        (
            {"slurm:cluster": {"name": "hpc", "controller": {"secure": "v1:AAAA"}}},
            "slurm:cluster: it is encrypted, and only a run of the stack can read it. "
            "Run `pulumi preview --diff`, or write it in clear.",
        ),
        ({"slurm:cluster": {"name": "Hpc"}}, 'slurm:cluster.name = "Hpc": '),
    ],
)
def test_what_cannot_be_recorded_is_refused(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(SpecError) as raised:
        recording({"slurm:kind": "kubernetes", **settings})
    (error,) = raised.value.errors
    assert str(error).startswith(expected)


def test_settings_of_an_environment_of_pulumi_are_told() -> None:
    file = StackFile.of("environment: [team]\nconfig: {slurm:kind: kubernetes}\n")
    with pytest.raises(SpecError, match="come from an environment of Pulumi ESC"):
        record(file)


def test_where_kubernetes_is_may_be_encrypted() -> None:
    settings = {**shipped("kubernetes"), "slurm:context": {"secure": "v1:AAAA"}}
    assert len(recording(settings).resources) == len(recording(shipped("kubernetes")).resources)


def test_nothing_of_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = recording(shipped("kubernetes"))
    monkeypatch.setenv("KUBECONFIG", "/nowhere/a:/nowhere/b")
    monkeypatch.setenv("KUBE_CONTEXT", "elsewhere")
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps({"slurm:warningsAsErrors": "true"}))
    assert recording(shipped("kubernetes")).resources == plain.resources
    assert os.environ["KUBECONFIG"] == "/nowhere/a:/nowhere/b"


def test_the_process_is_as_it_was() -> None:
    pulumi.runtime.set_all_config({"slurm:kind": "local"}, ["slurm:kind"])
    try:
        before, threads = state_of_the_process(), {*threading.enumerate()}
        first = recording(shipped("gke"))
        recording(shipped("local"))
        with pytest.raises(SpecError):
            recording({"slurm:kind": "local"})
        assert recording(shipped("gke")) == first
        assert state_of_the_process() == before
        # gRPC keeps one of its own, for whoever comes next.
        assert {thread for thread in threading.enumerate() if "_poll_wrapper" not in thread.name} <= threads
    finally:
        pulumi.runtime.set_all_config({}, [])


def state_of_the_process() -> dict[str, Any]:
    settings = pulumi.runtime.settings
    return {
        "environment": dict(os.environ),
        "config": (pulumi.runtime.config.CONFIG.get(), pulumi.runtime.config.is_config_secret("slurm:kind")),
        "root": settings.get_root_resource(),
        "runtime": (settings.get_monitor(), settings.get_stack(), settings.get_project(), settings.is_dry_run()),
    }


WITHOUT_ANSWERS: Mapping[str, dict[str, Any]] = {
    "a cluster of GKE": gke_existing.stack({}),
    "new pools of a cluster of GKE": gke_existing.stack(
        {"pools": [{"name": "new", "machineType": "n2-standard-8", "maxNodes": 3}], "systemPool": {}}
    ),
    "a cluster of ACK": ack_existing.stack(ack_existing.ON_CLUSTER),
}
ADDED_BY_ANSWERS = {"gcp:compute/firewall:Firewall"}
"""That GKE reaches webhooks is a matter of the control plane's addresses, if it has some of its own."""


@pytest.mark.parametrize("case", WITHOUT_ANSWERS)
def test_what_exists_is_not_looked_up(case: str) -> None:
    settings = WITHOUT_ANSWERS[case]
    found = recording(settings)
    existing, there = (gke_existing, gke_existing.there()) if "GKE" in case else (ack_existing, ack_existing.there())
    theirs = existing.built(settings, there)
    assert {one.urn for one in found.resources} == {one.urn for one in theirs if one.typ not in ADDED_BY_ANSWERS}
    assert {question.token for question in found.not_looked_up} & {
        *("gcp:container/getCluster:getCluster", "alicloud:cs/getClusters:getClusters")
    }
    assert found.unread_pools == (("l4",) if "GKE" in case else ("gpu",))


@pytest.mark.parametrize(
    "settings",
    [
        {
            **gke_existing.stack({}),
            "slurm:gke": {
                **gke_existing.BASE,
                "pools": [{"name": "l4", "machineType": "g2-standard-4", "maxNodes": 3}],
                "network": {"existing": gke_existing.SHARED_VPC},
            },
        },
        {
            **ack_existing.stack({}),
            "slurm:ack": {
                **ack_existing.BASE,
                "pools": [{"name": "gpu", "instanceTypes": ["ecs.gn7i-c8g1.2xlarge"], "nodes": 2}],
                "network": {
                    "existing": {
                        "vpcId": "vpc-bp1",
                        "vswitches": ["vsw-bp1h"],
                        "podVswitches": ["vsw-bp1ph"],
                        "securityGroupId": "sg-bp1",
                    }
                },
            },
        },
    ],
    ids=["gke", "ack"],
)
def test_pools_are_made_in_a_vpc_that_is_not_looked_up(settings: dict[str, Any]) -> None:
    found = recording(settings)
    assert found.not_looked_up
    assert not found.unread_pools
    assert {"NodePool"} <= {one.type.rpartition(":")[2] for one in found.resources}


def test_unknown_is_what_pulumi_takes_for_it() -> None:
    assert UNKNOWN == rpc.UNKNOWN


def test_one_can_record_within_an_event_loop() -> None:
    async def inside() -> int:
        return len(recording(shipped("local")).resources)

    assert asyncio.run(inside()) == len(recording(shipped("local")).resources)


def test_a_review_counts_nothing_on_pools_that_nobody_looked_up(tmp_path: Path) -> None:
    files = []
    for name, replicas in (("base", 1), ("head", 2)):
        settings = gke_existing.stack({}, replicas)
        files.append(tmp_path / f"Pulumi.{name}.yaml")
        files[-1].write_text(yaml.safe_dump({"config": settings}))
    preview = offline_preview(*map(Source, files))
    (change,), _ = cluster_changes(preview.changes)
    sizes = [cluster_size(side) for side in (change.before, change.after)]
    assert [(size.nodes.least, size.cpus.least, size.cpus.most) for size in sizes] == [(1, None, None), (2, None, None)]
