"""Steps for what NCCL reaches: between the GPUs of a node, between pairs of nodes, and between all."""

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
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
_NETWORK = re.compile(r"^(?P<node>\S+) network (?P<name>.+)$", re.M)
_NOT_LINKED = re.compile(r"^\S+ linked no$", re.M)
_SOCKET, _UNKNOWN = "Socket", "unknown"
"""NCCL's own transport by TCP, and none that its log names."""
_PORTS = range(20000, 30000)
"""Out of which a job takes one, below those that Linux gives out by itself."""
_GPUS_OF_FLOOR = 8


@dataclass
class _Measured:
    """What jobs of one step have come to."""

    rates: Mapping[str, float] = field(default_factory=dict)
    """What each node has reached in GB/s, without those that reached nothing."""
    networks: dict[str, str] = field(default_factory=dict)
    """What NCCL went over between nodes, by node."""
    jobs: tuple[int, ...] = ()
    untried: dict[str, str] = field(default_factory=dict)
    """Why nodes weren't measured, where that says nothing of them."""
    complaints: dict[str, str] = field(default_factory=dict)
    """What jobs said, by node, where a node wasn't measured."""
    is_linked: bool = True
    """Whether the GPUs of a node reach each other by NVLink."""


def gpus_work_together(trial: Trial) -> Iterator[Result]:
    """Run all_reduce between the GPUs of each node."""
    for subject, there in _nodes(trial):
        if isinstance(there, str) or there.gpus.count == 1:
            yield untried(_STEP, subject, there if isinstance(there, str) else "a node has one GPU")
            continue
        measured = _Measured()
        measured.rates = _measure(trial, there, measured, "all_reduce", [(name,) for name in there.addresses])
        has_floor = there.gpus.count == _GPUS_OF_FLOOR and measured.is_linked
        rate = Rate(
            subject=f"{subject}, {ALL_REDUCE}",
            unit="GB/s",
            name=f"{there.node_set.name}.{ALL_REDUCE}",
            of=f"all_reduce of {there.gpus.count} GPUs",
            floor=floor_of(there.gpus.type, ALL_REDUCE) if has_floor else None,
        )
        yield from _results(trial, measured, rate, there.addresses)


def nodes_work_together(trial: Trial) -> Iterator[Result]:
    """Run all_gather between pairs of nodes, and between all, and see what network NCCL takes."""
    for subject, there in _nodes(trial):
        if isinstance(there, str) or len(there.addresses) == 1:
            yield untried(_STEP, f"{subject}, pairs", there if isinstance(there, str) else "one node of it is idle")
            continue
        network = _network_of(trial, there)
        rate = Rate(
            subject=f"{subject}, pairs",
            unit="GB/s",
            name=f"{there.node_set.name}.pairs",
            of=f"all_gather of two nodes, {there.gpus.count} GPUs each",
            floor=network.floor if network else None,
        )
        measured = _Measured()
        measured.rates = _rates_in_pairs(trial, there, measured, rate)
        yield from _results(trial, measured, rate, there.addresses)
        if measured.networks:
            yield _of_network(there, f"{subject}, network", measured, network)
        names = [*measured.rates]
        if len(names) > 2:
            together = _Measured()
            together.rates = _measure(trial, there, together, "all_gather", [names])
            rate = Rate(
                subject=f"{subject}, all nodes",
                unit="GB/s",
                name=f"{there.node_set.name}.nodes.{len(names)}",
                of=f"all_gather of {len(names)} nodes, {there.gpus.count} GPUs each",
            )
            yield from _results(trial, together, rate, names)


def _nodes(trial: Trial) -> Iterator[tuple[str, GpuNodes | str]]:
    for node_set in trial.spec.node_sets:
        there = GpuNodes.of(trial, node_set)
        if there is not None:
            yield f"node set {node_set.name}", there


def _network_of(trial: Trial, there: GpuNodes) -> Network | None:
    """Return what a cloud's machines have; workers with a part of a machine don't have it."""
    has_all = there.node_set.machine is None and there.node_set.gpus in (None, _GPUS_OF_FLOOR)
    return NETWORKS.get(trial.machine_types.get(there.node_set.pool or "", "")) if has_all else None


