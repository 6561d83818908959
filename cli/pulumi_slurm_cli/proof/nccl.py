"""Steps for what NCCL reaches: between the GPUs of a node, between pairs of nodes, and between all."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pulumi_slurm_cli.few import few
from pulumi_slurm_cli.proof.floors import ALL_REDUCE, NETWORKS, Network, floor_of
from pulumi_slurm_cli.proof.gpu_jobs import GpuNodes
from pulumi_slurm_cli.proof.on_nodes.nccl_rates import NO_NCCL
from pulumi_slurm_cli.proof.pairs import Pair, rates_in_pairs
from pulumi_slurm_cli.proof.rates import SLOW, Rate, rated
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial, jobs_in

_STEP = "nccl"
_BUS = re.compile(r"^(?P<node>\S+) bus (?P<rate>[\d.]+)$", re.M)
_NETWORK = re.compile(r"^\S+ network (?P<name>.+)$", re.M)
_ADDRESS = re.compile(r"^NodeName=(?P<name>\S+) .*?\bNodeAddr=(?P<address>\S+)", re.M)
_SOCKET = "Socket"
"""NCCL's own transport by TCP."""
_PORTS = range(20000, 30000)
"""Out of which a job takes one, below those that Linux gives out by itself."""
_GPUS_OF_FLOOR = 8


@dataclass
class _Measured:
    """What jobs of one step have come to."""

    rates: Mapping[str, float] = field(default_factory=dict)
    """What each node has reached in GB/s, without those that reached nothing."""
    networks: set[str] = field(default_factory=set)
    jobs: tuple[int, ...] = ()
    excuse: str = ""
    complaint: str = ""


def gpus_work_together(trial: Trial) -> Iterator[Result]:
    """Run all_reduce between the GPUs of each node."""
    for subject, there in _nodes(trial):
        if isinstance(there, str) or there.gpus.count == 1:
            yield untried(_STEP, subject, there if isinstance(there, str) else "a node has one GPU")
            continue
        rate = Rate(
            subject=f"{subject}, {ALL_REDUCE}",
            unit="GB/s",
            name=f"{there.node_set.name}.{ALL_REDUCE}",
            of=f"all_reduce of {there.gpus.count} GPUs",
            floor=floor_of(there.gpus.type, ALL_REDUCE) if there.gpus.count == _GPUS_OF_FLOOR else None,
        )
        measured = _Measured()
        measured.rates = _measure(trial, there, measured, "all_reduce", [(node.name,) for node in there.nodes])
        yield _result(trial, there, measured, rate)


def nodes_work_together(trial: Trial) -> Iterator[Result]:
    """Run all_gather between pairs of nodes, and between all, and see what network NCCL takes."""
    for subject, there in _nodes(trial):
        if isinstance(there, str) or len(there.nodes) == 1:
            yield untried(_STEP, f"{subject}, pairs", there if isinstance(there, str) else "one node of it is idle")
            continue
        names = [node.name for node in there.nodes]
        network = NETWORKS.get(trial.machine_types.get(there.node_set.pool or "", ""))
        rate = Rate(
            subject=f"{subject}, pairs",
            unit="GB/s",
            name=f"{there.node_set.name}.pairs",
            of=f"all_gather of two nodes, {there.gpus.count} GPUs each",
            floor=network.floor if network else None,
        )
        measured = _Measured()
        measured.rates = _rates_in_pairs(trial, there, measured, rate)
        yield _result(trial, there, measured, rate)
        if measured.networks:
            yield _of_network(there, f"{subject}, network", measured, network)
        if len(names) > 2 and measured.rates:
            together = _Measured()
            together.rates = _measure(trial, there, together, "all_gather", [names])
            rate = Rate(
                subject=f"{subject}, all nodes",
                unit="GB/s",
                name=f"{there.node_set.name}.nodes.{len(names)}",
                of=f"all_gather of {len(names)} nodes, {there.gpus.count} GPUs each",
            )
            yield _result(trial, there, together, rate)


def _nodes(trial: Trial) -> Iterator[tuple[str, GpuNodes | str]]:
    for node_set in trial.spec.node_sets:
        there = GpuNodes.of(trial, node_set)
        if there is not None:
            yield f"node set {node_set.name}", there


def _rates_in_pairs(trial: Trial, there: GpuNodes, measured: _Measured, rate: Rate) -> dict[str, float]:
    wanted, _ = rate.wanted(trial)

    def measure(pairs: Sequence[Pair]) -> dict[str, float]:
        return _measure(trial, there, measured, "all_gather", pairs)

    return rates_in_pairs([node.name for node in there.nodes], measure, lambda best: SLOW * (wanted or best))


def _measure(
    trial: Trial, there: GpuNodes, measured: _Measured, collective: str, groups: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Measure among the nodes of each group, all groups at once; return what each node has reached."""
    asked = trial.place.query("scontrol --oneliner show nodes").output
    addresses = {match["name"]: match["address"] for match in _ADDRESS.finditer(asked)}
    text = ";".join(",".join(f"{name}={addresses.get(name, name)}" for name in group) for group in groups)
    port = random.choice(_PORTS)  # noqa: S311
    chosen = there.only({name for group in groups for name in group})
    done = chosen.run(trial, "nccl_rates", collective, str(port), text)
    measured.excuse, measured.complaint = chosen.excuse(trial, done), done.complaint
    if done.code == NO_NCCL:
        measured.excuse = "jobs find no libnccl.so.2, which measures: it isn't in the image, or not in LD_LIBRARY_PATH"
    measured.jobs += jobs_in(done)
    measured.networks |= {match["name"].strip() for match in _NETWORK.finditer(done.output)}
    return {match["node"]: float(match["rate"]) for match in _BUS.finditer(done.output)}


def _result(trial: Trial, there: GpuNodes, measured: _Measured, rate: Rate) -> Result:
    """Return what the slowest node comes to."""
    names = [node.name for node in there.nodes]
    missing = [name for name in names if name not in measured.rates]
    if measured.excuse and not measured.rates:
        return untried(_STEP, rate.subject, measured.excuse, measured.jobs)
    if missing:
        return judged(
            _STEP,
            rate.subject,
            f"nothing is measured of {few(missing)}: {measured.complaint}",
            wrong=True,
            expected=f"{rate.of}, on each of {len(names)} nodes",
            fix="Run a job of yours there with NCCL_DEBUG=INFO, and see the nodes' logs for NVLink and network cards.",
            jobs=measured.jobs,
        )
    slowest = min(names, key=measured.rates.__getitem__)
    of = f"{rate.of}, {slowest}, the slowest of {len(names)} nodes"
    return rated(trial, _STEP, replace(rate, value=measured.rates[slowest], of=of), measured.jobs)


def _of_network(there: GpuNodes, subject: str, measured: _Measured, network: Network | None) -> Result:
    """Return whether NCCL goes over what the machines have for it."""
    names = measured.networks
    if network:
        wrong, expected = any(not name.startswith(network.name) for name in names), f"{network.name}, as such machines"
    else:
        wrong, expected = there.machine.has_rdma and _SOCKET in names, "RDMA, which the machines have"
    return judged(
        _STEP,
        subject,
        f"NCCL's log names {few(sorted(names))}",
        wrong=wrong,
        expected=f"NCCL goes over {expected}",
        fix="See that the plugin and its libraries are in the job, and its NCCL_ variables: docs/gke-gpus.md and "
        "docs/ack-hpc.md.",
        jobs=measured.jobs,
    )
