"""What tiers share: the marker of each test is its tier, no test waits for daemons for ever, a loop, a kubeconfig."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SECONDS_PER_TEST = {"unit": None, "components": None, "clouds": 900, "slurmd": 600, "e2e": 900, "jobs": 900}
"""By tier, which is a folder and a marker."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
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
