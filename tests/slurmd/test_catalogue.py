"""The catalogue of keys is that of the daemons: what it knows they take, and what it doesn't they refuse or ignore.

A parser names every key that it doesn't know and reads on, so one file with all keys of the catalogue is enough. Each
file ends with a key that nobody knows, so that the daemon always ends.
"""

import re
from collections.abc import Iterator, Sequence

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.slurmconf.catalogue import File, Key, keys
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.controller import configure
from tests.slurmd.host import Host
from tests.slurmd.site import Site

NOBODYS = "Nobodys"
ENTRIES = [
    *((File.SLURM, kind) for kind in ("NodeName", "PartitionName", "NodeSet", "DownNodes", "PowerAction")),
    *((File.GRES, kind) for kind in ("Name", "NodeName")),
]
"""Without FrontendName: Debian's Slurm is built without it, and says no more than that."""
TOPOLOGIES = {"tree": "SwitchName", "block": "BlockName", "ring": "RingName"}
SLURM_CONF = """\
ClusterName=c
SlurmUser=slurm
SlurmctldHost=n1
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
AuthType=auth/slurm
CredType=cred/slurm
ProctrackType=proctrack/linuxproc
GresTypes=gpu
NodeName=n1
"""


@pytest.fixture(scope="module")
def host(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with Site(image, tmp_path_factory.mktemp("catalogue")) as site:
        host = site.host("n1")
        host.folder("/var/spool/slurmd")
        for folder in ("/run/slurmctld", "/var/spool/slurmctld"):
            host.folder(folder, owner="slurm")
        yield host


@pytest.fixture
def series(image: SlurmImage) -> Series:
    return Series.of(image.version)


def said_of(host: Host, file: File, text: str, slurm_conf: str = SLURM_CONF) -> str:
    """Return what the daemon says that reads this file, which it refuses."""
    daemon = {File.SLURMDBD: "slurmdbd", File.GRES: "slurmd", File.CGROUP: "slurmd"}.get(file, "slurmctld")
    files = {"slurm.conf": slurm_conf, "cgroup.conf": "CgroupPlugin=disabled\n", file.value: f"{text}{NOBODYS}=1\n"}
    owner = "root" if daemon == "slurmd" else "slurm"
    configure(host, files, owner=owner)
    host.write("/etc/slurm/slurmdbd.conf", files.get("slurmdbd.conf", ""), mode=0o600, owner="slurm")
    command = {"slurmd": ["slurmd", "-G", "-N", "n1"]}.get(daemon, [daemon, "-D"])
    done = host.attempt(command, user=owner, seconds=10)
    assert done.returncode == 1, done.stderr
    return done.stdout + done.stderr


def refused(said: str) -> set[str]:
    """Return the keys that a daemon did not recognize."""
    return set(re.findall(r"unrecognized key: (\w+)", said)) - {NOBODYS}


def check(every: Sequence[Key], said: str, series: Series) -> None:
    known = {key.name for key in every if key.known_in(series)}
    retired = {key.name for key in every if key.until and key.until < series}
    new = {key.name for key in every} - known - retired
    assert not refused(said) & known
    assert new <= refused(said)
    # Some keys of old go on being read, to no effect.
    assert refused(said) - new <= retired


@pytest.mark.parametrize("file", [File.SLURM, File.SLURMDBD, File.CGROUP])
def test_keys_on_lines_of_their_own(host: Host, file: File, series: Series) -> None:
    every = [key for key in keys(file) if not key.begins_entry]
    lines = (f"{key.name}={'disabled' if key.name == 'CgroupPlugin' else 1}\n" for key in every)
    said = said_of(host, file, "".join(lines))
    assert f"unrecognized key: {NOBODYS}" in said
    check(every, said, series)


@pytest.mark.parametrize(("file", "kind"), ENTRIES)
def test_keys_of_entries(host: Host, file: File, kind: str, series: Series) -> None:
    (begins,) = (key for key in keys(file) if key.name == kind)
    every = keys(file, kind)
    # slurmd waits for device files.
    values = dict.fromkeys(("File", "Files", "MultipleFiles"), "/dev/null")
    name = {"NodeName": "n1", "Name": "gpu"}.get(kind, "x")
    entry = f"{kind}={name}"
    lines = [f"{entry} {key.name}={values.get(key.name, 1)}\n" for key in every]
    before = SLURM_CONF.replace("NodeName=n1\n", "") if file is File.SLURM else ""
    said = said_of(host, file, before + "".join(lines))
    if begins.known_in(series):
        check(every, said, series)
        assert "Other" in refused(said_of(host, file, f"{before}{entry} Other=1\n"))
    else:
        assert refused(said) == {kind}


@pytest.mark.parametrize("plugin", TOPOLOGIES)
def test_keys_of_topologies(host: Host, plugin: str, series: Series) -> None:
    kind = TOPOLOGIES[plugin]
    mine = {"block": ("BlockLevels", "BlockSizes")}.get(plugin, ())
    every = [key for key in keys(File.TOPOLOGY) if key.name in (*mine, kind)] + keys(File.TOPOLOGY, kind)
    lines = [f"{key.name}=1\n" for key in every if key.name in mine]
    lines += [f"{kind}=x{number} {key.name}=1\n" for number, key in enumerate(every) if key.entry]
    said = said_of(host, File.TOPOLOGY, "".join(lines), f"{SLURM_CONF}TopologyPlugin=topology/{plugin}\n")
    if plugin == "ring" and series < Series(26, 5):
        assert "cannot find topo plugin for topology/ring" in said
        return
    assert f"unrecognized key: {NOBODYS}" in said
    check(every, said, series)
