"""Requests of pods that run no jobs: without any, a node short of memory ends them first."""

from typing import Any

import pytest

from pulumi_slurm.manifests.default_requests import default_requests
from pulumi_slurm.model import NodePoolSpec
from pulumi_slurm.model.units import quantity
from tests.unit.manifests.rendered import rendered

FIELDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "slurmctld": ("Controller", "controller", {}),
    "slurmdbd": ("Accounting", "accounting", {}),
    "slurmrestd": ("RestApi", "restApi", {}),
    "login": ("LoginSet", "loginSets", {"name": "login"}),
}
"""By container: the kind of its object, and the field that has it."""
STATED = {"cpu": "2", "memory": "4Gi"}


def cluster(**fields: Any) -> dict[str, Any]:
    return {"accounting": {}, "identity": {"directory": {}}, "loginSets": [{"name": "login"}], **fields}


def resources(name: str, **fields: Any) -> Any:
    """Return the resources of a container."""
    kinds = {kind: container for container, (kind, _, _) in FIELDS.items()}
    found: dict[str, Any] = {}
    for item in rendered(**cluster(**fields)):
        container = kinds.get(item["kind"])
        if container:
            found[container] = item["spec"][container]
        for one in item["spec"]["template"]["spec"]["containers"] if item["kind"] in WORKLOADS else ():
            found[one["name"]] = one
        if item["kind"] == "MariaDB":
            found["mariadb"] = item["spec"]
    return found[name].get("resources")


WORKLOADS = ("Deployment", "StatefulSet")


@pytest.mark.parametrize("name", [*FIELDS, "mariadb", "openldap"])
def test_pods_request_something_by_default(name: str) -> None:
    assert resources(name) == {"requests": default_requests(name)}


def test_servers_of_mariadb_operator_do_so_too() -> None:
    found = resources("mariadb", accounting={"database": {"kind": "mariadb-operator"}})
    assert found == {"requests": default_requests("mariadb")}


@pytest.mark.parametrize("name", FIELDS)
def test_what_is_stated_stays(name: str) -> None:
    _, field, base = FIELDS[name]
    limits = {"limits": {"memory": "100Mi"}}
    for stated, expected in (
        ({"resources": STATED}, {"requests": STATED, "limits": STATED}),
        ({"overrides": {name: {"resources": limits}}}, limits),
    ):
        options = {**base, **stated}
        assert resources(name, **{field: [options] if base else options}) == expected


def test_all_of_them_fit_into_what_a_pool_keeps_by_default() -> None:
    pool = NodePoolSpec(name="p", machine={"cpus": 4, "memory": "16Gi"}, node_labels={"p": "p"})
    requests = [default_requests(name) for name in (*FIELDS, "mariadb", "openldap")]
    # Workers often have all CPUs that a node can give.
    assert not any("cpu" in one for one in requests)
    assert sum(quantity(one["memory"]) for one in requests) <= quantity(pool.reserved_memory)
