"""Checks of the user's keys, tokens and passwords, which replace those that are derived from the root key.

Messages never contain them.
"""

import base64
import binascii
import re

from pulumi_slurm.issue import Issue

_MIN_KEY_BYTES = 32
_MAX_MUNGE_KEY_BYTES = 1024
_TOKEN = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")


def munge_key(text: str) -> Issue | None:
    """Return the issue of a munge key, or None. The limits are munge's."""
    size = len(text.encode())
    if not _MIN_KEY_BYTES <= size <= _MAX_MUNGE_KEY_BYTES:
        return Issue(
            f"the munge key has {size} bytes, and munged takes {_MIN_KEY_BYTES} to {_MAX_MUNGE_KEY_BYTES}",
            "Leave it out: it is derived from the root key.",
        )
    if _is_base64_of_base64(text):
        return Issue(
            "the munge key is base64 of base64, as from `data` of a Secret: daemons elsewhere have a different key",
            "Write the content of the key file itself.",
        )
    return None


def jwt_key(text: str) -> Issue | None:
    """Return the issue of an HS256 key, which Slurm reads as raw bytes, or None."""
    size = len(text.encode())
    if "-----BEGIN" in text or re.match(r'\s*\{.*"(kty|keys)"', text, re.S):
        return Issue(
            "the JWT key is a PEM or a JWK, and Slurm would sign with the bytes of that text",
            "Leave it out: it is derived from the root key.",
        )
    if size < _MIN_KEY_BYTES:
        return Issue(f"the JWT key has {size} bytes, fewer than HS256 needs", f"Write {_MIN_KEY_BYTES} bytes or more.")
    return None


def token(text: str) -> Issue | None:
    """Return the issue of the copilot's token, or None."""
    if any(map(str.isspace, text)):
        return Issue("the token has white space or a new line, and slurmrestd would refuse it", "Write it as one word.")
    if not _TOKEN.fullmatch(text):
        fix = "Write the text that `scontrol token` prints after SLURM_JWT=."
        decoded = _decoded(text)
        if decoded is not None and _TOKEN.fullmatch(decoded):
            return Issue("the token is in base64 already, and the Secret would contain base64 of base64", fix)
        return Issue("this is not a token", fix)
    return None


def database_password(text: str) -> Issue | None:
    """Return the issue of a password for slurmdbd.conf or slurm.conf, or None."""
    if "#" in text:
        problem = "Slurm reads everything after # as a comment, so the password would be cut off"
        return Issue(problem, "Choose one without #.")
    if not text or not text.isprintable() or set(text) & set("\" '\\"):
        return Issue("Slurm's configuration files can't contain this password", "Choose one of letters and digits.")
    return None


def _is_base64_of_base64(text: str) -> bool:
    """Return whether the text is base64 of base64 of random bytes, with or without a line break."""
    decoded = _decoded(text)
    if decoded is None or len(decoded) < _MIN_KEY_BYTES:
        return False
    try:
        base64.b64decode(decoded, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode(text.strip(), validate=True).decode("ascii").strip()
    except (binascii.Error, ValueError):
        return None
