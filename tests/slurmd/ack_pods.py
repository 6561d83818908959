"""A cluster of ack-slurm-operator's on hosts named as its pods, from the files and start scripts that we render.

Where they differ from a real cluster's:
1. Of Alibaba's two plugins, node_features/k8s_resources is one of the tests with the same behaviour
   (`k8s_resources.c`), and the submit plugin is left out.
2. Slurm is 24.11 or 22.05, the neighbours with munge of the real one, which is 23.02. For 22.05, SuspendExcStates and
   ReconfigFlags=KeepPowerSaveSettings are left out, which 23.02 has brought.
3. Debian's Slurm has no NVML, so gres.conf doesn't ask it for GPUs.
4. cgroup.conf switches cgroups off, or for 22.05 takes v1, which it doesn't look for before it uses it: hosts here may
   lack what slurmd looks for, and our lines use none of it.
5. Controllers and slurmdbd start without the operator's scripts, which copy files as `_start_pod` does, and then start
   munge, which our script does here as it does where theirs could not, and the daemon. Workers start by our own script,
   which the operator fills in.
6. The user slurm has other numbers than in Alibaba's image, and so has the group of pods' volumes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.ack_slurm.manifests import names
from pulumi_slurm.ack_slurm.manifests.accounting_job import accounting_job
from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.config_maps import config_maps
from pulumi_slurm.ack_slurm.manifests.ldap_files import ldap_files
from pulumi_slurm.ack_slurm.manifests.slurm_conf import SUBMIT_PLUGIN, slurm_conf, with_password
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.ack_slurm.manifests.start_scripts import MUNGE
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.names import key_secret
from pulumi_slurm.slurmconf.conf import Conf, render
from tests.slurmd.daemon import Daemon
from tests.slurmd.database import PASSWORD, start_mariadb
from tests.slurmd.host import CommandError, Host
from tests.slurmd.plugins import compiled, plugin_folder
from tests.slurmd.pod_mounts import Data, mount_volumes
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
            self.slurmdbd = self.site.host(names.slurmdbd_host(self.spec.name))
        return self.slurmdbd

    def start_slurmdbd(self) -> None:
        """Start MariaDB, and slurmdbd."""
        assert self.spec.accounting
        self.database = start_mariadb(self.site, str(self.spec.accounting.database.host))
        host = self.slurmdbd_host()
        self._start_pod(host, self.object["slurmdbd"])
        host.run(["sh", "-c", "chmod 0600 /etc/slurm/slurmdbd.conf; chown slurm: /etc/slurm/slurmdbd.conf"])
        host.write("/var/log/slurmdbd.log", "", owner="slurm")
        daemon = host.start(["slurmdbd", "-D"], user="slurm")
        daemon.eventually("listening", host.ports, has(6819))
        self.daemons["slurmdbd"] = daemon

    def start_slurmctld(self) -> Daemon:
        """Start slurmctld; its programs for power saving write down what they are called with."""
        host = self.controller
        self._start_pod(host, self.object["slurmctld"])
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

    def start_worker(self, group: str, number: int, before: str = "true") -> str:
        """Start a worker by its own start script, after a command of the shell, and return the node's name."""
        (worker_group,) = (item for item in self.object["workerGroupSpecs"] if item["groupName"] == group)
        name = f"{self.spec.name}-worker-{group}-{number}"
        host = self.hosts.get(name) or self.site.host(name, published=False)
        self.hosts[name] = host
        self.mount(host, worker_group)
        script = worker_group["initBash"].replace("{{.MungeKeyPath}}", self.ack.munge_path)
        host.write("/start.sh", script.replace("{{.SlurmConfPath}}", self.ack.config_path))
        self.daemons[name] = host.start(
            ["bash", "-lc", "--", f"{before}; exec bash /start.sh"], env={"NODE_NAME": name}
        )
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
        host.folder("/run", mode=0o1777)
        data = {**self._data, ("ConfigMap", config_map["metadata"]["name"]): config_map["data"]}
        for kind, name in self._data:
            if kind == "Secret" and names.MUNGE_FILE in self._data[kind, name]:
                data[kind, name] = {names.MUNGE_FILE: munge_key}
        pod = job["spec"]["template"]["spec"]
        mount_volumes(host, pod, data)
        (container,) = pod["containers"]
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

    def _start_pod(self, host: Host, daemon: Manifest) -> None:
        """Do what the operator's start script does before it starts a daemon, and start munge."""
        self.mount(host, daemon)
        host.run(["sh", "-c", 'cp -L -r "$1"/* /etc/slurm', "sh", self.ack.config_path])
        host.run(["bash", f"{self.ack.config_path}/{MUNGE}", self.ack.munge_path])
        if not (host.root / "run/munge/munge.socket.2").exists():
            raise CommandError(f"{host.name}: munge does not run")

    def mount(self, host: Host, daemon: Manifest) -> None:
        """Make what a daemon's pod has before it starts."""
        host.folder("/run", mode=0o1777)
        host.write("/etc/slurm/cgroup.conf", f"CgroupPlugin={self._cgroup_plugin}\n")
        pod = daemon["template"]["spec"]
        context = pod.get("securityContext", {})
        if context.get("fsGroup") == names.SLURM_ID:
            context = {**context, "fsGroup": int(host.run(["id", "-g", "slurm"]))}
        mount_volumes(host, {**pod, "securityContext": context}, self._data)
        if self.ack.copilot:
            host.write(f"{plugin_folder(self.site.image)}/node_features_k8s_resources.so", self._plugin)

    @cached_property
    def object(self) -> Manifest:
        """The spec of the SlurmCluster."""
        spec: Manifest = slurm_cluster(self.spec, self.pools, self.ack, "image")["spec"]
        return spec

    @cached_property
    def _data(self) -> Data:
        """What is in ConfigMaps and Secrets that pods mount."""
        ref, name = ClusterRef.of(self.spec), self.spec.name
        data: dict[tuple[str, str], Mapping[str, str]] = {
            ("ConfigMap", item["metadata"]["name"]): item["data"]
            for item in config_maps(self.spec, self.pools, self.ack)
        }
        public = ("ConfigMap", names.config_map(name))
        data[public] = {**data[public], **self._adapted_files(data[public])}
        jwt = ref.jwt_key()
        data["Secret", key_secret(name, "munge")] = {names.MUNGE_FILE: MUNGE_KEY}
        data["Secret", jwt["name"]] = {jwt["key"]: JWT_KEY}
        if self.spec.accounting:
            text = render(slurmdbd_conf(self.spec, self.ack, PASSWORD))
            data["Secret", names.slurmdbd_secret(name)] = {"slurmdbd.conf": text}
        if self.ack.job_completion:
            conf = with_password(slurm_conf(self.spec, self.pools, self.ack), PASSWORD)
            data["Secret", names.controller_secret(name)] = {"slurm.conf": render(adapted(conf, self.site.image))}
        if self.spec.identity:
            data["Secret", names.ldap_secret(name)] = ldap_files(self.spec, self.ack, PASSWORD)
        return data

    @cached_property
    def _plugin(self) -> bytes:
        return compiled("k8s_resources.c", self.site.image, self.site.folder)

    def _adapted_files(self, files: Mapping[str, str]) -> Mapping[str, str]:
        conf = render(adapted(slurm_conf(self.spec, self.pools, self.ack), self.site.image))
        gres = {name: text.replace("AutoDetect=NVML\n", "") for name, text in files.items() if name == "gres.conf"}
        return {"slurm.conf": conf, **gres}

    @property
    def _cgroup_plugin(self) -> str:
        return "cgroup/v1" if self.site.image.series == "22.05" else "disabled"


def adapted(conf: Conf, image: SlurmImage) -> Conf:
    """Return slurm.conf without Alibaba's submit plugin, and for 22.05 without what is newer (differences 1 and 2)."""
    newer = {"SuspendExcStates", "ReconfigFlags"} if image.series == "22.05" else set()
    options = {key: value for key, value in conf.options.items() if key not in {"JobSubmitPlugins", *newer}}
    plugins = conf.options.get("JobSubmitPlugins", ())
    assert isinstance(plugins, tuple)
    if others := tuple(plugin for plugin in plugins if plugin != SUBMIT_PLUGIN):
        options["JobSubmitPlugins"] = others
    return Conf(conf.file, options, conf.entries)
