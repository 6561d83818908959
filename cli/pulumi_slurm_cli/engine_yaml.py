"""YAML as Pulumi's engine reads it, with the place of each value in the file.

The engine reads a stack's file by go-yaml v3, which knows YAML 1.2's words and numbers and some of YAML 1.1: ``yes``
and ``1:30:00`` are texts there, and numbers in PyYAML. Source: resolve.go of https://github.com/go-yaml/yaml/tree/v3,
and `tests/e2e/test_stack_file.py`, which asks the engine.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from types import MappingProxyType
from typing import Any

import yaml

MAX_VALUES = 100_000
"""How many values a file may come to with its aliases; go-yaml refuses far more than there are without."""

MAX_DIGITS = 64
"""Of a number with 64 bits, in base 2."""

_PLAIN = "tag:pulumi-slurm,plain"
_READ = frozenset({_PLAIN, *(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null"))})
"""The tags of scalars that are more than text."""


@dataclass(frozen=True)
class Place:
    """Where something begins in a file, counted from one."""

    line: int
    column: int


class EngineYamlError(ValueError):
    """The engine can't read a file."""

    def __init__(self, problem: str, mark: yaml.Mark | None, *, is_yaml: bool = True) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = Place(mark.line + 1, mark.column + 1) if mark else None
        self.is_yaml = is_yaml
        """Whether it is YAML at all."""


class _Loader(yaml.SafeLoader):
    """Leaves plain scalars to `_plain`."""

    yaml_implicit_resolvers: Mapping[str, Any] = MappingProxyType({})  # type: ignore[assignment]

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> Any:
        if kind is yaml.ScalarNode and implicit[0]:
            return _PLAIN
        return super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]


_Nodes = tuple[yaml.Node, yaml.Node]


@dataclass(frozen=True)
class Document:
    """A file of YAML: its value, and where each part of that stands."""

    value: Any
    """Mappings with texts as keys, lists, texts, numbers, booleans and None."""
    root: yaml.Node | None

    def nearest(self, path: Sequence[str | int], spelling: Callable[[str], str]) -> Place:
        """Return where a value stands, also behind an alias; that of the nearest one around it if it isn't there.

        A mapping or a list stands where its key does. ``spelling`` makes equal what names the same key.
        """
        node, shown = self.root, self.root
        for step in path:
            if isinstance(node, yaml.MappingNode) and isinstance(step, str):
                key, node = self._nodes(node, spelling).get(spelling(step), (None, None))
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                key = node = node.value[step]
            else:
                break
            if key is None or node is None:
                break
            shown = node if isinstance(node, yaml.ScalarNode) else key
        return Place(shown.start_mark.line + 1, shown.start_mark.column + 1) if shown else Place(1, 1)

    def _nodes(self, mapping: yaml.MappingNode, spelling: Callable[[str], str]) -> Mapping[str, _Nodes]:
        """Return the nodes of a mapping's keys and values, by the keys in a spelling; the first of each counts."""
        nodes = self._indexes.setdefault((id(mapping), spelling), {})
        if not nodes:
            for name, key, value in _items(mapping):
                nodes.setdefault(spelling(name), (key, value))
        return nodes

    @cached_property
    def _indexes(self) -> dict[tuple[int, Callable[[str], str]], dict[str, _Nodes]]:
        """What was looked up, since a file may have thousands of mistakes in one mapping."""
        return {}


def read(text: str) -> Document:
    """Return what the engine reads in a text.

    Raises:
        EngineYamlError: for what the engine refuses.
    """
    try:
        loader = _Loader(text)
        # Like the engine, it looks at the first document alone.
        root = loader.get_node() if loader.check_node() else None
        if root is not None:
            _count(root)
        return Document(_value(root) if root else None, root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise EngineYamlError(error.problem or "this is not YAML", mark, is_yaml=False) from None
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, EngineYamlError):
            raise
        raise EngineYamlError("there is a character that YAML doesn't have", None, is_yaml=False) from None
    except RecursionError:
        raise EngineYamlError("there are hundreds of levels of mappings and lists", None) from None


def _count(root: yaml.Node) -> None:
    """Refuse a file whose aliases come to more than anyone writes, or that has a part within itself."""
    counts: dict[int, int] = {}
    within: set[int] = set()

    def count(node: yaml.Node) -> int:
        if id(node) in within:
            raise EngineYamlError("an anchor contains itself", node.start_mark)
        if id(node) not in counts:
            within.add(id(node))
            counts[id(node)] = 1 + sum(map(count, _children(node)))
            within.remove(id(node))
        if counts[id(node)] > MAX_VALUES:
            raise EngineYamlError("aliases repeat too much", node.start_mark)
        return counts[id(node)]

    count(root)


