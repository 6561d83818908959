"""What a failed test leaves for whoever has to understand it: the objects of its cluster, and all logs.

tests/conftest.py registers it. Where it is, the failure's report says.
"""

import json
import re
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path

import pytest

from devcluster.cluster import Cluster

KINDS = ("/api/v1/events", "/api/v1/pods", "/api/v1/nodes", "/api/v1/configmaps", "/apis/apps/v1/statefulsets")
LONGEST = 1_000_000
"""Bytes of a log that are kept, its last ones."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    clusters = [value for value in getattr(item, "funcargs", {}).values() if isinstance(value, Cluster)]
    if report.failed and clusters:
        top: Path | None = item.config.getoption("evidence")
        folder = (top or Path(tempfile.gettempdir()) / "pulumi-slurm-evidence") / _as_a_name(report)
        for cluster in clusters:
            try:
                keep(cluster, folder / cluster.folder.name)
            except OSError as error:
                report.sections.append(("evidence that could not be kept", str(error)))
        report.sections.append(("evidence", f"events, pods and logs are in {folder}"))
    return report


def keep(cluster: Cluster, folder: Path) -> None:
    """Write down what is in a cluster, Secrets left out, and copy the logs of its processes and pods."""
    folder.mkdir(parents=True, exist_ok=True)
    if cluster.api.ready():
        for path in KINDS:
            items = cluster.api.get(path)["items"]
            (folder / f"{path.rpartition('/')[2]}.json").write_text(json.dumps(items, indent=1))
    _copy((cluster.folder / "logs").glob("*.log"), cluster.folder, folder)
    _copy((cluster.folder / "nodes").glob("*/pods/**/*.log"), cluster.folder / "nodes", folder)


def _copy(logs: Iterable[Path], base: Path, folder: Path) -> None:
    for log in logs:
        copy = folder / log.relative_to(base)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - LONGEST))
            copy.write_bytes(stream.read())


def _as_a_name(report: pytest.TestReport) -> str:
    return re.sub(r"[^\w.-]+", "-", f"{report.nodeid}-{report.when}")[-150:]
