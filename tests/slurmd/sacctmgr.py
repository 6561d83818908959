"""The pod of a sacctmgr Job: its files and its command, with a token as the operator would make it."""

from pulumi_slurm.manifests.accounts import sacctmgr_job
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.model import AccountingSpec, QosSpec, SlurmSpec
from pulumi_slurm.rules.partitions import all_partitions
from tests.slurmd.controller import KEYS
from tests.slurmd.host import Host
from tests.slurmd.rest import token
from tests.slurmd.site import Site

USER = "nobody"
"""Whoever the pod runs as: the token says who asks."""


class SacctmgrPod:
    """A host that runs the scripts of Jobs."""

    def __init__(self, site: Site) -> None:
        self.host: Host = site.host("sacctmgr")
        self._write_files(ClusterRef(name="c"), "")

    def run_job(self, spec: SlurmSpec, role: str, script: str | None) -> str:
        """Run a Job as its manifest has it and return what it prints; raise CommandError when it fails."""
        assert spec.accounting
        if script is None:
            return ""
        return self.run(*self._write_files(ClusterRef.of(spec), script, spec.accounting, role))

    def run(self, *command: str) -> str:
        """Run a command with a token of SlurmUser."""
        return self.host.run(command, user=USER, env={"SLURM_JWT": token(_jwt_key())})

    def _write_files(
        self, ref: ClusterRef, script: str, accounting: AccountingSpec | None = None, role: str = "qos"
    ) -> list[str]:
        """Write the files of the Job's pod and return its command."""
        config_map, _, job = sacctmgr_job(ref, accounting or AccountingSpec(), role, script)
        for name, text in config_map["data"].items():
            self.host.write(f"/etc/slurm/{name}", text)
        (container,) = job["spec"]["template"]["spec"]["containers"]
        command: list[str] = container["command"]
        return command


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
