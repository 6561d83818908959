"""What a change of a cluster that ack-slurm-operator runs means for jobs.

What becomes of the SlurmCluster itself, also of one that isn't ours, is told with the other resources:
`resource_effects`. Changed files reach pods that run, and have slurmctld restart there: `start_scripts` of the library.
"""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.ack_slurm.manifests.names import keys_config_map, ssh_service
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.slurmconf.catalogue import Change
from pulumi_slurm_cli.review.account_effects import account_effects
from pulumi_slurm_cli.review.ack_side import AckSide
from pulumi_slurm_cli.review.ack_workers import replaced_fields
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.effect import Effect, Verdict
from pulumi_slurm_cli.review.line_effects import IN_PLACE, line_effects
from pulumi_slurm_cli.review.other_objects import other_effects
from pulumi_slurm_cli.review.partition_effects import partition_effects
from pulumi_slurm_cli.review.releases import slurm_release_effect
from pulumi_slurm_cli.review.stores import accounting_store_effects, shared_volume_effects, state_effect
from pulumi_slurm_cli.review.whole_cluster import cluster_is_made_anew, whole_cluster_effects

_HOLDS: Mapping[Change, str] = MappingProxyType(
    {**IN_PLACE, Change.RESTART_SLURMCTLD: "", Change.RESTART_ALL: IN_PLACE[Change.RESTART_SLURMD]}
)
"""When lines hold by what they take, in pods that stay, where slurmctld restarts for them."""
_HOLDS_AT_ONCE = MappingProxyType({**dict.fromkeys(Change, ""), Change.UNSAFE: _HOLDS[Change.UNSAFE]})
"""When they do in pods that are made anew."""


def ack_cluster_effects(change: ClusterChange) -> Iterator[Effect]:
    """Yield what the change means, in the order in which a reviewer asks."""
    yield from whole_cluster_effects(change)
    before, after = change.before, change.after
    if not (isinstance(before, AckSide) and isinstance(after, AckSide)) or cluster_is_made_anew(change):
        return
    pods_stay = not replaced_fields(before, after)
    yield from state_effect(before.state_claim, after.state_claim, stays=before.keeps_state)
    yield from accounting_store_effects(before.spec.accounting, after.spec.accounting)
    yield from shared_volume_effects(before.spec, after.spec)
    yield from _of_releases(before, after)
    yield from _of_workers(before, after)
    if pods_stay and not after.ack.cluster_chart:
        yield from _of_numbers(before, after)
    yield from partition_effects(before, after, drained=False)
    if pods_stay:
        yield from _of_files(before, after)
        yield from _of_root_keys(before, after)
    yield from line_effects(change, _HOLDS if pods_stay else _HOLDS_AT_ONCE)
    yield from account_effects(before.spec, after.spec)
    yield from _of_logins(before, after)
    yield from _of_users(before, after)
    yield from _of_copilot(before, after)
    yield from other_effects(change)


def _of_releases(before: AckSide, after: AckSide) -> Iterator[Effect]:
    old, new = before.ack.slurm_version, after.ack.slurm_version
    if old == new:
        return
    yield slurm_release_effect("Slurm", old, new, together=False)
    if before.image == after.image:
        meaning = "Whether the image has that release nobody knows here; lines of slurm.conf are now as it wants them."
        yield Effect(Verdict.UNJUDGED, "image", "stays, with another slurmVersion", meaning)


def _of_workers(before: AckSide, after: AckSide) -> Iterator[Effect]:
    """Yield node sets that come and grow. Of workers that go, the SlurmCluster's change says it."""
    for name, group in after.groups.items():
        subject, old = f"node set {name}", before.groups.get(name)
        if old is None:
            workers = f", with {counted(group.min_nodes, 'worker')}" if group.min_nodes else ""
            yield Effect(Verdict.NOTHING, subject, f"is new{workers}")
            continue
        if group.elastic and group.max_nodes > old.max_nodes:
            yield Effect(Verdict.NOTHING, subject, f"{old.max_nodes} nodes at most, then {group.max_nodes}")
        if group.elastic and group.min_nodes != old.min_nodes:
            meaning = "Slurm may end those that are idle."
            if group.min_nodes > old.min_nodes:
                meaning = "Slurm keeps them once jobs have started them; none is started for it."
            yield Effect(Verdict.NOTHING, subject, f"{old.min_nodes} nodes always, then {group.min_nodes}", meaning)
        elif group.min_nodes > old.min_nodes:
            yield Effect(Verdict.NOTHING, subject, f"{counted(group.min_nodes - old.min_nodes, 'worker')} more")


