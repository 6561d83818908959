"""The JSON Schema of Pulumi.<stack>.yaml, so that an editor completes and checks it.

``python -m stacks.schema`` writes it anew; a test fails when that was forgotten.
"""

import json
from pathlib import Path
from typing import Any

from .config import StackConfig

FILE = Path(__file__).with_name("stack-config.schema.json")


def schema() -> dict[str, Any]:
    """Return the schema of a whole stack settings file."""
    model = StackConfig.model_json_schema(by_alias=True)
    definitions = model.pop("$defs")
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


if __name__ == "__main__":
    FILE.write_text(json.dumps(schema(), indent=2) + "\n")
