"""A rehearsal in a machine of the tests: the files and the script of its pod, with another machine's copies."""

import subprocess
from pathlib import Path

from devcluster.container_images import SCRIPTS as SCRIPTS_OF_IMAGES
from devcluster.slurm_images import SlurmImage
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.rehearsal.files import Files, NewKeys, files_that_run
from pulumi_slurm_cli.rehearsal.live import COPY
from pulumi_slurm_cli.rehearsal.places import (
    ANSWERS,
    BEGIN,
    DONE,
    DUMP,
    FILES,
    FOLDER,
    HOST,
    SCRIPT,
    SCRIPTS,
    SECRETS,
    STATE,
)
from pulumi_slurm_cli.rehearsal.result import Rehearsal, Start, compared, read_start
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import state_folder
from tests.slurmd.database import NAME, SOCKET
from tests.slurmd.differences import for_this_machine
from tests.slurmd.host import Host
from tests.slurmd.site import Site

OWNER = "slurm"
DUMP_PROGRAM = SCRIPTS_OF_IMAGES / "mariadb-dump.sh"


class Copies:
    """What is copied of a cluster that runs: slurmctld's state, and the database unless it is elsewhere."""

    def __init__(self, cluster: Cluster, slurm_conf: str, folder: Path, *, with_database: bool = True) -> None:
        self.state = folder / "state.tar"
        state = cluster.controller.host.root / state_folder(slurm_conf).lstrip("/")
        with self.state.open("wb") as tar:
            subprocess.run(["sh", "-c", COPY, str(state)], stdout=tar, check=True)
        self.dump: Path | None = None
        if cluster.mariadb and with_database:
            self.dump = folder / "dump.sql"
            self.dump.write_text(dump(cluster))


def dump(cluster: Cluster) -> str:
    """Return the statements that make the database of a cluster again."""
    assert cluster.mariadb
    cluster.mariadb.write("/usr/local/bin/mariadb-dump", DUMP_PROGRAM.read_bytes(), mode=0o755)
    options = ("--user=root", f"--socket={SOCKET}", "--single-transaction")
    return cluster.mariadb.run(["/usr/local/bin/mariadb-dump", *options, NAME])


def start(image: SlurmImage, folder: Path, files: Files, copies: Copies) -> Start:
    """Start files on the copies, on a machine in a network of its own, and return what came of it."""
    folder.mkdir(parents=True, exist_ok=True)
    with Site(image, folder) as site:
        return start_in(site, files, copies)


def start_in(site: Site, files: Files, copies: Copies) -> Start:
    """Start files on the copies, on a machine in a site, which other machines may be in, and return what came of it."""
    host = site.host(HOST)
    try:
        for path in ("/etc/slurm", "/run", "/run/slurm", FOLDER, STATE):
            host.folder(path, owner=OWNER)
        for into, texts in ((FILES, files.configuration), (SCRIPTS, files.scripts), (SECRETS, files.secrets)):
            for name, text in texts.items():
                host.write(f"{into}/{name}", text, owner=OWNER)
        _give(host, copies)
        roles = [
            host.start(["sh", f"{SCRIPTS}/{SCRIPT}", role], user=OWNER)
            for role in ("database", "slurmdbd", "slurmctld")
        ]
        host.write(BEGIN, "")
        done = host.root / DONE.lstrip("/")
        roles[-1].eventually("done", done.exists)
        answers = host.root / ANSWERS.lstrip("/")
        return read_start({file.name: file.read_text(errors="replace") for file in answers.iterdir()})
    finally:
        site.remove(host)


def rehearse(image: SlurmImage, folder: Path, before: Start, after: Files, copies: Copies) -> Rehearsal:
    """Start files on the copies and return how that differs from the start of before."""
    return compared(before, start(image, folder, after, copies), None, after.differences, [])


def files_here(files: dict[str, str | bytes], series: Series, slurmdbd_conf: str | None = None) -> Files:
    """Return the files of a rehearsal of files that tests have as text."""
    adapted = {name: str(text) for name, text in for_this_machine(files).items()}
    return files_that_run(adapted, slurmdbd_conf, series, NewKeys())


def _give(host: Host, copies: Copies) -> None:
    for file, path in ((copies.state, f"{FOLDER}/state.tar"), (copies.dump, DUMP)):
        if file:
            host.write(path, file.read_bytes(), owner=OWNER)
    host.run(["tar", "-x", "-f", f"{FOLDER}/state.tar", "-C", STATE, "--no-same-owner"], user=OWNER)
