"""Errors about overrides of another shape than what they are merged into, for the objects of both operators."""

from typing import Any

from pulumi_slurm.errors import FieldError, Path


def removes_all(path: Path) -> FieldError:
    """Return the error for null in place of a value."""
    return FieldError(path, None, "null would remove everything here", "Leave it out.")


def not_a_mapping(path: Path, value: Any) -> FieldError:
    """Return the error for a value that is no mapping in place of one."""
    return FieldError(path, value, "this is not a mapping", "Write a mapping of field names to values.")


def not_a_list(path: Path, value: Any) -> FieldError:
    """Return the error for a value that is no list in place of one."""
    return FieldError(path, value, "this is not a list", "Write a list.")
