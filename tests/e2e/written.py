"""What a stack has written anywhere, and its secrets, which must not be there."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

from tests.e2e.objects import Objects
from tests.e2e.program import Program, Run
from tests.e2e.secret_values import secret_values


@dataclass(frozen=True)
class Secrets:
    """The secrets of a stack that is up."""

    values: dict[str, bytes]
    """Keys and tokens by name."""
    objects: bytes
    """The Secrets of the cluster's namespace, in which they belong."""


def secrets_of(program: Program, objects: Objects) -> Secrets:
    """Return the keys and tokens of a stack's cluster."""
    cluster = program.settings["slurm:cluster"]
    items = objects.all("Secret", cluster.get("namespace", "slurm"))
    encoded = [item["data"]["SLURM_JWT"] for item in items if "SLURM_JWT" in item["data"]]
    tokens = [base64.b64decode(token).decode() for token in encoded]
    return Secrets(secret_values(program.root_key(), cluster["name"], tokens), json.dumps(items).encode())


def texts_of(program: Program, runs: Sequence[Run], when: str) -> dict[str, bytes]:
    """Return the files of the engine, and output and events of runs, by what they are."""
    texts = {
        f"a file of the engine {when}: {file}": file.read_bytes() for file in program.home.rglob("*") if file.is_file()
    }
    for number, run in enumerate(runs):
        texts[f"output {number} of {run.command} {when}"] = run.output.encode()
        texts[f"events {number} of {run.command} {when}"] = run.raw_events.encode()
    return texts
