"""Every key and password, derived from one stack secret.

``slurm:rootKey`` is 32 random bytes in base64. A key is HKDF-SHA256 (RFC 5869) of it, with the cluster, the purpose and
the generation as ``info``. So keys are the same from run to run and after a rebuild from nothing, none has to be kept
anywhere, and raising a generation rotates one of them.
"""

import base64
import binascii
from enum import StrEnum

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

ROOT_KEY_BYTES = 32
ROOT_KEY_OF_ZEROS = base64.b64encode(bytes(ROOT_KEY_BYTES)).decode()
"""Stands in for the root key where nothing is made of what is derived from it."""

SET_ROOT_KEY = 'pulumi config set --secret slurm:rootKey "$(head -c 32 /dev/urandom | base64)"'
"""The command that makes a root key; error messages print it."""


class Purpose(StrEnum):
    """The purpose of a derived key; part of its derivation, so a value here never changes."""

    SLURM = "slurm"
    JWT = "jwt"
    DATABASE = "database"
    DATABASE_ROOT = "database-root"
    DIRECTORY = "directory"
    MUNGE = "munge"
    STACK = "stack"
    """No key: what tells one stack from another; see `kube.belonging`."""


def decode_root_key(text: str) -> bytes:
    """Return the bytes of a root key.

    Raises:
        ValueError: when the text is not the base64 form of 32 bytes. The message doesn't repeat the text.
    """
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != ROOT_KEY_BYTES:
        raise ValueError(f"slurm:rootKey is not the base64 form of {ROOT_KEY_BYTES} bytes. Set it anew: {SET_ROOT_KEY}")
    return key


def derive(root_key: str, cluster: str, purpose: Purpose, generation: int = 1) -> str:
    """Return a key as 64 characters of base64, which is what files, environment variables and passwords can hold."""
    info = f"{cluster}/{purpose}/{generation}".encode()
    bits = HKDF(algorithm=SHA256(), length=48, salt=None, info=info).derive(decode_root_key(root_key))
    # Passwords travel in connection strings and LDAP filters, so the characters that need quoting there are avoided.
    return base64.b64encode(bits, altchars=b"-_").decode()
