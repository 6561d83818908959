"""The JSON Schema of Pulumi.<stack>.yaml, so that an editor completes and checks it.

``python -m stacks.schema`` writes it anew; a test fails when that was forgotten.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pulumi_slurm.spec.model import Model

from .config import StackConfig

FILE = Path(__file__).with_name("stack-config.schema.json")


def schema() -> dict[str, Any]:
    """Return the schema of a whole stack settings file."""
    model = StackConfig.model_json_schema(by_alias=True)
    definitions = model.pop("$defs")
    for kind in _models(Model):
        if kind.__name__ in definitions:
            _accept_numbers(kind, definitions[kind.__name__]["properties"])
    keys = {f"slurm:{name}": field for name, field in model["properties"].items()}
    secret = {"type": "object", "properties": {"secure": {"type": "string"}}, "required": ["secure"]}
    keys["slurm:rootKey"] = {**secret, "description": "32 random bytes in base64; set it with `--secret`."}
    keys["slurm:ldapBindPassword"] = {**secret, "description": "The password of identity.ldap.bindDn."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": model["title"],
        "description": model["description"],
        "type": "object",
        "properties": {
            "config": {
                "type": "object",
                "properties": keys,
                "patternProperties": {"^(?!slurm:)": {}},
                "additionalProperties": False,
                "required": [f"slurm:{name}" for name in model["required"]],
            },
            "encryptionsalt": {"type": "string"},
            "secretsprovider": {"type": "string"},
            "encryptedkey": {"type": "string"},
            "environment": {},
        },
        "required": ["config"],
        "$defs": definitions,
    }


def _models(base: type[Model]) -> Iterator[type[Model]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _models(kind)


def _accept_numbers(kind: type[Model], properties: dict[str, Any]) -> None:
    """Let numbers stand where the model makes text of them: ``maxTime: 90``, ``slurmVersion: 25.11``.

    These are the text fields that a validator of the model's own sees before pydantic does.
    """
    early = {
        name
        for decorator in kind.__pydantic_decorators__.field_validators.values()
        if decorator.info.mode == "before"
        for name in decorator.info.fields
    }
    for name in early & kind.model_fields.keys():
        described = properties[kind.model_fields[name].alias or name]
        for choice in described.get("anyOf", [described]):
            if choice.get("type") == "string":
                choice["type"] = ["string", "number"]


if __name__ == "__main__":
    FILE.write_text(json.dumps(schema(), indent=2) + "\n")
