"""The Job that looks for jobs in partitions and node sets before they go: when it runs again, and where."""

from typing import Any

import pytest

from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.objects import Manifest
from tests.unit.manifests.rendered import MACHINE, WHOLE, rendered

BASE: dict[str, Any] = {
    **WHOLE,
    "nodeSets": [{"name": "cpu", "machine": MACHINE, "partition": {}}, {"name": "gpu", "machine": MACHINE}],
    "partitions": [{"name": "main", "nodeSets": ["ALL"]}, {"name": "old", "nodeSets": ["cpu"], "state": "DRAIN"}],
}


def named(kind: str, name: str, **fields: Any) -> Manifest:
    """Return an object of the cluster."""
    objects = {(item["kind"], item["metadata"]["name"]): item for item in rendered(**{**BASE, **fields})}
    return objects[kind, name]


def job(**fields: Any) -> Manifest:
    return named("Job", "hpc-drain-job", **fields)


def config_map(name: str, **fields: Any) -> dict[str, str]:
    data: dict[str, str] = named("ConfigMap", name, **fields)["data"]
    return data


def test_it_has_the_names_that_slurm_has() -> None:
    node_sets = [BASE["nodeSets"][0], {**BASE["nodeSets"][1], "hostNamePrefix": "a100-"}]
    files = config_map("hpc-drain-job", nodeSets=node_sets)
    assert files["parts"] == "nodeSet a100\nnodeSet cpu\npartition cpu\npartition main\npartition old\n"
    assert files["up"] == "main\ncpu\n"
    assert config_map("hpc-drain-last", nodeSets=node_sets) == {"parts": files["parts"]}
    # Neither a key nor accounting is needed.
    assert "AccountingStorage" not in files["slurm.conf"]


def test_it_is_told_what_it_may_assume() -> None:
    assert "no-jobs" in config_map("hpc-drain-job", controller={"assumeNoJobs": True})
    assert "no-jobs" not in config_map("hpc-drain-job", controller={"assumeNoJobs": False})


def test_each_preview_warns_of_what_it_may_assume() -> None:
    with collected_warnings() as warnings:
        load({"name": "c", "operatorVersion": "1.1.3", "controller": {"assumeNoJobs": True}})
    assert [str(warning) for warning in warnings] == [
        "controller.assumeNoJobs = true: while slurmctld doesn't answer, partitions and node sets go with the jobs in "
        "them. Leave it out again after the update for which it is there."
    ]


CHANGES: dict[str, dict[str, Any]] = {
    "a partition": {"partitions": BASE["partitions"][:1]},
    "a node set": {"nodeSets": BASE["nodeSets"][:1]},
    "a node set's partition": {"nodeSets": [{"name": "cpu", "machine": MACHINE}, BASE["nodeSets"][1]]},
    "a node set's name in Slurm": {"nodeSets": [{**BASE["nodeSets"][0], "hostNamePrefix": "c-"}, BASE["nodeSets"][1]]},
}


@pytest.mark.parametrize("changed", CHANGES)
def test_it_runs_again_when_something_comes_or_goes(changed: str) -> None:
    assert job(**CHANGES[changed])["spec"] != job()["spec"]


OTHER_CHANGES: dict[str, dict[str, Any]] = {
    "a state": {"partitions": [BASE["partitions"][0], {**BASE["partitions"][1], "state": "UP"}]},
    "a limit": {"partitions": [{**BASE["partitions"][0], "maxTime": "1-0"}, BASE["partitions"][1]]},
    "the order": {"partitions": BASE["partitions"][::-1], "nodeSets": BASE["nodeSets"][::-1]},
    "replicas": {"nodeSets": [BASE["nodeSets"][0], {**BASE["nodeSets"][1], "replicas": 7}]},
    "accounts": {"accounting": {"accounts": [{"name": "chemistry"}]}},
    "lines": {"slurmConf": {"defMemPerCpu": 100}},
    "what it may assume": {"controller": {"assumeNoJobs": True}},
}


@pytest.mark.parametrize("changed", OTHER_CHANGES)
def test_it_does_not_run_again_for_anything_else(changed: str) -> None:
    assert job(**OTHER_CHANGES[changed]) == job()


@pytest.mark.parametrize("release", ["1.0.5", "1.1.2", "1.2.1", "1.3.0"])
@pytest.mark.parametrize("accounting", [None, {}])
def test_it_is_there_with_every_release_and_without_accounting(release: str, accounting: dict[str, Any] | None) -> None:
    fields: dict[str, Any] = {"operatorVersion": release, "accounting": accounting}
    token = named("Token", "hpc-token-drain-job", **fields)
    (variable,) = job(**fields)["spec"]["template"]["spec"]["containers"][0]["env"]
    assert variable["valueFrom"]["secretKeyRef"] == token["spec"]["secretRef"]
    # It may run again at any time.
    assert token["spec"]["refresh"] is True


def test_it_runs_where_slurmctld_does_and_once() -> None:
    spec = job(controller={"pod": {"nodeSelector": {"pool": "system"}}})["spec"]
    assert spec["template"]["spec"]["nodeSelector"] == {"kubernetes.io/os": "linux", "pool": "system"}
    assert spec["backoffLimit"] == 0


def test_of_a_slurmctld_outside_nothing_is_drained() -> None:
    objects = rendered(
        controller={"external": {"host": "ctl.example.org", "port": 6817}},
        keys={key: {"existing": {"name": key, "key": "key"}} for key in ("slurm", "jwt")},
        nodeSets=[{"name": "cpu", "machine": MACHINE}],
    )
    assert "Controller" in {item["kind"] for item in objects}
    assert "Job" not in {item["kind"] for item in objects}
