"""Common parts of all objects: names, namespace, labels, and the omission of values that are not set."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pulumi_slurm.model.cluster_ref import ClusterRef

Manifest = dict[str, Any]
"""A Kubernetes object (apiVersion, kind, metadata and so on), or a part of one."""

Manifests = dict[str, Manifest]
"""Objects in the order in which they are created, keyed by the suffix of the resource's name."""

ADMISSION_API = "admissionregistration.k8s.io/v1"
NAMESPACE_NAME = "kubernetes.io/metadata.name"
"""A label that every namespace has, with its name."""
SLINKY_API = "slinky.slurm.net/v1beta1"
KEY_GENERATIONS = "slurm.pulumi.com/key-generations"
"""Annotation of every pod with the generations of the keys that it reads, so that a rotation replaces it."""
BELONGS_TO = "slurm.pulumi.com/belongs-to"
"""Annotation of a namespace that a stack makes, and of a Slurm cluster's place in one: the URN of their resource."""

ONLY_OWNER, READABLE_BY_GROUP, READABLE_BY_ALL = 0o400, 0o440, 0o444
"""Modes of files from Secrets, which Kubernetes gives 0644 without one. Their owner is root, and in a pod with an
fsGroup this group can read them, whichever mode they have: SecretVolumeSource in
https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/volume/."""

SSSD_CONF = "sssd.conf"


def manifest(api_version: str, kind: str, ref: ClusterRef, name: str, **fields: Any) -> Manifest:
    """Return an object in the cluster's namespace, with the labels of all of the cluster's objects."""
    labels = {**ref.labels, "app.kubernetes.io/part-of": ref.name, "app.kubernetes.io/managed-by": "pulumi-slurm"}
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": ref.namespace, "labels": labels},
        **fields,
    }


def by_kind(role: str, manifests: Sequence[Manifest]) -> Manifests:
    """Return objects of different kinds by the role of each: a common one, where they have one, and its kind."""
    return {f"{role}-{item['kind'].lower()}".removeprefix("-"): item for item in manifests}


def cluster_wide(api_version: str, kind: str, ref: ClusterRef, name: str) -> Manifest:
    """Return an object that is in no namespace, with the labels of all of the cluster's objects."""
    item = manifest(api_version, kind, ref, name)
    del item["metadata"]["namespace"]
    return item


def only_cluster(ref: ClusterRef) -> Manifest:
    """Return the ConfigMap that each namespace with a Slurm cluster has, under a name that a second one can't have.

    The operator's workers of one cluster keep away those of all others in their namespace, and objects of two stacks
    with equal names would be one and the same.
    """
    return manifest("v1", "ConfigMap", ref, "only-slurm-cluster")


def pruned(fields: Mapping[str, Any]) -> Manifest:
    """Return the fields without those that are None, empty strings, lists or mappings; 0 and False are kept."""
    return {key: value for key, value in fields.items() if value is not None and value not in ("", [], {}, ())}


def merged(base: Any, overrides: Any) -> Any:
    """Return ``base`` merged with ``overrides``: mappings are merged recursively, everything else is replaced."""
    if isinstance(base, dict) and isinstance(overrides, Mapping):
        return {**base, **{key: merged(base.get(key), value) for key, value in overrides.items()}}
    return overrides


def content_hash(content: Any) -> str:
    """Return the first eight characters of a hash of ``content``."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]