def _rates_in_pairs(trial: Trial, there: GpuNodes, measured: _Measured, rate: Rate) -> dict[str, float]:
    wanted, _ = rate.wanted(trial)

    def measure(pairs: Sequence[Pair]) -> dict[str, float]:
        return _measure(trial, there, measured, "all_gather", pairs)

    return rates_in_pairs([*there.addresses], measure, lambda best: SLOW * (wanted or best))


def _measure(
    trial: Trial, there: GpuNodes, measured: _Measured, collective: str, groups: Sequence[Sequence[str]]
) -> dict[str, float]:
    """Measure among the nodes of each group, all groups at once; return what each node has reached."""
    text = ";".join(",".join(f"{name}={there.addresses[name]}" for name in group) for group in groups)
    port = random.choice(_PORTS)  # noqa: S311
    chosen = there.only([name for group in groups for name in group])
    done = chosen.run(trial, "nccl_rates", collective, str(there.gpus.count), str(port), text)
    rates = {match["node"]: float(match["rate"]) for match in _BUS.finditer(done.output)}
    excuse = chosen.excuse(trial, done)
    if done.code == NO_NCCL:
        excuse = "jobs find no libnccl.so.2, which measures: it isn't in the image, or not in LD_LIBRARY_PATH"
    missing = dict.fromkeys(chosen.addresses.keys() - rates.keys(), excuse or done.complaint)
    (measured.untried if excuse and not rates else measured.complaints).update(missing)
    measured.jobs += jobs_in(done)
    measured.networks |= {match["node"]: match["name"].strip() for match in _NETWORK.finditer(done.output)}
    measured.is_linked = measured.is_linked and not _NOT_LINKED.search(done.output)
    return rates


def _results(trial: Trial, measured: _Measured, rate: Rate, names: Collection[str]) -> Iterator[Result]:
    """Yield what the slowest node comes to, and which nodes reached nothing."""
    fast = SLOW * max(measured.rates.values(), default=0)
    # Where others took a node before its second try, a low rate of the first may be its partner's fault.
    rates = {name: rate for name, rate in measured.rates.items() if rate >= fast or name not in measured.untried}
    failed = [name for name in names if name not in measured.rates and name in measured.complaints]
    excused = [name for name in names if name not in rates and name not in failed]
    if failed:
        complaint = measured.complaints[failed[0]]
        shared_memory = " Jobs have the /dev/shm that sharedMemory of their node set gives."
        yield judged(
            _STEP,
            rate.subject,
            f"nothing is measured of {few(failed)}: {complaint}",
            wrong=True,
            expected=f"{rate.of}, on each of {len(names)} nodes",
            fix="Run a job of yours there with NCCL_DEBUG=INFO, and see the nodes' logs for NVLink and network cards."
            + (shared_memory if "shm" in complaint else ""),
            jobs=measured.jobs,
        )
    if excused:
        why = next((measured.untried[name] for name in excused if name in measured.untried), "no node was its partner")
        of = "" if len(excused) == len(names) else f"{few(excused)}: "
        yield untried(_STEP, rate.subject, f"{of}{why}", measured.jobs)
    if rates:
        slowest = min(rates, key=rates.__getitem__)
        of = f"{rate.of}, {slowest}, the slowest of {len(rates)} nodes"
        yield rated(trial, _STEP, replace(rate, value=rates[slowest], of=of), measured.jobs)


def _of_network(there: GpuNodes, subject: str, measured: _Measured, network: Network | None) -> Result:
    """Return whether NCCL goes over what the machines have for it."""
    names = {*measured.networks.values()}
    if names == {_UNKNOWN}:
        return untried(_STEP, subject, "NCCL's log names none", measured.jobs)
    if network:
        wrong = [node for node, name in measured.networks.items() if not name.startswith(network.name)]
        expected = f"{network.name}, as such machines"
    elif there.machine.has_rdma:
        wrong = [node for node, name in measured.networks.items() if name == _SOCKET]
        expected = "RDMA, which the machines have"
    else:
        why = f"NCCL's log names {few(sorted(names))}, and nothing says what the machines have"
        return untried(_STEP, subject, why, measured.jobs)
    return judged(
        _STEP,
        subject,
        f"NCCL's log names {few(sorted(names))}" + (f"; on {few(wrong)} it is wrong" if wrong else ""),
        wrong=bool(wrong),
        expected=f"NCCL goes over {expected}",
        fix="See that the plugin and its libraries are in the job, and its NCCL_ variables: docs/gke-gpus.md and "
        "docs/ack-hpc.md.",
        jobs=measured.jobs,
    )
