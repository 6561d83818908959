"""How long `pulumi up` without a change takes: of the local stack, and of a bare program with as many objects.

    make up && python3 devcluster/bootstrap.py python -m benchmarks.unchanged_up

Both run on the embedded cluster, in turn, by the same engine. The bare program makes a namespace and ConfigMaps by the
classes of pulumi_kubernetes, one for each Kubernetes object of the local stack. Prints the medians and the ratio.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from devcluster.commands import Stack
from devcluster.engine import Engine
from devcluster.environments import Packages, environment
from devcluster.folders import state_folder

RUNS = 7
UP = ("up", "--yes", "--skip-preview", "--non-interactive")

BARE = """
import pulumi
import pulumi_kubernetes as k8s

namespace = k8s.core.v1.Namespace("bare", metadata={{"name": "unchanged-up"}})
for number in range({objects} - 1):
    k8s.core.v1.ConfigMap(
        f"bare-{{number}}",
        metadata={{"name": f"bare-{{number}}", "namespace": "unchanged-up"}},
        data={{"number": str(number)}},
        opts=pulumi.ResourceOptions(depends_on=namespace),
    )
"""


def checked(engine: Engine, *arguments: str) -> str:
    """Run a pulumi command and return what it prints; end the benchmark where it fails."""
    done = engine.run(*arguments)
    if done.returncode:
        sys.exit(f"pulumi {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def seconds(engine: Engine) -> float:
    """Return how long an `up` takes."""
    start = time.perf_counter()
    checked(engine, *UP)
    return time.perf_counter() - start


def objects(engine: Engine) -> int:
    """Return how many Kubernetes objects a stack has."""
    resources = json.loads(checked(engine, "stack", "export"))["deployment"].get("resources", [])
    return sum(resource["type"].startswith("kubernetes:") for resource in resources)


def main() -> None:
    python = environment(Packages.BASE)
    if Path(sys.executable) != python:
        # As `make up` runs it: where the SDKs of clouds are installed, the engine looks for their plugins too.
        os.execv(python, [str(python), "-m", "benchmarks.unchanged_up"])
    # Both programs would be compiled anew at each run, which takes longer than what is measured here.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    stack = Stack("local")
    tools = stack.tools()
    cluster = stack.cluster(tools)
    if not cluster.running:
        sys.exit("The embedded cluster is not running: `make up` starts it.")
    local = stack.engine(tools)
    count = objects(local)
    with tempfile.TemporaryDirectory(dir=state_folder(), prefix="unchanged-up-") as folder:
        program = Path(folder) / "program"
        program.mkdir()
        (program / "Pulumi.yaml").write_text("name: bare\nruntime: python\n")
        (program / "__main__.py").write_text(BARE.format(objects=count))
        (program / "Pulumi.bare.yaml").write_text("config: {}\n")
        bare = Engine(tools, Path(folder) / "pulumi", program, "bare", cluster.kubeconfig)
        checked(bare, *UP)
        try:
            rounds = [(seconds(local), seconds(bare)) for _ in range(RUNS)]
        finally:
            checked(bare, "destroy", "--yes", "--skip-preview")
    ours, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    print(f"local stack, {count} Kubernetes objects: {ours:.2f} s")
    print(f"bare program, {count} Kubernetes objects: {theirs:.2f} s; ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
