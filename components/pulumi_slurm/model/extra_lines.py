"""Validation of lists and mappings that become lines of a configuration file."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pulumi_slurm.errors import AsWritten, FieldError, field_error, field_errors

OF_OPERATOR = "pulumi-slurm and the operator decide this, and a line of yours would break the cluster"
"""The problem with a key whose value isn't the user's to choose."""
SequenceT = TypeVar("SequenceT", bound=Sequence[str])


def scalars_to_text(value: Any) -> Any:
    """Return the mapping with numbers and booleans converted to text, as in slurm.conf."""
    if not isinstance(value, dict):
        return value
    return {key: _scalar_to_text(item) for key, item in value.items()}


def unique_items(value: SequenceT) -> SequenceT:
    """Return the list if its items are unique; otherwise raise an error for each repeated item."""
    errors = [
        FieldError((index,), item, "this is in the list twice", "Keep one of them.")
        for index, item in enumerate(value)
        if item in value[:index]
    ]
    if errors:
        raise field_errors(errors)
    return value


def unique_keys(value: dict[str, str]) -> dict[str, str]:
    """Return the mapping if no two keys differ only by case, which Slurm ignores; otherwise raise an error for each."""
    first_spellings: dict[str, str] = {}
    errors: list[FieldError] = []
    for key, text in value.items():
        if key.lower() in first_spellings:
            problem = AsWritten(f"Slurm ignores case, and {first_spellings[key.lower()]} is set")
            errors.append(FieldError((key,), text, problem, "Keep one of them."))
        first_spellings.setdefault(key.lower(), key)
    if errors:
        raise field_errors(errors)
    return value


def check_line(key: str, text: str) -> None:
    """Raise a field error if key and value don't form one line of a configuration file."""
    if not key.isascii() or not key.isalnum():
        raise field_error("this is not a key of a Slurm configuration file", "Write a key of letters and digits.")
    if not text.strip() or not text.isprintable():
        raise field_error("this does not make one line of a configuration file", "Write one line of text.")
    if '"' in text:
        raise field_error("Slurm has no way to write a quote inside of a value", "Leave the quotes out.")


def check_item(text: str) -> None:
    """Raise a field error if the text isn't a single item of a comma-separated list."""
    if not text or not text.isprintable() or any(character in text for character in ", #\"'"):
        raise field_error(
            "this is not one item of a list", "Write each item as text of its own, without commas and spaces."
        )


def _scalar_to_text(item: Any) -> Any:
    if isinstance(item, bool):
        return "YES" if item else "NO"
    if isinstance(item, int | float):
        return str(item)
    if isinstance(item, list) and all(isinstance(part, str | int) for part in item):
        return ",".join(str(part) for part in item)
    return item
