"""Checks of keys, tokens and passwords of the user's, in place of those that are derived from the root key.

Messages never repeat them.
"""

import base64
import binascii
import re
from collections.abc import Callable

from pulumi_slurm.issue import Issue

_LEAST_KEY = 32
_MOST_MUNGE_KEY = 1024
_TOKEN = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")

Check = Callable[[str], Issue | None]
"""Returns what is wrong with a secret."""


def munge_key(text: str) -> Issue | None:
    """Return what is wrong with a munge key. The limits are munge's own. See docs/verification.md."""
    size = len(text.encode())
    if not _LEAST_KEY <= size <= _MOST_MUNGE_KEY:
        return Issue(
            f"the munge key has {size} bytes, and munged takes {_LEAST_KEY} to {_MOST_MUNGE_KEY}",
            "Leave it out: it is derived from the root key.",
        )
    if _is_base64_of_base64(text):
        return Issue(
            "the munge key is base64 of base64, as from `data` of a Secret: the daemons elsewhere have another one",
            "Write the content of the key file itself.",
        )
    return None


def jwt_key(text: str) -> Issue | None:
    """Return what is wrong with an HS256 key, which Slurm takes as raw bytes."""
    size = len(text.encode())
    if "-----BEGIN" in text or re.match(r'\s*\{.*"(kty|keys)"', text, re.S):
        return Issue(
            "the JWT key is a PEM or a JWK, and Slurm would sign with the bytes of that text",
            "Leave it out: it is derived from the root key.",
        )
    if size < _LEAST_KEY:
        return Issue(f"the JWT key has {size} bytes, fewer than HS256 needs", f"Write {_LEAST_KEY} bytes or more.")
    return None


def token(text: str) -> Issue | None:
    """Return what is wrong with the copilot's token."""
    if any(map(str.isspace, text)):
        return Issue("the token has white space or a new line, and slurmrestd would refuse it", "Write it as one word.")
    if not _TOKEN.fullmatch(text):
        inner = _decoded(text)
        if inner is not None and _TOKEN.fullmatch(inner):
            problem = "the token is in base64 already, and the Secret would hold base64 of base64"
            return Issue(problem, "Write what `scontrol token` prints behind SLURM_JWT=.")
        return Issue("this is not a token", "Write what `scontrol token` prints behind SLURM_JWT=.")
    return None


def database_password(text: str) -> Issue | None:
    """Return what is wrong with a password for slurmdbd.conf or slurm.conf."""
    if "#" in text:
        problem = "Slurm takes all from # on for a comment, and the password would be cut off"
        return Issue(problem, "Choose one without #.")
    if not text or not text.isprintable() or set(text) & set("\" '\\"):
        return Issue("Slurm's files can't hold this password", "Choose one of letters and digits.")
    return None


def _is_base64_of_base64(text: str) -> bool:
    """Whether base64 was applied to what is base64 of random bytes already, with a new line or without."""
    inner = _decoded(text)
    if inner is None or len(inner) < _LEAST_KEY:
        return False
    try:
        base64.b64decode(inner, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode(text.strip(), validate=True).decode("ascii").strip()
    except (binascii.Error, ValueError):
        return None
