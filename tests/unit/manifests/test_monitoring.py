"""Scraping slurmctld's metrics."""

from typing import Any

from tests.unit.manifests.rendered import rendered_by_kind


def service_monitor(**fields: Any) -> Any:
    resource = rendered_by_kind(monitoring={"serviceMonitor": fields})["Controller"]
    return resource["spec"]["metrics"]["serviceMonitor"]


def test_scrapes_are_as_far_apart_as_slurm_advises() -> None:
    assert service_monitor() == {"enabled": True, "interval": "60s", "scrapeTimeout": "25s"}


def test_endpoints_and_annotations() -> None:
    monitor = service_monitor(endpoints=["jobs", "jobs-users-accts"], annotations={"example.org/team": "a"})
    assert monitor["endpoints"] == [{"path": "/metrics/jobs"}, {"path": "/metrics/jobs-users-accts"}]
    assert monitor["annotations"] == {"example.org/team": "a"}
