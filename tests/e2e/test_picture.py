"""Pictures of reviews as a browser draws them, on a light and on a dark page."""

import base64
import json
import os
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster import debian
from devcluster.folders import CHECKOUT
from devcluster.root_filesystems import BROWSER
from pulumi_slurm_cli.__main__ import main
from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.picture import svg
from pulumi_slurm_cli.review.report import ShownAmount, ShownCluster, ShownNodeSet, ShownPartition, ShownSize
from pulumi_slurm_cli.review.worker_fates import Fate
from tests.e2e.browser import opened
from tests.e2e.test_reviews import CHANGES, settings

_RECORDED = ("scale", "partition-limit", "partition-removed", "another-namespace")
"""Reviews whose pictures have each mark and limits."""
_SCRIPT = Path(__file__).with_name("picture_problems.js")
_FAULTY = """
<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100" viewBox="0 0 300 100"
style="background: #ffffff"><g style="color: #000000">
<rect x="10" y="10" width="100" height="80" style="fill: #ffffff"/>
<text x="20" y="50">far too long for a box</text>
<text x="20" y="30" style="fill: #999999">pale</text>
<text x="20" y="80">one</text><text x="30" y="84">other</text><text x="280" y="50">outside</text></g></svg>
"""
"""A picture with each of the faults that are looked for."""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return pictures by name: that of the README, those of recorded reviews, and the widest that there can be."""
    folder = tmp_path_factory.mktemp("pictures")
    drawn = {
        "readme": (CHECKOUT / "docs/review.svg").read_text(),
        "widest": svg([_widest("W" * 40), _widest("漢" * 40)]),
    }
    base = _written(folder / "Pulumi.base.yaml", settings())
    for name in _RECORDED:
        head, file = _written(folder / f"Pulumi.{name}.yaml", CHANGES[name]), folder / f"{name}.svg"
        main(["review", "--offline", base, head, "--picture", str(file), "--output", str(folder / f"{name}.md")])
        drawn[name] = file.read_text()
    return drawn


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_can_be_read(scheme: str, pictures: dict[str, str], tmp_path: Path) -> None:
    missing = debian.obstacles(built=BROWSER.folder.exists())
    if missing and not os.environ.get("CI"):
        pytest.skip("a browser cannot run here: " + "; ".join(missing))
    assert not missing
    page = tmp_path / "page.html"
    page.write_text(_page({**pictures, "faulty": _FAULTY}))
    found = _found(opened(page, scheme))
    assert found.pop("faulty")["problems"] == [
        'outside of the picture: <text x="280" y="50">outside</text>',
        "outside of its box: far too long for a box",
        "hard to read: pale",
        "hard to read in the image: pale",
        "over each other: one, other",
        "outside of its box: outside",
    ]
    assert {name: picture["problems"] for name, picture in found.items()} == {name: [] for name in pictures}
    assert all(picture["texts"] > 4 for picture in found.values())
    # The image, too, is drawn for who prefers this scheme.
    assert all((picture["background"] > 0.5) is (scheme == "light") for picture in found.values())


def _written(file: Path, config: dict[str, Any]) -> str:
    file.write_text(yaml.safe_dump({"config": config}))
    return str(file)


def _page(pictures: dict[str, str]) -> str:
    figures = "".join(
        f'<figure id="{name}">{drawn}<img src="data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}">'
        "</figure>"
        for name, drawn in pictures.items()
    )
    head = '<meta charset="utf-8"><meta name="color-scheme" content="light dark">'
    return f'<html><head>{head}</head><body>{figures}<pre id="found"></pre><script>{_SCRIPT.read_text()}</script>'


def _found(document: str) -> dict[str, Any]:
    (text,) = re.findall(r'<pre id="found">(.*?)</pre>', document, re.DOTALL)
    found: dict[str, Any] = json.loads(unescape(text))
    return found


def _widest(name: str) -> ShownCluster:
    """Return a cluster with every kind of box, with names and numbers as wide as there are."""
    many, more = (ShownAmount(least=least, most=most) for least, most in ((10_000, 99_999), (8_000_000, 9_999_999)))
    before, after = (
        ShownSize(nodes=amount, cpus=amount, memory_mib=amount, gpus={name: amount}) for amount in (many, more)
    )
    node_sets = [
        ShownNodeSet(
            name=f"{fate.name}-{verdict.name}-{name}",
            pool=f"{verdict.name} {name}",
            partitions=[name],
            before=before,
            after=after,
            fate=fate,
            of_pool=verdict,
        )
        for fate, verdict in zip([*Fate, Fate.STAY], Verdict, strict=True)
    ]
    limits: dict[str, tuple[str | None, str | None]] = {
        "allowAccounts": (", ".join([name] * 9), None),
        "maxTime": (None, "365-00:00:00"),
    }
    sides = ((None, after), (before, None), (before, before), (before, after))
    partitions = [
        ShownPartition(name=name if place == 0 else f"{place}-{name}", before=old, after=new, limits=limits)
        for place, (old, new) in enumerate(sides)
    ]
    return ShownCluster(
        name=name * 3,
        effects=[],
        partitions=partitions,
        nodes=(before, after),
        lines=[],
        access=[],
        node_sets=node_sets,
    )
