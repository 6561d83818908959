"""What a failed question to Alibaba Cloud's provider says to people."""

import re

_CODE = re.compile(r"^\s*(?:Error)?Code: (.+)$", re.MULTILINE)
_MESSAGE = re.compile(r"^\s*Message: (.+)$", re.MULTILINE)


def alibabas_words(error: Exception) -> str:
    """Return what a failure says most: code and message of Alibaba Cloud's answer, if it has any, else a line."""
    text = str(error)
    parts = [match[1].strip() for pattern in (_CODE, _MESSAGE) if (match := pattern.search(text))]
    if parts:
        return ": ".join(parts)
    lines = [line.strip(" *\t") for line in text.splitlines() if line.strip(" *\t")]
    telling = [line for line in lines if "ERROR" in line or "not found" in line.lower()]
    return (telling or lines or [type(error).__name__])[0]
