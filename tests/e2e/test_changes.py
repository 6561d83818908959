"""What a user changes from day to day on a running cluster. Each test states its own beginning."""

from itertools import filterfalse
from typing import Any

import pytest

from devcluster.cluster import Cluster
from tests.e2e.objects import Key, Object, Objects, ready, uid
from tests.e2e.program import Program
from tests.e2e.stack_settings import CPU_NODES, MAIN, Settings, small
from tests.waiting import equals, eventually, eventually_nothing, has

NAME = "changes"
CPU = f"{NAME}-worker-cpu"


def settings(**cluster: Any) -> Settings:
    return small(NAME, **cluster)


def nodes(**changed: Any) -> dict[str, Any]:
    return {**CPU_NODES, **changed}


def controller(objects: Objects) -> Object:
    """Return slurmctld's pod; while there is none, one without volumes."""
    return objects.find("Pod", NAME, f"{NAME}-controller-0") or {"spec": {"volumes": []}}


def workers(objects: Objects, node_set: str = CPU) -> list[Object]:
    owned = [pod for pod in objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(f"{node_set}-")]
    return [pod for pod in owned if "deletionTimestamp" not in pod["metadata"]]


def wait_for_workers(objects: Objects, count: int, node_set: str = CPU) -> None:
    eventually(f"{count} workers", lambda: workers(objects, node_set), lambda pods: len(pods) == count)


def owned_by(pod: Object, owner: Object) -> bool:
    return uid(owner) in {reference["uid"] for reference in pod["metadata"].get("ownerReferences", [])}


def slurm_conf(objects: Objects) -> str:
    return str(objects.get("ConfigMap", NAME, f"{NAME}-config")["data"]["slurm.conf"])


def partition_lines(objects: Objects) -> list[str]:
    return [line for line in slurm_conf(objects).splitlines() if line.startswith("PartitionName=")]


DELETED = {
    "NodeSet": CPU,
    "Secret": f"{NAME}-auth-slurm",
    "ConfigMap": f"{NAME}-config-",
    "PodDisruptionBudget": f"{NAME}-slurmctld",
}
"""What somebody deletes by hand: kinds, and the beginnings of names."""


@pytest.mark.repeats("tests/clouds/test_gke_faults.py, with more kinds")
def test_what_was_deleted_by_hand_comes_back(module_program: Program, objects: Objects) -> None:
    # Not waited for: the operator may take half a minute to say how many workers of a NodeSet made anew are ready.
    module_program.up(
        settings(
            configFiles={"topology.yaml": "- {topology: t, cluster_default: true, flat: true}\n"},
            nodeSets=[nodes(wait=False)],
        )
    )
    names = {
        kind: next(name for name in objects.names(kind, NAME) if name.startswith(DELETED[kind])) for kind in DELETED
    }
    before = {kind: objects.get(kind, NAME, name) for kind, name in names.items()}
    for kind, name in names.items():
        objects.delete(kind, NAME, name)
    eventually_nothing(
        "deleted objects", lambda: [name for kind, name in names.items() if objects.find(kind, NAME, name)]
    )
    old = before["NodeSet"]
    eventually_nothing("its pods", lambda: [pod for pod in objects.all("Pod", NAME) if owned_by(pod, old)])
    healed = module_program.up(None, "--refresh")
    for kind, name in names.items():
        after = objects.get(kind, NAME, name)
        assert uid(after) != uid(before[kind])
        assert {key: after.get(key) for key in ("data", "spec")} == {
            key: before[kind].get(key) for key in ("data", "spec")
        }
    assert len(healed.resources("create")) == len(DELETED)
    eventually("its worker is ready", lambda: workers(objects), lambda pods: [ready(pod) for pod in pods] == [True])
    assert module_program.preview().changes == {}


def test_a_node_set_grows_shrinks_and_goes_to_zero(module_program: Program, objects: Objects) -> None:
    module_program.up(settings())
    before = uid(objects.get("NodeSet", NAME, CPU))
    for replicas in (3, 1, 0):
        run = module_program.up(settings(nodeSets=[nodes(replicas=replicas)]))
        assert run.changes.keys() == {"update"}
        wait_for_workers(objects, replicas)
    assert uid(objects.get("NodeSet", NAME, CPU)) == before


