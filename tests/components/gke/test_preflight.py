"""The look at a project before anything is made, under mocks that answer as Google's provider does."""

import re
from dataclasses import dataclass, field
from typing import Any

import pulumi
import pytest

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.preflight import check_project
from pulumi_slurm.machines.gke import GkeCatalogueSpec
from tests.components.conftest import Recorder, recorded

POOLS: list[dict[str, Any]] = [
    {"name": "l4", "machineType": "g2-standard-4", "minNodes": 1, "maxNodes": 4},
    {
        "name": "h100",
        "machineType": "a3-megagpu-8g",
        "capacity": "reservation",
        "reservation": "projects/other/reservations/mine/reservationBlocks/b",
        "nodes": 2,
    },
]


UNUSED = """googleapi: Error 403: Cloud Quotas API has not been used in project my-project before
Details:
[
  {}
]
, accessNotConfigured"""


@dataclass
class Project(Recorder):
    """What a project answers: the limits of quotas, and a reservation; None where an API isn't enabled."""

    limits: dict[str, int | None] | None = field(default_factory=dict)
    reservation: dict[str, Any] | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)
    offers: dict[str, tuple[int, int]] | str | None = None
    """vCPUs and MiB by machine type, or why none is told; None for all machine types as the catalogue has them."""

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        self.asked.append(dict(args.args))
        if args.token == "gcp:cloudquota/getSQuotaInfos:getSQuotaInfos":
            if self.limits is None:
                return {}, [("parent", UNUSED)]
            infos = [_info(quota_id, limit) for quota_id, limit in self.limits.items()]
            return {
                "id": "x",
                "parent": args.args["parent"],
                "quotaInfos": infos,
                "service": args.args["service"],
            }, []
        if args.token == "gcp:compute/getMachineTypes:getMachineTypes":
            return self._machine_types(dict(args.args))
        assert args.token == "gcp:compute/getReservation:getReservation"
        if self.reservation is None:
            return {"id": "x", "specificReservations": []}, []
        if "error" in self.reservation:
            return {}, [("name", self.reservation["error"])]
        machine = {"machineType": "a3-megagpu-8g", **self.reservation.get("machine", {})}
        count, used = self.reservation.get("count", "4"), self.reservation.get("inUse", "0")
        machines = {"count": count, "inUseCount": used, "instanceProperties": [machine]}
        whole = {"specificReservationRequired": True, "status": "READY", **self.reservation.get("whole", {})}
        return {"id": "x", "specificReservations": [machines], **whole}, []

    def _machine_types(self, asked: dict[str, Any]) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        if isinstance(self.offers, str):
            return {}, [("zone", self.offers)]
        names = re.findall(r'name = "([^"]+)"', asked["filter"])
        known = {name: GkeCatalogueSpec().find(name) for name in names}
        sizes = {name: (one.vcpus, round(one.memory_gib * 1024)) for name, one in known.items()}
        offers = sizes if self.offers is None else self.offers
        machines = [
            {"name": name, "guestCpus": offers[name][0], "memoryMb": offers[name][1]}
            for name in names
            if name in offers
        ]
        return {"id": "x", "zone": asked["zone"], "machineTypes": machines}, []


def _info(quota_id: str, limit: int | None) -> dict[str, Any]:
    regional = quota_id.endswith("-region")
    details = [{"value": str(limit)}] if limit is not None else []
    mine = {"applicableLocations": ["us-east4"] if regional else ["global"], "details": details, "dimensions": {}}
    other = {"applicableLocations": ["europe-west4"], "details": [{"value": "1"}], "dimensions": {}}
    return {"quotaId": quota_id, "dimensionsInfos": [*([other] if regional else []), mine]}


def warnings_of(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    pools: list[dict[str, Any]] = POOLS,
    *,
    preflight: bool = True,
    **fields: Any,
) -> list[str]:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_, **__: shown.append(text))
    spec = GkeSpec.model_validate(
        {
            "project": "my-project",
            "region": "us-east4",
            "zones": ["us-east4-b"],
            "pools": pools,
            "preflight": preflight,
            **fields,
        }
    )

    def program() -> None:
        check_project(GkePlan.of(spec), pulumi.ProviderResource("gcp", "google", {}))

    recorded(program, project)
    return shown


def test_enough_of_everything_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"SSD-TOTAL-GB-per-project-region": 5000, "NVIDIA-L4-GPUS-per-project-region": -1}
    project = Project(limits={**limits, "GPUS-ALL-REGIONS-per-project": 4, "NETWORKS-per-project": 9})
    project.reservation = {"inUse": "2"}
    assert warnings_of(project, monkeypatch) == []
    assert {"name": "mine", "project": "other", "zone": "us-east4-b"} in project.asked


