"""Types and counts that slurmd does not find make the node invalid, as the rule on types of GPUs says."""

from collections.abc import Callable

import pytest

from tests.gpu.gpus import Gpus
from tests.slurmd.proof_bed import ProofBed
from tests.slurmd.workers import Worker

NAME = "one-more"
WRONG: dict[str, Callable[[Gpus], str]] = {
    "the label of a node": lambda gpus: f"{gpus.label}:{gpus.count}",
    "another type": lambda gpus: f"{'a100' if gpus.type != 'a100' else 'h100'}:{gpus.count}",
    "a count too high": lambda gpus: f"{gpus.type}:{gpus.count + 1}",
}


def with_gres(bed: ProofBed, gpus: Gpus, gres: str, state: str) -> str:
    """Start one more node with this Gres, wait for its state, and return the reason that Slurm has for it."""
    site, worker = bed.cluster.site, Worker(bed.cluster.site, NAME)
    gpus.devices_in(worker.host)
    show = ("sinfo", "--noheader", f"--nodes={NAME}", "--format=%T|%E")
    try:
        daemon = worker.start(bed.cluster.server, f"Features={bed.node.rpartition('-')[0]} Gres=gpu:{gres}")
        shown = daemon.eventually(state, lambda: bed.cluster.run(*show), lambda line: line.startswith(f"{state}|"))
        return shown.strip().partition("|")[2]
    finally:
        site.remove(worker.host)
        bed.cluster.run("scontrol", "delete", f"nodename={NAME}")


@pytest.mark.parametrize("kind", WRONG)
def test_a_node_with_gres_that_slurmd_does_not_find_is_invalid(bed: ProofBed, gpus: Gpus, kind: str) -> None:
    reason = with_gres(bed, gpus, WRONG[kind](gpus), "inval")
    assert "gres/gpu count reported lower than configured" in reason


def test_the_type_may_be_all_of_the_drivers_name(bed: ProofBed, gpus: Gpus) -> None:
    assert with_gres(bed, gpus, f"{gpus.drivers_type}:{gpus.count}", "idle") == "none"
