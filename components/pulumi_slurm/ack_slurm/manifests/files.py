"""The files in /etc/slurm, and the ConfigMap or Secret of each."""

from collections.abc import Sequence

from pulumi_slurm.ack_slurm.manifests.gres_conf import gres_conf
from pulumi_slurm.ack_slurm.manifests.names import config_map, controller_secret, slurmdbd_secret
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf
from pulumi_slurm.ack_slurm.manifests.start_scripts import scripts
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.objects import ONLY_OWNER, READABLE_BY_ALL, Manifest
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import render

FOLDER = "/etc/slurm/"
"""Where the daemons find them: start scripts copy them from where they are mounted, with their modes."""
EXECUTABLE = 0o755


def public_files(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> dict[str, str]:
    """Return the files of all pods, by name: slurm.conf, gres.conf, the user's files and hooks, and start scripts.

    There is only a cgroup.conf if the user sets it in `configFiles`: neither of Alibaba's guides has one.
    """
    hooks = spec.hooks
    gres = render(gres_conf(spec, pools, ack))
    return {
        File.SLURM.value: render(slurm_conf(spec, pools, ack)),
        **({File.GRES.value: gres} if gres else {}),
        **spec.config_files,
        **hooks.prolog,
        **hooks.epilog,
        **hooks.prolog_slurmctld,
        **hooks.epilog_slurmctld,
        **scripts(spec, ack),
    }


def config_volume(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, daemon: str) -> Manifest:
    """Return the volume with a daemon's configuration files, from several sources.

    Only slurmdbd gets slurmdbd.conf: it contains a password, and in any other pod with this file the start script
    would start a slurmdbd.
    """
    names = list(public_files(spec, pools, ack))
    public_config_map: Manifest = {"name": config_map(spec.name)}
    public: Manifest = {"configMap": public_config_map}
    secret: Manifest | None = None
    if daemon == "slurmdbd":
        secret = _from_secret(slurmdbd_secret(spec.name), File.SLURMDBD, ONLY_OWNER)
    elif daemon == "slurmctld" and ack.job_completion:
        names.remove(File.SLURM.value)
        # The commands of all users on the controller need it.
        secret = _from_secret(controller_secret(spec.name), File.SLURM, READABLE_BY_ALL)
    hooks = spec.hooks
    has_hooks = any((hooks.prolog, hooks.epilog, hooks.prolog_slurmctld, hooks.epilog_slurmctld))
    if has_hooks or _task_programs(spec) or (daemon == "slurmctld" and ack.job_completion):
        # Files are only listed if they need modes or paths, because then every new file changes the pod template.
        public = {"configMap": {**public_config_map, "items": [_item_of_file(spec, name) for name in names]}}
    return {"name": "config", "projected": {"sources": [public, *([secret] if secret else [])]}}


def _item_of_file(spec: SlurmSpec, name: str) -> Manifest:
    hooks = spec.hooks
    for folder, scripts_by_name in (("prolog.d", hooks.prolog), ("epilog.d", hooks.epilog)):
        if name in scripts_by_name:
            return {**_item(name, f"{folder}/{name}"), "mode": EXECUTABLE}
    if name in {**hooks.prolog_slurmctld, **hooks.epilog_slurmctld} or name in _task_programs(spec):
        return {**_item(name, name), "mode": EXECUTABLE}
    return _item(name, name)


def _task_programs(spec: SlurmSpec) -> set[str]:
    """Return the names of files that Slurm runs around tasks: where it can't, the task ends."""
    paths = {text for key, text in spec.slurm_conf.extra.items() if key.lower() in ("taskprolog", "taskepilog")}
    return {name for name in spec.config_files if f"{FOLDER}{name}" in paths}


def _item(key: str, path: str) -> Manifest:
    return {"key": key, "path": path}


def _from_secret(name: str, file: File, mode: int) -> Manifest:
    return {"secret": {"name": name, "items": [{**_item(file.value, file.value), "mode": mode}]}}
