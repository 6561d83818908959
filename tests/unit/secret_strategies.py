"""Secrets, and every place of a model in which one could stand."""

import base64
import json
import random
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from pulumi_slurm.errors.annotations import unwrapped
from pulumi_slurm.secrecy import is_secret_name

_NUMBERS = st.integers(10, 99)
_DEEPEST = 5
"""Levels below a model's fields: deeper ones are of models that stand elsewhere too."""

passwords = st.builds(
    lambda word, number: f"{word}{number}Zq", st.sampled_from(["Hunter", "geheim", "xyzzy"]), _NUMBERS
)
"""Words of which nothing says that they are passwords, but where they stand."""


def _drawn(seed: int) -> str:
    """Return 32 random bytes in base64 or hexadecimal, or as many letters and digits."""
    source = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    forms = (base64.b64encode(source.randbytes(32)).decode(), source.randbytes(32).hex())
    return (*forms, "".join(source.choices(letters, k=32)))[seed % 3]


def _token(seed: int) -> str:
    """Return a JWT."""
    claims = {"sub": "alice", "exp": 1800000000 + seed}
    parts = [json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps(claims), _drawn(seed)]
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)


_FORMS: tuple[Callable[[str], str], ...] = (
    lambda word: f"-----BEGIN RSA PRIVATE KEY-----\n{word}\n-----END RSA PRIVATE KEY-----\n",
    lambda word: f"https://user:{word}@r.example.org/x",
    lambda word: f"ldaps://{word}@ldap.example.org",
    lambda word: f"u:{word}@r.example.org",
    lambda word: f"StoragePass={word}",
    lambda word: f"--api-key={word}",
    lambda word: f"kind: Config\nusers: [{{user: {{token: {word}}}}}]\n",
)
_SEEDS = st.integers(0, 999)
looks: st.SearchStrategy[tuple[str, str]] = st.one_of(
    st.builds(lambda form, word: (form(word), word), st.sampled_from(_FORMS), passwords),
    _SEEDS.map(_drawn).map(lambda text: (text, text)),
    _SEEDS.map(_token).map(lambda text: (text, text.rpartition(".")[2])),
)
"""Texts that look like secrets, each with the part that no message may have."""


@dataclass(frozen=True)
class Place:
    """A place for a secret."""

    put: Callable[[Any], Any]
    """Returns data with a secret at the place."""
    never_shown: bool
    """Whether no value is shown here, whatever it looks like."""


def places_in(model: type[BaseModel], depth: int = _DEEPEST) -> Iterator[Place]:
    """Yield the places below a model's fields, and those of fields that it doesn't have."""
    for name, field in model.model_fields.items():
        secret = is_secret_name(name) and name != "key"
        for place in _places(field.annotation, secret=secret, depth=depth):
            yield _below(field.alias or name, place)
    for name in ("password", "comment"):
        yield _below(name, Place(lambda value: value, never_shown=True))


def _places(annotation: Any, *, secret: bool, depth: int) -> Iterator[Place]:
    types = [*unwrapped(annotation)]
    models = [one for one in types if isinstance(one, type) and issubclass(one, BaseModel)]
    lists = [typing.get_args(one)[0] for one in types if _is(one, Sequence)]
    mappings = [typing.get_args(one)[1] for one in types if _is(one, Mapping)]
    is_free = Any in types
    plain = len(types) > len(models) + len(lists) + len(mappings)
    items_are_plain = any(not _is_compound(one) for item in lists for one in unwrapped(item))
    yield Place(lambda value: value, never_shown=secret or not (plain or items_are_plain))
    yield Place(lambda value: [value], never_shown=secret or not (plain or items_are_plain))
    if not models:
        yield Place(lambda value: {"first": value}, never_shown=secret or not (mappings or is_free))
        yield Place(lambda value: {"first": {"second": [value]}}, never_shown=secret or not (mappings or is_free))
    yield Place(lambda value: {"dbPassword": value}, never_shown=True)
    if depth:
        for model in models:
            yield from places_in(model, depth - 1)
        for item in lists:
            yield from map(_in_a_list, _places(item, secret=secret, depth=depth - 1))
        for item in mappings:
            for place in _places(item, secret=secret, depth=depth - 1):
                yield _below("first", place)


def _below(name: str, place: Place) -> Place:
    return Place(lambda value: {name: place.put(value)}, place.never_shown)


def _in_a_list(place: Place) -> Place:
    return Place(lambda value: [place.put(value)], place.never_shown)


def _is(annotation: Any, kind: type) -> bool:
    origin = typing.get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, kind)


def _is_compound(annotation: Any) -> bool:
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return is_model or _is(annotation, Sequence) or _is(annotation, Mapping)
