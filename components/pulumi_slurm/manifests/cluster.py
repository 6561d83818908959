"""All objects of a cluster at once, for reviews, exports and tests; components make the same ones step by step."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.accounts import sacctmgr_job
from pulumi_slurm.manifests.autoscaling import autoscaler
from pulumi_slurm.manifests.database import database, database_host, password_secret
from pulumi_slurm.manifests.directory import directory, sssd_secret
from pulumi_slurm.manifests.files import file_config_maps
from pulumi_slurm.manifests.node_set import node_set as node_set_manifest
from pulumi_slurm.manifests.objects import ClusterRef, Manifest
from pulumi_slurm.manifests.services import before_login, before_slurmctld, before_slurmdbd, before_slurmrestd
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import machine_of, partitions_of
from pulumi_slurm.slurmconf.conf import render as render_conf


def render(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> Iterator[Manifest]:
    """Yield every object but the namespace and the Secrets, in the order in which they are made."""
    ref = ClusterRef.of(spec)
    sssd = sssd_secret(ref, spec.identity) if spec.identity else None
    if spec.identity and spec.identity.directory:
        yield from directory(ref, spec.identity.directory)
    for volume in spec.shared_volumes:
        yield from shared_volume(ref, volume)
    yield from _accounting(ref, spec)
    files = file_config_maps(ref, config_files(spec), spec.hooks)
    yield from files.values()
    yield slinky.controller(
        ref,
        spec.controller,
        spec.monitoring,
        accounting=spec.accounting is not None,
        extra_conf=render_conf(additions(spec)),
        file_refs={field: made["metadata"]["name"] for field, made in files.items()},
    )
    if not spec.controller.external:
        yield from before_slurmctld(ref)
    yield from _sacctmgr(ref, spec, "accounts", accounts_script(spec))
    yield slinky.rest_api(ref, spec.rest_api)
    yield from before_slurmrestd(ref, spec.rest_api)
    by_name = {pool.name: pool for pool in pools}
    for node_set in spec.node_sets:
        made = node_set_manifest(
            ref,
            node_set,
            machine=machine_of(node_set, pools),
            pool=by_name.get(node_set.pool or ""),
            volumes=spec.shared_volumes,
            sssd=sssd,
        )
        yield made
        if node_set.autoscaling:
            partition = node_set.autoscaling.partition or next(iter(partitions_of(spec, node_set)), None)
            yield autoscaler(ref, node_set.autoscaling, "NodeSet", made["metadata"]["name"], partition)
    for login_set in spec.login_sets:
        assert sssd is not None
        made = slinky.login_set(ref, login_set, sssd=sssd, volumes=spec.shared_volumes)
        yield made
        yield from before_login(ref, login_set)
        if login_set.autoscaling:
            yield autoscaler(ref, login_set.autoscaling, "LoginSet", made["metadata"]["name"], None)
    for token in spec.tokens:
        yield slinky.token(ref, token)


def _accounting(ref: ClusterRef, spec: SlurmSpec) -> Iterator[Manifest]:
    options = spec.accounting
    if options is None:
        return
    if not options.external:
        yield from database(ref, options.database)
    host, password = database_host(ref, options.database), password_secret(ref, options.database)
    yield slinky.accounting(ref, options, host=host, password=password)
    if not options.external:
        yield from before_slurmdbd(ref)
    yield from _sacctmgr(ref, spec, "qos", qos_script(spec))


def _sacctmgr(ref: ClusterRef, spec: SlurmSpec, role: str, script: str | None) -> list[Manifest]:
    return sacctmgr_job(ref, spec.accounting, role, script) if spec.accounting and script else []
