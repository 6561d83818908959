"""What an editor says of a stack file: the shipped schema, applied as editors do."""

from functools import cache
from typing import Any

import jsonschema

from devcluster.folders import CHECKOUT
from pulumi_slurm_stacks.schema import schema

SCHEMA_FILE = CHECKOUT / "stacks" / "stack-config.schema.json"
"""The shipped schema, which the stack files name."""
Underlined = jsonschema.ValidationError
"""Raised where an editor would underline something."""


def look(content: Any) -> None:
    """Raise Underlined where a stack file's content doesn't fit the schema."""
    _validator().validate(content)


@cache
def _validator() -> jsonschema.Draft202012Validator:
    # Once: whether the schema itself is sound takes far longer than whether a file fits it.
    made = schema()
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)
