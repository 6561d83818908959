"""Every field of a Slurm specification changes something with ack-slurm-operator, or is refused."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin

import pytest
from pydantic.fields import FieldInfo

from pulumi_slurm.ack_slurm.manifests.ldap_files import ldap_files
from pulumi_slurm.ack_slurm.manifests.parts import PlannedAckPart, cluster_parts
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.errors import Path, SpecError, collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.network_policies import DAEMONS
from tests.unit.ack_slurm.examples import IMAGE, POOLS, ack

ROUTE = ack()
SECRET = {"name": "mine", "key": "mine"}
VOLUME = {"name": "home", "mount_path": "/home"}
FIRST: dict[str, Any] = {
    "name": "hpc",
    "node_sets": [
        {"name": "cpu", "pool": "cpu", "replicas": 2},
        {"name": "gpu", "pool": "gpu", "autoscaling": {"kind": "hpa", "min_replicas": 1, "max_replicas": 10}},
    ],
    "partitions": [{"name": "all", "node_sets": ["ALL"], "over_subscribe": "FORCE"}],
    "accounting": {
        "qos": [{"name": "spare"}, {"name": "low"}, {"name": "high"}],
        "accounts": [{"name": "physics", "users": ["alice"], "qos": ["low", "high"]}, {"name": "b"}],
    },
    "login_sets": [{"name": "login"}],
    "identity": {"directory": {}},
    "shared_volumes": [{**VOLUME, "nfs": {"server": "nas.example.org", "path": "/home"}}],
}
SECOND: dict[str, Any] = {
    **FIRST,
    "node_sets": [
        {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 2, "type": "t4"}}, "replicas": 1}
    ],
    "accounting": {"database": {"kind": "external", "host": "db.example.org", "password_secret": SECRET}},
    "identity": {"ldap": {"uri": "ldaps://ldap.example.org", "base_dn": "dc=example,dc=org"}},
    "shared_volumes": [{**VOLUME, "storage_class": "nas"}],
}
VOLUME_OF_POD = {"name": "e", "emptyDir": {}}
KEDA = {"min_replicas": 1, "max_replicas": 10, "prometheus_address": "http://prometheus.example.org:9090"}
THIRD: dict[str, Any] = {
    **FIRST,
    "operator_version": "1.2.2",
    "node_sets": [{"name": "cpu", "pool": "cpu", "autoscaling": KEDA, "partition": {"over_subscribe": "YES"}}],
    "accounting": {"database": {"kind": "mariadb-operator"}},
    "shared_volumes": [{**VOLUME, "csi": {"driver": "nas.csi.example.org", "volume_handle": "a"}}],
}
FOURTH: dict[str, Any] = {
    **FIRST,
    "operator_version": "1.2.2",
    "node_sets": [{"name": "cpu", "pool": "cpu", "extra_volumes": [VOLUME_OF_POD], "partition": {}}],
    "accounting": {"external": {"host": "slurmdbd.example.org", "port": 6819}},
    "shared_volumes": [{**VOLUME, "existing_claim": "home"}],
    "login_sets": [],
    "keys": {"slurm": {"existing": SECRET}, "jwt": {"existing": {"name": "jwt", "key": "jwt"}}},
}
CLUSTERS = (FIRST, SECOND, THIRD, FOURTH)
"""Clusters in one of which each field means something."""
HOST_PATH = {"name": "scratch", "path": "/mnt/scratch", "mount_path": "/scratch"}
ELSEWHERE = {
    "login_sets.extra_volume_mounts": "they need volumes, which are refused too",
    "bridge": "it needs node sets that are refused too",
    "external_nodes": "they need controller.address, which is refused too",
    "node_sets.bridged": "it needs a bridge",
    "node_sets.machine.gpus.resource": "another vendor's needs a gres.conf",
    "node_sets.autoscaling.authentication": "it needs a query, which is refused too",
    "node_sets.autoscaling.kind": "one of the two has to be there, and Slurm scales instead",
    "node_sets.autoscaling.prometheus_address": "the kind that is the default has to be given one",
    "controller.ha": "it needs a claim that other controllers have",
    "controller.external": "it needs keys of that slurmctld",
    "controller.pod.host_network": "no operator takes it",
    "accounting.pod.host_network": "no operator takes it",
    "identity.sssd_conf_secret": "it stands alone",
    "node_sets.partition.topology": "the Slurm of this operator's image is older than the key",
    "partitions.topology": "the Slurm of this operator's image is older than the key",
    "operator_version": "it is about the other operator",
    "login_sets.service.internal": "without sourceRanges no operator takes it",
    "login_sets.name": "it names what the other operator makes",
    "controller.state.retain": "it is an option of the resource",
    "identity.generation": "it is in the password, which is derived when it is needed",
    "monitoring.rules": "they need a ServiceMonitor, which is refused too",
    "namespace_labels": "the namespace is made by the component",
}
"""Fields that aren't tried here, and why."""
PARTS: dict[str, Any] = {
    "topologies": [{"name": "net", "kind": "tree", "node_labels": ["example.org/rack"]}],
    "tokens": [{"name": "ci", "username": "slurm"}],
    "login_sets.autoscaling": {"kind": "hpa", "min_replicas": 1, "max_replicas": 10},
    "volume_claims": [{"name": "disk", "mount_path": "/disk", "size": "10Gi"}],
    "host_paths": [HOST_PATH],
    "sidecars": [{"name": "cache", "image": "cache:1", "ready_command": ["true"]}],
    "tolerations": [{"key": "a", "effect": "NoExecute"}],
    "resources": {"cpu": "4", "memory": "8Gi"},
    "requests": {"cpu": "2", "memory": "1Gi"},
    "service": {"type": "LoadBalancer"},
    "node_sets.update_strategy": {"type": "ScheduledUpdate", "start_time": "2027-01-09T22:00:00Z"},
    "login_sets.update_strategy": {"type": "RollingUpdate"},
    "password_secret": SECRET,
    "ca_secret": SECRET,
    "sssd_conf_secret": SECRET,
    "existing": SECRET,
    "jwks": SECRET,
    "backup": {},
    "s3": {"bucket": "backups", "endpoint": "e.example.org", "access_key_id": SECRET, "secret_access_key": SECRET},
    "gpus": {"count": 1, "type": "t4"},
}
"""Parts of a specification that the clusters don't have, by the end of their path."""
WORDS: dict[str, Any] = {"other": "1"}
VALUES: dict[str, Any] = {
    **{f"network_policies.{daemon}": [{"podSelector": {}}] for daemon in DAEMONS},
    "slurm_version": "26.05",
    "operator_version": "1.2.2",
    "node_sets.pool": "gpu",
    "idle_replicas": 0,
    "adopted.files": {"prologScriptRefs": [{"name": "slurm-prolog-scripts", "files": ["10-a.sh"]}]},
    "login_sets.update_strategy.type": "Recreate",
    "login_sets.update_strategy.max_unavailable": 1,
    "login_sets.update_strategy.max_surge": 1,
    "update_strategy.flags": ["WEEKLY"],
    "machine.resources": {"rdma/hca": "1"},
    "scaling_mode": "DaemonSet",
    "extra_gres": ["tmpdisk:1G"],
    "slurmd_options": {"TmpDisk": "5"},
    "tres_billing_weights": {"CPU": 2},
    "partition.extra": {"AllocNodes": "a"},
    "partitions.extra": {"AllocNodes": "a"},
    "partitions.node_sets": ["cpu"],
    "partition.suspend_time": "77",
    "partitions.suspend_time": "77",
    "partition.topology": "default",
    "partitions.topology": "default",
    "partition.qos": "low",
    "partitions.qos": "low",
    "allow_qos": ["low"],
    "deny_qos": ["low"],
    "allow_accounts": ["physics"],
    "deny_accounts": ["physics"],
    "prometheus_address": "http://p.example.org:9090",
    "extra_volumes": [VOLUME_OF_POD],
    "max_unavailable": "1",
    "capabilities": ["SYS_NICE"],
    "requests.cpu": "3",
    "toleration_seconds": 5,
    "topology_spread_constraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}],
    "extra_volume_mounts": [{"name": "e", "mountPath": "/e"}],
    "start_time": "2027-02-09T22:00:00Z",
    "controller.slurm_version": "25.11.5",
    "accounting.slurm_version": "25.11.5",
    "scrape_timeout": "5s",
    "schedule": "7 7 * * *",
    "autoscaling.partition": "all",
    "over_subscribe_jobs": 2,
    "node_port": 30001,
    "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": []}},
    "overrides": {"template": {"metadata": {"annotations": {"a": "b"}}}},
    "source_ranges": ["10.0.0.0/8"],
    "grp_tres": {"cpu": 5},
    "max_tres_per_user": {"cpu": 5},
    "qos.options": {"MaxSubmitJobs": "5"},
    "accounts.options": {"MaxSubmitJobs": "5"},
    "preempt": ["high"],
    "flags": ["DenyOnLimit"],
    "accounts.parent": "b",
    "accounts.qos": ["low"],
    "accounts.default_qos": "low",
    "users": ["bob"],
    "coordinators": ["alice"],
    "admins": ["alice"],
    "extra_conf": {"DebugLevel": "debug"},
    "root_authorized_keys": ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@example"],
    "ldap.uri": "ldaps://other.example.org",
    "access_filter": "(uid=*)",
    "mount_options": ["nolock"],
    "prolog": {"a.sh": "#!/bin/sh\n"},
    "epilog": {"a.sh": "#!/bin/sh\n"},
    "prolog_slurmctld": {"a.sh": "#!/bin/sh\n"},
    "epilog_slurmctld": {"a.sh": "#!/bin/sh\n"},
    "health_check": {"a.sh": "#!/bin/sh\n"},
    "config_files": {"job_container.conf": "AutoBasePath=true\n"},
    "scheduler_parameters": ["bf_continue"],
    "select_type_parameters": "CR_CPU_Memory",
    "preempt_type": "preempt/none",
    "slurm_conf.preempt_mode": "GANG",
    "priority_type": "priority/basic",
    "priority_weights": {"Age": 5},
    "accounting_storage_enforce": ["limits"],
    "mpi_default": "pmi2",
    "slurmctld_debug": "debug",
    "slurmd_debug": "debug",
    "slurm_conf.extra": {"KillWait": "55"},
    "endpoints": ["nodes"],
    "behavior": {"scaleDown": {"stabilizationWindowSeconds": 5}},
}
"""Values by the end of their path, where `candidates` has none."""


