"""An imported cluster as the text of a Pulumi.<stack>.yaml."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import yaml

from pulumi_slurm.visible import as_line, is_line, visible_yaml
from pulumi_slurm_cli.importing.result import Imported

SCHEMA = "# yaml-language-server: $schema=./stacks/stack-config.schema.json"
"""The comment by which editors complete and check settings."""
_WIDTH = 118


class _Dumper(yaml.SafeDumper):
    """Quotes every text that some reader of YAML could take for something else, such as 1:00:00 or no."""


_WORD = r"[A-Za-z][A-Za-z0-9_/.=-]*"
_PLAIN = re.compile(rf"{_WORD}(:{_WORD})*|[0-9]+[GM]i")
_WITH_A_MEANING = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"})


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WITH_A_MEANING
    # In a block nothing can be escaped.
    block = "\n" in text and all(map(is_line, text.split("\n")))
    style = "|" if block else None if plain else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def settings_yaml(config: Mapping[str, Any], comments: Iterable[str]) -> str:
    """Return the text of settings, with lines of comments above.

    Whatever texts there are, it has the key `config` alone, all readers of YAML read the same, and all of it can be
    seen: a terminal, or the runner of a workflow, does nothing else with it than to show it.
    """
    body = yaml.dump(
        {"config": config}, Dumper=_Dumper, sort_keys=False, width=_WIDTH, allow_unicode=True, default_flow_style=None
    )
    return "".join(f"{as_line(line)}\n" for line in comments) + visible_yaml(body)


def stack_yaml(imported: Imported) -> str:
    """Return the text: what was left out and what is to do as comments, and the cluster as configuration."""
    config: dict[str, Any] = {"slurm:kind": "kubernetes"}
    if "keys" in imported.data:
        # The Secret with the keys has to be there before the cluster, and so has its namespace.
        config["slurm:createNamespace"] = False
    config["slurm:cluster"] = dict(imported.data)
    return settings_yaml(config, _comments(imported))


def _comments(imported: Imported) -> Iterator[str]:
    yield SCHEMA
    sections = {
        "To do before the first `pulumi up`": [*imported.to_do, *map(str, imported.errors)],
        "Nodes with new names": [f"{old} -> {new}" for old, new in imported.renamed.items()],
        "Not carried over": [str(item) for item in imported.left_out if not item.routine],
    }
    yield from lists(sections)
    routine = [f"{item.text} ({item.location})" for item in imported.left_out if item.routine]
    if routine:
        yield "#"
        yield "# Not carried over, since the operator and its images set it; there is nothing to do:"
        yield from wrapped(", ".join(routine), "# ", "# ")


def lists(sections: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield comments: each heading with its items, empty ones left out."""
    for heading, items in sections.items():
        if items:
            yield "#"
            yield f"# {heading}:"
        for item in items:
            yield from wrapped(item, "# - ", "#   ")


def wrapped(text: str, first_indent: str, indent: str) -> list[str]:
    """Return lines of comments, which begin with the indents."""
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first_indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
