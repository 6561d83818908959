"""Messages spell fields as their reader writes them: as Python has them, or as a stack's file does."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pickle import dumps, loads
from threading import Barrier
from typing import Any

import pytest

from pulumi_slurm.errors import AsWritten, FieldError, SpecError, respelled
from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.loading import load
from pulumi_slurm.model import LoginSetSpec, NetworkPoliciesSpec, NodeSetSpec
from pulumi_slurm.spelling import Spelling, spelled
from tests.stack_configuration import errors as errors_of_stack

NODE_SET = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}


def node_set(**fields: Any) -> NodeSetSpec:
    """Return a node set with fields that type checkers would refuse."""
    make: Any = NodeSetSpec
    made: NodeSetSpec = make(**NODE_SET, **fields)
    return made


def refused(make: Callable[[], Any]) -> list[str]:
    """Return the errors with which a call ends."""
    with pytest.raises(SpecError) as caught:
        make()
    return [str(error) for error in caught.value.errors]


@pytest.mark.parametrize(
    ("text", "in_python"),
    [
        ("Add it to nodeSets of a partition.", "Add it to node_sets of a partition."),
        ("Set slurmConf.preemptType, or leave this out.", "Set slurm_conf.preempt_type, or leave this out."),
        ("Write scalingMode: DaemonSet.", "Write scaling_mode: DaemonSet."),
        ("Write slurmConf.extra.MaxTime.", "Write slurm_conf.extra.MaxTime."),
        ('Add configFiles["gres.conf"].', 'Add config_files["gres.conf"].'),
        ("`catalogue.machineTypes` can add one.", "`catalogue.machine_types` can add one."),
        ("bridge: {nodes: [{scalingMode: DaemonSet}]}", "bridge: {nodes: [{scaling_mode: DaemonSet}]}"),
    ],
)
def test_fields_in_sentences_have_the_names_of_python(text: str, in_python: str) -> None:
    assert respelled(text, Spelling.SNAKE_CASE) == in_python
    assert respelled(in_python, Spelling.SNAKE_CASE) == in_python
    assert respelled(text, Spelling.CAMEL_CASE) == text


@pytest.mark.parametrize(
    "text",
    [
        "MaxTime and SlurmctldDebug are keys of slurm.conf",
        'the partition "nodeSets" is another one',
        "Compare with `kubectl get pods --output=jsonpath={.spec.nodeSelector}`.",
        "Set it: pulumi config set --secret slurm:rootKey",
        "slurm:cluster.nodeSets is in a stack's file",
        "no field is called topologyConfig",
        AsWritten("Write ipBlock or namespaceSelector."),
    ],
)
def test_other_words_stay_as_they_are(text: str) -> None:
    assert respelled(text, Spelling.SNAKE_CASE) == text


def test_models_that_a_program_makes_are_refused_in_the_words_of_python() -> None:
    assert refused(lambda: node_set(scaling_mode="Daemonset")) == [
        "scaling_mode = \"Daemonset\": this is not one of the choices. Write one of: 'StatefulSet' or 'DaemonSet'."
    ]
    # The spelling of files is accepted, and so is told of in that of Python too.
    assert refused(lambda: node_set(scalingMode="Daemonset"))[0].startswith("scaling_mode = ")


def test_a_name_of_another_model_is_only_asked_for() -> None:
    assert refused(lambda: node_set(extra=3)) == ['extra: there is no such field. Did you mean "partition.extra"?']
    assert refused(lambda: node_set(maxReplicas=3)) == [
        'maxReplicas: there is no such field. Did you mean "autoscaling.max_replicas"?'
    ]
    assert refused(lambda: node_set(host_path=[])) == [
        'host_path = []: there is no such field. Did you mean "host_paths"?'
    ]


def test_words_of_kubernetes_stay_as_they_are() -> None:
    (error,) = refused(
        lambda: LoginSetSpec(name="login", extra_volumes=[{"name": "data", "hostpath": {"path": "/data"}}])
    )
    assert error == (
        "extra_volumes[0].hostpath: Kubernetes has no such field here, and drops it. Write hostPath, if you mean that."
    )
    (error,) = refused(lambda: NetworkPoliciesSpec(slurmctld=[{}]))
    assert error.endswith("Write ipBlock for machines outside, or namespaceSelector, podSelector or both for pods.")


def test_plain_data_is_refused_in_its_own_spelling() -> None:
    in_python = 'node_sets[0].replica = []: there is no such field. Did you mean "replicas"?'
    assert in_python in refused(lambda: load({"name": "hpc", "node_sets": [{**NODE_SET, "replica": []}]}))
    in_files = in_python.replace("node_sets", "nodeSets")
    assert in_files in refused(lambda: load({"name": "hpc", "nodeSets": [{**NODE_SET, "replica": []}]}))
    # Nothing here is spelled in two ways, so it is taken for what a file has.
    assert "pools[0].machineType: this field is required. Add machineType: the machine type" in "".join(
        refused(lambda: load_gke({"pools": [{"name": "cpu"}]}))
    )
    assert "pools[0].machine_type: this field is required. Add machine_type: the machine type" in "".join(
        refused(lambda: load_gke({"system_pool": {}, "pools": [{"name": "cpu"}]}))
    )


def test_a_stacks_file_is_told_of_in_the_spelling_of_files_whatever_it_has() -> None:
    for name in ("nodeSets", "node_sets"):
        cluster = {"name": "hpc", name: [{**NODE_SET, "scaling_mode": "Daemonset"}]}
        told = errors_of_stack({"slurm:kind": "gke", "slurm:gke": {}, "slurm:cluster": cluster})
        assert [error for error in told if error.startswith("slurm:cluster.nodeSets[0].scalingMode")]


def test_what_was_refused_in_one_spelling_stays_so() -> None:
    with spelled(Spelling.CAMEL_CASE):
        of_file = FieldError(("node_sets", 0), [], "it has no scalingMode", "Add nodeSets.")
    of_program = FieldError(("nodeSets", 0), [], "it has no scalingMode", "Add nodeSets.")
    for error in (of_program, of_program.below("cluster"), loads(dumps(of_program))):
        assert str(error).endswith("node_sets[0] = []: it has no scaling_mode. Add node_sets.")
    for error in (of_file, of_file.below("cluster"), loads(dumps(of_file))):
        assert str(error).endswith("nodeSets[0] = []: it has no scalingMode. Add nodeSets.")


def test_values_that_are_models_are_shown_in_the_same_spelling() -> None:
    shown = NodeSetSpec(name="cpu", host_name_prefix="cpu-")
    assert str(FieldError(("node_sets", 0), shown, "it is odd", "Look.")).startswith(
        'node_sets[0] = {"name": "cpu", "host_name_prefix": "cpu-"}'
    )
    with spelled(Spelling.CAMEL_CASE):
        assert str(FieldError(("node_sets", 0), shown, "it is odd", "Look.")).startswith(
            'nodeSets[0] = {"name": "cpu", "hostNamePrefix": "cpu-"}'
        )


def test_threads_have_spellings_of_their_own() -> None:
    both = Barrier(2)

    def told(spelling: Spelling | None) -> str:
        if spelling is None:
            both.wait(60)
            text = str(FieldError(("node_sets",), [], "it is empty", "Add one."))
            both.wait(60)
            return text
        with spelled(spelling):
            both.wait(60)
            both.wait(60)
            return str(FieldError(("node_sets",), [], "it is empty", "Add one."))

    with ThreadPoolExecutor(2) as threads:
        of_program, of_file = threads.map(told, (None, Spelling.CAMEL_CASE))
    assert (of_program, of_file) == ("node_sets = []: it is empty. Add one.", "nodeSets = []: it is empty. Add one.")
