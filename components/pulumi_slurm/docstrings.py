"""What the docstrings below attributes of a class say: of a model's fields, a component's outputs, an enum's members.

They are read from the source when somebody asks. For pydantic to read those of all models when these are imported takes
longer than all else that it does for them.
"""

import ast
import gc
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from pydantic import BaseModel


def documented(cls: type) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """Yield the statement of each attribute with a docstring, and the docstring; without those of bases."""
    try:
        (definition,) = _source_of(cls).body
    except OSError:
        # A program that comes without its source has no docstrings of attributes.
        return
    assert isinstance(definition, ast.ClassDef)
    for statement, after in pairwise(definition.body):
        docstring = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else None
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(docstring, str):
            yield statement, inspect.cleandoc(docstring)


@cache
def docstrings(model: type[BaseModel]) -> Mapping[str, str]:
    """Return what each field of a model is, by its name in Python, as far as it has a docstring."""
    bases = [base for base in reversed(model.__mro__) if issubclass(base, BaseModel) and base is not BaseModel]
    texts = {ast.unparse(_name(statement)): text for base in bases for statement, text in documented(base)}
    return {name: texts[name] for name in model.model_fields if name in texts}


def _source_of(cls: type) -> ast.Module:
    """Return a class as a module that consists of it alone.

    To find its source Python parses the module that it is in. A finalizer that shows a traceback meanwhile parses too,
    and Python before 3.11.8 and 3.12.2 then fails: https://github.com/python/cpython/issues/106905.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(cls)))
    finally:
        if collects:
            gc.enable()


def _name(statement: ast.Assign | ast.AnnAssign) -> ast.expr:
    return statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
