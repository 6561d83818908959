"""What is wrong in a specification, in the words a person needs to mend it.

Field validators and rules raise or yield mistakes in the one shape kept here: the path of the field as it is written in
stack configuration, the value found there, what is wrong with it, and what to write instead.
"""

from pulumi_slurm.errors.field_error import (
    Mistake,
    Path,
    SpecError,
    each,
    each_pair,
    field_text,
    format_path,
    mistake_of,
    nearest,
    wrong,
    wrong_together,
)
from pulumi_slurm.errors.from_pydantic import from_validation_error
from pulumi_slurm.errors.items import each_once

__all__ = [
    "Mistake",
    "Path",
    "SpecError",
    "each",
    "each_once",
    "each_pair",
    "field_text",
    "format_path",
    "from_validation_error",
    "mistake_of",
    "nearest",
    "wrong",
    "wrong_together",
]
