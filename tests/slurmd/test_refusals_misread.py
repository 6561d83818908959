"""What we refuse though slurmctld starts with it, and what looks alike and is right."""

import json

import pytest

from devcluster.slurm_images import SlurmImage
from tests.slurmd.accepted_specs import ACCEPTED_SPECS, AcceptedSpec
from tests.slurmd.cluster import Cluster
from tests.slurmd.misread_specs import MISREAD_SPECS, MisreadSpec
from tests.slurmd.operator_files import files
from tests.slurmd.refusal import NODE_SETS, is_accepted, refused_at


@pytest.mark.parametrize("case", MISREAD_SPECS.values(), ids=MISREAD_SPECS.keys())
def test_slurmctld_does_otherwise_than_it_is_told(cluster: Cluster, case: MisreadSpec) -> None:
    assert refused_at(case.spec) == [case.path]
    cluster.start_controller(files(f"{NODE_SETS}{case.lines}\n"))
    assert case.observation(cluster), cluster.run("scontrol", "show", "partition")


@pytest.mark.parametrize("case", ACCEPTED_SPECS.values(), ids=ACCEPTED_SPECS.keys())
def test_slurmctld_does_what_we_let_pass(cluster: Cluster, case: AcceptedSpec) -> None:
    assert is_accepted(case.spec)
    cluster.start_controller(files(f"{NODE_SETS}{case.lines}\n"))
    assert case.observation(cluster), cluster.run("scontrol", "show", "partition")


def test_slurmctld_waits_for_a_topology_that_is_not_there(cluster: Cluster) -> None:
    assert refused_at("slurmConf: {extra: {TopologyPlugin: topology/tree}}") == ["slurmConf.extra.TopologyPlugin"]
    daemon = cluster.controller.launch(files(NODE_SETS + "TopologyPlugin=topology/tree\n"))
    # After a minute of this it ends.
    daemon.eventually_says("cannot stat file /etc/slurm/topology.conf")
    assert cluster.controller.host.attempt(["scontrol", "ping"], seconds=1).returncode


def test_one_topology_hides_the_other(cluster: Cluster, image: SlurmImage) -> None:
    both = {
        "topology.conf": "SwitchName=plain Nodes=cpu-0\n",
        "topology.yaml": "- {topology: t, cluster_default: true, tree: {switches: [{switch: yaml, nodes: cpu-0}]}}\n",
    }
    assert refused_at(json.dumps({"configFiles": both})) == ['configFiles["topology.conf"]']
    cluster.start_controller({**files(NODE_SETS + "TopologyPlugin=topology/tree\n"), **both})
    # Slurm reads topology.yaml since 25.05.
    switch = "plain" if image.series == "24.11" else "yaml"
    assert f"SwitchName={switch} " in cluster.run("scontrol", "show", "topology")
