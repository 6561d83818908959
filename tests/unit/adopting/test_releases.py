"""What the chart makes of values comes to a specification whose objects change no pod, or is refused by its path."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.adopting.chart import adopted

CASES = yaml.safe_load((Path(__file__).parent / "releases.yaml").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_release(case: Mapping[str, Any]) -> None:
    adoption = adopted(case["values"])
    assert [*map(str, adoption.refused)] == case.get("refused", [])
    if not adoption.refused:
        assert missing(adoption.data, case["has"]) == []


def missing(data: Any, part: Any, path: str = "") -> list[str]:
    """Return where ``data`` lacks something of ``part``."""
    if isinstance(part, Mapping) and isinstance(data, Mapping):
        return [found for key, value in part.items() for found in missing(data.get(key), value, f"{path}.{key}")]
    if isinstance(part, list) and isinstance(data, list) and len(part) == len(data):
        return [
            found
            for index, (item, value) in enumerate(zip(data, part, strict=True))
            for found in missing(item, value, f"{path}[{index}]")
        ]
    return [] if data == part else [f"{path}: {data!r} is not {part!r}"]