def test_what_nodes_need_later_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(limits={"NVIDIA-L4-GPUS-per-project-region": 2})
    project.reservation = {"inUse": "3"}
    assert warnings_of(project, monkeypatch) == [
        "pools: the quota NVIDIA-L4-GPUS-per-project-region in us-east4 is 2, and the cluster needs up to 4. Ask "
        "Google for more under IAM & Admin, Quotas, or write fewer or smaller nodes.",
        'pools[1].reservation = "projects/other/reservations/mine/reservationBlocks/b": it has 4 machines, 1 of '
        "them free, and the pool has 2 nodes. Write fewer nodes, unless the others are nodes of this pool.",
    ]


def test_what_is_needed_at_once_is_refused_with_all_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(limits={"SSD-TOTAL-GB-per-project-region": 250, "NETWORKS-per-project": 5})
    project.reservation = {"machine": {"machineType": "a3-highgpu-8g"}}
    with pytest.raises(pulumi.RunError) as raised:
        warnings_of(project, monkeypatch)
    text = str(raised.value)
    assert "The project my-project" in text
    assert "the quota NETWORKS-per-project is 5, and the cluster needs 9 at once" in text
    assert "SSD-TOTAL-GB-per-project-region in us-east4 is 250" in text
    assert "its machines are a3-highgpu-8g, those of the pool a3-megagpu-8g" in text


def test_spot_nodes_use_the_standard_quota_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = [{"name": "l4", "machineType": "g2-standard-4", "capacity": "spot", "nodes": 2}]
    for limit, count in ((0, 0), (1, 1)):
        project = Project(limits={"PREEMPTIBLE-NVIDIA-L4-GPUS-per-project-region": limit})
        if not count:
            assert warnings_of(project, monkeypatch, spot) == []
            continue
        with pytest.raises(pulumi.RunError) as raised:
            warnings_of(project, monkeypatch, spot)
        assert "PREEMPTIBLE-NVIDIA-L4-GPUS-per-project-region in us-east4 is 1" in str(raised.value)


def test_what_can_t_be_read_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    (warning,) = warnings_of(Project(limits=None), monkeypatch)
    assert warning.startswith('project = "my-project": the project\'s quotas could not be read: ')
    assert "Cloud Quotas API has not been used" in warning


def reserved(**fields: Any) -> list[dict[str, Any]]:
    """Return a pool that names a reservation."""
    return [
        {
            "name": "reserved",
            "machineType": "a3-megagpu-8g",
            "capacity": "reservation",
            "reservation": "mine",
            "nodes": 2,
            **fields,
        }
    ]


def told(
    monkeypatch: pytest.MonkeyPatch, reservation: dict[str, Any], pools: list[dict[str, Any]] | None = None
) -> list[str]:
    """Return what is told of a reservation without `preflight`, without the path and the name."""
    project = Project(limits=None, reservation=reservation)
    lines = warnings_of(project, monkeypatch, pools or reserved(), preflight=False)
    assert [one for one in project.asked if "service" in one] == []
    return [line.partition(": ")[2] for line in lines]