def candidates(at: str, field: FieldInfo) -> Iterator[Any]:
    """Yield values for a field, which may have no meaning there."""
    for length in range(at.count(".") + 1):
        if (end := at.split(".", length)[-1]) in VALUES:
            yield VALUES[end]
            return
    types = [field.annotation, *get_args(field.annotation)]
    if get_origin(field.annotation) is list:
        yield ["other"]
    elif get_origin(field.annotation) is dict:
        yield {"other": "1"}
    elif enums := [item for item in types if isinstance(item, type) and issubclass(item, Enum)]:
        yield from (member.value for member in enums[0])
    elif bool in types:
        yield from (True, False)
    elif int in types:
        yield from (number + 1 for number in (field.default, 0, 2) if isinstance(number, int))
    else:
        yield from ("other", "2Gi", "48h", "other.example.org", "registry.example.org/other:1", "/other", "1-00")


def models(annotation: Any) -> tuple[type[Model] | None, bool]:
    """Return the model of a field, and whether it is a list of them."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation, False
    if get_origin(annotation) is list:
        return models(get_args(annotation)[0])[0], True
    if get_origin(annotation) is UnionType:
        return next((found for item in get_args(annotation) if (found := models(item))[0]), (None, False))
    return None, False


def with_value(data: dict[str, Any], at: Path, value: Any) -> dict[str, Any]:
    """Return the data with another value at a path, whose models that aren't there yet are made."""
    changed: Any = copy.deepcopy(data)
    inner = changed
    for step in at[:-1]:
        inner = inner[step] if isinstance(step, int) else inner.setdefault(step, {})
    inner[at[-1]] = value
    return dict(changed)


