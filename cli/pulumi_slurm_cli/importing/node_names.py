"""Names of node sets, and of their nodes: the old ones where Kubernetes and the numbering of pods allow."""

import re
from collections.abc import Iterator
from itertools import count, islice, product
from string import ascii_lowercase

from pulumi_slurm.model.names import MAX_PART_NAME
from pulumi_slurm_cli.importing.node_groups import NodeGroup


def node_set_names(groups: list[NodeGroup]) -> list[tuple[str, str]]:
    """Return a name and a prefix of node names for each group, so that Slurm takes none for another's."""
    names: list[str] = []
    names_and_prefixes = []
    letters_by_word: dict[str, Iterator[str]] = {}
    for group in groups:
        prefix = _to_dns_label(group.prefix) + ("" if _has_numbers(group) else "-")
        name = prefix.strip("-")
        while any(_alike(name, other) for other in names):
            word = _to_dns_label(group.prefix).strip("-")
            name = f"{word}-{next(letters_by_word.setdefault(word, _letters()))}"
            prefix = f"{name}-"
        names.append(name)
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


def _alike(name: str, other: str) -> bool:
    """Return whether one could be the other's node: the same, or the same and a number."""
    short, long = sorted((name, other), key=len)
    return long.startswith(short) and not long[len(short) :].lstrip("-").strip("0123456789")


def _letters() -> Iterator[str]:
    """Yield b to z, then aa to zz, and so on."""
    for length in count(1):
        words = map("".join, product(ascii_lowercase, repeat=length))
        yield from words if length > 1 else islice(words, 1, None)
