"""Lists and mappings that become one line of a configuration file, or several."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator

from pulumi_slurm.errors import FieldError, field_error, field_errors

L = TypeVar("L", bound=Sequence[str])


def scalars_as_text(value: Any) -> Any:
    """Return a mapping whose numbers and booleans are text, as slurm.conf writes them."""
    if not isinstance(value, dict):
        return value
    return {key: _scalar(item) for key, item in value.items()}


def no_repeats(value: L) -> L:
    """Return a list in which nothing stands twice; raise the errors of what does."""
    found = [
        FieldError((index,), item, "it stands here twice", "Keep one of them.")
        for index, item in enumerate(value)
        if item in value[:index]
    ]
    if found:
        raise field_errors(found)
    return value


def keys_once(value: dict[str, str]) -> dict[str, str]:
    """Return a mapping whose keys differ by more than case, which Slurm ignores."""
    seen: dict[str, str] = {}
    found: list[FieldError] = []
    for key, item in value.items():
        if key.lower() in seen:
            found.append(
                FieldError((key,), item, f"Slurm ignores case, and {seen[key.lower()]} is set", "Keep one of them.")
            )
        seen.setdefault(key.lower(), key)
    if found:
        raise field_errors(found)
    return value


def one_line(key: str, text: str) -> None:
    """Raise the error of a key and a value that don't make one line of a configuration file."""
    if not key.isascii() or not key.isalnum():
        raise field_error("this is not a key of a Slurm configuration file", "Write a key of letters and digits.")
    if not text.strip() or not text.isprintable():
        raise field_error("this does not make one line of a configuration file", "Write one line of text.")
    if '"' in text:
        raise field_error("Slurm has no way to write a quote inside of a value", "Leave the quotes out.")


def one_item(text: str) -> None:
    """Raise the error of a text that would be several items of a comma-separated list."""
    if not text or not text.isprintable() or any(mark in text for mark in ", #\"'"):
        raise field_error(
            "this is not one item of a list", "Write each item as text of its own, without commas and spaces."
        )


def _scalar(item: Any) -> Any:
    if isinstance(item, bool):
        return "YES" if item else "NO"
    if isinstance(item, int | float):
        return str(item)
    if isinstance(item, list) and all(isinstance(part, str | int) for part in item):
        return ",".join(str(part) for part in item)
    return item


Lines = Annotated[dict[str, str], BeforeValidator(scalars_as_text), AfterValidator(keys_once)]
"""Lines of a configuration file by key, as they stand there; numbers and booleans may be given as such."""
