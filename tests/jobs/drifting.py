"""What drift finds where Slurm runs in pods."""

import json
from pathlib import Path
from typing import Any

import yaml

from tests.e2e.program import Settings
from tests.unit.importing.command_line import run


def findings(settings: Settings, kubeconfig: Path, folder: Path, state: str = "") -> list[dict[str, Any]]:
    """Return what is found of a stack's settings, with an encrypted key as an engine leaves them, and of its state."""
    file = folder / "Pulumi.local.yaml"
    file.write_text(yaml.safe_dump({"config": {**settings, "slurm:rootKey": {"secure": "AAABAI"}}}))
    exported = folder / "state.json"
    exported.write_text(state)
    done = run("drift", file, "--kubeconfig", kubeconfig, "--json", *(["--state", exported] if state else []))
    assert done.returncode in (0, 1), done.stderr
    listed: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    # Debian may have a release with vulnerabilities.
    return [finding for finding in listed if finding["kind"] != "vulnerable"]
