"""Objects as a folder of files, which two renders of a configuration can be compared by."""

import json
from collections.abc import Iterable
from pathlib import Path

import yaml

from pulumi_slurm.manifests.objects import Manifest


def write_objects(objects: Iterable[Manifest], namespace: str, folder: Path) -> int:
    """Write each object into a file of its own, and return how many there are.

    A file is called after the object's kind and name, and after its namespace unless that is ``namespace``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for item in objects:
        metadata = item["metadata"]
        of = metadata.get("namespace", namespace)
        name = f"{item['kind'].lower()}-{metadata['name']}.yaml"
        # By way of JSON, in which members of enums are their texts and nothing is written by reference.
        plain = json.loads(json.dumps(item))
        with (folder / (name if of == namespace else f"{of}.{name}")).open("x", encoding="utf-8") as file:
            yaml.safe_dump(plain, file, allow_unicode=True, width=120)
        count += 1
    return count
