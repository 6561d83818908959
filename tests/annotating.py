"""The program that annotates Kubernetes nodes with their place, run once against a kubectl that stands in."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.topology import ANNOTATION
from tests.waiting import HANGS

_KUBECTL = """#!/bin/sh
printf '%s\\n' "$*" >>"$DIR/calls"
case "$*" in *"$FAILS"*) exit 1 ;; "get nodes --selector=$FIRST "*) cat "$DIR/nodes" ;; esac
"""
_SLEEP = "#!/bin/sh\nkill $PPID\n"


@dataclass(frozen=True)
class Round:
    """What the program has done until it sleeps."""

    calls: list[str]
    """The arguments of each call of kubectl."""
    is_ready: bool

    @property
    def places(self) -> dict[str, str]:
        """The annotation by node, of the nodes whose annotation it has set."""
        words = [call.split() for call in self.calls if call.startswith("annotate ")]
        return {call[2]: call[-1].removeprefix(f"{ANNOTATION}=") for call in words}


def annotate(
    deployment: Manifest, nodes: Sequence[str], folder: Path, *, first: str = "", fails: str = "none"
) -> Round:
    """Run the program of a Deployment for one round.

    ``nodes`` are the lines that kubectl prints for the selector ``first``; it fails when its arguments hold ``fails``.
    """
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    folder.mkdir(exist_ok=True)
    (folder / "nodes").write_text("".join(f"{node}\n" for node in nodes))
    (folder / "calls").write_text("")
    for name, script in {"kubectl": _KUBECTL, "sleep": _SLEEP}.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    env = {
        **{"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)},
        **{"DIR": str(folder), "FIRST": first, "FAILS": fails},
    }
    (folder / "ready").unlink(missing_ok=True)
    subprocess.run(container["command"], env=env, check=False, timeout=HANGS)
    probe = container["readinessProbe"]["exec"]["command"]
    is_ready = subprocess.run(probe, env=env, check=False, timeout=HANGS).returncode == 0
    return Round((folder / "calls").read_text().splitlines(), is_ready)


def lines_of(labels: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what kubectl prints of nodes without the annotation: for each the values of the labels that are read."""
    return ["|".join([node, *values, "", ""]) for node, values in labels.items()]
