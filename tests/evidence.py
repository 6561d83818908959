"""What a failed test leaves for whoever has to understand it: the objects of clusters, and the logs of all daemons.

They are looked for in the folder that pytest has for temporary files, so it doesn't matter who has started what is
there, and whether it still runs. tests/conftest.py registers it. Where it is, the failure's report says.
"""

import json
import re
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import pytest

from devcluster.api import Api

HERE = Path(__file__).parent
KINDS = ("/api/v1/events", "/api/v1/pods", "/api/v1/nodes", "/api/v1/configmaps", "/apis/apps/v1/statefulsets")
LONGEST = 1_000_000
"""Bytes of a log that are kept, its last ones."""
BASE = pytest.StashKey[Path]()
"""The folder for temporary files of the run."""
BEGAN = pytest.StashKey[float]()
"""When a test began, with its fixtures, in seconds since the epoch."""
WITHOUT_SERVERS = ("unit", "devcluster", "components")
"""Folders whose tests have no servers in common: they run in another order each time, and leave nothing to be kept.

Elsewhere tests go on with the servers of those before them.
"""


@pytest.fixture(scope="session", autouse=True)
def folder_of_the_run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tell the hook below where to look."""
    request.config.stash[BASE] = tmp_path_factory.getbasetemp().resolve()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Write down when it begins."""
    item.stash[BEGAN] = time.time()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what a test with servers leaves, if it has failed."""
    report = yield
    base = item.config.stash.get(BASE, None)
    if report.failed and base and item.path.relative_to(HERE).parts[0] not in WITHOUT_SERVERS:
        top: Path | None = item.config.getoption("evidence")
        folder = (top or Path(tempfile.gettempdir()) / "pulumi-slurm-evidence") / _as_a_name(report)
        try:
            missing = list(keep(base, item.stash.get(BEGAN, 0.0), folder))
        except Exception as error:
            # What it can't have must not end the run.
            missing = [repr(error)]
        report.sections.append(("evidence", "\n".join([f"objects and logs are in {folder}", *missing])))
    return report


def keep(base: Path, began: float, folder: Path) -> Iterator[str]:
    """Keep what clusters below a folder have, Secrets left out, with their logs; yield what can't be had.

    The logs of other daemons are kept if they go on since a time.
    """
    logs = {log for log in _found(base, "*.log") if log.stat().st_mtime >= began}
    for log in _found(base, "logs/kube-apiserver.log"):
        cluster = log.parent.parent
        own = folder / cluster.relative_to(base)
        own.mkdir(parents=True, exist_ok=True)
        try:
            api = Api(cluster / "kubeconfig")
            if api.ready():
                for path in KINDS:
                    items = api.get(path)["items"]
                    (own / f"{path.rpartition('/')[2]}.json").write_text(json.dumps(items, indent=1))
        except Exception as error:
            yield f"objects of {cluster}: {error!r}"
        logs |= {*(cluster / "logs").glob("*.log"), *(cluster / "nodes").glob("*/pods/**/*.log")}
    _copy(logs, base, folder)


def _found(base: Path, pattern: str) -> Iterator[Path]:
    """Yield what is as near to the top as the tests put it; below are file systems of nodes."""
    for depth in range(4):
        # pytest has a link to the last folder of each name besides.
        yield from (file for file in base.glob("*/" * depth + pattern) if file.resolve() == file)


def _copy(logs: Iterable[Path], base: Path, folder: Path) -> None:
    for log in logs:
        copy = folder / log.relative_to(base)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - LONGEST))
            copy.write_bytes(stream.read())


def _as_a_name(report: pytest.TestReport) -> str:
    return re.sub(r"[^\w.-]+", "-", f"{report.nodeid}-{report.when}")[-150:]
