"""Lua scripts that Slurm loads: what can be said of them without Lua.

Slurm ends a daemon or a command whose script it can't load, or that lacks a function: `slurm_lua_loadscript` in
src/lua/slurm_lua.c of Slurm. Words and marks are those of https://www.lua.org/manual/5.4/manual.html#3.1; scripts for
any Lua from 5.1 on are taken.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.issue import Issue

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | --\[(?P<level>=*)\[.*?\](?P=level)\] | --(?!\[=*\[)[^\r\n]*)
    | (?P<string>\[(?P<deep>=*)\[.*?\](?P=deep)\] | "(?:\\z\s*+|\\(?:\r\n|[^z])|[^"\\\n])*+"
        | '(?:\\z\s*+|\\(?:\r\n|[^z])|[^'\\\n])*+')
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>\.?[0-9](?:[eEpP][-+]|[\w.])*)
    | (?P<mark>[-+*/%^\#&~|<>=(){}\];:,.] | \[(?!=*\[))
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSED_BY = MappingProxyType(
    {"function": "end", "do": "end", "if": "end", "repeat": "until", "(": ")", "{": "}", "[": "]"}
)
_CLOSING = frozenset(_CLOSED_BY.values())
_MAY_DEFINE_ANYTHING = frozenset(
    {"_ENV", "_G", "dofile", "getfenv", "load", "loadfile", "loadstring", "rawset", "require", "setfenv"}
)
"""Names by which functions come into being that are not written in the script."""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    line: int


def lua_issues(text: str, functions: Sequence[str]) -> Iterator[tuple[int, Issue]]:
    """Yield what is wrong with a script, each with its line: what is no Lua, or functions that it doesn't define.

    Args:
        text: the script.
        functions: the global functions that Slurm looks for after it has run the script.
    """
    tokens, end = _tokens(text)
    if end < len(text):
        line, remaining = text.count("\n", 0, end) + 1, text[end : end + 20].partition("\n")[0]
        if remaining[0] in "\"'":
            yield line, Issue(f"Lua does not read it: a text has no end, at {remaining}", "End it on its line.")
        elif remaining[0] == "[":
            yield line, Issue(f"Lua does not read it: what begins at {remaining} has no end", "Close its brackets.")
        else:
            fix = "Write ~= for unequal." if remaining.startswith("!=") else "Leave it out."
            yield line, Issue(f"Lua does not read it: it has no {remaining[0]}, at {remaining}", fix)
        return
    if unbalanced := _unbalanced(tokens):
        yield unbalanced
        return
    if _MAY_DEFINE_ANYTHING & {token.text for token in tokens}:
        return
    for function in functions:
        if not _defines(tokens, function):
            yield 1, Issue(f"it does not define {function}", f'Write a global "function {function}(...)" in it.')


def _tokens(text: str) -> tuple[list[_Token], int]:
    """Return the words and marks of a script, texts as "", and the position of what is none."""
    tokens: list[_Token] = []
    # Lua skips a first line that begins with #, and a mark of the order of bytes.
    position = len(text.partition("\n")[0]) if text.startswith("#") else int(text.startswith("\ufeff"))
    line = 1
    while match := _TOKEN.match(text, position):
        if match.lastgroup != "space" and not match["space"]:
            tokens.append(_Token('""' if match["string"] else match[0], line))
        line += match[0].count("\n")
        position = match.end()
    return tokens, position


def _unbalanced(tokens: Sequence[_Token]) -> tuple[int, Issue] | None:
    opened: list[_Token] = []
    for token in tokens:
        if token.text in _CLOSED_BY:
            opened.append(token)
        elif token.text in _CLOSING:
            if not opened or _CLOSED_BY[opened[-1].text] != token.text:
                problem = f"closes no {opened[-1].text} of line {opened[-1].line}" if opened else "closes nothing"
                return token.line, Issue(f"Lua does not read it: {token.text} {problem}", "Leave it out, or open it.")
            opened.pop()
    if not opened:
        return None
    missing = _CLOSED_BY[opened[-1].text]
    return opened[-1].line, Issue(f"Lua does not read it: {opened[-1].text} has no {missing}", f"Add {missing}.")


def _defines(tokens: Sequence[_Token], function: str) -> bool:
    """Return whether a name may be that of a global function: `function f`, or `f =` where it is no local one."""
    texts = ["", "", *(token.text for token in tokens), "", ""]
    for index, name in enumerate(texts):
        if name == function:
            before, after = texts[index - 2 : index], texts[index + 1 : index + 3]
            declared = before[1] == "function" and before[0] != "local" and after[0] == "("
            assigned = after[0] == "," or (after[0] == "=" and after[1] != "=")
            if declared or (assigned and before[1] not in {".", ":", "local"}):
                return True
    return False
