"""`pulumi-slurm prove` on drawn clusters that are as their specification says: no step fails."""

import time
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.model import AccountingSpec, SlurmSpec
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm.user_error import UserError
from pulumi_slurm_cli.proof import BAD
from pulumi_slurm_cli.proof.accounts import NAME
from tests.e2e.draws import draws
from tests.slurmd.cluster import Cluster
from tests.slurmd.proof_bed import HAS_METRICS, ProofBed
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.sacctmgr import SacctmgrPod
from tests.unit.account_strategies import with_accounts
from tests.unit.partition_strategies import partition_options
from tests.unit.slurm_conf_strategies import slurm_confs
from tests.unit.strategies import partition_names, referenced_qos

COUNT, PART = 50, 3
MORE = pytest.mark.repeats("tests/slurmd/test_drawn_proofs.py, with its first part")
NODE_SETS = ({"name": "cpu", "replicas": 2, "features": ["big"]}, {"name": "fast", "replicas": 1, "weight": 7})
"""Nodes that this machine can have: what jobs are held to is in the other fields."""
MACHINE = {"cpus": 1, "memory": "1Gi"}
WORDS = ("accounts", "events", "jobs", "nodes", "reservations", "usage", "users")
PRIVACY: SearchStrategy[dict[str, Any]] = st.just({}) | st.fixed_dictionaries(
    {},
    optional={
        "PrivateData": st.lists(st.sampled_from(WORDS), min_size=1, unique=True).map(",".join),
        "MetricsAuthUsers": st.just("alice"),
        "MetricsParameters": st.just("ignore_private_data"),
    },
)
"""What may be seen of others' jobs, and who may read the metrics."""


@st.composite
def clusters(draw: DrawFn) -> SlurmSpec | None:
    """Draw a cluster with accounting, its slurm.conf, partitions and limits; None where they don't go together."""
    # The images have no PMIx, without which users can't start anything where it is the default.
    conf = with_fields(draw(slurm_confs(accounting=True)), mpi_default=None)
    conf = with_fields(conf, extra={**conf.extra, **draw(PRIVACY)})
    options = partition_options(
        accounting=True,
        preempting=conf.preempt_type not in (None, "preempt/none"),
        suspending=conf.preempt_mode == "SUSPEND,GANG",
    )
    of_sets: list[dict[str, Any] | None] = [draw(st.none() | options) for _ in NODE_SETS]
    plain: SearchStrategy[dict[str, Any]] = st.just({})
    choices = st.sampled_from((["ALL"], ["cpu"], ["fast"], ["cpu", "fast"]))
    partitions = [{"name": f"P_{name}", "node_sets": draw(choices), **draw(options)} for name in draw(partition_names)]
    # sinfo shows no node that is in no partition; most drawn ones let our user not in.
    partitions.insert(0, {"name": "base", "node_sets": ["ALL"], **draw(plain | plain | options)})
    accounting = draw(with_accounts(AccountingSpec(), referenced_qos(*partitions, *of_sets)))
    node_sets = [
        {**node_set, "machine": MACHINE, "partition": own} for node_set, own in zip(NODE_SETS, of_sets, strict=True)
    ]
    fields = {"name": "c", "slurm_version": "26.05", "operator_version": "1.2.1", "accounting": accounting}
    try:
        spec = SlurmSpec.model_validate(
            {**fields, "slurm_conf": conf, "node_sets": node_sets, "partitions": partitions}
        )
        return here(checked(spec))
    except (UserError, ValueError):
        return None


@ON_THE_NEWEST
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=MORE) for first in range(PART, COUNT, PART))])
def test_no_step_fails_on_a_good_cluster(
    accounted_cluster: Cluster,
    sacctmgr: SacctmgrPod,
    image: SlurmImage,
    seed: int,
    first: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # The first that hypothesis draws are the simplest.
    drawn = [spec for spec in draws(clusters(), 20 * PART, f"{seed}-{first}") if spec][-PART:]
    assert drawn
    series, started, wrong, passed, untried = Series.of(image.version), time.monotonic(), [], 0, 0
    for number, spec in enumerate(drawn, first):
        results = prove(accounted_cluster, sacctmgr, spec, series)
        passed += sum(result.verdict == "PASS" for result in results)
        untried += sum(result.verdict == "SKIP" for result in results)
        wrong += [f"{number}: {result}\n{spec!r}" for result in results if result.verdict in BAD]
    with capsys.disabled():
        seconds = time.monotonic() - started
        steps = f"{passed} steps passed, {untried} skipped"
        print(f"\n{len(drawn)} drawn clusters, {steps}, Slurm {image.version}, {seconds:.0f} s")
    assert not wrong, "\n\n".join(wrong[:5])
    assert passed >= 3 * len(drawn)


def prove(cluster: Cluster, sacctmgr: SacctmgrPod, spec: SlurmSpec, series: Series) -> list[Any]:
    """Start daemons with what a specification comes to, and prove it."""
    if series < HAS_METRICS:
        spec = with_fields(spec, monitoring=with_fields(spec.monitoring, metrics=False))
    sacctmgr.run_job(spec, "qos", qos_script(spec))
    cluster.start_controller(rendered_files(spec, series))
    try:
        sacctmgr.run_job(spec, "accounts", accounts_script(spec))
        confs = {
            name: slurmd_conf(node_set, node_set.machine)
            for node_set in with_names(spec).node_sets
            for name in hostlist.expand(node_names(node_set))
        }
        cluster.start_workers(confs)
        results = ProofBed(spec, cluster).results()
        assert NAME not in sacctmgr.run("sacctmgr", "--noheader", "show", "account", "format=account%40")
        return results
    finally:
        for worker in cluster.workers.values():
            if worker.daemon:
                worker.daemon.stop()
        cluster.controller.kill()
        sacctmgr.run("sacctmgr", "--immediate", "delete", "cluster", "c")


def with_names(spec: SlurmSpec) -> SlurmSpec:
    """Return the specification with the feature that the operator gives the nodes of each node set: its name."""
    node_sets = [with_fields(one, features=[one.slurm_name, *one.features]) for one in spec.node_sets]
    return with_fields(spec, node_sets=node_sets)
