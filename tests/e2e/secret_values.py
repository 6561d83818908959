"""Looking for secret values in anything that was written down, in the forms that they may have there."""

import base64
from collections.abc import Iterable, Mapping

from pulumi_slurm.keys import Purpose, decode_root_key, derive

SHORTEST = 16
"""Fewer bytes of a form could stand anywhere by chance."""


def secret_values(root_key: str, cluster: str, tokens: Iterable[str] = ()) -> dict[str, bytes]:
    """Return every secret of a cluster by name: the root key, the keys derived from it, and tokens."""
    values = {"root key": root_key.encode(), "root key's bytes": decode_root_key(root_key)}
    for purpose in Purpose:
        for generation in (1, 2):
            values[f"{purpose} key {generation}"] = derive(root_key, cluster, purpose, generation).encode()
    return values | {f"token {index}": token.encode() for index, token in enumerate(tokens)}


def forms(value: bytes) -> set[bytes]:
    """Return a value as it is, in hex, and in base64 wherever in a longer text it may begin."""
    values = {value, value.hex().encode(), value.hex().upper().encode()}
    for offset in range(3):
        # Up to three characters at either end depend on what stands next to the value.
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            encoded = encode(b"\0" * offset + value).rstrip(b"=")
            values.add(encoded[4 if offset else 0 : -1])
    assert all(len(form) >= SHORTEST for form in values)
    return values


def leaks(contents: Mapping[str, bytes], values: Mapping[str, bytes]) -> list[str]:
    """Return which secret stands where."""
    forms_by_name = {name: forms(value) for name, value in values.items()}
    return [
        f"{name} in {source}"
        for source, content in contents.items()
        for name, encodings in forms_by_name.items()
        if any(form in content for form in encodings)
    ]
