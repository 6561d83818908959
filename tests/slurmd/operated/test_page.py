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
from tests.slurmd.operated.operator import Made, Operator
from tests.slurmd.operated.running import Running
from tests.slurmd.site import Site

PAGE = CHECKOUT / "docs" / "from-spec-to-job.md"
SERIES = "26.05"
FILES = ("slurm.conf", "cgroup.conf", "gres.conf")


def found(*checks: str) -> list[Block]:
    return [block for block in blocks_of(PAGE) if block.check in checks]


@pytest.fixture(scope="module")
def made(operator: Operator) -> Made:
    config = yaml.safe_load(found("config")[0].text)["config"]
    return operator.everything(*load(config["slurm:cluster"], config["slurm:pools"]))


@pytest.fixture(scope="module")
def cluster(made: Made, images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Site(images[SERIES], tmp_path_factory.mktemp("docs")) as site:
        running = Running(site)
        cluster = running.start(made)
        running.set_accounts(made)
        running.start_workers(cluster, made)
        yield cluster


def test_the_page_says_what_happens(made: Made, cluster: Cluster) -> None:
    text = PAGE.read_text()
    for block in found("operated", "session"):
        came_out = operated(made, block.text) if block.check == "operated" else session(cluster, block.text)
        text = text.replace(f"{block.language}\n{block.text}```", f"{block.language}\n{came_out}```")
    assert f"the daemons of Slurm {cluster.site.image.version} ran" in text
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text


def operated(made: Made, before: str) -> str:
    """Return the files with the keys that the block had before, the others as "...", and slurmd's arguments."""
    keys = {line.partition("=")[0] for line in before.splitlines()}
    parts = [f"# {name}\n{_with_keys(str(made.slurmctld[name]), keys)}" for name in FILES]
    hosts: dict[str, list[str]] = {}
    for name, words in sorted(made.workers.items()):
        hosts.setdefault(f"{' '.join(words[:-1])} '{words[-1]}'", []).append(name)
    return "".join([*parts, *(f"# slurmd on {', '.join(names)}\n{words}\n" for words, names in hosts.items())])


def _with_keys(text: str, keys: set[str]) -> str:
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    shown = [line if line.partition("=")[0] in keys else "..." for line in lines]
    return "".join(f"{line}\n" for line, _ in groupby(shown))


def session(cluster: Cluster, text: str) -> str:
    """Run the commands of a block and return them with their answers."""
    answers = []
    for command in re.findall(r"^\$ (.*)$", text, re.M):
        _settle(cluster)
        done = cluster.controller.host.attempt(["sh", "-c", command], user=JOB_USER, seconds=10)
        answers.append(f"$ {command}\n{done.stdout}{done.stderr}")
    return re.sub(r" +$", "", "".join(answers), flags=re.M)


def _settle(cluster: Cluster) -> None:
    """Wait until the jobs before are over and in accounting."""
    for name in cluster.workers:
        cluster.wait_idle(name)
    daemon = cluster.controller.daemon
    assert daemon
    sent = re.compile(r"DBD Agent queue size: *0$", re.M)
    daemon.wait_until(lambda: bool(sent.search(cluster.run("sdiag"))), "having told accounting")
