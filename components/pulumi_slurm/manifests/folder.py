"""Objects as a folder of files, by which two renders of a configuration can be compared."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from pulumi_slurm.manifests.objects import Manifest


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are, so that a changed line of a file is a changed line here."""


def _text(dumper: yaml.SafeDumper, value: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def write_objects(objects: Iterable[Manifest], namespace: str, folder: Path) -> int:
    """Write each object into a file of its own, and return how many there are.

    A file is called after the object's kind and name, and after its namespace unless that is ``namespace``.
    """
    texts: dict[str, str] = {}
    for item in objects:
        metadata = item["metadata"]
        of = metadata.get("namespace", namespace)
        name = f"{item['kind'].lower()}-{metadata['name']}.yaml"
        # By way of JSON, in which members of enums are their texts and nothing is written by reference.
        plain = json.loads(json.dumps(item))
        texts[name if of == namespace else f"{of}.{name}"] = yaml.dump(
            plain, Dumper=_Dumper, allow_unicode=True, width=10**6
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return len(texts)
