"""What a deployment has written anywhere, and the secrets that must not be there."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Objects
from tests.e2e.program import Run
from tests.e2e.secret_values import secret_values


@dataclass(frozen=True)
class Written:
    """All that a stack's runs have written."""

    texts: dict[str, bytes]
    """Files of the engine, and output and events of its runs, by what they are."""
    secrets: dict[str, bytes]
    """The cluster's keys and tokens by name."""
    state: list[dict[str, Any]]
    """The resources in Pulumi's state."""
    secret_objects: bytes
    """The Secrets of the cluster's namespace, in which keys and tokens belong."""


def written_by(program: CloudProgram, runs: Sequence[Run], objects: Objects) -> Written:
    """Return what a stack that is up has written, by these runs and all before."""
    export, outputs = program.run("stack", "export"), program.run("stack", "output", "--json")
    files = [file for file in program.home.rglob("*") if file.is_file()]
    texts = {f"a file of the engine: {file}": file.read_bytes() for file in files}
    for run in (*runs, export, outputs):
        texts[f"output of {run.command}"] = run.output.encode()
        texts[f"events of {run.command}"] = run.raw_events.encode()
    cluster = program.settings["slurm:cluster"]
    secret_objects = objects.all("Secret", cluster.get("namespace", "slurm"))
    encoded = [secret["data"]["SLURM_JWT"] for secret in secret_objects if "SLURM_JWT" in secret["data"]]
    tokens = [base64.b64decode(token).decode() for token in encoded]
    return Written(
        texts,
        secret_values(program.root_key(), cluster["name"], tokens),
        json.loads(export.output)["deployment"]["resources"],
        json.dumps(secret_objects).encode(),
    )