@dataclass(frozen=True)
class Made:
    """What becomes of a specification: messages, and all that would be created."""

    spec: SlurmSpec
    errors: dict[str, Path]
    objects: Any

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Made | None":
        with collected_warnings():
            try:
                spec, pools = load(data, POOLS, other_release="23.02.7")
            except SpecError:
                return None
        errors = {str(error): error.path for error in check_ack_slurm(spec, pools, ROUTE)}
        if errors:
            return cls(spec, errors, None)
        parts = [
            (planned.key, planned.after, planned.secret, planned.in_turn, _told(planned), *planned.objects())
            for planned in cluster_parts(spec, pools, ROUTE, IMAGE)
        ]
        has_slurmdbd = spec.accounting and not spec.accounting.external
        secrets = [ldap_files(spec, ROUTE, "p"), slurmdbd_conf(spec, ROUTE, "p") if has_slurmdbd else None]
        return cls(spec, errors, (parts, secrets, spec.namespace))


def _told(planned: PlannedAckPart) -> dict[str, Any] | None:
    """Return what a component is told of its part, from which resource options follow too."""
    return planned.part.model_dump(exclude={"cluster"}) if planned.part else None


class Outcome(IntEnum):
    """What comes of a value of a field."""

    INVALID = 0
    """It can't be there, with any operator."""
    SILENT = 1
    """It changes nothing."""
    SHOWN = 2
    """It changes something."""
    REFUSED = 3
    """The message names the field, a part of it, or what it is in."""


