"""Jobs on a Kubernetes cluster of a provider, in pods: they find the driver of GPUs where GKE mounts it."""

import pytest

from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm

FOLDER = "/usr/local/nvidia"
NVIDIA_SMI = """\
#!/bin/sh
echo "GPU 0: NVIDIA H100, $LD_LIBRARY_PATH"
"""
"""A program in the place of NVIDIA's."""


@pytest.mark.repeats("tests/e2e/test_existing_cluster.py, with jobs")
def test_jobs_on_nodes_of_gke_find_the_driver(changed: Program, settings: Settings, slurm: Slurm) -> None:
    cluster = settings["slurm:cluster"]
    cpu, gpu = cluster["nodeSets"]
    # In the place of GKE's device plugin, which mounts the driver's folder into pods with GPUs.
    mounted = {"hostPaths": [{"name": "nvidia", "path": FOLDER, "mountPath": FOLDER, "type": "DirectoryOrCreate"}]}
    nodes = {"nodeSets": [cpu, gpu | mounted]}
    changed.up(settings | {"slurm:provider": "gke", "slurm:cluster": cluster | nodes})
    slurm.wait_for_nodes({"cpu-0": "idle", "cpu-1": "idle", "gpu-0": "idle"})
    write = f"mkdir -p {FOLDER}/bin && cat > {FOLDER}/bin/nvidia-smi && chmod 755 {FOLDER}/bin/nvidia-smi"
    slurm.beside("gpu-0", "sh", "-c", f"printf %s '{NVIDIA_SMI}' | (umask 022; {write})")
    try:
        found = slurm.run("srun", "--partition=gpu", "--gpus=1", "nvidia-smi", "-L")
        assert found.splitlines()[-1].startswith(f"GPU 0: NVIDIA H100, {FOLDER}/lib64")
        assert FOLDER not in slurm.run("srun", "--nodelist=cpu-0", "printenv", "PATH")
    finally:
        slurm.beside("gpu-0", "rm", "-r", f"{FOLDER}/bin")
