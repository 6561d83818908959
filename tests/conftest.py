"""What tiers share: markers for tiers and sizes, no test that waits for daemons for ever, a loop, a kubeconfig.

A test with the marker ``repeats`` shows again, with other input or in another way, what another test shows. It is left
out unless ``--repeats`` is given, as by `make test-all`, or it is named by its whole id.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import evidence

HERE = Path(__file__).parent
SECONDS_PER_TEST = {"unit": None, "components": None, "clouds": 900, "slurmd": 600, "e2e": 900, "jobs": 900}
"""By tier, which is a folder and a marker."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--repeats", action="store_true", help="run also what shows again what another test shows")
    parser.addoption("--evidence", type=Path, help="a folder for what failed tests leave; one of its own by default")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(evidence, "evidence")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    named = [argument for argument in config.args if "::" in argument]
    if not config.getoption("repeats") and not named and "repeats" not in config.getoption("markexpr"):
        repeating = [item for item in items if item.get_closest_marker("repeats")]
        config.hook.pytest_deselected(items=repeating)
        items[:] = [item for item in items if item not in set(repeating)]
    for item in items:
        tier = item.path.relative_to(HERE).parts[0]
        if tier not in SECONDS_PER_TEST:
            continue
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