def test_an_autoscaler_begins_with_the_minimum_and_keeps_what_it_has_set(
    module_program: Program, cluster: Cluster, objects: Objects
) -> None:
    scaling = {"maxReplicas": 3, "prometheusAddress": "http://prometheus.monitoring:9090"}
    scaled = {"name": "scaled", "pool": "gpu", "autoscaling": scaling}
    name = f"{NAME}-worker-scaled"
    module_program.up(settings(nodeSets=[nodes(), scaled]))
    assert objects.get("NodeSet", NAME, name)["spec"]["replicas"] == 0
    # As KEDA and the HorizontalPodAutoscaler do.
    path = f"{objects.kind('NodeSet').path(NAME, name)}/scale?fieldManager=keda"
    cluster.api.request("PATCH", path, {"spec": {"replicas": 2}}, "application/merge-patch+json")
    wait_for_workers(objects, 2, name)
    run = module_program.up(settings(nodeSets=[nodes(), {**scaled, "pod": {"labels": {"team": "a"}}}]))
    assert run.changes.keys() == {"update"}
    node_set = objects.get("NodeSet", NAME, name)["spec"]
    assert (node_set["replicas"], node_set["template"]["metadata"]["labels"]) == (2, {"team": "a"})
    assert module_program.refresh().code == 0
    assert module_program.preview().changes == {}
    assert objects.get("NodeSet", NAME, name)["spec"]["replicas"] == 2


def test_a_partition_and_a_node_set_come_and_go(module_program: Program, objects: Objects) -> None:
    module_program.up(settings())
    assert [line.split()[0] for line in partition_lines(objects)] == ["PartitionName=main"]
    before = uid(objects.get("NodeSet", NAME, CPU))
    short = {"name": "short", "nodeSets": ["cpu"], "maxTime": "00:30:00", "priorityTier": 5}
    more = {"name": "gpu", "pool": "gpu", "replicas": 2, "wait": True}
    run = module_program.up(settings(nodeSets=[CPU_NODES, more], partitions=[MAIN, short]))
    assert run.replaced == {f"{NAME}-drain-job"}
    assert len(workers(objects, f"{NAME}-worker-gpu")) == 2
    eventually("the new partition", lambda: partition_lines(objects), lambda lines: len(lines) == 2)
    (line,) = [line for line in partition_lines(objects) if line.startswith("PartitionName=short ")]
    assert {"Nodes=cpu", "MaxTime=00:30:00", "PriorityTier=5"} <= set(line.split())
    assert module_program.outputs()["partitions"] == ["main", "short"]
    run = module_program.up(settings())
    assert run.resources("delete") == {f"{NAME}-gpu", f"{NAME}-gpu-nodeset"}
    eventually("the old partitions", lambda: partition_lines(objects), lambda lines: len(lines) == 1)
    eventually_nothing("workers of the node set", lambda: workers(objects, f"{NAME}-worker-gpu"))
    assert uid(objects.get("NodeSet", NAME, CPU)) == before


def test_a_new_image_and_volume_replace_the_workers_and_no_other_pod(module_program: Program, objects: Objects) -> None:
    module_program.up(settings(nodeSets=[nodes(replicas=2)]))
    before = {uid(pod): pod["metadata"]["name"] for pod in objects.all("Pod", NAME)}
    enroot: dict[str, Any] = {
        "extraVolumes": [{"name": "enroot", "configMap": {"name": "enroot", "optional": True}}],
        "extraVolumeMounts": [{"name": "enroot", "mountPath": "/etc/enroot/enroot.conf", "subPath": "enroot.conf"}],
    }
    module_program.up(settings(nodeSets=[nodes(replicas=2, image="registry.example.org/slurmd:2", **enroot)]))
    # The update has waited for them.
    assert len(workers(objects)) == 2
    for pod in workers(objects):
        assert ready(pod)
        assert uid(pod) not in before
        (slurmd,) = [container for container in pod["spec"]["containers"] if container["name"] == "slurmd"]
        assert slurmd["image"] == "registry.example.org/slurmd:2"
        assert enroot["extraVolumeMounts"][0] in slurmd["volumeMounts"]
        assert "enroot" in {volume["name"] for volume in pod["spec"]["volumes"]}
    others = {item for item, name in before.items() if not name.startswith(f"{CPU}-")}
    assert others <= {uid(pod) for pod in objects.all("Pod", NAME)}