def _children(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return {name: _value(value) for name, _, value in _items(node)}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    value = _plain(node.value) if node.tag in _READ else node.value
    if isinstance(value, float) and not math.isfinite(value):
        raise EngineYamlError("the engine reads no infinity and no NaN", node.start_mark)
    return value


def _items(mapping: yaml.MappingNode) -> list[tuple[str, yaml.Node, yaml.Node]]:
    """Return the keys of a mapping, with those that it merges, and for each the nodes of its key and its value."""
    direct: dict[str, tuple[str, yaml.Node, yaml.Node]] = {}
    merged: dict[str, tuple[str, yaml.Node, yaml.Node]] = {}
    for key, value in mapping.value:
        if key.tag == _PLAIN and key.value == "<<":
            sources = value.value if isinstance(value, yaml.SequenceNode) else [value]
            if not all(isinstance(source, yaml.MappingNode) for source in sources):
                raise EngineYamlError("<< merges mappings", value.start_mark)
            for source in sources:
                merged = {item[0]: item for item in _items(source)} | merged
            continue
        if not isinstance(key, yaml.ScalarNode):
            raise EngineYamlError("a key is a mapping or a list", key.start_mark)
        name = as_text(_value(key))
        if name in direct:
            line = direct[name][1].start_mark.line + 1
            raise EngineYamlError(f"the key {name} stands already in line {line}", key.start_mark)
        direct[name] = (name, key, value)
    return [*(item for name, item in merged.items() if name not in direct), *direct.values()]


_WORDS = MappingProxyType(
    {
        **dict.fromkeys(("true", "True", "TRUE"), True),
        **dict.fromkeys(("false", "False", "FALSE"), False),
        **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
        **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
        **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
        **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    }
)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_NOT_BETWEEN_DIGITS = re.compile(r"(?<![0-9])_|_(?![0-9])")
_MOMENTS = MappingProxyType(
    {
        re.compile(r"\d{4}-\d{1,2}-\d{1,2}", re.ASCII): "%Y-%m-%d",
        re.compile(r"\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2}", re.ASCII): "%Y-%m-%d %H:%M:%S",
        re.compile(r"\d{4}-\d{1,2}-\d{1,2}T\d{1,2}:\d{1,2}:\d{1,2}Z", re.ASCII): "%Y-%m-%dT%H:%M:%SZ",
        re.compile(r"\d{4}-\d{1,2}-\d{1,2}t\d{1,2}:\d{1,2}:\d{1,2}Z", re.ASCII): "%Y-%m-%dt%H:%M:%SZ",
    }
)
"""Dates and times, without those that have fractions of seconds or another zone."""
_BASES = MappingProxyType({"0b": 2, "0o": 8, "0x": 16})
_DIGITS = MappingProxyType({2: "[01]+", 8: "[0-7]+", 10: "[0-9]+", 16: "[0-9A-Fa-f]+"})


def _plain(text: str) -> Any:
    """Return what a plain scalar is."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if (moment := _moment(text)) is not None:
        return moment
    # Behind a point Go itself reads the number, and takes _ between digits alone.
    number = text if text[0] == "." and _NOT_BETWEEN_DIGITS.search(text) else text.replace("_", "")
    whole = _whole(number)
    if whole is not None and -(2**63) <= whole < (2**63 if number[0] in "+-" else 2**64):
        return whole
    if _FLOAT.fullmatch(number) and math.isfinite(value := float(number)):
        # The engine hands over JSON, in which a float of a whole number has the digits that tell it from others.
        return int(Decimal(repr(value))) if value.is_integer() and abs(value) < 1e21 else value
    return text


def _whole(text: str) -> int | None:
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    base = _BASES.get(digits[:2].lower())
    if base is None and len(digits) > 1 and digits[0] == "0":
        base, digits = 8, digits[1:]
    elif base:
        digits = digits[2:]
    base = base or 10
    # Python's int would also take a second prefix.
    return int(sign + digits, base) if re.fullmatch(_DIGITS[base], digits) and len(digits) <= MAX_DIGITS else None


def _moment(text: str) -> str | None:
    """Return a date or time as Go writes it, in which form the engine hands it over."""
    form = next((form for pattern, form in _MOMENTS.items() if pattern.fullmatch(text)), None)
    try:
        moment = datetime.strptime(text, form).replace(tzinfo=UTC) if form else None
    except ValueError:
        return None
    return f"{moment:%Y-%m-%d %H:%M:%S} +0000 UTC" if moment else None


def as_text(value: Any) -> str:
    """Return a scalar as the engine writes it into a text."""
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def is_encrypted(value: Any) -> bool:
    """Return whether a value of a stack's file is one that `pulumi config set --secret` has written."""
    return isinstance(value, dict) and value.keys() == {"secure"}


def has_encrypted(value: Any) -> bool:
    """Return whether a value of a stack's file is encrypted, or a part of it."""
    if isinstance(value, dict):
        return is_encrypted(value) or any(map(has_encrypted, value.values()))
    return isinstance(value, list) and any(map(has_encrypted, value))
