"""docs/from-spec-to-job.md: its specification on real daemons, its commands run, its blocks compared with the answers.

With UPDATE_DOCS=1 in the environment the blocks are written anew.
"""

import os
import re
from collections.abc import Iterator
from itertools import groupby

import pytest
import yaml

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.loading import load
from tests.doc_blocks import Block, blocks_of
from tests.slurmd.cluster import Cluster
from tests.slurmd.operated.operated_cluster import OperatedClusters
from tests.slurmd.operated.operator import Operator, OperatorFiles
from tests.slurmd.site import Site

PAGE = CHECKOUT / "docs" / "from-spec-to-job.md"
SERIES = "26.05"
FILES = ("slurm.conf", "cgroup.conf", "gres.conf")


def page_blocks(*checks: str) -> list[Block]:
    return [block for block in blocks_of(PAGE) if block.check in checks]


@pytest.fixture(scope="module")
def operator_files(operator: Operator) -> OperatorFiles:
    config = yaml.safe_load(page_blocks("config")[0].text)["config"]
    return operator.everything(*load(config["slurm:cluster"], config["slurm:pools"]))


@pytest.fixture(scope="module")
def cluster(
    operator_files: OperatorFiles, images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Cluster]:
    with Site(images[SERIES], tmp_path_factory.mktemp("docs")) as site:
        clusters = OperatedClusters(site)
        cluster = clusters.start(operator_files)
        clusters.set_accounts(operator_files)
        clusters.start_workers(cluster, operator_files)
        yield cluster


def test_the_page_says_what_happens(operator_files: OperatorFiles, cluster: Cluster) -> None:
    text = PAGE.read_text()
    for block in page_blocks("operated", "session"):
        output = (
            with_same_keys(operator_files, block.text) if block.check == "operated" else session(cluster, block.text)
        )
        text = text.replace(f"{block.language}\n{block.text}```", f"{block.language}\n{output}```")
    assert f"the daemons of Slurm {cluster.site.image.version} ran" in text
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text


def with_same_keys(operator_files: OperatorFiles, before: str) -> str:
    """Return the files with the keys that the block had before, the others as "...", and slurmd's arguments."""
    keys = {line.partition("=")[0] for line in before.splitlines()}
    parts = [f"# {name}\n{_with_keys(str(operator_files.slurmctld[name]), keys)}" for name in FILES]
    hosts: dict[str, list[str]] = {}
    for name, words in sorted(operator_files.workers.items()):
        hosts.setdefault(f"{' '.join(words[:-1])} '{words[-1]}'", []).append(name)
    return "".join([*parts, *(f"# slurmd on {', '.join(names)}\n{words}\n" for words, names in hosts.items())])


def _with_keys(text: str, keys: set[str]) -> str:
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    kept_lines = [line if line.partition("=")[0] in keys else "..." for line in lines]
    return "".join(f"{line}\n" for line, _ in groupby(kept_lines))


def session(cluster: Cluster, text: str) -> str:
    """Run the commands of a block and return them with their answers."""
    answers = []
    for command in re.findall(r"^\$ (.*)$", text, re.M):
        _settle(cluster)
        done = cluster.controller.host.attempt(["sh", "-c", command], user=JOB_USER)
        answers.append(f"$ {command}\n{done.stdout}{done.stderr}")
    return re.sub(r" +$", "", "".join(answers), flags=re.M)


def _settle(cluster: Cluster) -> None:
    """Wait until the jobs before are over and in accounting."""
    for name in cluster.workers:
        cluster.wait_idle(name)
    daemon = cluster.controller.daemon
    assert daemon
    sent = re.compile(r"DBD Agent queue size: *0$", re.M)
    daemon.eventually("having told accounting", lambda: cluster.run("sdiag"), sent.search)
