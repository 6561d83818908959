"""Conversion of pydantic's validation errors to `FieldError`."""

import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors.annotations import field_of, unwrapped
from pulumi_slurm.errors.field_error import FieldError
from pulumi_slurm.errors.misplaced import place_of
from pulumi_slurm.errors.path import FreeKey, Path, format_path
from pulumi_slurm.errors.respelling import respelled
from pulumi_slurm.errors.shown_value import shown_by_model
from pulumi_slurm.errors.suggestions import nearest
from pulumi_slurm.issue import Issue


def from_pydantic(error: ValidationError, model: type[BaseModel], prefix: Path = ()) -> list[FieldError]:
    """Return pydantic's errors for ``model`` as field errors whose paths start with ``prefix``."""
    errors: list[FieldError] = []
    for detail in _without_inputs(error.errors(include_url=False)):
        if detail["type"] == "slurm_rules":
            rule_errors: list[FieldError] = detail["ctx"]["errors"]
            base = _path_of(detail["loc"])
            errors.extend(
                without_secrets_of(
                    model,
                    replace(
                        nested,
                        path=prefix + with_free_keys(model, base + nested.path),
                        depends_on_fields=tuple(prefix + base + other for other in nested.depends_on_fields),
                    ),
                    prefix,
                )
                for nested in rule_errors
            )
        else:
            errors.append(without_secrets_of(model, _from_detail(detail, model, prefix), prefix, is_valid=False))
    return errors


def without_secrets_of(
    model: type[BaseModel], error: FieldError, prefix: Path = (), *, is_valid: bool = True
) -> FieldError:
    """Return an error in ``model`` at ``prefix`` that shows nothing which by the types of its fields may be secret.

    ``is_valid`` says that its value is of its field's type, as whatever a rule is about.
    """
    value, secrets = shown_by_model(error.value, error.path[len(prefix) :], model, is_valid=is_valid)
    return error.showing(value, secrets)


def _without_inputs(details: list[ErrorDetails]) -> list[ErrorDetails]:
    """Return the errors as if fields of type ``pulumi.Input`` took only plain values, not Outputs too.

    For such a field pydantic reports three errors, because the value is none of three types: the plain one, an
    Awaitable, an Output. Their locations have a step with the type after the field's. Values of a mapping or items of a
    list may be of type ``pulumi.Input`` too, so this is repeated from the outside in.
    """
    while fields := [field for detail in details if (field := _field_of_input(tuple(detail["loc"]))) is not None]:
        # Each pass takes one field; a field within another has a longer location.
        field = min(fields, key=len)
        result: list[ErrorDetails] = []
        for detail in details:
            loc = tuple(detail["loc"])
            if loc[: len(field)] != field:
                result.append(detail)
            elif loc[len(field)] not in _NOT_PLAIN:
                result.append({**detail, "loc": (*field, *loc[len(field) + 1 :])})
        details = result
    return details


_NOT_PLAIN = frozenset({"is-instance[Output]", "is-instance[Awaitable]"})


def _field_of_input(loc: Path) -> Path | None:
    """Return the location of the outermost field of type ``pulumi.Input`` in which the value is of no accepted type."""
    return next((loc[:position] for position, step in enumerate(loc) if step in _NOT_PLAIN), None)


def _from_detail(detail: ErrorDetails, model: type[BaseModel], prefix: Path) -> FieldError:
    loc = with_free_keys(model, _path_of(detail["loc"]))
    if detail["type"] == "extra_forbidden":
        # The user's own spelling, since none of it is the name of a field.
        loc = (*loc[:-1], FreeKey(loc[-1]))
    is_output = detail["type"] not in {"missing", "extra_forbidden"} and _is_output(detail["input"])
    value: Any = FieldError.ABSENT if is_output or detail["type"] == "missing" else detail["input"]
    if detail["type"] == "extra_forbidden" and not isinstance(value, bool) and value not in ([], {}):
        # A misspelt field may hold a secret.
        value = FieldError.ABSENT
    issue = _AN_OUTPUT if is_output else _issue(detail, model, loc)
    # pydantic's error for a list or mapping may be due to an item that `load` removed.
    return FieldError(prefix + loc, value, issue.problem, issue.fix, depends_on_fields=(prefix + loc,))


