"""docs/reviews.md: its commands are of known forms, and it names the files that a team copies."""

import re
import shlex

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.__main__ import _parser
from tests.doc_blocks import blocks_of

PAGE = CHECKOUT / "docs" / "reviews.md"


def lines(check: str) -> list[list[str]]:
    """Return the words of each command of a check."""
    found = [line for block in blocks_of(PAGE) if block.check == check for line in block.text.splitlines()]
    return [shlex.split(line) for line in found]


def test_each_command_of_review_is_taken() -> None:
    found = [*lines("review-commands"), *lines("review-embedded")]
    words = [line for line in found if line[0] == "pulumi-slurm"]
    assert len(words) == 5
    for line in words:
        assert _parser().parse_args(line[line.index("review") :]).command == "review"


def test_the_engine_and_make_are_called_as_they_are() -> None:
    makefile = (CHECKOUT / "Makefile").read_text()
    targets = {line[line.index("make") + 1] for line in lines("review-embedded") if "make" in line}
    assert targets == {"up", "pulumi"}
    for target in targets:
        assert f"\n{target}:" in makefile
    previews = [" ".join(line) for check in ("review-commands", "review-embedded") for line in lines(check)]
    logged = [line for line in previews if "--event-log" in line]
    assert len(logged) == 2
    assert all(line.startswith("PULUMI_DEBUG_COMMANDS=true ") for line in logged)


def test_all_files_of_a_forge_are_named() -> None:
    named = set(re.findall(r"\(\.\./examples/workflows/([\w.-]+)\)", PAGE.read_text()))
    files = {file.name for file in (CHECKOUT / "examples" / "workflows").iterdir() if file.is_file()}
    assert named == files - {"drift.yaml", "prove.yaml", "prove.gitlab-ci.yaml"}
    workflow = (CHECKOUT / "examples" / "workflows" / "review.yaml").read_text()
    for name in ("PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_ACCESS_TOKEN"):
        assert name in workflow
        assert f"`{name}`" in PAGE.read_text()
