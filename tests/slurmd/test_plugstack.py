"""plugstack.conf and included files: what we refuse ends slurmd and srun, is passed over, or keeps slurmctld busy."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.errors import SpecError, format_path
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.plugstack import PLUGSTACK
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files, configure
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host
from tests.slurmd.operator_files import files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker

SLURM_CONF = """\
ClusterName=c
SlurmUser=slurm
SlurmctldHost=cpu-0
SlurmdSpoolDir=/var/spool/slurmd
AuthType=auth/slurm
CredType=cred/slurm
ProctrackType=proctrack/linuxproc
NodeName=cpu-0
"""
IN_IMAGE = "spank_pbs.so"
"""A plugin that Debian's package has, and Slinky's images have not."""
OWN_IMAGE = "registry.example.org/slurmd:1"
PASSED_OVER = {
    "another case": (f"Required {IN_IMAGE}", 'Invalid option "Required"'),
    "another word": (f"load {IN_IMAGE}", 'Invalid option "load"'),
    "no name": ("required", "plugstack.conf:1: Invalid line. Ignoring."),
    "nothing to include": ("# a comment\ninclude", "plugstack.conf:2: Invalid line. Ignoring."),
    "a line that goes on": (f"optional \\\n{IN_IMAGE}", f'Invalid option "{IN_IMAGE}"'),
    "a long line": (f"optional {IN_IMAGE} {'a' * 4096}", 'Invalid option "aaa'),
}
ENDS = {
    "a plugin that is nowhere": ("required spank_none.so", "Failed to load plugin spank_none.so. Aborting."),
    "a path": ("required /usr/lib/spank_none.so a=b # c", "Failed to load plugin /usr/lib/spank_none.so. Aborting."),
    "the end of a line on Windows": (f"required {IN_IMAGE}\r", f"Failed to load plugin {IN_IMAGE}\n. Aborting."),
    "a plugin of an included file": (
        "include more.conf",
        "more.conf:1: Failed to load plugin spank_none.so. Aborting.",
    ),
}
INCLUDED = {"more.conf": "required spank_none.so\n", "there.conf": "# none\n"}
LOADED = {
    "comments and spaces": f"\n # required spank_none.so\n\trequired  {IN_IMAGE} a=b # c\n",
    "no newline": f"optional {IN_IMAGE}",
    "optional ones that are nowhere": f"optional spank_none.so\noptional /usr/lib/none.so\nrequired {IN_IMAGE}\n",
    "patterns of nothing": f"include /usr/share/pyxis/*\ninclude /opt/*.conf\nrequired {IN_IMAGE}\n",
    "an included file": f"include there.conf\nrequired {IN_IMAGE}\n",
}


@pytest.fixture(scope="module")
def host(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with Site(image, tmp_path_factory.mktemp("plugstack")) as site:
        host = site.host("cpu-0")
        host.folder("/var/spool/slurmd")
        host.folder("/run/slurm")
        yield host


def refused(text: str, *, image: str | None = None) -> set[str]:
    """Return the paths at which a file is refused, with Slinky's images or with others."""
    included = {name: content for name, content in INCLUDED.items() if name in text}
    return paths_of_errors({PLUGSTACK: text, **included}, image)


def paths_of_errors(config_files: Files, image: str | None = None) -> set[str]:
    node_set: dict[str, Any] = {"name": "cpu", "machine": {"cpus": 1, "memory": "8Gi"}, "image": image}
    try:
        load({"name": "c", "nodeSets": [node_set], "configFiles": config_files})
    except SpecError as error:
        return {format_path(one.path) for one in error.errors}
    return set()


def started(host: Host, text: str) -> Daemon:
    """Start slurmd with a file."""
    with_files = {"cgroup.conf": "CgroupPlugin=disabled\n", PLUGSTACK: f"{text}\n", **INCLUDED}
    configure(host, {"slurm.conf": SLURM_CONF, **with_files}, owner="root")
    return host.start(["slurmd", "-D", "-N", "cpu-0"])


@pytest.mark.parametrize("name", PASSED_OVER)
def test_slurmd_passes_over_lines_that_we_refuse(host: Host, name: str) -> None:
    text, message = PASSED_OVER[name]
    assert refused(text, image=OWN_IMAGE) == {f'configFiles["{PLUGSTACK}"]'}
    slurmd = started(host, text)
    slurmd.eventually_says(message)
    slurmd.kill()


@pytest.mark.parametrize("name", ENDS)
def test_slurmd_and_srun_end_without_what_they_require(host: Host, name: str) -> None:
    text, message = ENDS[name]
    assert refused(text) == {f'configFiles["{PLUGSTACK}"]'}
    assert "slurmd initialization failed" in started(host, text).last_words()
    asked = host.attempt(["srun", "hostname"])
    assert asked.returncode == 1
    assert message in asked.stderr
    assert "Plug-in initialization failed" in asked.stderr


def test_slurmd_and_srun_crash_on_a_file_that_includes_itself(host: Host) -> None:
    for text in (f"include {PLUGSTACK}", "include plug*"):
        assert refused(text, image=OWN_IMAGE) == {f'configFiles["{PLUGSTACK}"]'}
        assert started(host, text).wait_end() < 0
        assert host.attempt(["srun", "hostname"]).returncode < 0


@pytest.mark.parametrize("name", LOADED)
def test_slurmd_loads_the_plugins_that_we_accept(host: Host, name: str) -> None:
    assert refused(LOADED[name], image=OWN_IMAGE) == set()
    slurmd = started(host, LOADED[name])
    slurmd.eventually_says("slurmd started")
    slurmd.kill()
    assert not re.search(r"spank: .*(Invalid|Aborting)", slurmd.log)


@pytest.mark.parametrize("name", ["none.conf", "/usr/share/pyxis/pyxis.conf", "/usr/share/pyxis/pyxi?.conf"])
def test_slurmctld_looks_for_files_to_include_that_are_nowhere(cluster: Cluster, name: str) -> None:
    text = f"include {name}\n"
    assert refused(text) == {f'configFiles["{PLUGSTACK}"]'}
    slurmctld = cluster.controller.launch({**files(), PLUGSTACK: text})
    slurmctld.eventually_says("retrying in 1sec up to 60sec")
    slurmctld.kill()


@pytest.mark.parametrize("name", ["cgroup.conf", "gres.conf"])
def test_slurmd_looks_for_files_to_include_in_a_folder_that_only_slurmctld_has(cluster: Cluster, name: str) -> None:
    """It exits after a minute; by its name alone the same file reaches it."""
    of_operator = files()
    for include, is_found in (("more.conf", True), ("/etc/slurm/more.conf", False)):
        config_files = {name: f"{of_operator[name]!s}Include {include}\n", "more.conf": "# none\n"}
        assert paths_of_errors(config_files) == (set() if is_found else {f'configFiles["{name}"]'})
        cluster.start_controller({**of_operator, **config_files})
        worker = cluster.workers.setdefault("cpu-0", Worker(cluster.site, "cpu-0"))
        slurmd = worker.start(cluster.server, "Feature=cpu")
        slurmd.eventually_says("slurmd started" if is_found else "retrying in 1sec up to 60sec")
        slurmd.kill()
        worker.daemon = None
