"""Every field by which something becomes another with ack-slurm-operator has a line in a review, or is named here."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from pulumi_slurm.ack_slurm.manifests.cluster_object import REPLACED
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.immutable import changed_paths
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.review.ack_effects import ack_cluster_effects
from pulumi_slurm_cli.review.ack_side import AckSide, ack_side_of
from pulumi_slurm_cli.review.cluster_change import COMPONENTS, ClusterChange, cluster_changes
from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange
from pulumi_slurm_cli.review.resource_effects import resource_effects
from tests.unit.ack_slurm.examples import CLUSTER, EVERYTHING, POOLS
from tests.unit.ack_slurm.test_every_field import (
    ROUTE,
    Made,
    candidates,
    models,
    tried,
    with_value,
)

OF_BACKUPS = ("accounting.database.backup",)
SILENT = {
    "accounting.accounts.description": "a text for people",
    "accounting.database.password_secret.key": "the password is the stack's secret",
    "accounting.database.password_secret.name": "the password is the stack's secret",
    "login_sets.service.labels": "a Service's labels are for people",
    "shared_volumes.csi.attributes": "told with the PersistentVolume, which is made anew",
    "shared_volumes.csi.secret": "told with the PersistentVolume, which is made anew",
    "shared_volumes.retain": "it is an option of the resource",
}
"""Fields of the specification that this doesn't tell, and why; backups of a database do nothing to jobs either."""
SILENT_OPTIONS = {"wait": "it is about the update alone"}
ELSEWHERE = {
    "operator": "the operator's chart is no part of the cluster",
    "cluster_chart": "Helm changes what it makes",
}
"""Options that aren't tried here, and why."""
OPTIONS: dict[str, Any] = {
    "image": "registry.example.org/other:1",
    "copilot": {},
    "copilot.requests": {"cpu": "1", "memory": "1Gi"},
    "power_saving.groups": {"cpu": 5},
    "power_saving.suspend_program": "/other.sh",
    "power_saving.resume_program": "/other.sh",
    "controller_hosts": ["hpc-0", "hpc-1"],
    "job_completion": {"host": "mysql.example.org"},
    "job_completion.host": "other.example.org",
    "ssh": {"annotations": {"other": "1"}},
    "ssh.annotations": {"other": "1"},
    "ssh.access_control_list": "acl-2",
    "ssh.controller_type": "other",
    "ldap.ca_file": "/etc/other.crt",
    "ldap.admin_page": "phpldapadmin:1",
    "config_path": "/other",
    "munge_path": "/other",
    "jwt_path": "/other",
    "init_bash": "#!/bin/bash\ntrue\n",
    "pod_security_context": {"runAsUser": 5},
    "security_context": {"privileged": True},
    "volumes": [{"name": "v", "emptyDir": {}}],
    "volume_mounts": [{"name": "v", "mountPath": "/v"}],
    "workers": {"cpu": {"initBash": "#!/bin/bash\ntrue\n"}},
    "overrides": {"slurmctld": {"template": {"spec": {"hostNetwork": True}}}},
}
"""Values by the end of their path, where `candidates` has none."""


Option = tuple[str, dict[str, Any]]
"""The path of an option, and all options with it."""


def inputs_of(spec: SlurmSpec, ack: AckSlurmSpec = ROUTE) -> dict[str, Any]:
    models_by_name = {"spec": spec, "ack": ack}
    dumped = {name: model.model_dump(mode="json", by_alias=True) for name, model in models_by_name.items()}
    return {**dumped, "pools": POOLS}


def is_told(before: AckSide, after: AckSide) -> bool:
    """Return whether a review has a line for a change of the cluster, or of its SlurmCluster as an engine shows it."""
    if any(ack_cluster_effects(ClusterChange("hpc", before, after))):
        return True
    old, new = before.slurm_cluster, after.slurm_cluster
    anew = tuple(changed_paths(old, new, REPLACED))
    operation = Operation.REPLACE if anew else Operation.UPDATE
    kind = "kubernetes:kai.alibabacloud.com/v1:SlurmCluster"
    change = ResourceChange("urn:pulumi:s::p::x::hpc", kind, "hpc", operation, old, new, replaced_for=anew)
    return old != new and any(resource_effects([change], (), {}))


