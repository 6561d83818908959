"""Errors in a specification, worded so that the user can fix them.

Field validators and rules report every error as a `FieldError`: the path of the field, its value, what is wrong with
it, and what to write instead. They write the names of fields in camelCase, as stack configuration has them; to programs
in Python they are shown as these have them.
"""

from pulumi_slurm.errors.arguments import in_arguments
from pulumi_slurm.errors.field_error import FieldError, Severity
from pulumi_slurm.errors.from_pydantic import from_pydantic, with_free_keys, without_secrets_of
from pulumi_slurm.errors.misplaced import place_of
from pulumi_slurm.errors.path import FreeKey, Path, field_text, format_path, in_camel_case
from pulumi_slurm.errors.respelling import AsWritten, has_both_spellings, respelled, spelled_like
from pulumi_slurm.errors.spec_error import SpecError, SpecWarning, collected_warnings, report, without_warnings
from pulumi_slurm.errors.suggestions import nearest
from pulumi_slurm.errors.validators import (
    check_each,
    check_each_pair,
    check_unique,
    each,
    field_error,
    field_error_of,
    field_errors,
    optional,
    raise_errors,
)
from pulumi_slurm.issue import Issue

__all__ = [
    "AsWritten",
    "FieldError",
    "FreeKey",
    "Issue",
    "Path",
    "Severity",
    "SpecError",
    "SpecWarning",
    "check_each",
    "check_each_pair",
    "check_unique",
    "collected_warnings",
    "each",
    "field_error",
    "field_error_of",
    "field_errors",
    "field_text",
    "format_path",
    "from_pydantic",
    "has_both_spellings",
    "in_arguments",
    "in_camel_case",
    "nearest",
    "optional",
    "place_of",
    "raise_errors",
    "report",
    "respelled",
    "spelled_like",
    "with_free_keys",
    "without_secrets_of",
    "without_warnings",
]
