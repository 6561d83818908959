"""Hostlists, Slurm's short form of many names: ``gpu[001-128,200],login-[0-3]``.

Source: https://slurm.schedmd.com/slurm.conf.html#lbAJ (NodeName) and src/common/hostlist.c.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

MAX_RANGE = 65_536
"""The most numbers that Slurm takes from one range, and from each pair of brackets but the last of a name."""
MAX_NAMES = 1 << 20
"""The most names that `expand` makes; Slurm sets no bound here, and runs out of memory."""

_SEPARATOR = re.compile(r"[\t, \n]+")
_TOKEN = re.compile(r"[^\t, \n\[\]]*(?:\[[^\[\]]*\][^\t, \n\[\]]*)*")
_RANGE = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
_NUMBER = re.compile(r"[0-9]+")
_DIGITS = "0123456789"
_LONGEST_NUMBER = 18
"""Digits that surely fit the unsigned long that Slurm keeps a number in."""

_Range = tuple[int, int, int]
"""First number, last number, and the width to which both are padded with zeros."""


def expand(text: str) -> list[str]:
    """Return every name, in order; ranges may be padded (001-128), several (a[1-2]b[3-4]) and nested in one list.

    Raise ValueError for text that Slurm would not read, such as an unclosed bracket or a range that runs backwards,
    for a space in brackets, which Slurm counts as a digit, and for more than `MAX_NAMES` names.
    """
    if "[" not in text and "]" not in text:
        return [name for name in _SEPARATOR.split(text) if name]
    if (names := count(text)) > MAX_NAMES:
        raise ValueError(f"this stands for {names} names, and at most {MAX_NAMES} can be listed")
    expanded: list[str] = []
    for token in _tokens(text):
        literals, ranges = _parse(token)
        if not ranges:
            expanded.append(token)
        elif len(ranges) == 1:
            prefix, suffix = literals
            expanded += [prefix + number + suffix for number in _numbers(ranges[0])]
        else:
            expanded += _combined(literals, ranges)
    return expanded


def count(text: str) -> int:
    """Return how many names a hostlist stands for, without making them; raise ValueError as `expand` does."""
    if "[" not in text and "]" not in text:
        return sum(1 for name in _SEPARATOR.split(text) if name)
    return sum(prod(map(_size, _parse(token)[1])) for token in _tokens(text))


def compress(names: Iterable[str]) -> str:
    """Return the shortest usual form of the names, sorted as Slurm sorts them, each name once.

    Only the number at the end of names is folded, as Slurm does: a1-b, a2-b stay apart.
    """
    unique = set(names)
    if len(unique) == 1:
        return unique.pop()
    numbers: dict[str, list[str]] = {}
    for name in unique:
        prefix = _prefix(name)
        numbers.setdefault(prefix, []).append(name[len(prefix) :])
    return ",".join(text for prefix in sorted(numbers, key=_natural) for text in _folded(prefix, numbers[prefix]))


def fold(names: Iterable[str]) -> str:
    """Return the short form that keeps the order and every repetition, so that other lists can go along with it."""
    tokens: list[str] = []
    prefix, ranges = "", list[_Range]()
    for name in names:
        name_prefix = _prefix(name)
        digits = name[len(name_prefix) :]
        if ranges and (name_prefix != prefix or not digits):
            tokens.append(_bracketed(prefix, ranges))
            ranges = []
        if not digits:
            tokens.append(name)
        elif ranges and _continues(ranges[-1], digits):
            ranges[-1] = (ranges[-1][0], int(digits), ranges[-1][2])
        else:
            prefix = name_prefix
            ranges.append((int(digits), int(digits), len(digits)))
    return ",".join([*tokens, *([_bracketed(prefix, ranges)] if ranges else [])])


def _tokens(text: str) -> Iterator[str]:
    """Return the parts between separators; those inside brackets do not count."""
    position = 0
    while position < len(text):
        if separator := _SEPARATOR.match(text, position):
            position = separator.end()
            continue
        token = _TOKEN.match(text, position)
        assert token is not None  # the expression matches the empty string too
        if token.end() < len(text) and text[token.end()] in "[]":
            raise ValueError(f"{text[position:][:40]!r} has an unmatched or nested bracket")
        position = token.end()
        yield token.group()


def _parse(token: str) -> tuple[list[str], list[list[_Range]]]:
    """Return the text around the brackets and what is in them; one more text than brackets."""
    literals = []
    ranges = []
    unparsed = token
    while "[" in unparsed:
        literal, _, unparsed = unparsed.partition("[")
        inside, _, unparsed = unparsed.partition("]")
        literals.append(literal)
        ranges.append([_range(part, token) for part in inside.split(",")])
    if any(_size(bracket) > MAX_RANGE for bracket in ranges[:-1]):
        raise ValueError(f"{token!r} has brackets for more than {MAX_RANGE} numbers, and not as the last of the name")
    return [*literals, unparsed], ranges


def _range(part: str, token: str) -> _Range:
    match = _RANGE.fullmatch(part)
    if match is None:
        raise ValueError(f"{part!r} in {token!r} is no number and no range without spaces")
    first, last = match.groups(default=match[1])
    low, high = int(first), int(last)
    if high < low:
        raise ValueError(f"the range {part} in {token!r} runs backwards")
    if high - low >= MAX_RANGE:
        raise ValueError(f"the range {part} in {token!r} has more than {MAX_RANGE} names")
    return low, high, len(first)


def _combined(literals: list[str], ranges: list[list[_Range]]) -> Iterator[str]:
    """Return the names of several brackets in Slurm's order: the last runs fastest, then the first, the second, …"""
    *outer, last = [list(_numbers(bracket)) for bracket in ranges]
    template = "{}".join(literal.replace("{", "{{").replace("}", "}}") for literal in literals)
    for numbers in product(*reversed(outer)):
        for number in last:
            yield template.format(*reversed(numbers), number)


