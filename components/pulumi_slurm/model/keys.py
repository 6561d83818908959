"""Keys: which generation is in force, or which Secret holds a key that exists already."""

from pydantic import Field

from pulumi_slurm.model.base import Model
from pulumi_slurm.model.references import ConfigMapKeyRef, SecretKeyRef


class KeySpec(Model):
    """One key, derived from the stack's root key unless a Secret is named."""

    generation: int = Field(default=1, ge=1)
    """Raise it by one to rotate the key; everything that reads it restarts."""
    existing: SecretKeyRef | None = None
    """A Secret that holds the key already, for hybrid clusters. It can't be changed afterwards."""


class KeysSpec(Model):
    """The keys that Slurm's daemons authenticate with."""

    slurm: KeySpec = KeySpec()
    """auth/slurm: the key that all daemons share."""
    jwt: KeySpec = KeySpec()
    """auth/jwt: the key that signs tokens (HS256)."""
    jwks: ConfigMapKeyRef | None = None
    """A ConfigMap with a JWKS file, to accept tokens of an identity provider too."""
