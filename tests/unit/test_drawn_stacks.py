"""Stacks in clouds, drawn over all fields: what the rules accept, the providers' schemas accept."""

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any

import pulumi
import pytest
from hypothesis import given, settings, strategies as st

from pulumi_slurm.clouds.unread import UNKNOWN as UNREAD
from pulumi_slurm.errors import SpecError
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.offline.recording import RecordedResource, Recording, record
from tests.clouds.alibaba.package import PACKAGE as ALIBABA
from tests.clouds.gcp.package import PACKAGE as GOOGLE
from tests.clouds.simulator import facts, sdk
from tests.clouds.simulator.differences import differences
from tests.clouds.simulator.wire import UNKNOWN, Place, Values, leaves, pattern, written
from tests.unit.drawn_settings import Drawn, drawn

CLOUDS = ("gcp:", "alicloud:")
KINDS = {**GOOGLE.kinds, **ALIBABA.kinds}


def refused(resources: Iterable[RecordedResource]) -> list[str]:
    """Return what the SDKs, the providers' schemas and the providers' own checks refuse of resources."""
    return [
        f"{one.type} {one.name}, {written(place)}: {problem}"
        for one in resources
        if one.type.startswith(CLOUDS)
        for place, problem in _problems(one.type, as_inputs(one.inputs))
    ]


def _problems(token: str, inputs: Values) -> Iterator[tuple[Place, str]]:
    kind = KINDS[token]
    package = next(package for package in (GOOGLE, ALIBABA) if token in package.kinds)
    yield from sdk.problems(inputs, sdk.resource(package.sdk, token).inputs)
    yield from facts.problems(token, inputs)
    yield from kind.problems(inputs)


def in_clear(resources: Iterable[RecordedResource]) -> list[str]:
    """Return the inputs that a provider calls sensitive, and that are no secrets."""
    return [
        f"{one.type} {one.name}, {written(place)}"
        for one in resources
        if one.type.startswith(CLOUDS)
        for place, value in leaves(one.inputs)
        if value not in (SECRET, None) and facts.is_sensitive(one.type, place)
    ]


def as_inputs(inputs: Any) -> Values:
    """Return inputs as a provider gets them in a preview."""
    if isinstance(inputs, dict):
        return {key: as_inputs(value) for key, value in inputs.items()}
    if isinstance(inputs, list):
        return [as_inputs(item) for item in inputs]  # type: ignore[return-value]
    is_known = not isinstance(inputs, str) or not any(mark in inputs for mark in (UNREAD, SECRET))
    return inputs if is_known else UNKNOWN  # type: ignore[return-value]


def accepted(one: Drawn) -> tuple[Drawn, Recording] | None:
    """Return drawn settings that are accepted, and what they come to; None if a program ends itself."""
    while True:
        try:
            return one, record(one.file)
        except SpecError as error:
            one = one.without_errors(error.errors)
        except pulumi.RunError:
            return None


def check(cloud: str, seed: int) -> None:
    found = accepted(drawn(cloud, seed))
    if found:
        one, recording = found
        assert [*refused(recording.resources), *in_clear(recording.resources)] == [], one.settings


STAYS = MappingProxyType(
    {
        ("gcp:compute/network:Network", "mtu"): "the VPC takes large frames on",
        (
            "gcp:container/cluster:Cluster",
            "masterAuthorizedNetworksConfig",
        ): "the IP endpoint is switched off with them",
        (
            "gcp:container/nodePool:NodePool",
            "nodeConfig.labels",
        ): "the last label stays, as docs/gke-node-pools.md says",
        ("alicloud:cs/nodePool:NodePool", "imageId"): "new nodes have it on, as its field says",
        ("alicloud:cs/nodePool:NodePool", "scalingPolicy"): "it is of pools that an autoscaler sizes",
        ("alicloud:nas/fileSystem:FileSystem", "capacity"): "it is of extreme NAS",
        ("alicloud:rds/backupPolicy:BackupPolicy", "enableBackupLog"): "more is kept than was asked for",
        ("alicloud:rds/backupPolicy:BackupPolicy", "logBackupRetentionPeriod"): "more is kept than was asked for",
        ("alicloud:rds/instance:Instance", "encryptionKey"): "the disk stays encrypted",
        ("alicloud:rds/instance:Instance", "roleArn"): "the disk stays encrypted",
        ("alicloud:rds/instance:Instance", "zoneIdSlaveA"): "the provider's own code decides",
    }
)
"""What is known to stay in a cloud when the field that has set it is left out again, and why that does no harm, or
where it is said."""


def staying(without: Recording, recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield types and inputs that a field sets, and that stay in the cloud when the field is left out again."""
    before = {one.urn: one for one in without.resources}
    for after in recording.resources:
        other = before.get(after.urn)
        if other and after.type in KINDS and after.replacement_trigger == other.replacement_trigger:
            sides, rules = (as_inputs(other.inputs), as_inputs(after.inputs)), KINDS[after.type].rules
            there, back = (differences(after.type, *order, rules) for order in (sides, sides[::-1]))
            changed = {pattern(one.place) for one in there} - {*after.ignore_changes}
            for path in changed - {pattern(one.place) for one in back}:
                yield after.type, path


@pytest.mark.parametrize("cloud", ["gke", "ack"])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_accepted_no_provider_refuses(cloud: str, seed: int) -> None:
    check(cloud, seed)


@pytest.mark.repeats("tests/unit/test_drawn_stacks.py, with fewer files")
@pytest.mark.parametrize("cloud", ["gke", "ack"])
@settings(max_examples=2000, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_of_many_files_no_provider_refuses_one(cloud: str, seed: int) -> None:
    check(cloud, seed)


@pytest.mark.repeats("tests/clouds/test_gke_changes.py, with the fields of a few pools")
@pytest.mark.parametrize("cloud", ["gke", "ack"])
@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_is_left_out_again_goes_from_the_cloud(cloud: str, seed: int) -> None:
    found = accepted(drawn(cloud, seed))
    if found is None:
        return
    one, recording = found
    for place in one.values:
        less = one.without(place)
        try:
            without = record(less.file)
        except (SpecError, pulumi.RunError):
            continue
        assert {*staying(without, recording)} <= {*STAYS}, (place, one.settings)
