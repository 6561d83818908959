"""The pods of Jobs with Slurm's commands: their files and command, with a token as the operator would make it."""

import subprocess
from collections.abc import Mapping
from typing import Any

from pulumi_slurm.configuration.accounts import undo_file
from pulumi_slurm.configuration.drain import SECONDS_FOR_JOBS, SECONDS_FOR_SLURMCTLD
from pulumi_slurm.configuration.slurmdbd_wait import SECONDS
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.accounts import WAIT, sacctmgr_job
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.parts.drain_job import DrainJobPart
from pulumi_slurm.manifests.parts.plan import cluster_parts
from pulumi_slurm.model import AccountingSpec, QosSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.slurmd.controller import KEYS
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import Host
from tests.slurmd.rest import token
from tests.slurmd.site import Site

USER = "nobody"
"""Whoever the pod runs as: the token says who asks."""


class SacctmgrPod:
    """A host that runs the scripts of Jobs."""

    def __init__(self, site: Site) -> None:
        self.host: Host = site.host("sacctmgr")
        self.wait_seconds = SECONDS
        """How long Jobs wait for slurmdbd."""
        self.write_files(sacctmgr_job(ClusterRef(name="c"), AccountingSpec(), "qos", ""))

    def run_job(self, spec: SlurmSpec, role: str, script: str | None) -> str:
        """Run a Job as its manifests have it and return what it prints; raise CommandError when it fails.

        When it has succeeded, its successor finds what undoes it, as Kubernetes would mount it.
        """
        assert spec.accounting
        if script is None:
            return ""
        undo = undo_file(spec) if role == "accounts" else None
        manifests = sacctmgr_job(ClusterRef.of(spec), spec.accounting, role, script, undo)
        printed = self.run(*self.write_files(manifests))
        self.keep_for_the_next(manifests)
        return printed

    def start_job(self, script: str, *, jwt_key: bytes | None = None) -> Daemon:
        """Start the Job of a script, which may wait."""
        command = self.write_files(sacctmgr_job(ClusterRef(name="c"), AccountingSpec(), "qos", script))
        return self.host.start(command, user=USER, env={"SLURM_JWT": token(jwt_key or _jwt_key())})

    def run_drain_job(
        self, manifests: Mapping[str, Manifest], *, seconds: int = 3, jwt_key: bytes | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the Job that comes before an update; return what it prints and its code.

        Here it waits for jobs only so many ``seconds``, and for slurmctld twice that time.
        """
        command = self._write_drain_job(manifests, seconds, 2 * seconds)
        return self.host.attempt(command, user=USER, env={"SLURM_JWT": token(jwt_key or _jwt_key())})

    def start_drain_job(self, manifests: Mapping[str, Manifest]) -> Daemon:
        """Start the same Job, which waits for slurmctld as long as in a cluster."""
        command = self._write_drain_job(manifests, 3, SECONDS_FOR_SLURMCTLD)
        return self.host.start(command, user=USER, env={"SLURM_JWT": token(_jwt_key())})

    def _write_drain_job(self, manifests: Mapping[str, Manifest], for_jobs: int, for_slurmctld: int) -> list[str]:
        command = self.write_files(manifests)
        script = self.host.read(command[-1])
        for name, seconds, here in (
            ("seconds_for_jobs", SECONDS_FOR_JOBS, for_jobs),
            ("seconds_for_slurmctld", SECONDS_FOR_SLURMCTLD, for_slurmctld),
        ):
            assert f"{name}={seconds}\n" in script
            script = script.replace(f"{name}={seconds}\n", f"{name}={here}\n")
        self.host.write(command[-1], script)
        return command

    def keep_for_the_next(self, manifests: Mapping[str, Manifest]) -> None:
        """Write the files of the ConfigMap that comes after a Job where the next one has them."""
        mounts = [mount for mount in _container(manifests)["volumeMounts"] if mount["name"] == "last"]
        for mount in mounts:
            for name, text in [*manifests.values()][-1]["data"].items():
                self.host.write(f"{mount['mountPath']}/{name}", text)

    def run(self, *command: str) -> str:
        """Run a command with a token of SlurmUser."""
        return self.host.run(command, user=USER, env={"SLURM_JWT": token(_jwt_key())})

    def write_files(self, manifests: Mapping[str, Manifest]) -> list[str]:
        """Write the files of the Job's pod and return its command."""
        for name, text in manifests["configmap"]["data"].items():
            self.host.write(f"/etc/slurm/{name}", self._waiting_less(text) if name == WAIT else text)
        command: list[str] = _container(manifests)["command"]
        return command

    def _waiting_less(self, script: str) -> str:
        assert f"+ {SECONDS}))" in script
        return script.replace(f"+ {SECONDS}))", f"+ {self.wait_seconds}))")


def _container(manifests: Mapping[str, Manifest]) -> Manifest:
    container: Manifest
    (container,) = manifests["job"]["spec"]["template"]["spec"]["containers"]
    return container


def drain_job(config: dict[str, Any]) -> Mapping[str, Manifest]:
    """Return the objects of the Job that comes before an update to a configuration."""
    with collected_warnings():
        spec, pools = load(config)
    (drain,) = (planned.part for planned in cluster_parts(spec, pools) if isinstance(planned.part, DrainJobPart))
    return drain.manifests()


def with_named_qos(spec: SlurmSpec) -> SlurmSpec:
    """Return the specification with the QoS that the owner of a slurmdbd outside would have made."""
    assert spec.accounting
    if not spec.accounting.external:
        return spec
    named = {name.lower() for _, _, o in all_partitions(spec) for name in (o.qos, *o.allow_qos, *o.deny_qos) if name}
    return spec.model_copy(update={"accounting": AccountingSpec(qos=[QosSpec(name=name) for name in sorted(named)])})


def _jwt_key() -> bytes:
    key = KEYS["jwt.key"]
    return key.encode() if isinstance(key, str) else key
