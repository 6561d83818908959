"""What all objects have in common: names, namespace, labels, and the omission of values that are not set."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from pulumi_slurm.keys import Purpose
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_settings import ClusterSettings
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.names import key_secret

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

SLURM_KEY = "slurm.key"
JWT_KEY = "jwt.key"
SSSD_CONF = "sssd.conf"


class ClusterRef(ClusterSettings):
    """Reference to the Slurm cluster that a part belongs to, with the settings that all of its parts share."""

    @classmethod
    def of(cls, spec: SlurmSpec) -> "ClusterRef":
        """Return the reference to the cluster of a specification."""
        return cls(**{name: getattr(spec, name) for name in cls.model_fields})

    def key_generations(self, *purposes: Purpose) -> str:
        """Return the generations of keys, as the value of an annotation of pods that read those of ``purposes``.

        A key that they don't read always counts as the first one. It isn't left out: the annotation used to name all
        keys in every pod, and another text would replace the workers of clusters whose keys were never rotated.
        """
        generations = {Purpose.SLURM: self.keys.slurm.generation, Purpose.JWT: self.keys.jwt.generation}
        current = {purpose: generations[purpose] if purpose in purposes else 1 for purpose in generations}
        return ",".join(f"{purpose}={generation}" for purpose, generation in current.items())

    def image(self, daemon: Daemon, slurm_version: str | None = None) -> str:
        """Return the image of a daemon, of the cluster's Slurm version or another."""
        return self.images.of(daemon, slurm_version or self.slurm_version)

    def reference(self) -> Manifest:
        """Return the reference to the Controller (or Accounting), in the form that the operator's release expects."""
        return {
            "name": self.name,
            **({"namespace": self.namespace} if self.operator.references_carry_namespace else {}),
        }

    def slurm_key(self) -> Manifest:
        """Return the reference to the auth/slurm key."""
        existing = self.keys.slurm.existing
        name, key = (existing.name, existing.key) if existing else (key_secret(self.name, "slurm"), SLURM_KEY)
        return {"name": name, "key": key}

    def jwt_key(self) -> Manifest:
        """Return the reference to the auth/jwt key."""
        existing = self.keys.jwt.existing
        name, key = (existing.name, existing.key) if existing else (key_secret(self.name, "jwt"), JWT_KEY)
        return {"name": name, "key": key}

    def key_references(self) -> Manifest:
        """Return the fields of a Controller or an Accounting that refer to keys."""
        jwks = self.keys.jwks
        return pruned(
            {
                "slurmKeyRef": self.slurm_key(),
                self.operator.jwt_field: self.jwt_key(),
                "jwksKeyRef": {"name": jwks.name, "key": jwks.key} if jwks else None,
            }
        )


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