def _of_numbers(before: AckSide, after: AckSide) -> Iterator[Effect]:
    """Yield what the SlurmCluster's update in place means for workers that Slurm starts: see `autoscaled_fields`."""
    scaled = [name for name, group in after.groups.items() if group.elastic and name in before.groups]
    if scaled and _without_numbers(before, scaled) != _without_numbers(after, scaled):
        meaning = "It also sends the number of workers that Pulumi last read, and those beyond it end with their jobs."
        meaning += " Update by pulumi up --refresh, which reads it first."
        yield Effect(Verdict.ENDS, f"node set {', '.join(scaled)}", "the SlurmCluster changes in place", meaning)


def _without_numbers(side: AckSide, scaled: Collection[str]) -> Manifest:
    """Return the spec of the SlurmCluster without the numbers of workers of some groups, whose changes are ignored."""
    spec = side.slurm_cluster["spec"]
    # Overrides may have put anything there.
    groups = spec["workerGroupSpecs"] if isinstance(spec.get("workerGroupSpecs"), list) else []
    without = [
        {**group, "replicas": None} if isinstance(group, Mapping) and group.get("groupName") in scaled else group
        for group in groups
    ]
    return {**spec, "workerGroupSpecs": without}


def _of_files(before: AckSide, after: AckSide) -> Iterator[Effect]:
    if names := _changed(before.texts, after.texts):
        verdict, meaning = _restart(after)
        yield Effect(verdict, "slurmctld", f"has other files ({', '.join(names)})", meaning)


def _of_users(before: AckSide, after: AckSide) -> Iterator[Effect]:
    old, new = before.spec.identity, after.spec.identity
    if old and old.directory and not (new and new.directory):
        meaning = "Pods that run ask it until they are made anew: logins and jobs fail there whose users aren't known."
        yield Effect(Verdict.ENDS, "directory", "goes", meaning)
    if old and new and (names := _changed(before.ldap_texts, after.ldap_texts)):
        # Mounted by their subPath, they aren't renewed: https://kubernetes.io/docs/concepts/configuration/secret/.
        meaning = "Pods that run keep the old ones, until they are made anew."
        yield Effect(Verdict.UNJUDGED, "users", f"{', '.join(names)} change", meaning)


def _of_copilot(before: AckSide, after: AckSide) -> Iterator[Effect]:
    old, new = before.ack.copilot, after.ack.copilot
    if old and new and old.token != new.token:
        meaning = "Without one that is valid it asks Slurm for nothing, and pods and jobs may take the same CPUs."
        writer = "the stack's secret" if new.token else "slurmctld"
        yield Effect(Verdict.UNJUDGED, "copilot", f"its token comes from {writer}", meaning)


def _restart(after: AckSide) -> tuple[Verdict, str]:
    """Return what other files do to slurmctld, by the scripts that its pod starts with."""
    if after.ack.cluster_chart:
        return Verdict.NOTHING, "They hold once its pod has been deleted by hand."
    if after.ack.controller.init_bash:
        return Verdict.UNJUDGED, "When it reads them, its initBash says."
    return Verdict.RESTART, "It restarts minutes after the update. Jobs and queue stay; commands wait meanwhile."


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """Return the names of the files that differ, or that only one side has."""
    return [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]


def _of_logins(before: AckSide, after: AckSide) -> Iterator[Effect]:
    service = ("Service", ssh_service(before.spec.name))
    if service in before.objects and service not in after.objects:
        meaning = "Sessions through it end, and with them jobs that srun or salloc started there."
        yield Effect(Verdict.ENDS, "logins", f"Service {service[1]} goes", meaning)


def _of_root_keys(before: AckSide, after: AckSide) -> Iterator[Effect]:
    keys = ("ConfigMap", keys_config_map(before.spec.name))
    if before.objects.get(keys) != after.objects.get(keys):
        meaning = "slurmctld's pod keeps those that it has, until it is made anew."
        yield Effect(Verdict.NOTHING, "keys of root", "change", meaning)