def has_enroot(worker: Object) -> bool:
    return "enroot" in {volume["name"] for volume in worker["spec"]["volumes"]}


def test_a_changed_script_restarts_nothing(module_program: Program, objects: Objects) -> None:
    def prolog(text: str) -> Settings:
        return settings(hooks={"prolog": {"a.sh": f"#!/bin/bash\n{text}\n"}})

    module_program.up(prolog("true"))
    eventually("slurm.conf with the script", lambda: slurm_conf(objects), has("Prolog=a.sh"))
    # The operator replaces slurmctld's pod a moment after it writes slurm.conf.
    eventually("slurmctld with the script", lambda: str(controller(objects)["spec"]["volumes"]), has(f"{NAME}-prolog-"))
    assert [has_enroot(pod) for pod in workers(objects)] == [False]
    eventually_nothing("pods that are not ready", lambda: [*filterfalse(ready, objects.all("Pod", NAME))])
    before = {uid(pod) for pod in objects.all("Pod", NAME)}
    run = module_program.up(prolog("false"))
    assert run.changes.keys() == {"update"}
    (name,) = [name for name in objects.names("ConfigMap", NAME) if name.startswith(f"{NAME}-prolog-")]
    assert objects.get("ConfigMap", NAME, name)["data"] == {"a.sh": "#!/bin/bash\nfalse\n"}
    assert {uid(pod) for pod in objects.all("Pod", NAME)} == before


def test_in_daemon_set_mode_there_is_a_worker_on_every_matching_node(module_program: Program, objects: Objects) -> None:
    # On a pool of its own: Pulumi makes what is new before it removes what is old, and a node has room for one worker.
    daemons = {"name": "each", "pool": "gpu", "scalingMode": "DaemonSet"}
    module_program.up(settings(nodeSets=[CPU_NODES, daemons]))
    matching = {node["metadata"]["name"] for node in objects.all("Node", labels={"pulumi-slurm/pool": "gpu"})}
    assert len(matching) == 4

    def places() -> list[str]:
        return sorted(pod["spec"].get("nodeName", "") for pod in workers(objects, f"{NAME}-worker-each"))

    eventually("a worker on each node", places, equals(sorted(matching)))
    assert module_program.up(None, "--refresh").changes == {}


def test_a_refused_spec_leaves_everything_as_it_is(module_program: Program, objects: Objects) -> None:
    module_program.up(settings())
    # The operator follows a moment after the update: the node set of the test before goes.
    eventually("slurm.conf without it", lambda: slurm_conf(objects), lambda conf: "each" not in conf)
    eventually_nothing("its workers", lambda: workers(objects, f"{NAME}-worker-each"))
    eventually_nothing("pods that are not ready", lambda: [*filterfalse(ready, objects.all("Pod", NAME))])
    before = contents(objects)
    unknown = {"name": "gpu", "nodeSets": ["gqu"]}
    for command in (module_program.preview, module_program.up):
        refused = command(settings(nodeSets=[nodes(replicas=9)], partitions=[MAIN, unknown]), check=False)
        assert refused.code != 0
        assert refused.changes.keys() <= {"error"}, str(refused)
        lines = [line.strip() for line in refused.output.splitlines()]
        for error in (
            '- slurm:cluster.nodeSets[0].replicas = 9: the pool "cpu" has 4 nodes; pods beyond that would stay '
            "Pending. Write 4 or less, or give the pool more nodes. [node-sets-fit-their-pools]",
            '- slurm:cluster.partitions[1].nodeSets[0] = "gqu": there is no such node set, and slurmctld would not '
            "start. Write one of: cpu. [partitions-refer-to-node-sets]",
        ):
            assert error in lines, str(refused)
        assert "Traceback" not in refused.output
    assert contents(objects) == before


def contents(objects: Objects) -> dict[Key, Object]:
    """Return all objects without what the operator keeps writing: their status, and with it their version."""
    return {key: {**item, "status": None, "metadata": _lasting(item)} for key, item in objects.everything(NAME).items()}


def _lasting(item: Object) -> Object:
    return {key: value for key, value in item["metadata"].items() if key not in {"resourceVersion", "managedFields"}}
