"""An adopted cluster as the text of a Pulumi.<stack>.yaml."""

from collections.abc import Iterator
from typing import Any

from pulumi_slurm.adopting.adoption import Adoption
from pulumi_slurm.importing.stack_yaml import SCHEMA, settings_yaml, wrapped


def stack_file(adoption: Adoption, *, context: str | None, kubeconfig: str | None) -> str:
    """Return the text: notes as comments, and the cluster as configuration of kind kubernetes."""
    config: dict[str, Any] = {"slurm:kind": "kubernetes"}
    config |= {f"slurm:{key}": value for key, value in (("context", context), ("kubeconfig", kubeconfig)) if value}
    config |= {
        "slurm:createNamespace": False,
        "slurm:operator": {"preinstalled": True},
        "slurm:cluster": dict(adoption.data),
    }
    return settings_yaml(config, _comments(adoption))


def _comments(adoption: Adoption) -> Iterator[str]:
    yield SCHEMA
    sections = {
        "To know before the first `pulumi up`": adoption.notes,
        "No stack changes or deletes these objects of the release; they stay": adoption.stays,
    }
    for heading, items in sections.items():
        if items:
            yield "#"
            yield f"# {heading}:"
        for item in items:
            yield from wrapped(item, "# - ", "#   ")
