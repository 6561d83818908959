"""A large specification beside an import: how long a preview spends on our own work.

Validates and renders a cluster of 200 node sets and 15,000 nodes, and imports pulumi_kubernetes, each in fresh
processes and in turn; prints the medians and their ratio.

    python benchmarks/validate_and_render.py
"""

import statistics
import subprocess
import sys
from pathlib import Path

COMPONENTS = Path(__file__).parents[1] / "components"
RUNS = 7

OURS = """
import time
import pulumi_slurm.loading, pulumi_slurm.manifests.cluster
pools = [{"name": "gpu", "machine": {"cpus": 64, "memory": "512Gi", "gpus": {"type": "h100", "count": 8}},
          "nodeLabels": {"pool": "gpu"}, "maxNodes": 15000}]
cluster = {
    "name": "large",
    "nodeSets": [{"name": f"set-{i}", "pool": "gpu", "replicas": 75, "features": ["a", "b"]} for i in range(200)],
    "partitions": [{"name": f"p{i}", "nodeSets": [f"set-{i}"], "maxTime": "1-00:00:00"} for i in range(200)],
    "accounting": {}, "identity": {"directory": {}}, "loginSets": [{"name": "login"}],
}
start = time.perf_counter()
spec, read = pulumi_slurm.loading.load(cluster, pools)
objects = list(pulumi_slurm.manifests.cluster.render(spec, read))
print(time.perf_counter() - start)
assert sum(o["spec"]["replicas"] for o in objects if o["kind"] == "NodeSet") == 15000
"""
THEIRS = """
import time
start = time.perf_counter()
import pulumi_kubernetes
print(time.perf_counter() - start)
"""


def seconds(code: str) -> float:
    """Return what a program in a fresh interpreter measured of itself."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(COMPONENTS)}
    )
    return float(done.stdout)


def main() -> None:
    """Measure both in turn and print the ratio."""
    for code in (OURS, THEIRS):
        seconds(code)
    pairs = [(seconds(OURS), seconds(THEIRS)) for _ in range(RUNS)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"validate and render 200 node sets, 15,000 nodes: {ours * 1000:.0f} ms")
    print(f"import pulumi_kubernetes:                        {theirs * 1000:.0f} ms")
    print(f"ratio: {statistics.median(a / b for a, b in pairs):.2f}")


if __name__ == "__main__":
    main()
