"""Slurm's authentication keys: the generation of a derived key, or the Secret with an existing one."""

from pydantic import Field

from pulumi_slurm.model.base import Model
from pulumi_slurm.model.references import ConfigMapKeyRef, SecretKeyRef


class KeySpec(Model):
    """One key, derived from the stack's root key unless `existing` names a Secret."""

    generation: int = Field(default=1, ge=1)
    """The key's generation. Increase it by one to rotate the key; the pods that read it restart, and no others."""
    existing: SecretKeyRef | None = None
    """A Secret with an existing key, for hybrid clusters. Can't be changed after creation."""


class KeysSpec(Model):
    """The keys that Slurm's daemons authenticate with."""

    slurm: KeySpec = KeySpec()
    """The auth/slurm key, which all daemons share."""
    jwt: KeySpec = KeySpec()
    """The auth/jwt key, which signs tokens (HS256)."""
    jwks: ConfigMapKeyRef | None = None
    """A ConfigMap with a JWKS file, to also accept tokens of an identity provider."""
