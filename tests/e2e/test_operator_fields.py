"""The table of fields of Slinky's objects beside the CRDs of the releases in the embedded toolchain."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

import yaml

from devcluster.toolchain import Toolchain
from pulumi_slurm.model import operator_version
from tests.doc_blocks import chart_value_rows
from tools.operator_fields import read_crds, table

DEPTH = 3
"""How deep values of a chart are looked at; what is below is the operator's own."""

REFERENCES = ("controllerRef.", "accountingRef.", "ScriptRefs.", "configFileRefs.", "KeyRef.", "secretRef.")


def is_namespace_of_a_reference(path: str) -> bool:
    return path.endswith(".namespace") and any(reference in path for reference in REFERENCES)


def values_of(data: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[str]:
    for name, value in data.items():
        path = (*at, name)
        if isinstance(value, Mapping) and value and len(path) < DEPTH:
            yield from values_of(value, path)
        else:
            yield ".".join(path)


def test_every_value_of_the_chart_is_on_the_page(tools: Toolchain) -> None:
    patterns = [pattern for row in chart_value_rows() for pattern in row.patterns]
    for folder in sorted(tools.path("charts").glob("slurm-operator-*")):
        values = yaml.safe_load((folder / "helm" / "slurm" / "values.yaml").read_text())
        missing = [path for path in values_of(values) if not any(fnmatchcase(path, pattern) for pattern in patterns)]
        assert not missing, f"{folder.name}: {missing}"


def test_the_table_has_what_the_crds_have(tools: Toolchain) -> None:
    folders = sorted(tools.path("charts").glob("slurm-operator-*"))
    assert len(folders) == 2
    for folder in folders:
        row = operator_version(folder.name.removeprefix("slurm-operator-"))
        crds = read_crds(folder / "crds")
        # Patch releases differ in this alone, so it is a fact of their rows.
        namespaces = {path for paths in crds.values() for path in paths if is_namespace_of_a_reference(path)}
        assert bool(namespaces) == row.references_carry_namespace
        assert {kind: paths - namespaces for kind, paths in crds.items()} == table()[row.minor]
