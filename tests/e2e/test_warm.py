"""Programs that begin with the SDKs imported do and say what they do and say when they begin as users' do."""

from pathlib import Path

import pytest

from devcluster.toolchain import Toolchain
from tests.e2e.program import Program, Run

PROGRAMS = {
    "prints": "import os, sys\nprint('out', os.getcwd())\nprint('err', *sys.argv[1:], file=sys.stderr)",
    "is refused": "import pulumi\nraise pulumi.RunError('write another')",
    "has a mistake": "import pulumi\n\n\ndef two():\n    return 1 / 0\n\n\npulumi.export('two', two())",
    "exits": "import sys\nsys.exit(3)",
    "reads its configuration": "import pulumi\npulumi.export('name', pulumi.Config('reader').require('name'))",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_engine_says_the_same(tools: Toolchain, tmp_path: Path, name: str) -> None:
    source = {"Pulumi.yaml": "name: reader\nruntime: python\n", "__main__.py": PROGRAMS[name]}
    said = []
    for warm in (True, False):
        program = Program(tools, tmp_path, None, source=source, warm=warm)
        said.append(spoken(program.preview({"reader:name": "hpc"}, check=False)))
        (tmp_path / "program").rename(tmp_path / f"program-{warm}")
    assert said[0] == said[1]
    assert said[0][1]


def spoken(run: Run) -> tuple[int, list[str]]:
    """Return a run's exit code and what was printed."""
    diagnostics = [event["diagnosticEvent"] for event in run.events if "diagnosticEvent" in event]
    return run.code, [*sorted(one["message"] for one in diagnostics), str(run.changes)]
