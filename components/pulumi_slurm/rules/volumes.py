"""Rules on volumes and the network of pods: unique names, free mount paths, and the pod network for daemons."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.access import LoginSetSpec
from pulumi_slurm.model.cluster_volumes import HEALTH_CHECK, LDAP_CA, SHARED_MEMORY, SHARED_MEMORY_PATH
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.pod import PodSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.storage import HostPathSpec, VolumeClaimTemplateSpec
from pulumi_slurm.rules.run import Rule, warns

OPERATOR_VOLUMES = frozenset(
    {
        "authorized-keys",
        HEALTH_CHECK,
        LDAP_CA,
        "run",
        "sackd-dir",
        "slurm-authsocket",
        "slurm-config",
        "slurm-etc",
        "slurm-logfile",
        "ssh-config",
        "ssh-host-keys",
        "sssd-conf",
        "statesave",
    }
)
"""Names of volumes that the operator itself adds to pods, and of those with files of the cluster."""


def volume_names_and_paths_are_unique(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse two volumes with the same name or mount path in a pod."""
    shared_paths: dict[str, str] = {}
    for index, volume in enumerate(spec.shared_volumes):
        yield from mount_path_is_free(("shared_volumes", index), volume.name, volume.mount_path, shared_paths)
    shared_names = {volume.volume_name for volume in spec.shared_volumes}
    for index, node_set in enumerate(spec.node_sets):
        names, paths = set(OPERATOR_VOLUMES | shared_names), dict(shared_paths)
        if node_set.shared_memory:
            names.add(SHARED_MEMORY)
            paths[SHARED_MEMORY_PATH] = "sharedMemory"
        for volume_path, volume_of_pod in volumes_of_pods(node_set):
            at: Path = ("node_sets", index, *volume_path)
            name = volume_of_pod.name
            if name in names:
                yield FieldError((*at, "name"), name, "the pod has a volume of this name", "Choose another name.")
            names.add(name)
            yield from mount_path_is_free(at, name, volume_of_pod.mount_path, paths)
        names |= {sidecar.volume_name(path) for sidecar in node_set.sidecars for path in sidecar.host_paths}
        yield from _extra_volumes_fit(("node_sets", index), node_set, names, paths)
    for index, login_set in enumerate(spec.login_sets):
        names = set(OPERATOR_VOLUMES | shared_names)
        yield from _extra_volumes_fit(("login_sets", index), login_set, names, dict(shared_paths))


def _extra_volumes_fit(
    parent: Path, options: NodeSetSpec | LoginSetSpec, names: set[str], paths: dict[str, str]
) -> Iterator[FieldError]:
    """Refuse volumes with a name, and mounts with a path, that the pod has already, and mounts of no volume."""
    for index, volume in enumerate(options.extra_volumes):
        if volume["name"] in names:
            at: Path = (*parent, "extra_volumes", index, "name")
            yield FieldError(at, volume["name"], "the pod has a volume of this name", "Choose another name.")
        names.add(volume["name"])
    for index, mount in enumerate(options.extra_volume_mounts):
        at = (*parent, "extra_volume_mounts", index)
        if mount["name"] not in names:
            fix = "Add it to extraVolumes, or correct the name."
            yield FieldError((*at, "name"), mount["name"], "the pod has no volume of this name", fix)
        path = mount["mountPath"].rstrip("/")
        if path in paths:
            problem = f'"{paths[path]}" is mounted there'
            yield FieldError((*at, "mountPath"), mount["mountPath"], problem, "Choose another path.")
        paths.setdefault(path, mount["name"])


def sidecar_names_and_paths_are_unique(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse two sidecars with the same name in a pod, and two host paths with the same name or mount path in one."""
    for index, node_set in enumerate(spec.node_sets):
        sidecars: set[str] = set()
        volumes = {host_path.name for _, host_path in volumes_of_pods(node_set)}
        volumes |= {volume.volume_name for volume in spec.shared_volumes}
        for position, sidecar in enumerate(node_set.sidecars):
            at: Path = ("node_sets", index, "sidecars", position)
            if sidecar.name in sidecars:
                yield FieldError(
                    (*at, "name"), sidecar.name, "the pod has a sidecar of this name", "Choose another name."
                )
                continue
            sidecars.add(sidecar.name)
            paths: dict[str, str] = {}
            for path_index, host_path in enumerate(sidecar.host_paths):
                mount_at: Path = (*at, "host_paths", path_index)
                volume = sidecar.volume_name(host_path)
                if volume in volumes:
                    problem = f'the pod has a volume "{volume}" already'
                    yield FieldError((*mount_at, "name"), host_path.name, problem, "Choose another name.")
                volumes.add(volume)
                yield from mount_path_is_free(mount_at, host_path.name, host_path.mount_path, paths)


def mount_path_is_free(at: Path, name: str, mount_path: str, used_paths: dict[str, str]) -> Iterator[FieldError]:
    """Refuse a mount path that is in ``used_paths``; otherwise add it with its name. ``at`` is the volume's path."""
    path = mount_path.rstrip("/")
    if path in used_paths:
        yield FieldError(
            (*at, "mount_path"), mount_path, f'"{used_paths[path]}" is mounted there', "Choose another path."
        )
    used_paths.setdefault(path, name)


def volumes_of_pods(node_set: NodeSetSpec) -> Iterator[tuple[Path, VolumeClaimTemplateSpec | HostPathSpec]]:
    """Yield the volumes of a node set's pods other than shared ones, each with its path relative to the node set."""
    for position, claim in enumerate(node_set.volume_claims):
        yield ("volume_claims", position), claim
    for position, folder in enumerate(node_set.host_paths):
        yield ("host_paths", position), folder


def daemons_stay_on_the_pod_network(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse the node's network for slurmctld and slurmdbd: other daemons find them by the names of their pods."""
    pods: list[tuple[str, PodSpec]] = [("controller", spec.controller.pod)]
    if spec.accounting:
        pods.append(("accounting", spec.accounting.pod))
    for name, pod in pods:
        if pod.host_network:
            yield FieldError(
                (name, "pod", "host_network"),
                True,
                "the operator's names for this daemon lead to its pod, not to a node",
                "Write false; to reach it from outside, put a Service of type LoadBalancer in front of it.",
            )


@warns
def existing_claims_keep_their_class(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of a storage class of slurmctld's state beside a claim that exists, which has one."""
    state = spec.controller.state
    if state.existing_claim and state.storage_class and not spec.controller.external:
        problem = "it has no effect, since the claim that exists has its own"
        at: Path = ("controller", "state")
        yield FieldError(
            (*at, "storage_class"), state.storage_class, problem, "Leave it out.", ((*at, "existing_claim"),)
        )


RULES: tuple[Rule, ...] = (
    volume_names_and_paths_are_unique,
    sidecar_names_and_paths_are_unique,
    existing_claims_keep_their_class,
    daemons_stay_on_the_pod_network,
)
