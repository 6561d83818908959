"""The table of fields of Slinky's objects beside the CRDs of the releases in the embedded toolchain."""

from devcluster.toolchain import Toolchain
from pulumi_slurm.model import operator_version
from tools.operator_fields import read_crds, table

REFERENCES = ("controllerRef.", "accountingRef.", "ScriptRefs.", "configFileRefs.", "KeyRef.", "secretRef.")


def is_namespace_of_a_reference(path: str) -> bool:
    return path.endswith(".namespace") and any(reference in path for reference in REFERENCES)


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
