"""docs/bridge-workloads.md: its table has every annotation, and its lists are fields of a namespace."""

import re

import yaml

from devcluster.folders import CHECKOUT
from pulumi_slurm.model.bridge import BridgeSpec
from pulumi_slurm.model.bridge_work import SUFFIXES
from tests.doc_blocks import blocks_of

PAGE = CHECKOUT / "docs" / "bridge-workloads.md"


def test_the_table_has_every_annotation_beside_its_field() -> None:
    rows = re.findall(r"^\| ([a-z, -]+) \| ([`a-z_, ]+) \|", PAGE.read_text(), re.M)
    written: dict[str, str] = {}
    for annotations, fields in rows:
        written |= dict(zip(fields.replace("`", "").split(", "), annotations.split(", "), strict=True))
    assert written == SUFFIXES


def test_lists_of_a_namespace_are_read() -> None:
    (block,) = [block for block in blocks_of(PAGE) if block.check == "fields"]
    spec = BridgeSpec.model_validate({"partition": "pods", **yaml.safe_load(block.text)})
    assert spec.namespaces[0].users == ["alice", "bob"]
