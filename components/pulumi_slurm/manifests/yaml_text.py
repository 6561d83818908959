"""Objects as texts of YAML, by which two of them can be compared line by line."""

import json
from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, so that a changed line of a file is a changed line here."""


def _text(dumper: yaml.SafeDumper, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def yaml_text(item: Any) -> str:
    """Return an object as text, with sorted keys."""
    # By way of JSON, in which members of enums are their texts and nothing is written by reference.
    return yaml.dump(json.loads(json.dumps(item)), Dumper=_Dumper, allow_unicode=True, width=10**6)
