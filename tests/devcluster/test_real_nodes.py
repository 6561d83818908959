"""What the processes of real nodes are started with, and how programs are run in their pods."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devcluster import pods
from devcluster.cluster import Cluster
from devcluster.errors import DevclusterError
from devcluster.pki import Pki
from devcluster.processes import Command
from devcluster.real_nodes import DEFAULT_REAL_NODES, RealNodes
from devcluster.toolchain import Toolchain

pytestmark = pytest.mark.unit


def test_nodes_are_started_anew_with_other_images(tmp_path: Path) -> None:
    """A process whose command line is another one is restarted, see test_processes."""

    def nodes(images: str) -> RealNodes:
        ports = {"kube-apiserver": 1}
        return RealNodes(tmp_path, tmp_path, tmp_path, tmp_path / images, Pki(tmp_path), ports, DEFAULT_REAL_NODES)

    before, after = nodes("before").commands(1), nodes("after").commands(1)
    assert {name for name in before if before[name] != after[name]} == {"node-cpu-0", "node-cpu-1", "node-gpu-0"}


def test_a_node_that_does_not_come_up_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class OneNode:
        def get(self, _path: str) -> dict[str, Any]:
            ready = {"conditions": [{"type": "Ready", "status": "True"}]}
            return {"items": [{"metadata": {"name": "cpu-0"}, "spec": {}, "status": ready}]}

    monkeypatch.setattr(Cluster, "api", OneNode())
    cluster = Cluster(tmp_path, Toolchain(tmp_path, ()), operator=None, nodes=(), real_nodes=DEFAULT_REAL_NODES)
    cluster.processes.start(Command("node-cpu-1", (sys.executable, "-c", "raise SystemExit('error: no such thing')")))
    with pytest.raises(DevclusterError, match="node-cpu-1 ended at start: error: no such thing"):
        cluster.wait_for_nodes()


@pytest.mark.parametrize(("faults", "code", "printed"), [(0, 3, "in: text\n"), (2, 3, "in: text\n"), (9, 255, "")])
def test_a_program_in_a_pod_is_run_again_unless_it_has_begun(
    tmp_path: Path, faults: int, code: int, printed: str
) -> None:
    """runc is one that says so often what the real one says now and then."""
    (tmp_path / "runc").write_text(f"""\
#!/bin/sh
[ "$1 $3 $4" = "--root=/r exec program" ] || exit 9
echo >>{tmp_path}/calls
if [ "$(wc -l <{tmp_path}/calls)" -le {faults} ]; then
    echo "nsexec[1]: could not ensure we are a cloned binary: Device or resource busy" >"${{2#--log=}}"
    exit 255
fi
echo "in: $(cat)"
exit 3
""")
    (tmp_path / "runc").chmod(0o755)
    command = ["sh", "-c", pods.EXECUTE, "sh", "--root=/r", "program"]
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(command, env=env, input="text", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, printed)
    assert ("cloned binary" in done.stderr) == (faults == 9)