@pytest.mark.parametrize("name", SlurmSpec.model_fields)
def test_a_field_that_changes_something_is_told(name: str) -> None:
    _, changes = tried(name)
    silent = set()
    before: AckSide | None = None
    for last, change in zip([None, *changes], changes, strict=False):
        after = Made.of(change.after)
        assert after
        if before is None or last is None or last.before is not change.before:
            before = ack_side_of(inputs_of(change.before.spec))
        if not is_told(before, ack_side_of(inputs_of(after.spec))):
            silent.add(change.field)
    not_expected = {field for field in silent if not field.startswith(OF_BACKUPS)}
    assert not_expected == {field for field in SILENT if field.split(".")[0] == name}


BASES = [AckSlurmSpec.model_validate(data).model_dump(exclude_unset=True) for data in (EVERYTHING, {})]


def options(fields: Mapping[str, FieldInfo], base: dict[str, Any], at: tuple[str, ...] = ()) -> Iterator[Option]:
    """Yield every option with values on top of others."""
    for name, field in fields.items():
        path = (*at, name)
        text = ".".join(path)
        if text in ELSEWHERE:
            continue
        inner, _ = models(field.annotation)
        listed = [OPTIONS[end] for n in range(len(path)) if (end := text.split(".", n)[-1]) in OPTIONS][:1]
        for value in listed or ([] if inner else candidates(text, field)):
            yield text, with_value(base, path, value)
        if inner:
            yield from options(inner.model_fields, base, path)


def made(side: AckSide) -> Any:
    """Return all that is made of a cluster, without passwords."""
    return side.slurm_cluster, side.objects, side.files, side.texts, side.ldap_texts


def test_an_option_that_changes_something_is_told() -> None:
    spec = SlurmSpec.model_validate(CLUSTER)
    every, changing, silent = set(), set(), set()
    for base in BASES:
        before = ack_side_of(inputs_of(spec, AckSlurmSpec.model_validate(base)))
        for text, data in options(AckSlurmSpec.model_fields, base):
            every.add(text)
            try:
                after = ack_side_of(inputs_of(spec, AckSlurmSpec.model_validate(data)))
                changes = made(after) != made(before)
            except ValidationError:
                continue
            if changes:
                changing.add(text)
                if not is_told(before, after):
                    silent.add(text)
    assert every - changing == set()
    assert silent == SILENT_OPTIONS.keys()


@pytest.mark.parametrize(
    ("ack", "verdict"),
    [
        ({}, Verdict.RESTART),
        ({"clusterChart": {}}, Verdict.NOTHING),
        ({"controller": {"initBash": "#!/bin/bash\ntrue\n"}}, Verdict.UNJUDGED),
    ],
)
def test_slurmctld_restarts_for_other_files_by_our_scripts_alone(ack: dict[str, Any], verdict: Verdict) -> None:
    options = AckSlurmSpec.model_validate({"image": "slurm:1", **ack})
    partitions = ({"name": "all", "nodeSets": ["ALL"], "maxTime": time} for time in ("1:00:00", "2:00:00"))
    before, after = (
        ack_side_of(inputs_of(SlurmSpec.model_validate({**CLUSTER, "partitions": [partition]}), options))
        for partition in partitions
    )
    of_partition, of_files = ack_cluster_effects(ClusterChange("hpc", before, after))
    assert (of_partition.subject, of_partition.verdict) == ("partition all", Verdict.RECONFIGURE)
    assert (of_files.subject, of_files.verdict) == ("slurmctld", verdict)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"slurmConf": {"extra": {"NoSuchKey": "1"}}}, "NoSuchKey"),
        ({"configFiles": {"gres.conf": "foo bar==\n"}}, "gres.conf"),
    ],
)
@pytest.mark.parametrize("kind", sorted(COMPONENTS))
def test_what_another_release_took_is_no_traceback(kind: str, changes: dict[str, Any], problem: str) -> None:
    old = inputs_of(SlurmSpec.model_validate(CLUSTER))
    new = {**old, "spec": {**old["spec"], **changes}}
    change = ResourceChange("urn:pulumi:s::p::x::hpc", kind, "hpc", Operation.UPDATE, old, new)
    clusters, unread = cluster_changes([change])
    assert clusters == []
    (text,) = unread
    assert "the specification of hpc, as another release wrote it: " in text
    assert problem in text


@pytest.mark.parametrize("groups", ["x", [], ["x"], [{}], [{"groupName": ["x"]}], {"a": 1}, None])
def test_overrides_of_any_shape_are_no_traceback(groups: object) -> None:
    spec = SlurmSpec.model_validate(CLUSTER)
    overrides: tuple[dict[str, object], ...] = ({}, {"workerGroupSpecs": groups})
    before, after = (
        ack_side_of(inputs_of(spec, AckSlurmSpec.model_validate({"image": "slurm:1", "overrides": each})))
        for each in overrides
    )
    assert is_told(before, after)