def _size(ranges: list[_Range]) -> int:
    return sum(high - low + 1 for low, high, _ in ranges)


def _numbers(ranges: list[_Range]) -> Iterator[str]:
    for low, high, width in ranges:
        numbers = map(str, range(low, high + 1))
        yield from numbers if len(str(low)) == width else [number.zfill(width) for number in numbers]


def _prefix(name: str) -> str:
    """Return a name without the number at its end."""
    prefix = name.rstrip(_DIGITS)
    return prefix if len(name) - len(prefix) <= _LONGEST_NUMBER else name[:-_LONGEST_NUMBER]


def _folded(prefix: str, numbers: list[str]) -> Iterator[str]:
    """Return the short forms of the names of one prefix: of the one without a number, and of the others.

    A number without leading zeros reads alike in every padding up to its own length; it goes with the widest of these.
    """
    by_length: dict[int, list[str]] = {}
    for text in numbers:
        by_length.setdefault(len(text), []).append(text)
    if by_length.pop(0, None):
        yield prefix
    by_width: dict[int, list[int]] = {}
    width = 1
    for length, texts in sorted(by_length.items()):
        if min(texts).startswith("0"):
            width = length
        by_width.setdefault(width, []).extend(map(int, texts))
    if by_width:
        yield _bracketed(prefix, [run for width, numbers in by_width.items() for run in _runs(numbers, width)])


def _runs(numbers: list[int], width: int) -> Iterator[_Range]:
    numbers.sort()
    first = last = numbers[0]
    for number in numbers[1:]:
        if number != last + 1 or number - first >= MAX_RANGE:
            yield first, last, width
            first = number
        last = number
    yield first, last, width


def _continues(run: _Range, digits: str) -> bool:
    """Return whether a number is the next one of a range, in the padding of the range."""
    first, last, width = run
    return last - first + 1 < MAX_RANGE and f"{last + 1:0{width}}" == digits


def _bracketed(prefix: str, ranges: list[_Range]) -> str:
    texts = [f"{low:0{width}}" if low == high else f"{low:0{width}}-{high:0{width}}" for low, high, width in ranges]
    single = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return prefix + texts[0] if single else f"{prefix}[{','.join(texts)}]"


def _natural(prefix: str) -> tuple[str, str]:
    """Return a key that sorts numbers in prefixes as numbers, and after those with leading zeros, as strnatcmp.c."""
    return _NUMBER.sub(_sortable, prefix), prefix


def _sortable(number: re.Match[str]) -> str:
    digits = number[0]
    return f"0{digits}\0" if digits.startswith("0") else f"1{digits.zfill(_LONGEST_NUMBER)}"
