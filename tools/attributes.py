"""What the docstrings below attributes of a class say, such as a component's outputs and the members of an enum."""

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Attribute:
    """An attribute with a docstring."""

    name: str
    type: str
    """What it is annotated with, of an Output the type of its value; nothing where it has a value instead."""
    meaning: str
    """Its docstring, as one line of Markdown."""


def attributes(documented: type) -> Iterator[Attribute]:
    """Yield the attributes of a class that have a docstring, without those of its bases."""
    body = ast.parse(textwrap.dedent(inspect.getsource(documented))).body[0]
    assert isinstance(body, ast.ClassDef)
    for item, after in zip(body.body, body.body[1:], strict=False):
        if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
            continue
        if isinstance(item, ast.AnnAssign):
            kind = ast.unparse(item.annotation)
            if kind.startswith("pulumi.Output["):
                kind = kind.removeprefix("pulumi.Output[").removesuffix("]")
            yield Attribute(ast.unparse(item.target), kind, one_line(str(after.value.value)))
        elif isinstance(item, ast.Assign):
            yield Attribute(ast.unparse(item.targets[0]), "", one_line(str(after.value.value)))


def one_line(text: str) -> str:
    """Return a docstring as one line of Markdown."""
    return " ".join(text.split()).replace("``", "`")
