"""Timestamps in RFC 3339 format, which the APIs of Kubernetes and of clouds take."""

import re
from datetime import datetime

from pulumi_slurm.errors import field_error

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
"""Python parses more formats than they do, for example a date without a time."""


def rfc_3339(text: str, fix: str) -> datetime:
    """Parse a timestamp; raise a field error with this fix if the text is none."""
    try:
        if _RFC_3339.fullmatch(text):
            return datetime.fromisoformat(text)
    except ValueError:
        pass
    raise field_error("this is not a time in RFC 3339 form", fix)
