"""The look at a project before anything is made, under mocks that answer as Google's provider does."""

from dataclasses import dataclass, field
from typing import Any

import pulumi
import pytest

from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.preflight import check_project
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
        assert args.token == "gcp:compute/getReservation:getReservation"
        if self.reservation is None:
            return {"id": "x", "specificReservations": []}, []
        properties = [{"machineType": self.reservation["machineType"]}]
        machines = {"count": 4, "inUseCount": self.reservation["inUse"], "instanceProperties": properties}
        return {"id": "x", "specificReservations": [machines]}, []


def _info(quota_id: str, limit: int | None) -> dict[str, Any]:
    regional = quota_id.endswith("-region")
    details = [{"value": str(limit)}] if limit is not None else []
    mine = {"applicableLocations": ["us-east4"] if regional else ["global"], "details": details, "dimensions": {}}
    other = {"applicableLocations": ["europe-west4"], "details": [{"value": "1"}], "dimensions": {}}
    return {"quotaId": quota_id, "dimensionsInfos": [*([other] if regional else []), mine]}


def warnings_of(project: Project, monkeypatch: pytest.MonkeyPatch, pools: list[dict[str, Any]] = POOLS) -> list[str]:
    shown: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_, **__: shown.append(text))
    spec = GkeSpec.model_validate(
        {"project": "my-project", "region": "us-east4", "zones": ["us-east4-b"], "pools": pools}
    )

    def program() -> None:
        check_project(GkePlan.of(spec), pulumi.ProviderResource("gcp", "google", {}))

    recorded(program, project)
    return shown


def test_enough_of_everything_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"SSD-TOTAL-GB-per-project-region": 5000, "NVIDIA-L4-GPUS-per-project-region": -1}
    project = Project(limits={**limits, "GPUS-ALL-REGIONS-per-project": 4, "NETWORKS-per-project": 9})
    project.reservation = {"machineType": "a3-megagpu-8g", "inUse": 2}
    assert warnings_of(project, monkeypatch) == []
    assert {"name": "mine", "project": "other", "zone": "us-east4-b"} in project.asked


def test_what_nodes_need_later_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(limits={"NVIDIA-L4-GPUS-per-project-region": 2})
    project.reservation = {"machineType": "a3-megagpu-8g", "inUse": 3}
    assert warnings_of(project, monkeypatch) == [
        "pools: the quota NVIDIA-L4-GPUS-per-project-region in us-east4 is 2, and the cluster needs up to 4. Ask "
        "Google for more under IAM & Admin, Quotas, or write fewer or smaller nodes.",
        'pools[1].reservation = "projects/other/reservations/mine/reservationBlocks/b": 1 of its 4 machines are '
        "free, and the pool has 2 nodes. Write fewer nodes, unless the others are nodes of this pool.",
    ]


def test_what_is_needed_at_once_is_refused_with_all_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(limits={"SSD-TOTAL-GB-per-project-region": 250, "NETWORKS-per-project": 5})
    project.reservation = {"machineType": "a3-highgpu-8g", "inUse": 0}
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