def _issue(detail: ErrorDetails, model: type[BaseModel], loc: Path) -> Issue:
    context: Mapping[str, Any] = detail.get("ctx", {})
    error_type = detail["type"]
    if error_type == "slurm":
        return Issue(context["problem"], context["fix"])
    if error_type == "missing":
        return Issue("this field is required", f"Add {format_path(loc[-1:])}{_purpose(model, loc)}.")
    if error_type == "extra_forbidden":
        return _unknownfield_of(model, loc)
    if error_type in {"enum", "literal_error"}:
        return Issue("this is not one of the choices", f"Write one of: {context['expected']}.")
    if error_type in _ISSUES:
        issue = _ISSUES[error_type]
        words = {
            **context,
            "form": _FORMS.get(context.get("pattern", ""), f"text that matches {context.get('pattern')}"),
        }
        return Issue(issue.problem.format_map(words), issue.fix.format_map(words))
    return Issue(detail["msg"][:1].lower() + detail["msg"][1:], f"Write {_expected(model, loc)}.")


def _is_output(value: Any) -> bool:
    """Return whether a value is an Output of Pulumi, which this layer doesn't import, or an Awaitable."""
    return hasattr(value, "is_secret") or hasattr(value, "__await__")


def _unknownfield_of(model: type[BaseModel], loc: Path) -> Issue:
    owner = _model_at(model, loc[:-1])
    field_names = [to_camel(name) for name in owner.model_fields] if owner else []
    if to_camel(str(loc[-1])) in field_names:
        return Issue("this field is set twice, in two spellings", "Keep one of them.")
    meant_elsewhere: Callable[[str], str | None] = getattr(owner, "_meant_elsewhere", lambda name: None)
    elsewhere = meant_elsewhere(str(loc[-1]))
    deeper = place_of(owner, str(loc[-1])) if owner else None
    return Issue("there is no such field", elsewhere or deeper or nearest(str(loc[-1]), map(respelled, field_names)))


_AN_OUTPUT = Issue(
    "this is an Output or an Awaitable, and its value is needed before any resource is registered",
    "Pass a plain value.",
)
_NOT_A_MAPPING = Issue("this is not a mapping", "Write a mapping of field names to values.")
_NOT_A_NUMBER = Issue("this is not a whole number", "Write a whole number, without quotes.")
_ISSUES = MappingProxyType(
    {
        "int_type": _NOT_A_NUMBER,
        "int_parsing": _NOT_A_NUMBER,
        "int_from_float": _NOT_A_NUMBER,
        "int_parsing_size": Issue("this number is too large", "Write a smaller one."),
        "float_type": Issue("this is not a number", "Write a number, without quotes."),
        "float_parsing": Issue("this is not a number", "Write a number, without quotes."),
        "finite_number": Issue("this is not a number", "Write a number."),
        "bool_type": Issue("this is neither true nor false", "Write true or false, without quotes."),
        "bool_parsing": Issue("this is neither true nor false", "Write true or false, without quotes."),
        "string_type": Issue("this is not text", "Write text; put it in quotes when it looks like a number."),
        "string_unicode": Issue("this is not text", "Write text that can be encoded as UTF-8."),
        "list_type": Issue("this is not a list", "Write a list."),
        "sequence_str": Issue("this is not a list", "Write a list."),
        "dict_type": Issue("this is not a mapping", "Write a mapping of names to values."),
        "model_type": _NOT_A_MAPPING,
        "model_attributes_type": _NOT_A_MAPPING,
        "invalid_key": Issue("the name of a field has to be text", "Leave it out, or put it in quotes."),
        "greater_than_equal": Issue("this is too small", "Write {ge} or more."),
        "less_than_equal": Issue("this is too large", "Write {le} or less."),
        "too_short": Issue("there are too few items", "Give at least {min_length}."),
        "string_too_short": Issue("this is too short", "Write at least {min_length} characters."),
        "string_pattern_mismatch": Issue("this is not in the form that is needed", "Write {form}."),
    }
)
"""Problem and fix by pydantic's type of error; in braces, keys of the error's context."""


