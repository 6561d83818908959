"""The one place that decides whether an error shows a value.

It does where the type of the value's field says that the value is harmless. What stands in an unknown field, what is of
another type than the field, what is in a field that takes a secret and what looks like a secret is never shown.
"""

import datetime
import typing
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import PurePath
from typing import Any

from pydantic import BaseModel

from pulumi_slurm.errors.annotations import field_of, unwrapped
from pulumi_slurm.errors.path import FreeKey, Path, field_text
from pulumi_slurm.secrecy import HIDDEN, is_secret_name, may_be_secret, user_info, without_user_info
from pulumi_slurm.spelling import current_spelling

_MOST_PARTS = 200
"""Parts of a value that are looked at; a message has room for fewer."""
_LARGEST = 10**80
"""Larger numbers are not written out in a message."""
_PLAIN = (str, int, float, bool, Decimal, datetime.date, datetime.time, PurePath)


class Hidden(StrEnum):
    """The type of `HIDDEN_VALUE`; an enum member, so that its identity survives pickling."""

    VALUE = HIDDEN


HIDDEN_VALUE = Hidden.VALUE
"""What is shown in place of a value, or of a part of one."""


def shown_value(value: Any, path: Path) -> tuple[Any, list[str]]:
    """Return a value as an error at a path shows it, and the texts of it that no part of the error may repeat.

    Only the names in the path are known here; `shown_by_model` also knows the types of fields.
    """
    return _Showing().of(value, Any, secret=_names_a_secret(path))


def shown_by_model(value: Any, path: Path, model: type[BaseModel], *, is_valid: bool) -> tuple[Any, list[str]]:
    """Return the same as `shown_value`, by the types that the fields of a model have too.

    ``is_valid`` says that the value is of its field's type, as whatever a rule is about.
    """
    annotation, secret = _field_at(path, model)
    if is_valid and (annotation is _UNKNOWN or not isinstance(value, Mapping)):
        annotation = Any
    return _Showing().of(value, annotation, secret=secret or _names_a_secret(path))


def _names_a_secret(path: Path) -> bool:
    """Return whether the field at a path takes a secret by its name, or by the name of the mapping that it is in."""
    for step in reversed(path):
        if isinstance(step, str):
            if is_secret_name(step) and step != _KEY:
                return True
            if not isinstance(step, FreeKey):
                return False
    return False


_REFERENCE = frozenset({"name", "key"})
"""The fields of a reference to a Secret or a ConfigMap."""
_KEY = "key"
"""The field for the name of a label, or of an entry of a Secret."""
_UNKNOWN = object()
"""In place of the type of a field that there isn't."""


def _field_at(path: Path, model: type[BaseModel]) -> tuple[Any, bool]:
    """Return the type of the field at a path, and whether it is part of something that is named as a secret."""
    current: Any = model
    secret = False
    for step in path:
        following: Any = _UNKNOWN
        for candidate in unwrapped(current):
            if candidate is Any:
                following = Any
            elif isinstance(step, int):
                following = _item_of(candidate) or following
            elif _is_mapping(candidate):
                following = typing.get_args(candidate)[1]
            elif _is_model(candidate) and (field := field_of(candidate, step)):
                following = field.annotation
        current = following
        if current is _UNKNOWN:
            break
        # What is wrong in a reference to a Secret may be what the Secret should hold.
        secret = secret or any(_is_model(one) and "Secret" in one.__name__ for one in unwrapped(current))
    return current, secret


