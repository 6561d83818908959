"""What tiers share: markers for tiers and sizes, the order of tests, time limits, a loop, a kubeconfig.

The marker of each test is its tier, and no test waits for daemons for ever. A test with the marker ``repeats`` shows
again, with other input or in another way, what another test shows. It is left out unless ``--repeats`` is given, as by
`make test-all`, or a test is named by its whole id.
"""

import asyncio
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import evidence

HERE = Path(__file__).parent
_numbers = itertools.count()
SECONDS_PER_TEST = {"unit": None, "components": None, "clouds": 900, "slurmd": 600, "e2e": 900, "jobs": 900}
"""By tier, which is a folder and a marker."""
SHUFFLED = ("unit", "devcluster", "components")
"""Folders whose tests run in another order each time; elsewhere tests go on with the servers of those before them."""

WRITTEN = pytest.StashKey[int]()
"""The place of a test among those that were found."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--repeats", action="store_true", help="run also what shows again what another test shows")
    parser.addoption("--evidence", type=Path, help="a folder for what failed tests leave; one of its own by default")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(evidence, "evidence")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Write down the order of the files, before pytest-randomly changes it."""
    item.stash[WRITTEN] = next(_numbers)


# First of those that change the list, so that pytest groups tests by their fixtures afterwards, as it always does.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests, leave out what repeats, and undo what pytest-randomly has done to tests that share servers."""
    _leave_out_what_repeats(config, items)
    for item in items:
        _mark(item)
    shuffled = {item: number for number, item in enumerate(items)}
    folders = [*dict.fromkeys(map(_folder, sorted(items, key=_written)))]

    def place(item: pytest.Item) -> tuple[int, int]:
        folder = _folder(item)
        return folders.index(folder), shuffled[item] if folder in SHUFFLED else _written(item)

    items.sort(key=place)


def _leave_out_what_repeats(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = [argument for argument in config.args if "::" in argument]
    if config.getoption("repeats") or named or "repeats" in config.getoption("markexpr"):
        return
    repeating = [item for item in items if item.get_closest_marker("repeats")]
    config.hook.pytest_deselected(items=repeating)
    items[:] = [item for item in items if not item.get_closest_marker("repeats")]


def _written(item: pytest.Item) -> int:
    return item.stash[WRITTEN]


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(HERE).parts[0]


def _mark(item: pytest.Item) -> None:
    tier = _folder(item)
    if tier not in SECONDS_PER_TEST:
        return
    item.add_marker(tier)
    seconds = SECONDS_PER_TEST[tier]
    if seconds and item.get_closest_marker("timeout") is None:
        item.add_marker(pytest.mark.timeout(seconds))


@pytest.fixture(autouse=True)
def event_loop() -> Iterator[None]:
    """A loop of the test's own: pulumi takes the thread's, and ``asyncio.run`` in a test before leaves the thread none.

    Source: https://docs.python.org/3.11/library/asyncio-runner.html, and ``Runner.close`` in asyncio/runners.py.
    """
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture
def kubeconfig_with_a_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let KUBECONFIG lead to a file that has the context of the docs."""
    kubeconfig = tmp_path / "kubeconfig"
    kubeconfig.write_text(json.dumps({"contexts": [{"name": "my-context"}]}))
    monkeypatch.setenv("KUBECONFIG", str(kubeconfig))
