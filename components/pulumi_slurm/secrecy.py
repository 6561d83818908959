"""Values that may be secrets, by name or look. Messages, previews and comments repeat none of them."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

HIDDEN = "…"
"""Replaces a secret in messages."""
NOT_SHOWN = "(not shown)"
"""The same for the value of a key in one of Slurm's files."""

SECRET = "[secret]"
"""What the engine's events show in place of a secret."""

_NAME = re.compile(r"pass(?!ed|ive|es\b|ing)|pwd|secret|token|credential|(?<!wc)keys?\Z|keydata")
_OF_SECRETS = frozenset({"generation", "lifetime", "name", "path", "script", "type"})
"""What has a name that ends so says something about a secret, such as tokenLifetime, and takes none."""
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def is_secret_name(name: str) -> bool:
    """Return whether what has this name may be a secret: rootKey, StoragePass, copilot_token, DB_PASSWORD, ..."""
    words = [word.lower() for word in _WORDS.split(name) if word]
    return any(map(_NAME.search, words)) and words[-1] not in _OF_SECRETS


_MARKS = (
    re.compile(r"-----BEGIN\b"),
    # A JWT: a header and a claim, each a JSON object in base64. RFC 7519, section 3.
    re.compile(r"\beyJ[\w-]{8,}\.[\w-]{4,}"),
    # Keys of services say by their beginning what they are.
    re.compile(r"\b(AKIA|ASIA|LTAI|AIza|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|sk-|pul-)[\w-]{12,}"),
)
_ASSIGNED = re.compile(r"(?<![\w.-])([\w.-]++)[\"']?\s*[=:]\s*[\"']?(?!/[\w.-]+/)[^\s\"',;{}\[\]]")
"""A name and what follows it, unless that is a path."""
_USER_INFO = re.compile(r"(?<=://)(?!…@)\S*@(?!sha\d+:)|(?<![^\s\"'])[^\s/@:\"]*:[^\s/@\"]+@(?!sha\d+:)")
"""User and password before the host of an address; in the name of an image, a digest stands behind an @ too."""
_RUN = re.compile(r"(?<![A-Za-z0-9+/=_-])(?<!sha256:)[A-Za-z0-9+/=_-]{20,}")
_ID_OF_ALIBABA = re.compile(r"(vpc|vsw|sg)-[0-9a-z]{1,25}|(c|np)[0-9a-f]{32}|Aliyun[A-Za-z0-9]{2,40}Role")
"""Ids of networks, clusters and node pools, such as vsw-bp1n6h2a3wz5g4kq8d1lx, and names of roles; a key in hexadecimal
has an even number of digits."""
_LETTERS_AND_DIGITS = re.compile(r"[A-Za-z0-9]{16,}")
_WORD_OF_A_NAME = re.compile(r"[A-Z][a-z]{2,}|[a-z]{4,}")
_KINDS = (str.islower, str.isupper, str.isdigit)


def may_be_secret(text: str) -> bool:
    """Return whether a text looks like a secret or has one within, whatever field it stands in."""
    return (
        any(mark.search(text) for mark in _MARKS)
        or bool(_USER_INFO.search(text))
        or any(map(_is_random, _RUN.findall(text)))
        or any(is_secret_name(name) for name in _ASSIGNED.findall(text))
    )


def without_user_info(text: str) -> str:
    """Return an address without user and password."""
    return _USER_INFO.sub(f"{HIDDEN}@", text)


def user_info(text: str) -> list[str]:
    """Return user and password of the addresses in a text."""
    return [credentials.removesuffix("@") for credentials in _USER_INFO.findall(text)]


def _is_random(run: str) -> bool:
    """Return whether text seems to be drawn at random: it changes often between letters, capitals and digits.

    Names are words, numbers at their ends and separators between them. Ids of Alibaba Cloud say what they are.
    """
    if _ID_OF_ALIBABA.fullmatch(run):
        return False
    if re.fullmatch(r"[0-9a-fA-F]{32,}", run):
        return len(set(run)) >= 8
    # Base64 has separators of its own, so that of a long text no piece need be long.
    return any(map(_changes_often, _LETTERS_AND_DIGITS.findall(run))) or (len(run) >= 30 and _changes_often(run))


def _changes_often(part: str) -> bool:
    kinds = [next((index for index, kind in enumerate(_KINDS) if kind(mark)), None) for mark in part]
    kinds = [kind for kind in kinds if kind is not None]
    changes = sum(one != other for one, other in pairwise(kinds))
    in_words = sum(map(len, _WORD_OF_A_NAME.findall(part)))
    return changes > 0.22 * len(kinds) and in_words < 0.8 * len(kinds)


def without_secrets(text: str) -> str:
    """Return a sentence without what looks like a secret in it."""
    text = without_user_info(text)
    for mark in _MARKS:
        text = re.sub(rf"{mark.pattern}[^\"]*", HIDDEN, text, flags=re.DOTALL)
    return _RUN.sub(lambda run: HIDDEN if _is_random(run[0]) else run[0], text)


_QUOTED = re.compile(r"""(")([^"\n]*)"|(?<!\w)(')([^'\n]*)'(?!\w)""")
"""What stands in quotation marks, in either kind; an apostrophe stands in a word."""
_WORD = re.compile(r"[A-Za-z0-9]+")


def without(text: str, secrets: Iterable[str]) -> str:
    """Return a sentence without these secrets, and without quotations that were made of them."""
    for secret in secrets:
        lines = [line.strip() for line in secret.splitlines()] if "\n" in secret else [secret]
        for line in filter(None, lines):
            text = _without_line(text, line)
    return text


def _without_line(text: str, secret: str) -> str:
    if len(secret) >= 4:
        text = re.sub(re.escape(secret), HIDDEN, text, flags=re.IGNORECASE)
    letters = _letters(secret)
    if not letters:
        return text
    text = _QUOTED.sub(lambda quoted: _without_quotation(quoted, letters), text)
    for word in _telling_words(secret):
        text = re.sub(rf"(?<![A-Za-z0-9]){word}(?![A-Za-z0-9])", HIDDEN, text, flags=re.IGNORECASE)
    return text


def _without_quotation(quotation: re.Match[str], letters: str) -> str:
    mark, quoted = (group for group in quotation.groups() if group is not None)
    return f"{mark}{HIDDEN}{mark}" if _is_of(_letters(quoted), letters) else quotation[0]


def _is_of(quoted: str, secret: str) -> bool:
    return quoted == secret or (len(quoted) >= 3 and quoted in secret) or (len(secret) >= 4 and secret in quoted)


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text)).lower()


def _telling_words(secret: str) -> Iterator[str]:
    """Yield the words of a secret that are no words of a sentence."""
    if " " not in secret:
        yield from (word for word in _WORD.findall(secret) if len(word) >= 4 and not word.isalpha())
