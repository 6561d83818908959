"""The picture of a cluster, as forges and browsers read it."""

import re
from xml.etree import ElementTree

import merman
from hypothesis import given, settings

from pulumi_slurm_cli.review.effect import Verdict
from pulumi_slurm_cli.review.picture import Mark, mermaid, picture, svg
from pulumi_slurm_cli.review.report import ShownCluster
from tests.unit.review.reviews import CLUSTERS
from tests.unit.review.test_command import review_of

SVG = "{http://www.w3.org/2000/svg}"


@settings(max_examples=20)
@given(CLUSTERS)
def test_mermaid_is_read_with_all_of_its_boxes(cluster: ShownCluster) -> None:
    text = mermaid(cluster)
    result = merman.MermanEngine(None, None).validate(text, None)
    assert result.valid, (result.error, text)


@settings(max_examples=20)
@given(CLUSTERS)
def test_svg_has_every_box_within_its_frame(cluster: ShownCluster) -> None:
    root = ElementTree.fromstring(svg([cluster, cluster]))
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    boxes = root.findall(f"{SVG}g/{SVG}rect")
    assert len(boxes) == 2 * len(picture(cluster).boxes)
    corners = []
    for box in boxes:
        x, y, wide, high = (int(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert x + wide <= width
        assert y + high <= height
        corners.append((x, y, y + high))
    for number, (x, top, bottom) in enumerate(corners):
        assert not any(x == left and top < end and begin < bottom for left, begin, end in corners[number + 1 :])


def test_it_shows_what_changes() -> None:
    (cluster,) = review_of(after={"nodeSets": [{"replicas": 1}], "partitions": [{"maxTime": 30}]}).clusters
    drawn = {box.name: box for box in picture(cluster).boxes}
    assert {name: box.mark for name, box in drawn.items()} == {
        "cpu": Mark.CHANGED,
        "gpu": Mark.GONE,
        "all": Mark.CHANGED,
        "short": Mark.GONE,
    }
    assert drawn["cpu"].lines == ("nodes 3 → 1, CPUs 12 → 4",)
    assert "maxTime 1-00:00:00 → 30" in drawn["all"].lines


def test_it_shows_pools_that_take_their_jobs_with_them() -> None:
    (cluster,) = review_of(after={}).clusters
    (first, *others) = cluster.node_sets
    for verdict, pool, node_set in (
        (Verdict.ENDS, Mark.ENDS, Mark.ENDS),
        (Verdict.DRAINS, Mark.GONE, Mark.SAME),
        (Verdict.NOTHING, Mark.SAME, Mark.SAME),
    ):
        on_pool = first.model_copy(update={"pool": "p", "of_pool": verdict})
        drawn = picture(cluster.model_copy(update={"node_sets": [on_pool, *others]})).boxes
        assert {box.name: box.mark for box in drawn if box.name in ("p", "cpu")} == {"p": pool, "cpu": node_set}


def test_both_colour_schemes_are_there() -> None:
    text = svg([])
    assert "prefers-color-scheme: dark" in text
    assert len(set(re.findall(r"background: (#\w+)", text))) == 2