@pytest.mark.parametrize(
    ("reservation", "pools", "problem"),
    [
        (
            {"whole": {"specificReservationRequired": False}},
            reserved(),
            "machines of any pool take it, and then Google lets none name it",
        ),
        (
            {"machine": {"machineType": "a3-highgpu-8g"}},
            reserved(),
            "its machines are a3-highgpu-8g, those of the pool a3-megagpu-8g",
        ),
        *(
            (
                {"whole": {"status": status}},
                pools,
                f"its status is {status}, so it has no machines yet or no more, and ",
            )
            for status in ("CREATING", "DELETING", "INVALID")
            for pools in (reserved(), reserved(nodes=None, minNodes=1, maxNodes=2))
        ),
        (
            {"machine": {"machineType": "n1-standard-8"}},
            reserved(machineType="n1-standard-8", accelerator={"type": "nvidia-tesla-t4", "count": 2}),
            "its machines have no GPUs, those of the pool 2 nvidia-tesla-t4",
        ),
    ],
)
def test_a_reservation_that_google_would_refuse_is_refused_by_default(
    monkeypatch: pytest.MonkeyPatch, reservation: dict[str, Any], pools: list[dict[str, Any]], problem: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        told(monkeypatch, reservation, pools)
    assert f'pools[0].reservation = "mine": {problem}' in str(raised.value)


T4 = {"guestAccelerators": [{"acceleratorType": "nvidia-tesla-t4", "acceleratorCount": 2}]}
PERIODIC = {"machine": {"maintenanceInterval": "PERIODIC"}}


@pytest.mark.parametrize(
    ("reservation", "pools", "problem"),
    [
        ({}, reserved(), None),
        (
            {"machine": {"machineType": "n1-standard-8", **T4}},
            reserved(machineType="n1-standard-8", accelerator={"type": "nvidia-tesla-t4", "count": 2}),
            None,
        ),
        (PERIODIC, reserved(), "its maintenance interval is PERIODIC, and that of the pool as-needed"),
        (PERIODIC, reserved(hostMaintenance="periodic"), None),
        (
            {"machine": {"maintenanceInterval": "AS_NEEDED"}},
            reserved(hostMaintenance="periodic"),
            "its maintenance interval is AS_NEEDED, and that of the pool periodic",
        ),
        (
            {"machine": {"maintenanceInterval": "RECURRENT"}},
            reserved(),
            "its maintenance interval is RECURRENT, and that of the pool as-needed",
        ),
        ({"count": "1"}, reserved(), "it has 1 machine, and the pool has 2 nodes"),
        ({"inUse": "3"}, reserved(), "it has 4 machines, 1 of them free, and the pool has 2 nodes"),
        ({"whole": {"status": "UPDATING"}}, reserved(), "its status is UPDATING"),
        ({"whole": {"status": "CREATING"}}, reserved(nodes=None, maxNodes=2), "its status is CREATING"),
        (
            {"whole": {"shareSettings": [{"shareType": "LOCAL"}]}},
            reserved(reservation="projects/other/reservations/mine"),
            "it is of another project, which shares it with none",
        ),
        ({"whole": {"shareSettings": [{"shareType": "LOCAL"}]}}, reserved(), None),
        (
            {"error": "googleapi: Error 404: The resource was not found, notFound"},
            reserved(),
            "the reservation could not be read in us-east4-b, where it has to be",
        ),
    ],
)
def test_what_may_keep_nodes_from_a_reservation_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, reservation: dict[str, Any], pools: list[dict[str, Any]], problem: str | None
) -> None:
    lines = told(monkeypatch, reservation, pools)
    assert len(lines) == (1 if problem else 0)
    assert problem is None or lines[0].startswith(problem)


def test_local_ssds_of_a_reservation_are_compared_where_the_pool_states_them(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = {"diskSizeGb": 375, "interface": "NVME"}
    pool = {"machineType": "n2-standard-8", "localSsd": {"count": 2}}
    for count, problem in ((2, []), (1, ["its machines have 1 local SSDs, those of the pool 2"])):
        machine = {"machineType": "n2-standard-8", "localSsds": [disk] * count}
        lines = told(monkeypatch, {"machine": machine}, reserved(**pool))
        assert [line.partition(". ")[0] for line in lines] == problem


def test_nothing_is_asked_of_pools_without_a_reservation(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(limits=None)
    assert warnings_of(project, monkeypatch, POOLS[:1], preflight=False) == []
    assert project.asked == []


def test_machine_types_that_a_zone_lacks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(offers={"e2-standard-4": (4, 16384), "g2-standard-4": (4, 16384)})
    with pytest.raises(pulumi.RunError) as raised:
        warnings_of(project, monkeypatch)
    assert (
        'pools[1].machine_type = "a3-megagpu-8g": Google has no such machine type in us-east4-b. Choose another zone: '
        "gcloud compute machine-types list --filter=name=a3-megagpu-8g."
    ) in str(raised.value)
    assert "pools[0]" not in str(raised.value)
    (asked,) = [one for one in project.asked if "filter" in one]
    assert asked == {
        "filter": '(name = "a3-megagpu-8g") OR (name = "e2-standard-4") OR (name = "g2-standard-4")',
        "project": "my-project",
        "zone": "us-east4-b",
    }


def test_machine_types_of_another_size_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = [{"name": "cpu", "machineType": "n1-highcpu-96", "maxNodes": 2}]
    for sizes, is_warned in (((96, 88474), False), ((96, 80000), True), ((90, 88474), True)):
        project = Project(offers={"e2-standard-4": (4, 16384), "n1-highcpu-96": sizes})
        lines = warnings_of(project, monkeypatch, pools)
        assert [line.partition(": it has")[0] for line in lines] == [
            'pools[0].machine_type = "n1-highcpu-96"'
        ] * is_warned


def test_zones_that_can_t_be_read_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = warnings_of(Project(offers="googleapi: Error 404: zone not found, notFound"), monkeypatch)
    assert line.startswith('zones = "us-east4-b": what machine types it offers could not be read: ')


def test_machines_of_a_size_of_ones_own_are_in_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    custom = {"name": "n2-custom-8-16384", "vcpus": 8, "memoryGib": 16}
    pool = {"name": "own", "machineType": custom["name"], "maxNodes": 1}
    project = Project(offers={"e2-standard-4": (4, 16384)})
    assert warnings_of(project, monkeypatch, [pool], catalogue={"machineTypes": [custom]}) == []


def test_zones_are_not_asked_without_preflight(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(offers={})
    assert warnings_of(project, monkeypatch, POOLS[:1], preflight=False) == []
