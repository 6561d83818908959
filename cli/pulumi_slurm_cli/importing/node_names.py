"""Names of node sets, and of their nodes: the old ones where Kubernetes and the numbering of pods allow."""

import re
from collections.abc import Iterator
from itertools import count, islice, product
from string import ascii_lowercase

from pulumi_slurm.model.names import MAX_PART_NAME
from pulumi_slurm_cli.importing.node_groups import NodeGroup

_ENDING = re.compile(r"-*[0-9]*\Z")


def node_set_names(groups: list[NodeGroup]) -> list[tuple[str, str]]:
    """Return a name and a prefix of node names for each group, so that Slurm takes none for another's."""
    names: set[str] = set()
    beginnings: set[str] = set()
    names_and_prefixes = []
    letters_by_word: dict[str, Iterator[str]] = {}
    for group in groups:
        prefix = _to_dns_label(group.prefix) + ("" if _has_numbers(group) else "-")
        name = prefix.strip("-")
        while name in beginnings or _beginnings(name) & names:
            word = _to_dns_label(group.prefix).strip("-")
            name = f"{word}-{next(letters_by_word.setdefault(word, _letters()))}"
            prefix = f"{name}-"
        names.add(name)
        beginnings |= _beginnings(name)
        names_and_prefixes.append((name, prefix))
    return names_and_prefixes


def new_names(group: NodeGroup, prefix: str) -> list[str]:
    """Return the names that the group's nodes get: pods are numbered from 0."""
    width = group.padding
    return [f"{prefix}{number:0{width}}" for number in range(len(group.hosts))]


def _has_numbers(group: NodeGroup) -> bool:
    return group.hosts[0] != group.prefix


def _to_dns_label(prefix: str) -> str:
    word = re.sub(r"[^a-z0-9-]+", "-", prefix.lower()).lstrip("-0123456789")[: MAX_PART_NAME - 5]
    return word if word.strip("-") not in {"", "all", "default"} else f"nodes-{word}".rstrip("-")


def _beginnings(name: str) -> set[str]:
    """Return the names that have a node of this name: the same, and those that are it without a number at its end."""
    ending = _ENDING.search(name)
    assert ending  # the expression matches the empty string too
    return {name[:length] for length in range(ending.start(), len(name) + 1)}


def _letters() -> Iterator[str]:
    """Yield b to z, then aa to zz, and so on."""
    for length in count(1):
        words = map("".join, product(ascii_lowercase, repeat=length))
        yield from words if length > 1 else islice(words, 1, None)
