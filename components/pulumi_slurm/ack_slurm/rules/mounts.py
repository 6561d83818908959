"""Where volumes are mounted in pods that have some of their own: the API server takes no path twice in a container."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.model.pods import PodExtrasSpec
from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule

FIX = 'Mount it elsewhere, for example "/home" or "/shared".'


def volumes_are_apart_from_slurms_own(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a volume in a folder of Slurm's own, or over it."""
    mounts: list[tuple[Path, str]] = [
        ((*CLUSTER, "shared_volumes", index, "mount_path"), volume.mount_path)
        for index, volume in enumerate(context.spec.shared_volumes)
    ]
    for index, node_set in enumerate(context.spec.node_sets):
        mounts += [
            ((*CLUSTER, "node_sets", index, "host_paths", number, "mount_path"), host_path.mount_path)
            for number, host_path in enumerate(node_set.host_paths)
        ]
    for at, extras in _extras(context):
        mounts += [
            ((*at, "volume_mounts", number, "mountPath"), str(mount.get("mountPath", "")))
            for number, mount in enumerate(extras.volume_mounts)
        ]
    for at, path in mounts:
        if folder := context.ack.own_folder(path):
            yield FieldError(at, path, problem(folder), FIX)


def problem(folder: str) -> str:
    """Return what is wrong with a volume that is mounted in a folder of Slurm's own, or over it."""
    return f"the daemons' own files live in {folder}"


def volume_mounts_name_a_volume(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a mount of a volume that its pods don't have, for which the operator could make none."""
    # What overrides add to pods isn't looked at.
    additional = [] if context.ack.overrides else [*_extras(context)]
    if not any(extras.volume_mounts for _, extras in additional):
        return
    spec = slurm_cluster(context.spec, context.pools, context.ack, "image")["spec"]
    pods: dict[Path, Any] = {
        ("controller",): spec["slurmctld"],
        ("slurmdbd",): spec.get("slurmdbd"),
        ("rest",): spec.get("slurmrestd"),
        **{("workers", group["groupName"]): group for group in spec["workerGroupSpecs"]},
    }
    for at, extras in additional:
        pod = pods.get(at[len(ACK) :])
        names = {volume["name"] for volume in pod["template"]["spec"]["volumes"]} if pod else set()
        for number, mount in enumerate(extras.volume_mounts if pod else ()):
            if mount.get("name") not in names:
                yield FieldError(
                    (*at, "volume_mounts", number, "name"),
                    mount.get("name", FieldError.ABSENT),
                    "its pods have no volume of this name",
                    "Write that of one of volumes, or add it there.",
                )


def _extras(context: RuleContext) -> Iterator[tuple[Path, PodExtrasSpec]]:
    ack = context.ack
    daemons: Mapping[str, Any] = {"controller": ack.controller, "slurmdbd": ack.slurmdbd, "rest": ack.rest}
    yield from (((*ACK, name), extras) for name, extras in daemons.items())
    yield from (((*ACK, "workers", name), extras) for name, extras in ack.workers.items())


RULES: tuple[Rule, ...] = (
    volumes_are_apart_from_slurms_own,
    volume_mounts_name_a_volume,
)
