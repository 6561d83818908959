"""The JSON Schema of Pulumi.<stack>.yaml, so that an editor completes and checks it.

``python -m pulumi_slurm_stacks.schema FILE`` writes it into a file, and without a file prints it. In the repository a
test fails when the file that is there was not written anew.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_camel
from pydantic.json_schema import models_json_schema

from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors.annotations import classes_in
from pulumi_slurm.model.base import Model
from pulumi_slurm_stacks.config import StackConfig, config_model, kinds

_TITLE = "Configuration of a pulumi-slurm stack"


def schema() -> dict[str, Any]:
    """Return the schema of a whole stack settings file: what else may stand there depends on ``slurm:kind``."""
    models = list(dict.fromkeys(config_model(kind) for kind in kinds()))
    references, together = models_json_schema([(model, "validation") for model in models], by_alias=True)
    definitions: dict[str, Any] = together["$defs"]
    for kind in _models(models):
        described = definitions.get(kind.__name__) or definitions.get(_long_name(kind))
        if described:
            _accept_numbers(kind, described["properties"])
    keys = {model: _keys(model, definitions.pop(_reference(references[model, "validation"]))) for model in models}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _TITLE,
        "type": "object",
        "properties": {
            "config": {
                "type": "object",
                "properties": {"slurm:kind": {"enum": list(kinds()), "description": _what_kind()}},
                "required": ["slurm:kind"],
                "allOf": [
                    {
                        "if": {"properties": {"slurm:kind": {"const": kind}}, "required": ["slurm:kind"]},
                        "then": keys[config_model(kind)],
                    }
                    for kind in kinds()
                ],
            },
            "encryptionsalt": {"type": "string"},
            "secretsprovider": {"type": "string"},
            "encryptedkey": {"type": "string"},
            "environment": {},
        },
        "required": ["config"],
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _keys(model: type[StackConfig], described: dict[str, Any]) -> dict[str, Any]:
    """Return what the keys of one kind of stack are, from its model and the schema of that."""
    keys = {f"slurm:{name}": field for name, field in described["properties"].items()}
    # Said once, above.
    keys["slurm:kind"] = {}
    secret = {"type": "object", "properties": {"secure": {"type": "string"}}, "required": ["secure"]}
    for name, meaning in docstrings(model.SECRETS).items():
        keys[f"slurm:{to_camel(name)}"] = {**secret, "description": " ".join(meaning.split())}
    return {
        "properties": keys,
        "patternProperties": {"^(?!slurm:)": {}},
        "additionalProperties": False,
        "required": [f"slurm:{name}" for name in described["required"]],
    }


def _what_kind() -> str:
    return " ".join(docstrings(StackConfig)["kind"].split())


def _reference(described: dict[str, Any]) -> str:
    name: str = described["$ref"].rpartition("/")[2]
    return name


def _long_name(kind: type[Model]) -> str:
    """Return what pydantic calls a model when another has the same name."""
    return f"{kind.__module__}.{kind.__name__}".replace(".", "__")


def _models(tops: Iterable[type[Model]]) -> set[type[Model]]:
    """Return these models and all that their fields are made of."""
    models: set[type[Model]] = set()
    to_see = list(tops)
    while to_see:
        model = to_see.pop()
        if model not in models:
            models.add(model)
            named = (kind for field in model.model_fields.values() for kind in classes_in(field.annotation))
            to_see += [kind for kind in named if issubclass(kind, Model)]
    return models


def fields_that_take_numbers(kind: type[Model]) -> set[str]:
    """Return the fields where numbers may stand because the model makes text of them: ``maxTime: 90``.

    These are the text fields that a validator of the model's own sees before pydantic does.
    """
    return {
        name
        for decorator in kind.__pydantic_decorators__.field_validators.values()
        if decorator.info.mode == "before"
        for name in decorator.info.fields
        if name in kind.model_fields
    }


def _accept_numbers(kind: type[Model], properties: dict[str, Any]) -> None:
    """Let numbers stand where the model makes text of them: ``maxTime: 90``, ``slurmVersion: 25.11``."""
    for name in fields_that_take_numbers(kind):
        described = properties[kind.model_fields[name].alias or name]
        for choice in described.get("anyOf", [described]):
            if choice.get("type") == "string":
                choice["type"] = ["string", "number"]


if __name__ == "__main__":
    _text = json.dumps(schema(), indent=2) + "\n"
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(_text)
    else:
        sys.stdout.write(_text)
