"""What the docstrings below attributes of a class say, such as a component's outputs and the members of an enum."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pulumi_slurm.docstrings import documented


@dataclass(frozen=True)
class Attribute:
    """An attribute with a docstring."""

    name: str
    type: str
    """What it is annotated with, of an Output the type of its value; nothing where it has a value instead."""
    meaning: str
    """Its docstring, as one line of Markdown."""


def attributes(described: type) -> Iterator[Attribute]:
    """Yield the attributes of a class that have a docstring, without those of its bases."""
    for statement, docstring in documented(described):
        if isinstance(statement, ast.AnnAssign):
            kind = ast.unparse(statement.annotation)
            if kind.startswith("pulumi.Output["):
                kind = kind.removeprefix("pulumi.Output[").removesuffix("]")
            yield Attribute(ast.unparse(statement.target), kind, one_line(docstring))
        else:
            yield Attribute(ast.unparse(statement.targets[0]), "", one_line(docstring))


def one_line(text: str) -> str:
    """Return a docstring as one line of Markdown."""
    return " ".join(text.split()).replace("``", "`")
