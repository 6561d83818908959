"""What tiers share: markers for tiers and sizes, the order of tests, the seed of what is drawn, time limits, a loop.

The marker of each test is its tier, and no test waits for daemons for ever. A test with the marker ``repeats`` shows
again, with other input or in another way, what another test shows. It is left out unless ``--repeats`` is given, as by
`make test-all`, or a test is named by its whole id.
"""

import asyncio
import gc
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests import evidence
from tests.evidence import WITHOUT_SERVERS
from tests.waiting import HANGS

HERE = Path(__file__).parent
_numbers = itertools.count()
TIERS = ("unit", "components", "clouds", "slurmd", "e2e", "jobs", "gpu")
"""Each is a folder and a marker."""
SECONDS_PER_TEST = 6 * HANGS
"""Only for what hangs elsewhere than in `eventually`: a wait in vain in a test, and another in the cleaning up, end
before, and so say what they waited for."""

for profile, examples in (("test", 25), ("test-all", 100)):
    hypothesis.settings.register_profile(
        profile,
        max_examples=examples,
        report_multiple_bugs=False,
        deadline=None,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )


WRITTEN = pytest.StashKey[int]()
"""The place of a test among those that were found."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--repeats", action="store_true", help="run also what shows again what another test shows")
    parser.addoption("--evidence", type=Path, help="a folder for what failed tests leave; one of its own by default")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(evidence, "evidence")
    hypothesis.settings.load_profile("test-all" if config.getoption("repeats") else "test")
    if config.getoption("randomly_seed", None) is None and config.getoption("hypothesis_seed", None) is None:
        # As with `-p no:randomly`; the processes of pytest-xdist get the options of this one.
        config.option.hypothesis_seed = str(random.SystemRandom().getrandbits(32))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Write down the order of the files, before pytest-randomly changes it."""
    item.stash[WRITTEN] = next(_numbers)


# First of those that change the list, so that pytest groups tests by their fixtures afterwards, as it always does.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark and seed the tests, leave out what repeats, and undo the new order of tests that share servers."""
    _leave_out_what_repeats(config, items)
    for item in items:
        _mark(item)
        _seed(item, config)
    shuffled = {item: number for number, item in enumerate(items)}
    folders = [*dict.fromkeys(map(_folder, sorted(items, key=_written)))]

    def place(item: pytest.Item) -> tuple[int, int]:
        folder = _folder(item)
        return folders.index(folder), shuffled[item] if folder in WITHOUT_SERVERS else _written(item)

    items.sort(key=place)


def _leave_out_what_repeats(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = [argument for argument in config.args if "::" in argument]
    if config.getoption("repeats") or named or "repeats" in config.getoption("markexpr"):
        return
    # What has failed in `make test-all` can be run again by --lf.
    failed = {}
    if config.getoption("lf", default=False) and config.cache:
        failed = config.cache.get("cache/lastfailed", {})
    left_out = [item for item in items if item.get_closest_marker("repeats") and item.nodeid not in failed]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _written(item: pytest.Item) -> int:
    return item.stash[WRITTEN]


def _folder(item: pytest.Item) -> str:
    return item.path.relative_to(HERE).parts[0]


def _mark(item: pytest.Item) -> None:
    tier = _folder(item)
    item.add_marker(pytest.mark.timeout(SECONDS_PER_TEST))
    if tier in TIERS:
        item.add_marker(tier)


def _seed(item: pytest.Item, config: pytest.Config) -> None:
    """Have hypothesis draw by the seed of the run, also in CI, where it would draw the same each time by default."""
    if isinstance(item, pytest.Function) and hypothesis.is_hypothesis_test(item.obj):
        hypothesis.seed(_seed_of(config)[1])(item.obj)


def _seed_of(config: pytest.Config) -> tuple[str, int]:
    """Return what pytest-randomly has drawn, or was told, after its option; without that plugin, hypothesis's seed."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        return "--randomly-seed", seed
    return "--hypothesis-seed", int(config.getoption("hypothesis_seed"))


def pytest_collection_finish() -> None:
    """Have the collector pass over what was loaded, which stays: with all tests these are a million objects.

    What a test makes is gone soon, so the collector needn't look at each 700 objects more: 7 % of the time of tests
    under mocks.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """End the servers of a run that was interrupted, or that ended with its first failure, while their folder is there.

    pytest does so too, but gives the folder free first, and another run that ends then removes it: see the hooks of
    this name in _pytest/tmpdir.py and runner.py, 9.2. Without their records servers are never ended.
    """
    runner = session.config.pluginmanager.get_plugin("runner")
    assert runner
    runner.pytest_sessionfinish(session)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how a run is repeated, since what is drawn may be why a test has failed."""
    if terminalreporter.stats.get("failed") or terminalreporter.stats.get("error"):
        option, seed = _seed_of(config)
        terminalreporter.line(f"Drawn by {option}={seed}, which draws the same again for the same tests.")


@pytest.fixture(scope="session")
def seed(request: pytest.FixtureRequest) -> int:
    """Return the seed of the run, for what is drawn without hypothesis."""
    return _seed_of(request.config)[1]


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
