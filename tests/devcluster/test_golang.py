"""What go says is turned into one line with a fix."""

from pathlib import Path

import pytest

from devcluster.golang import explain, version_of

pytestmark = pytest.mark.unit

TIMEOUT = (
    'github.com/x/y@v1.2.3: Get "https://proxy/github.com/x/y/@v/v1.2.3.zip": dial tcp: lookup proxy: no such host'
)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (f"go: downloading a\n{TIMEOUT}\n", "github.com/x/y@v1.2.3"),
        ("verifying m@v1: checksum mismatch\n", "m@v1: checksum mismatch"),
        ("write /x: no space left on device\n", "the disk filled up"),
        ("compile: signal: killed\n", "memory ran out"),
        ("a.go:1: undefined: b\n", "undefined: b"),
        ("", "no output"),
    ],
)
def test_explain(output: str, message: str) -> None:
    line = explain(output, "engine")
    assert message in line
    assert "engine" in line
    assert "\n" not in line


def test_a_go_that_does_not_run_has_no_version(tmp_path: Path) -> None:
    assert version_of(tmp_path / "go") == ()
    fake = tmp_path / "go"
    fake.write_text("#!/bin/sh\necho go1.25.3\n")
    fake.chmod(0o755)
    assert version_of(fake) == (1, 25, 3)