class _Showing:
    """One value on its way into a message."""

    def __init__(self) -> None:
        self._parts = 0
        self._hidden: list[str] = []

    def of(self, value: Any, annotation: Any, *, secret: bool) -> tuple[Any, list[str]]:
        return self._part(value, annotation, secret), self._hidden

    def _part(self, value: Any, annotation: Any, secret: bool) -> Any:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            return HIDDEN_VALUE
        candidates = [*unwrapped(annotation)] if annotation is not _UNKNOWN else []
        if value is None or isinstance(value, bool | Enum):
            return value
        if isinstance(value, BaseModel):
            return self._model(value)
        if isinstance(value, Mapping):
            return self._mapping(value, candidates, secret)
        if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
            return self._list(value, annotation, candidates, secret)
        is_number = isinstance(value, int | float) and any(candidate in (int, float) for candidate in candidates)
        return value if is_number else self._scalar(value, candidates, secret)

    def _list(self, value: Sequence[Any], annotation: Any, candidates: list[Any], secret: bool) -> Any:
        of_items = next((item for item in map(_item_of, candidates) if item is not None), None)
        if of_items is None and value and not any(map(_is_plain, candidates)):
            return self._hide(value)
        return [self._part(item, annotation if of_items is None else of_items, secret) for item in value]

    def _scalar(self, value: Any, candidates: list[Any], secret: bool) -> Any:
        # Text in place of a list is shown as an item of it would be.
        items = [inner for item in map(_item_of, candidates) if item is not None for inner in unwrapped(item)]
        if secret or not any(map(_is_plain, candidates + items)) or not isinstance(value, _PLAIN):
            return self._hide(value)
        if not isinstance(value, str | PurePath):
            return value
        text = str(value)
        if user_info(text) and not may_be_secret(without_user_info(text)):
            self._hidden += [part for info in user_info(text) for part in (info, *info.split(":"))]
            return without_user_info(text)
        return self._hide(value) if may_be_secret(text) else value

    def _model(self, value: BaseModel) -> dict[str, Any]:
        fields, spelling = type(value).model_fields, current_spelling()
        return {
            field_text(field.alias or name, spelling): self._part(
                item, field.annotation, name != _KEY and is_secret_name(name)
            )
            for name, field in fields.items()
            if (item := getattr(value, name)) != field.get_default(call_default_factory=True)
        }

    def _mapping(self, value: Mapping[Any, Any], candidates: list[Any], secret: bool) -> Any:
        models = [candidate for candidate in candidates if _is_model(candidate)]
        free = next((typing.get_args(candidate)[1] for candidate in candidates if _is_mapping(candidate)), None)
        if not models and free is None and Any not in candidates:
            return self._hide(value) if value else {}
        if Any in candidates and value.keys() <= _REFERENCE and all(isinstance(item, str) for item in value.values()):
            return {name: self._part(text, str, False) for name, text in value.items()}
        # The entry of a list such as env: {name: DB_PASSWORD, value: ...}.
        secret = secret or (isinstance(value.get("name"), str) and is_secret_name(value["name"]) and "value" in value)
        shown: dict[Any, Any] = {}
        for key, item in value.items():
            fields = [field for model in models if (field := field_of(model, key))]
            annotation = fields[0].annotation if fields else (_UNKNOWN if models else Any if free is None else free)
            name = HIDDEN if isinstance(key, str) and may_be_secret(key) else key
            is_secret = is_secret_name(str(key)) and not (fields and key == _KEY)
            shown[name] = self._part(item, annotation, is_secret or (secret and not fields))
            if self._parts > _MOST_PARTS:
                break
        return shown

    def _hide(self, value: Any) -> Hidden:
        self._hidden += _texts(value)
        return HIDDEN_VALUE


def _texts(value: Any) -> list[str]:
    """Return the texts within a value, as far as a message could have them."""
    texts: list[str] = []
    level = [value]
    for _ in range(_MOST_PARTS):
        inner: list[Any] = []
        for item in level[:_MOST_PARTS]:
            if isinstance(item, Mapping):
                inner += item.values()
            elif isinstance(item, list | tuple | set | frozenset):
                inner += item
            elif isinstance(item, bytes | bytearray):
                texts.append(item.decode("latin-1"))
            elif isinstance(item, str | float | PurePath) or (type(item) is int and abs(item) < _LARGEST):
                texts.append(str(item))
        level = inner
    return texts


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _is_mapping(annotation: Any) -> bool:
    origin = typing.get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _is_plain(annotation: Any) -> bool:
    """Return whether a type is neither that of models, nor of mappings, nor of lists; it may be Any."""
    return not _is_model(annotation) and not _is_mapping(annotation) and _item_of(annotation) is None


def _item_of(annotation: Any) -> Any:
    """Return the type of a list's items; None for what is no list."""
    origin = typing.get_origin(annotation)
    is_list = isinstance(origin, type) and issubclass(origin, Sequence | set | frozenset)
    return typing.get_args(annotation)[0] if is_list else None
