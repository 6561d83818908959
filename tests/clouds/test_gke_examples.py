"""A whole GKE cluster by a program of one's own: one stack in YAML, then in another language."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from devcluster.parts import ENGINE_PARTS, SDK_GENERATOR, YAML
from devcluster.toolchain import ensure
from tests.clouds.gcp.surroundings import Google
from tests.clouds.surroundings import CloudProgram
from tests.clouds.whole_life import not_ready
from tests.e2e.objects import Objects
from tests.e2e.other_languages import EXAMPLES, HOSTS, find_npm, installed_packages, source
from tests.waiting import eventually_nothing

LINES = {"gke_python/__main__.py": 15, "gke_typescript/index.ts": 30, "gke_yaml/Pulumi.yaml": 30}
"""The most lines of each program."""
CHANGED: Mapping[str, Mapping[str, str]] = {
    "gke_python": {
        '"zones"': '"deletion_protection": False, "zones"',
        "    cluster={": '    operator={"preinstalled": True},\n    cluster={"operator_version": "1.1.0", ',
    },
    "gke_typescript": {
        "zones:": "deletionProtection: false, zones:",
        "    cluster: {": '    operator: { preinstalled: true },\n    cluster: {\n        operatorVersion: "1.1.0",',
    },
    "gke_yaml": {
        "zones:": "deletionProtection: false\n        zones:",
        "      cluster:": "      operator: { preinstalled: true }\n      cluster:\n        operatorVersion: 1.1.0",
    },
}
"""What is written otherwise here: an operator of another release is there, and in the end the cluster is destroyed."""
IN_TYPESCRIPT = pytest.mark.repeats("tests/e2e/test_other_languages.py, on a cloud")
SETTINGS = {"gcp:project": "my-project"}


@pytest.mark.parametrize(("program", "most"), LINES.items())
def test_a_whole_cluster_takes_few_lines(program: str, most: int) -> None:
    assert len((EXAMPLES / program).read_text().splitlines()) <= most


def files(example: str) -> dict[str, str]:
    """Return the files of an example, changed for the embedded cluster."""
    texts = source(EXAMPLES / example)
    for written, changed in CHANGED[example].items():
        assert sum(text.count(written) for text in texts.values()) == 1
        texts = {name: text.replace(written, changed) for name, text in texts.items()}
    return texts


@pytest.mark.parametrize("other", ["gke_python", pytest.param("gke_typescript", marks=IN_TYPESCRIPT)])
def test_one_cluster_in_two_languages(google: Google, objects: Objects, tmp_path: Path, other: str) -> None:
    tools = ensure([*ENGINE_PARTS, YAML, SDK_GENERATOR])
    program = CloudProgram(google, tmp_path, stack="hpc", source=files("gke_yaml"), plugins=[HOSTS])
    program.tools = tools
    program.up(SETTINGS)
    eventually_nothing("pods that are not ready", lambda: not_ready(objects))
    assert program.up(None, "--expect-no-changes").changes == {}
    assert objects.names("NodeSet", "slurm") == {"hpc-worker-cpu", "hpc-worker-gpu"}
    for name, text in files(other).items():
        (program.folder / name).write_text(text)
    if other == "gke_typescript":
        installed_packages(tools, find_npm(), program.folder)
    assert program.preview(None, "--expect-no-changes").changes == {}
    program.destroy()