def outcome(before: Made, data: dict[str, Any], at: Path) -> Outcome:
    after = Made.of(data)
    if after is None or after.spec == before.spec:
        return Outcome.INVALID
    field = ("cluster", *at)
    new = [path for text, path in after.errors.items() if text not in before.errors]
    if any(path == field[: len(path)] or field == path[: len(field)] for path in new):
        return Outcome.REFUSED
    if new:
        return Outcome.INVALID
    return Outcome.SHOWN if after.objects != before.objects else Outcome.SILENT


Clusters = list[tuple[dict[str, Any], Made]]


@dataclass(frozen=True)
class Change:
    """A value of a field that changes something."""

    field: str
    before: Made
    after: dict[str, Any]


def outcomes(
    fields: dict[str, FieldInfo], clusters: Clusters, changes: list[Change], at: Path = ()
) -> Iterator[tuple[str, Outcome]]:
    """Yield every field with the best outcome of its values; what is refused as a whole isn't looked into.

    ``changes`` get the values that change something.
    """
    for name, field in fields.items():
        path = (*at, name)
        text = ".".join(step for step in path if isinstance(step, str))
        if text in ELSEWHERE:
            continue
        inner, many = models(field.annotation)
        part = next((PARTS[end] for n in range(len(path)) if (end := text.split(".", n)[-1]) in PARTS), None)
        found, deeper = Outcome.INVALID, [(data, made) for data, made in clusters if has(data, path)]
        for value in ([part] if part is not None else []) if inner else candidates(text, field):
            for data, made in clusters:
                changed = with_value(data, path, value)
                if (new := outcome(made, changed, path)) is Outcome.REFUSED:
                    deeper = []
                elif new is not Outcome.INVALID and inner:
                    deeper.append((changed, Made.of(changed) or made))
                found = max(found, new)
                if new is Outcome.SHOWN:
                    changes.append(Change(text, made, changed))
                if found >= Outcome.SHOWN:
                    break
            if found >= Outcome.SHOWN:
                break
        if inner and found is not Outcome.REFUSED:
            some = deeper if many or part else clusters
            yield from outcomes(inner.model_fields, some, changes, (*path, 0) if many else path)
        else:
            yield text, found


def has(data: Any, at: Path) -> bool:
    for step in at:
        if isinstance(step, str) and step not in data:
            return False
        data = data[step]
    return bool(data)


@cache
def accepted_clusters() -> Clusters:
    """Return the clusters with what is made of them."""
    found = [(data, Made.of(data)) for data in CLUSTERS]
    accepted = [(data, made) for data, made in found if made and not made.errors]
    assert len(accepted) == len(CLUSTERS)
    return accepted


@cache
def tried(name: str) -> tuple[Mapping[str, Outcome], Sequence[Change]]:
    """Return the outcome of a field and of those in it, and the values that change something."""
    changes: list[Change] = []
    found = dict(outcomes({name: SlurmSpec.model_fields[name]}, accepted_clusters(), changes))
    return found, changes


@pytest.mark.parametrize("name", SlurmSpec.model_fields)
def test_a_field_changes_something_or_is_refused(name: str) -> None:
    found, _ = tried(name)
    assert {field for field, best in found.items() if best is Outcome.INVALID} == set(), "write a value into VALUES"
    assert {field for field, best in found.items() if best is Outcome.SILENT} == set()
