"""Slurm's authentication keys: the generation of a derived key, or the Secret with an existing one."""

import re

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.references import SecretKeyRef


class KeySpec(Model):
    """One key, derived from the stack's root key unless `existing` names a Secret."""

    generation: int = Field(default=1, ge=1)
    """The key's generation. Increase it by one to rotate the key; the pods that read it restart, and no others."""
    existing: SecretKeyRef | None = None
    """A Secret with an existing key, for hybrid clusters. Can't be changed after creation."""


class JwksSpec(Model):
    """The keys of an identity provider: one key of a ConfigMap in the namespace of the Slurm cluster."""

    name: str
    """The ConfigMap's name."""
    key: str
    """The key within the ConfigMap, whose value is a JWKS file."""
    user_claim: str | None = None
    """The claim of a token that has the user's name, for example "preferred_username"; "sun" by default, which few
    providers write. Tokens with "sun" stay valid. From slurm-operator 1.2 on it has no capital letters."""

    _name = field_validator("name")(kubernetes_names.object_name)
    _key = field_validator("key")(kubernetes_names.data_key)

    @field_validator("user_claim")
    @classmethod
    def _claim_is_a_word(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Za-z0-9_.:/@~-]+", value):
            raise field_error(
                "slurm.conf can't hold this as a part of AuthAltParameters",
                'Write letters, digits and any of "_.:/@~-", for example "preferred_username".',
            )
        return value


class KeysSpec(Model):
    """The keys that Slurm's daemons authenticate with."""

    slurm: KeySpec = KeySpec()
    """The auth/slurm key, which all daemons share."""
    jwt: KeySpec = KeySpec()
    """The auth/jwt key, which signs tokens (HS256)."""
    jwks: JwksSpec | None = None
    """A ConfigMap with a JWKS file, to also accept tokens of an identity provider."""
