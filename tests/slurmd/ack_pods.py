"""A cluster of ack-slurm-operator's on hosts named as its pods, from the files and start scripts that we render.

Where they differ from a real cluster's:
1. Of Alibaba's two plugins, node_features/k8s_resources is one of the tests with the same behaviour
   (`k8s_resources.c`), and the submit plugin is left out.
2. Slurm is 24.11 or 22.05, the neighbours with munge of the real one, which is 23.02. For 22.05, SuspendExcStates and
   ReconfigFlags=KeepPowerSaveSettings are left out, which 23.02 has brought.
3. Debian's Slurm has no NVML, so gres.conf doesn't ask it for GPUs.
4. cgroup.conf switches cgroups off, or for 22.05 takes v1, which it doesn't look for before it uses it: hosts here may
   lack what slurmd looks for, and our lines use none of it.
5. Controllers and slurmdbd start without the operator's scripts, which do what `start_munge` does here, and then
   start them. Workers start by our own script, which the operator fills in.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from functools import cached_property

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.ack_slurm.manifests.accounting_job import accounting_job
from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.files import public_files
from pulumi_slurm.ack_slurm.manifests.names import slurmdbd_host
from pulumi_slurm.ack_slurm.manifests.slurm_conf import SUBMIT_PLUGIN, slurm_conf, with_password
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.conf import Conf, render
from tests.slurmd.daemon import Daemon
from tests.slurmd.database import PASSWORD, start_mariadb
from tests.slurmd.host import CommandError, Host
from tests.slurmd.plugins import compiled, plugin_folder
from tests.slurmd.site import Site
from tests.waiting import has

MUNGE_KEY = "m" * 64
JWT_KEY = "j" * 64
CALLS = "/tmp/power.log"
_RECORD = f'#!/bin/sh\necho "{{}} $1" >>{CALLS}\n'


class AckCluster:
    """slurmctld, slurmdbd with its database, and workers; each is started by a method of its own."""

    def __init__(self, site: Site, spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> None:
        self.site, self.spec, self.pools, self.ack = site, spec, pools, ack
        self.database: Host | None = None
        self.daemons: dict[str, Daemon] = {}
        self.controller = site.host(spec.name)
        self.slurmdbd: Host | None = None
        self.hosts: dict[str, Host] = {}

    def slurmdbd_host(self) -> Host:
        """Return the host that slurm.conf names as slurmdbd's."""
        if self.slurmdbd is None:
            self.slurmdbd = self.site.host(slurmdbd_host(self.spec.name))
        return self.slurmdbd

    def start_slurmdbd(self) -> None:
        """Start MariaDB, and slurmdbd."""
        assert self.spec.accounting
        self.database = start_mariadb(self.site, str(self.spec.accounting.database.host))
        host = self.slurmdbd_host()
        self._mount(host)
        start_munge(host)
        text = render(slurmdbd_conf(self.spec, self.ack, PASSWORD))
        host.write("/etc/slurm/slurmdbd.conf", text, mode=0o600, owner="slurm")
        host.write("/var/log/slurmdbd.log", "", owner="slurm")
        daemon = host.start(["slurmdbd", "-D"], user="slurm")
        daemon.eventually("listening", host.ports, has(6819))
        self.daemons["slurmdbd"] = daemon

    def start_slurmctld(self) -> Daemon:
        """Start slurmctld; its programs for power saving write down what they are called with."""
        host = self.controller
        self._mount(host)
        if self.ack.job_completion:
            conf = with_password(slurm_conf(self.spec, self.pools, self.ack), PASSWORD)
            host.write("/etc/slurm/slurm.conf", render(adapted(conf, self.site.image)))
        start_munge(host)
        host.folder("/tmp", mode=0o1777)
        host.write("/var/log/slurmctld.log", "", owner="slurm")
        host.folder(f"/var/spool/slurmctld/{self.spec.name}", owner="slurm")
        power = self.ack.power_saving
        for name, path in (("resume", power.resume_program), ("suspend", power.suspend_program)):
            host.write(path, _RECORD.format(name), mode=0o755)
        daemon = host.start(["slurmctld", "-D"], user="slurm")
        daemon.eventually("answering", lambda: host.attempt(["scontrol", "ping"]).stdout, has(" is UP"))
        self.daemons["slurmctld"] = daemon
        return daemon

    def start_worker(self, group: str, number: int) -> str:
        """Start a worker by its own start script, and return the node's name."""
        rendered = slurm_cluster(self.spec, self.pools, self.ack, "image")["spec"]
        (worker_group,) = (item for item in rendered["workerGroupSpecs"] if item["groupName"] == group)
        name = f"{self.spec.name}-worker-{group}-{number}"
        host = self.hosts.get(name) or self.site.host(name, published=False)
        self.hosts[name] = host
        self._mount(host)
        script = worker_group["initBash"].replace("{{.MungeKeyPath}}", self.ack.munge_path)
        host.write("/start.sh", script.replace("{{.SlurmConfPath}}", "/mounted"))
        self.daemons[name] = host.start(["bash", "-lc", "--", "exec bash /start.sh"], env={"NODE_NAME": name})
        return name

    def stop_worker(self, name: str) -> None:
        """End a worker's pod, as the operator does after it was asked to."""
        self.daemons.pop(name).stop()
        self.site.remove(self.hosts.pop(name))

    def run_accounting_job(self) -> str:
        """Run the Job's command in a pod of its own, and return what it prints."""
        host, command = self._accounting_pod(MUNGE_KEY)
        return host.run(command)

    def start_accounting_job(self, munge_key: str = MUNGE_KEY) -> Daemon:
        """Start the Job's command, which may wait."""
        host, command = self._accounting_pod(munge_key)
        return host.start(command)

    def _accounting_pod(self, munge_key: str) -> tuple[Host, Sequence[str]]:
        config_map, job, _ = accounting_job(self.spec, "image").values()
        host = self.site.host("accounts-pod")
        host.write(f"{self.ack.munge_path}/munge.key", munge_key)
        host.folder("/run", mode=0o1777)
        for name, text in config_map["data"].items():
            host.write(f"/etc/slurm/{name}", text)
        (container,) = job["spec"]["template"]["spec"]["containers"]
        return host, container["command"]

    def calls(self) -> list[str]:
        """Return how Slurm has called its programs for power saving: what for, and a hostlist."""
        return self.controller.attempt(["cat", CALLS]).stdout.splitlines()

    def node_states(self) -> dict[str, str]:
        """Return the nodes that Slurm knows, with their states."""
        text = self.controller.run(["sinfo", "--noheader", "--Node", "--format=%N %T"])
        return dict(line.split() for line in text.splitlines())

    def wait_for(self, name: str, state: str) -> None:
        """Wait until a node has a state."""
        slurmctld = self.daemons["slurmctld"]
        slurmctld.eventually(f"{name} being {state}", self.node_states, lambda states: states.get(name) == state)

    def run(self, *command: str, user: str | None = None) -> str:
        """Run a client on the controller and return what it prints."""
        return self.controller.run(command, user=user)

    def _mount(self, host: Host) -> None:
        """Write what a pod has mounted, and copy it to where Slurm looks, as start scripts do."""
        shutil.rmtree(host.root / "mounted", ignore_errors=True)
        host.folder("/run", mode=0o1777)
        host.folder("/etc/slurm")
        for name, text in self._files().items():
            for folder in ("/mounted", "/etc/slurm"):
                host.write(f"{folder}/{name}", text)
        host.write(f"{self.ack.munge_path}/munge.key", MUNGE_KEY)
        host.write(f"{self.ack.jwt_path}/jwt_hs256.key", JWT_KEY, mode=0o440, owner="slurm")
        if self.ack.copilot:
            host.write(f"{plugin_folder(self.site.image)}/node_features_k8s_resources.so", self._plugin)

    @cached_property
    def _plugin(self) -> bytes:
        return compiled("k8s_resources.c", self.site.image, self.site.folder)

    def _files(self) -> Mapping[str, str]:
        files = public_files(self.spec, self.pools, self.ack)
        files["slurm.conf"] = render(adapted(slurm_conf(self.spec, self.pools, self.ack), self.site.image))
        files["gres.conf"] = files.get("gres.conf", "").replace("AutoDetect=NVML\n", "")
        plugin = "cgroup/v1" if self.site.image.series == "22.05" else "disabled"
        return {**files, "cgroup.conf": f"CgroupPlugin={plugin}\n"}


def adapted(conf: Conf, image: SlurmImage) -> Conf:
    """Return slurm.conf without Alibaba's submit plugin, and for 22.05 without what is newer (differences 1 and 2)."""
    newer = {"SuspendExcStates", "ReconfigFlags"} if image.series == "22.05" else set()
    options = {key: value for key, value in conf.options.items() if key not in {"JobSubmitPlugins", *newer}}
    plugins = conf.options.get("JobSubmitPlugins", ())
    assert isinstance(plugins, tuple)
    if others := tuple(plugin for plugin in plugins if plugin != SUBMIT_PLUGIN):
        options["JobSubmitPlugins"] = others
    return Conf(conf.file, options, conf.entries)


def start_munge(host: Host) -> None:
    """Start munge as the operator's start scripts do."""
    host.write("/etc/munge/munge.key", MUNGE_KEY, mode=0o400, owner="munge")
    host.run(["service", "munge", "start"])
    if not (host.root / "run/munge/munge.socket.2").exists():
        raise CommandError(f"{host.name}: munge does not run")
