"""The program that annotates Kubernetes nodes with their place, run once against a kubectl that stands in."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.topology import ANNOTATION
from tests import kubectl
from tests.kubectl import Node
from tests.waiting import HANGS


@dataclass(frozen=True)
class Round(kubectl.Round):
    """What the program has done until it sleeps."""

    is_ready: bool

    @property
    def places(self) -> dict[str, str]:
        """The annotation by node, of the nodes whose annotation it has set."""
        return {call[4]: call[5].removeprefix(f"{ANNOTATION}=") for call in self.calls if call[0] == "annotate"}


def annotate(deployment: Manifest, nodes: Sequence[Node], folder: Path, *, fails: str = "no such call") -> Round:
    """Run the program of a Deployment for one round; kubectl fails when its arguments hold ``fails``."""
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    folder.mkdir(exist_ok=True)
    (folder / "ready").unlink(missing_ok=True)
    done = kubectl.one_round(container["command"], {}, nodes, folder, fails, HANGS)
    probe = container["readinessProbe"]["exec"]["command"]
    is_ready = subprocess.run(probe, env={"HOME": str(folder)}, check=False, timeout=HANGS).returncode == 0
    return Round(done.calls, done.nodes, is_ready)


def nodes_of(keys: Sequence[str], labels: Mapping[str, Sequence[str]]) -> list[Node]:
    """Return nodes by name, with the values of labels in the order of their ``keys``; "" stands for no such label."""
    return [
        kubectl.node(name, {key: value for key, value in zip(keys, values, strict=True) if value})
        for name, values in labels.items()
    ]
