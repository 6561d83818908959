"""The order of tests: another one each time where they share no server, and that of the files elsewhere."""

import subprocess
import sys

from devcluster.folders import CHECKOUT

SHUFFLED = ("tests/unit/test_keys.py", "tests/devcluster/test_ports.py")
SHARING = ("tests/slurmd/test_jobs.py", "tests/slurmd/test_accounts.py")


def found(*options: str) -> list[str]:
    """Return the tests of these files in the order in which they would run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run([*command, *SHUFFLED, *SHARING], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


def in_files(tests: list[str], *files: str) -> list[str]:
    return [test for test in tests if test.startswith(files)]


def test_only_tests_that_share_no_server_change_places() -> None:
    written, shuffled = found("--randomly-dont-reorganize"), found("--randomly-seed=1")
    assert sorted(shuffled) == sorted(written)
    assert in_files(shuffled, *SHARING) == in_files(written, *SHARING)
    for file in SHUFFLED:
        assert in_files(shuffled, file) != in_files(written, file), file
    # No test of one folder runs between those of another, as pytest-randomly would have it.
    assert [test.split("/")[1] for test in shuffled] == [test.split("/")[1] for test in written]
