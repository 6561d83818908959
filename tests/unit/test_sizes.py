"""What `make test` leaves out, as it only shows again what another test shows."""

import re
from collections.abc import Iterator

import pytest

from devcluster.folders import CHECKOUT


def markers() -> Iterator[tuple[str, str]]:
    """Yield each use of the marker: its file, and what it names."""
    for file in sorted((CHECKOUT / "tests").rglob("test_*.py")):
        for named in re.findall(r"""mark\.repeats\(\s*"([^"]+)""", file.read_text(encoding="utf-8")):
            yield str(file.relative_to(CHECKOUT)), named


@pytest.mark.parametrize(("file", "named"), list(markers()))
def test_what_repeats_names_the_file_of_what_shows_it_first(file: str, named: str) -> None:
    shown_by = re.split(r"[ ,]", named)[0]
    assert (CHECKOUT / shown_by).is_file(), f"{file}: {named}"
    # Where it names its own file, `make test` must run another test, or other parameters, there.
    assert shown_by != file or "param(" in (CHECKOUT / file).read_text(encoding="utf-8")
