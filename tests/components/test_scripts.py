"""The shell scripts that stacks register, by shellcheck."""

import ast
import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm.manifests.node_verdict import VERDICT_SCRIPT
from pulumi_slurm_cli.rehearsal.script import REHEARSE
from pulumi_slurm_stacks import build
from tests.components.conftest import recorded, registered
from tests.components.test_docs import CloudRecorder
from tests.doc_blocks import blocks, settings
from tests.shellcheck import findings
from tests.shipped_stacks import shipped
from tests.stack_configuration import read_with_secrets

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")

SHIPPED = ("local", "gke", "gke-a3", "ack", "ack-slurm-operator", "ack-colocated", "bridge", "copilot")
NOT_REPORTED = "SC2013,SC2034"
"""Loops over the words of a file, which are names without blanks; variables that other drawn lines would use."""

Script = tuple[str | None, str]
"""The shell, unless the script names it itself, and the script."""


def scripts_in(value: Any) -> Iterator[Script]:
    if isinstance(value, str) and value.startswith("#!"):
        yield None, value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from scripts_in(inner)
    elif isinstance(value, list):
        for shell, option, script in zip(value, value[1:], value[2:], strict=False):
            if re.fullmatch("(/bin/)?(ba)?sh", str(shell)) and re.fullmatch("-[a-z]*c", str(option)):
                yield str(shell).rpartition("/")[2], script
        for inner in value:
            yield from scripts_in(inner)


@functools.cache
def registered_scripts() -> frozenset[Script]:
    """Return all scripts of the shipped stacks, and of one on ACK that takes no more jobs before a pod ends."""
    (draining,) = [settings(block) for block in blocks("ack-slurm-operator") if "drainBeforeEnd" in block.text]
    # No stack registers that of a rehearsal, and none that is shipped has a health check.
    found: set[Script] = {(None, REHEARSE), (None, VERDICT_SCRIPT)}
    for keys in [*map(shipped, SHIPPED), draining]:
        config, secrets = read_with_secrets(keys)
        for resource in registered(recorded(functools.partial(build, config, secrets), CloudRecorder({}))):
            found |= set(scripts_in(dict(resource.inputs)))
    return frozenset(found)


def longest_literals() -> list[str]:
    """Return of each script in the package the longest piece without a placeholder."""
    found = []
    for file in sorted((CHECKOUT / "components").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if texts and re.match("#!/bin/(ba)?sh\n", texts[0]):
                pieces = [piece for text in texts for piece in re.split(r"\{+[^{}]*\}+", text)]
                found.append(max(pieces, key=len))
    return found


def test_the_scripts_of_the_package_are_all_there() -> None:
    whole = "\0".join(script for _, script in registered_scripts())
    pieces = longest_literals()
    assert len(pieces) >= 8
    assert [piece for piece in pieces if piece not in whole] == []


def test_no_script_means_something_else_than_it_looks() -> None:
    # What ack-slurm-operator fills in is a path.
    filled = sorted((shell or "", re.sub(r"\{\{\.\w+\}\}", "/path", script)) for shell, script in registered_scripts())
    found = {script: findings(script, shell or None, NOT_REPORTED) for shell, script in filled}
    assert {script: said for script, said in found.items() if said} == {}
