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
    *((File.SLURM, keyword) for keyword in ("NodeName", "PartitionName", "NodeSet", "DownNodes", "PowerAction")),
    *((File.GRES, keyword) for keyword in ("Name", "NodeName")),
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


def output_of(host: Host, file: File, text: str, slurm_conf: str = SLURM_CONF) -> str:
    """Return what the daemon says that reads this file, which it refuses."""
    daemon = {File.SLURMDBD: "slurmdbd", File.GRES: "slurmd", File.CGROUP: "slurmd"}.get(file, "slurmctld")
    files = {"slurm.conf": slurm_conf, "cgroup.conf": "CgroupPlugin=disabled\n", file.value: f"{text}{NOBODYS}=1\n"}
    owner = "root" if daemon == "slurmd" else "slurm"
    configure(host, files, owner=owner)
    host.write("/etc/slurm/slurmdbd.conf", files.get("slurmdbd.conf", ""), mode=0o600, owner="slurm")
    command = {"slurmd": ["slurmd", "-G", "-N", "n1"]}.get(daemon, [daemon, "-D"])
    result = host.attempt(command, user=owner)
    assert result.returncode == 1, result.stderr
    return result.stdout + result.stderr


def refused(output: str) -> set[str]:
    """Return the keys that a daemon did not recognize."""
    return set(re.findall(r"unrecognized key: (\w+)", output)) - {NOBODYS}


def check(all_keys: Sequence[Key], output: str, series: Series) -> None:
    accepted = {key.name for key in all_keys if key.known_in(series)}
    retired = {key.name for key in all_keys if key.until and key.until < series}
    new = {key.name for key in all_keys} - accepted - retired
    assert not refused(output) & accepted
    assert new <= refused(output)
    # Some keys of old go on being read, to no effect.
    assert refused(output) - new <= retired


@pytest.mark.parametrize("file", [File.SLURM, File.SLURMDBD, File.CGROUP])
def test_keys_on_lines_of_their_own(host: Host, file: File, series: Series) -> None:
    all_keys = [key for key in keys(file) if not key.begins_entry]
    lines = (f"{key.name}={'disabled' if key.name == 'CgroupPlugin' else 1}\n" for key in all_keys)
    output = output_of(host, file, "".join(lines))
    assert f"unrecognized key: {NOBODYS}" in output
    check(all_keys, output, series)


@pytest.mark.parametrize(("file", "keyword"), ENTRIES)
def test_keys_of_entries(host: Host, file: File, keyword: str, series: Series) -> None:
    (entry_key,) = (key for key in keys(file) if key.name == keyword)
    all_keys = keys(file, keyword)
    # slurmd waits for device files.
    values = dict.fromkeys(("File", "Files", "MultipleFiles"), "/dev/null")
    name = {"NodeName": "n1", "Name": "gpu"}.get(keyword, "x")
    entry = f"{keyword}={name}"
    lines = [f"{entry} {key.name}={values.get(key.name, 1)}\n" for key in all_keys]
    other_lines = SLURM_CONF.replace("NodeName=n1\n", "") if file is File.SLURM else ""
    output = output_of(host, file, other_lines + "".join(lines))
    if entry_key.known_in(series):
        check(all_keys, output, series)
        assert "Other" in refused(output_of(host, file, f"{other_lines}{entry} Other=1\n"))
    else:
        assert refused(output) == {keyword}


@pytest.mark.parametrize("plugin", TOPOLOGIES)
def test_keys_of_topologies(host: Host, plugin: str, series: Series) -> None:
    keyword = TOPOLOGIES[plugin]
    options = {"block": ("BlockLevels", "BlockSizes")}.get(plugin, ())
    all_keys = [key for key in keys(File.TOPOLOGY) if key.name in (*options, keyword)] + keys(File.TOPOLOGY, keyword)
    lines = [f"{key.name}=1\n" for key in all_keys if key.name in options]
    lines += [f"{keyword}=x{number} {key.name}=1\n" for number, key in enumerate(all_keys) if key.entry]
    output = output_of(host, File.TOPOLOGY, "".join(lines), f"{SLURM_CONF}TopologyPlugin=topology/{plugin}\n")
    if plugin == "ring" and series < Series(26, 5):
        assert "cannot find topo plugin for topology/ring" in output
        return
    assert f"unrecognized key: {NOBODYS}" in output
    check(all_keys, output, series)
