"""Programs that begin with the SDKs imported do and say what they do and say when they begin as users' do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from devcluster.environments import Packages
from devcluster.folders import CHECKOUT
from devcluster.toolchain import Toolchain
from tests.e2e.program import Program, Run
from tests.e2e.warm.process import PROCESS
from tests.e2e.warm.started import with_host

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


def test_a_program_ends_whose_host_is_gone(tmp_path: Path) -> None:
    lives, script = tmp_path / "lives", tmp_path / "program.py"
    os.mkfifo(lives)
    pipe = os.open(lives, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(pipe, True)
    script.write_text(f"import time\nlives = open({str(lives)!r}, 'w')\ntime.sleep(600)\n")
    path, python = with_host(Packages.BASE)[PROCESS].split(os.pathsep)
    lines = [
        "from devcluster.language_host import Command",
        "from tests.e2e.warm.host import Forked",
        f"forked = Forked({path!r}, Command([{python!r}, {str(script)!r}], {str(tmp_path)!r}, {{}}), {{}})",
        # It is killed no sooner than the program has begun.
        f"open({str(lives)!r})",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=CHECKOUT, check=True)
    # The program alone still writes to the pipe.
    assert os.read(pipe, 1) == b""
    os.close(pipe)


def spoken(run: Run) -> tuple[int, list[str]]:
    """Return a run's exit code and what was printed."""
    diagnostics = [event["diagnosticEvent"] for event in run.events if "diagnosticEvent" in event]
    return run.code, [*sorted(one["message"] for one in diagnostics), str(run.changes)]
