"""The files in /etc/slurm, and in which ConfigMap or Secret each of them lies."""

from collections.abc import Sequence

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm.gres_conf import gres_conf
from pulumi_slurm.ack.slurm.names import config_map, controller_secret, slurmdbd_secret
from pulumi_slurm.ack.slurm.slurm_conf import slurm_conf
from pulumi_slurm.ack.slurm.start_scripts import scripts
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import render

EXECUTABLE = 0o755
_ONLY_ROOT = 0o600


def public_files(spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec) -> dict[str, str]:
    """Return the files that every pod has, by name: slurm.conf, gres.conf, the user's own, hooks and our scripts.

    cgroup.conf is only there where the user states it: neither of Alibaba's guides has one.
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

    slurmdbd.conf goes to slurmdbd alone: it holds a password, and where else it lay, the start script would start
    a slurmdbd there.
    """
    names = list(public_files(spec, pools, ack))
    all_of_them = {"name": config_map(spec.name)}
    public: Manifest = {"configMap": all_of_them}
    secret: Manifest | None = None
    if daemon == "slurmdbd":
        secret = _from_secret(slurmdbd_secret(spec.name), File.SLURMDBD.value)
    elif daemon == "slurmctld" and ack.job_completion:
        names.remove(File.SLURM.value)
        # Everybody's: whoever is logged in to the controller has to read it.
        secret = {
            "secret": {"name": controller_secret(spec.name), "items": [_item(File.SLURM.value, File.SLURM.value)]}
        }
    hooks = spec.hooks
    hooked = any((hooks.prolog, hooks.epilog, hooks.prolog_slurmctld, hooks.epilog_slurmctld))
    if hooked or (daemon == "slurmctld" and ack.job_completion):
        # Named one by one only where it has to be: with each new file the template changes.
        public = {"configMap": {**all_of_them, "items": [_placed(spec, name) for name in names]}}
    return {"name": "config", "projected": {"sources": [public, *([secret] if secret else [])]}}


def _placed(spec: SlurmSpec, name: str) -> Manifest:
    hooks = spec.hooks
    for folder, named in (("prolog.d", hooks.prolog), ("epilog.d", hooks.epilog)):
        if name in named:
            return {**_item(name, f"{folder}/{name}"), "mode": EXECUTABLE}
    if name in {**hooks.prolog_slurmctld, **hooks.epilog_slurmctld}:
        return {**_item(name, name), "mode": EXECUTABLE}
    return _item(name, name)


def _item(key: str, path: str) -> Manifest:
    return {"key": key, "path": path}


def _from_secret(name: str, file: str) -> Manifest:
    return {"secret": {"name": name, "items": [{**_item(file, file), "mode": _ONLY_ROOT}]}}
