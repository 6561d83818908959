"""gres.conf: lines that we refuse end slurmd, or leave its node with fewer GPUs than it registers with."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.errors import SpecError, format_path
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.controller import configure
from tests.slurmd.host import Host
from tests.slurmd.site import Site

SLURM_CONF = """\
ClusterName=c
SlurmUser=slurm
SlurmctldHost=gpu-0
SlurmdSpoolDir=/var/spool/slurmd
AuthType=auth/slurm
CredType=cred/slurm
ProctrackType=proctrack/linuxproc
GresTypes=gpu,mps,shard
"""
GPUS = {"name": "gpu", "replicas": 1, "machine": {"cpus": 1, "memory": "8Gi", "gpus": {"count": 2, "type": "a100"}}}
FILES = "File=/dev/nvidia[0-1]"
ENDS = {
    "a count that is not that of the files": (f"Name=gpu Type=a100 {FILES} Count=3", "count does not match File value"),
    "two kinds of files": ("Name=gpu File=/dev/nvidia0 MultipleFiles=/dev/nvidia1", "are mutually exclusive"),
    "files that run backwards": ("Name=gpu Type=a100 File=/dev/nvidia[1-0]", "can't parse File="),
    "no count": ("Name=gpu Type=a100 Count=two", "invalid count two"),
    "files on some lines": ("Name=gpu Type=a100 File=/dev/nvidia0\nName=gpu Type=a100 Count=1", "others do not"),
    "a line of none": (f"Name=gpu Type=a100 {FILES}\nName=gpu Type=a100 Count=0", "others do not"),
    "a name in another case": (f"Name=gpu Type=a100 {FILES}\nName=GPU Count=1", "others do not"),
    "two lines that only count": (f"Name=gpu Type=a100 {FILES}\nName=shard\nName=shard Count=4", "duplicate records"),
    "types on some lines": ("Name=gpu Type=a100 File=/dev/nvidia0\nName=gpu File=/dev/nvidia1", "others do not"),
}
FEWER = {
    "fewer files": "Name=gpu Type=a100 File=/dev/nvidia0",
    "another type": f"Name=gpu Type=h100 {FILES}",
    "no type": f"Name=gpu {FILES}",
    "no files": "Name=gpu Type=a100 Count=2",
    "a comment": "# none",
    "a way to detect that is none": "AutoDetect=cuda",
}
ALL = {
    "files": f"Name=gpu Type=a100 {FILES}",
    "more files": "Name=gpu Type=a100 File=/dev/nvidia[0-2]",
    "one at a time": "Name=gpu Type=A100 File=/dev/nvidia0\nName=gpu Type=a100 Files=/dev/nvidia1 Count=1",
    "by node": f"AutoDetect=off\nNodeName=gpu-[0-3] Name=gpu Type=a100 {FILES}\nNodeName=x Name=gpu Count=1",
    "beside a way to detect that is none": f"AutoDetect=none\nName=gpu Type=a100 {FILES}",
    "a count with a zero before it": f"Name=gpu Type=a100 {FILES} Count=02",
    "parts of GPUs by their files": f"Name=gpu Type=a100 {FILES}\nName=mps Count=200 {FILES}",
    "a line of none for another node": f"NodeName=gpu-0 Name=gpu Type=a100 {FILES}\nNodeName=gpu-1 Name=gpu Count=0",
    "shared": f"Name=gpu Type=a100 {FILES}\nName=shard Count=8",
}
SLICES = {
    "name": "gpu",
    "replicas": 1,
    "machine": {
        "cpus": 1,
        "memory": "8Gi",
        "gpus": {"count": 2, "type": "1g.10gb", "resource": "nvidia.com/mig-1g.10gb"},
    },
}
SLICE_FILES = """\
NodeName=gpu-[0-3] AutoDetect=off Name=gpu Type=1g.10gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap2[1-2]
NodeName=gpu-[0-3] AutoDetect=off Name=gpu Type=1g.10gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap3[0-1]
AutoDetect=nvidia"""


@pytest.fixture(scope="module")
def host(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with Site(image, tmp_path_factory.mktemp("gres")) as site:
        host = site.host("gpu-0")
        host.folder("/var/spool/slurmd")
        for number in range(3):
            host.run(["mknod", f"/dev/nvidia{number}", "c", "195", str(number)])
        host.folder("/dev/nvidia-caps")
        for number in (21, 22, 30, 31):
            host.run(["mknod", f"/dev/nvidia-caps/nvidia-cap{number}", "c", "236", str(number)])
        yield host


def refused(node_set: dict[str, Any], gres_conf: str = "") -> list[str]:
    files = {"configFiles": {"gres.conf": f"{gres_conf}\n"}} if gres_conf else {}
    try:
        load({"name": "c", "nodeSets": [node_set], **files})
    except SpecError as error:
        return [format_path(one.path) for one in error.errors]
    return []


def asked(host: Host, gres: str, gres_conf: str) -> tuple[int, str]:
    """Return what slurmd says of the GRES that it finds on its node, and its code."""
    slurm_conf = f"{SLURM_CONF}NodeName=gpu-0 Gres={gres}\n"
    files = {"slurm.conf": slurm_conf, "cgroup.conf": "CgroupPlugin=disabled\n", "gres.conf": f"{gres_conf}\n"}
    configure(host, files, owner="root")
    result = host.attempt(["slurmd", "-G", "-N", "gpu-0"])
    return result.returncode, result.stdout + result.stderr


def gpus(output: str) -> int:
    return sum(int(count) for count in re.findall(r"Gres Name=gpu Type=\S+ Count=(\d+)", output))


@pytest.mark.parametrize("name", ENDS)
def test_slurmd_ends_on_lines_that_we_refuse(host: Host, name: str) -> None:
    text, message = ENDS[name]
    assert set(refused(GPUS, text)) == {'configFiles["gres.conf"]'}
    code, output = asked(host, "gpu:a100:2", text)
    assert code == 1
    assert message in output


@pytest.mark.parametrize("name", FEWER)
def test_slurmd_finds_fewer_gpus_than_its_node_registers_with(host: Host, name: str) -> None:
    assert set(refused(GPUS, FEWER[name])) == {'configFiles["gres.conf"]'}
    code, output = asked(host, "gpu:a100:2", FEWER[name])
    assert (code, gpus(output) < 2) == (0, True), output


@pytest.mark.parametrize("name", ALL)
def test_slurmd_finds_the_gpus_of_what_we_accept(host: Host, name: str) -> None:
    assert refused(GPUS, ALL[name]) == []
    shared = ",shard:8" if name == "shared" else ""
    assert gpus(asked(host, f"gpu:a100:2{shared}", ALL[name])[1]) == 2


@pytest.mark.parametrize("gres", ["mps:100", "shard:8"])
def test_slurmd_ends_on_parts_of_gpus_that_are_not_there(host: Host, gres: str) -> None:
    plain = {**GPUS, "machine": {"cpus": 1, "memory": "8Gi"}}
    assert refused({**plain, "extraGres": [gres]}) == ["nodeSets[0].extraGres[0]"]
    assert refused({**GPUS, "extraGres": [gres]}) == []
    code, output = asked(host, gres, "# none")
    assert code == 1
    assert "failed to merge SHARED and SHARING configuration" in output


@pytest.mark.parametrize("gres", ["mps:200", "shard:8"])
def test_slurmd_divides_gpus_as_the_page_says(host: Host, gres: str) -> None:
    name, _, count = gres.partition(":")
    node_set, text = {**GPUS, "extraGres": [gres]}, f"Name=gpu Type=a100 {FILES}"
    assert refused(node_set, text) == []
    code, output = asked(host, f"gpu:a100:2,{gres}", text)
    assert (code, gpus(output)) == (0, 2), output
    parts = re.findall(rf"Gres Name={name} \S*\s*Count=(\d+)", output)
    assert sum(map(int, parts)) == int(count), output


def test_slurmd_takes_slices_of_gpus_by_their_files(host: Host) -> None:
    assert refused(SLICES) == ["nodeSets[0].machine.gpus.resource"]
    assert refused(SLICES, SLICE_FILES) == []
    code, output = asked(host, "gpu:1g.10gb:2", SLICE_FILES)
    assert (code, gpus(output)) == (0, 2), output


def test_slurmd_knows_the_ways_to_detect_that_we_accept(host: Host, image: SlurmImage) -> None:
    """It finds no GPU here, and says so of a way that it doesn't know at all."""
    known = Series.of(image.version) >= Series(26, 5)
    with_series = {"slurmVersion": "26.05" if known else "25.11"}
    config = {"name": "c", "nodeSets": [GPUS], "configFiles": {"gres.conf": "AutoDetect=full\n"}, **with_series}
    try:
        load(config)
        accepted = True
    except SpecError:
        accepted = False
    _, output = asked(host, "gpu:a100:2", "AutoDetect=full")
    assert accepted is known
    assert ("unknown autodetect flag" in output.lower()) is not known, output
