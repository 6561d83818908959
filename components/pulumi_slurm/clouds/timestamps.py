"""Points in time as clouds want them written, in the form of RFC 3339."""

import re
from datetime import datetime

from pulumi_slurm.errors import field_error

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
"""Python reads more than clouds do, such as a date alone."""


def rfc_3339(text: str, fix: str) -> datetime:
    """Return the point in time; raise the field's error, with this fix, where the text is none."""
    try:
        if _FORM.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    raise field_error("this is not a time in RFC 3339 form", fix)
