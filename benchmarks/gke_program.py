"""How long the program of a stack on Google Cloud takes in a preview, and on what.

Runs the program of Pulumi.gke-a3.yaml under Pulumi's mocks, in fresh processes, as a preview: imports, validation of
the configuration, registration of all resources; and in turn an import of what it needs of the SDKs of Google Cloud and
Kubernetes. Prints the medians and the ratio of the whole to that import. What the engine, its plugins and the cloud
take is not in it.

    python benchmarks/gke_program.py [SETTINGS]
"""

import statistics
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
RUNS = 7

PROGRAM = """
import asyncio, json, sys, time
start = time.perf_counter()
import pulumi, pulumi_kubernetes, pulumi_gcp, yaml
from pulumi_slurm_stacks import build
from pulumi_slurm_stacks.running import read_config
import pulumi_slurm_stacks.gke
imported = time.perf_counter()

class Preview(pulumi.runtime.Mocks):
    made = 0
    def new_resource(self, args):
        Preview.made += 1
        return None, dict(args.inputs)
    def call(self, args):
        return {}, None

pulumi.runtime.set_mocks(Preview(), "slurm", "gke", preview=True)
settings = yaml.safe_load(open(sys.argv[1]))["config"]
settings["slurm:rootKey"] = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
text = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
pulumi.runtime.set_all_config(text, ["slurm:rootKey"])
begun = time.perf_counter()
config, secrets = read_config()
validated = time.perf_counter()

@pulumi.runtime.test
def register():
    build(config, secrets)

register()
print(imported - start, validated - begun, time.perf_counter() - validated, Preview.made)
"""
SDKS = """
import time
start = time.perf_counter()
import pulumi, pulumi_kubernetes, pulumi_gcp
# These packages load a service when its first class is named.
pulumi_gcp.container.Cluster, pulumi_gcp.compute.Network
pulumi_kubernetes.core.v1.Secret, pulumi_kubernetes.apiextensions.CustomResource
print(time.perf_counter() - start)
"""


def numbers(code: str, *arguments: str) -> list[float]:
    """Return what a program in a fresh interpreter measured of itself."""
    command = [sys.executable, "-W", "ignore", "-c", code, *arguments]
    paths = f"{CHECKOUT / 'components'}:{CHECKOUT / 'stacks'}:{CHECKOUT}"
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": paths})
    return [float(word) for word in done.stdout.split()]


def main() -> None:
    """Measure both in turn and print the ratio."""
    settings = sys.argv[1] if len(sys.argv) > 1 else str(CHECKOUT / "Pulumi.gke-a3.yaml")
    numbers(PROGRAM, settings), numbers(SDKS)
    pairs = [(numbers(PROGRAM, settings), numbers(SDKS)[0]) for _ in range(RUNS)]
    programs, sdks = zip(*pairs, strict=True)
    imports, validation, registration, made = (statistics.median(column) for column in zip(*programs, strict=True))
    ratio = statistics.median(sum(program[:3]) / alone for program, alone in pairs)
    print(f"{Path(settings).name}: {made:.0f} resources")
    print(f"imports:      {imports * 1000:6.0f} ms")
    print(f"validation:   {validation * 1000:6.0f} ms")
    print(f"registration: {registration * 1000:6.0f} ms")
    print(f"the SDKs' services alone: {statistics.median(sdks) * 1000:.0f} ms; ratio of the whole to that: {ratio:.2f}")


if __name__ == "__main__":
    main()
