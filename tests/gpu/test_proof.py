"""`pulumi-slurm prove` on a real GPU, and its report: in the folder that REPORTS or OUT names."""

import os
from collections.abc import Sequence
from pathlib import Path

from pulumi_slurm_cli.proof import BAD, Result, Verdict
from pulumi_slurm_cli.proof.reports import markdown_of
from tests.gpu.gpus import TOOLKIT, Gpus
from tests.slurmd.proof_bed import ProofBed
from tests.slurmd.python_in import python_in


def highest_level(bed: ProofBed) -> Sequence[Result]:
    """Run all steps that one node can have."""
    return bed.results("gpu")


def test_the_proof_passes(bed: ProofBed, gpus: Gpus, tmp_path: Path) -> None:
    python_in(bed.worker)
    with gpus.driver_in(bed.worker, TOOLKIT["Debian's folder"]):
        results = highest_level(bed)
    folder = Path(os.environ.get("REPORTS") or os.environ.get("OUT") or tmp_path)
    (folder / f"proof-{bed.cluster.site.image.series}.md").write_text(markdown_of(results) + "\n")
    assert [result for result in results if result.verdict in BAD] == []
    passed = {result.step for result in results if result.verdict is Verdict.PASS}
    assert passed >= {"daemons", "nodes", "srun", "sbatch", "inside", "isolation", "limits", "record"}
    assert passed >= {"gpus"}
    of_gpus = {(result.step, result.verdict) for result in results if result.subject.endswith(", GPUs")}
    assert of_gpus >= {("inside", Verdict.PASS), ("isolation", Verdict.PASS)}