_FORMS = MappingProxyType(
    {
        r"^/": 'a path from the root on, such as "/home"',
        r"^/.+": 'a path from the root on, such as "/home"',
        r"^/[^/].*": 'a path from the root on, such as "/data"',
        r"^[A-Za-z0-9_]+$": "letters, digits and underscores only",
        r"^preempt/(none|partition_prio|qos)$": '"preempt/none", "preempt/partition_prio" or "preempt/qos"',
        r"^priority/(basic|multifactor)$": '"priority/basic" or "priority/multifactor"',
        r"^[a-z0-9-]+(\.[a-z0-9-]+)+$": 'a domain in small letters, such as "example.org"',
        r"^([01][0-9]|2[0-3]):00$": 'a full hour, such as "18:00"',
        r"^([01][0-9]|2[0-3]):[0-5][0-9]$": 'hours and minutes, such as "03:30"',
        r"^[a-zA-Z][a-zA-Z0-9]{0,7}$": "a letter and up to seven letters or digits",
    }
)
"""What a pattern of a field asks for, in words."""


def _path_of(loc: tuple[int | str, ...]) -> Path:
    # pydantic marks an error in the key of a mapping with a step "[key]", which means nothing to the user.
    return tuple(step for step in loc if step != "[key]")


def with_free_keys(model: type[BaseModel], loc: Path) -> Path:
    """Return a path whose steps below fields of type ``dict`` are marked as keys that users choose."""
    return tuple(
        FreeKey(step) if isinstance(step, str) and position and _model_at(model, loc[:position]) is None else step
        for position, step in enumerate(loc)
    )


_END_OF_SENTENCE = re.compile(r"(?<!e\.g)\.\s")


def _purpose(model: type[BaseModel], loc: Path) -> str:
    owner = _model_at(model, loc[:-1])
    fields = owner.model_fields if owner else {}
    name = next((name for name, field in fields.items() if loc[-1] in (name, field.alias)), "")
    meaning = docstrings(owner).get(name) if owner else None
    if not meaning:
        return ""
    first = _END_OF_SENTENCE.split(meaning)[0].strip().rstrip(".").replace("\n", " ")
    return f": {first if _is_a_slurm_word(first.split()[0]) else first[:1].lower() + first[1:]}"


def _is_a_slurm_word(word: str) -> bool:
    """Return whether a word is a name such as ClusterName, GRES or Slurm's, which keeps its capital."""
    return word[1:] != word[1:].lower() or word.startswith("Slurm")


def _expected(model: type[BaseModel], loc: Path) -> str:
    owner = _model_at(model, loc[:-1])
    field = field_of(owner, loc[-1]) if owner and loc else None
    annotation = getattr(field, "annotation", None)
    return f"a value of type {getattr(annotation, '__name__', annotation)}" if annotation else "another value"


def _model_at(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    """Return the model of the value at ``path`` within ``model``."""
    return _model_below(model, tuple(0 if isinstance(step, int) else step for step in path))


@lru_cache(maxsize=4096)
def _model_below(model: type[BaseModel], path: Path) -> type[BaseModel] | None:
    current: Any = model
    for step in path:
        candidates = list(unwrapped(current))
        if isinstance(step, int):
            current = next(
                (typing.get_args(candidate)[0] for candidate in candidates if typing.get_origin(candidate) is list),
                None,
            )
            continue
        next_annotation: Any = None
        for candidate in candidates:
            if typing.get_origin(candidate) is dict:
                next_annotation = typing.get_args(candidate)[1]
            elif isinstance(candidate, type) and issubclass(candidate, BaseModel):
                field = field_of(candidate, step)
                next_annotation = field.annotation if field else None
        current = next_annotation
    models = [
        candidate
        for candidate in unwrapped(current)
        if isinstance(candidate, type) and issubclass(candidate, BaseModel)
    ]
    return models[0] if models else None
