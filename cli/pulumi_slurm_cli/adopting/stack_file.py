"""An adopted cluster as the text of a Pulumi.<stack>.yaml."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm_cli.adopting.adoption import Adoption
from pulumi_slurm_cli.importing.stack_yaml import SCHEMA, lists, settings_yaml


def stack_file(adoption: Adoption, cluster: Mapping[str, str]) -> str:
    """Return the text: notes as comments, and the cluster as configuration of kind kubernetes.

    ``cluster`` has the context and the kubeconfig, as far as they are given.
    """
    config: dict[str, Any] = {"slurm:kind": "kubernetes"}
    config |= {f"slurm:{name}": value for name, value in cluster.items()}
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
    yield from lists(sections)
