"""Settings for machines outside the Kubernetes cluster, as an output: lines, commands, and where the keys are."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.configuration.files import cgroup_conf
from pulumi_slurm.configuration.outside import (
    external_slurmd_conf,
    outside_slurm_conf,
    outside_slurmdbd_conf,
    slurmctld_address,
)
from pulumi_slurm.derived.operator_lines import JWKS_FILE, slurmctld_hosts
from pulumi_slurm.manifests.objects import Manifest, pruned
from pulumi_slurm.manifests.pod_security import SLURM_USER_ID
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import JWT_KEY, SLURM_KEY, ClusterRef
from pulumi_slurm.slurmconf.conf import render

SLURM_USER = MappingProxyType({"name": "slurm", "uid": SLURM_USER_ID, "gid": SLURM_USER_ID})
"""Who slurmctld and slurmdbd run as in pods.

Daemons take orders from root and from SlurmUser alone, and know them by number. With another number slurmd refuses
slurmctld's: "Security violation: REQUEST_LAUNCH_PROLOG req from uid 401".
"""


def outside(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> dict[str, Any]:
    """Return what is needed outside, in the form of the output; empty where nothing is outside. It has no secrets."""
    slurmctld, slurmdbd = spec.controller.external, spec.accounting and spec.accounting.external
    address = slurmctld_address(spec)
    if not (address or slurmdbd):
        return {}
    commands = {
        nodes.name: f'slurmd -Z --conf-server {address} --conf "{external_slurmd_conf(nodes)}"'
        for nodes in spec.external_nodes
    }
    return pruned(
        {
            "slurmConf": render(outside_slurm_conf(spec, pools)) if slurmctld else None,
            # slurmctld hands it out, and in pods there is no systemd that could manage cgroups.
            "cgroupConf": spec.config_files.get("cgroup.conf", cgroup_conf(spec.confine)) if slurmctld else None,
            "slurmdbdConf": render(outside_slurmdbd_conf(spec)) if slurmdbd else None,
            "slurmdCommands": commands,
            "hostNames": _host_names(spec) if address and not slurmctld else None,
            "sackdCommand": f"sackd --conf-server {address}" if address else None,
            "slurmUser": dict(SLURM_USER),
            "files": _files(ClusterRef.of(spec), with_jwt_key=bool(slurmctld or slurmdbd)),
        }
    )


def _host_names(spec: SlurmSpec) -> list[str]:
    """Return the names of slurmctld in the operator's SlurmctldHost lines.

    SlurmctldAddr does not spare clients and slurmd from resolving them: srun 26.05 tries for about ten
    seconds, each time.
    """
    return [host.rstrip(")").split("(")[-1] for host in slurmctld_hosts(spec)]


def _files(ref: ClusterRef, *, with_jwt_key: bool) -> Manifest:
    """Return the Secret or ConfigMap of each file by its path; only slurmctld and slurmdbd read those on tokens."""
    keys = {SLURM_KEY: ref.slurm_key(), **({JWT_KEY: ref.jwt_key()} if with_jwt_key else {})}
    files = {file: {"secret": key["name"], "key": key["key"]} for file, key in keys.items()}
    if with_jwt_key and ref.keys.jwks:
        files[JWKS_FILE] = {"configMap": ref.keys.jwks.name, "key": ref.keys.jwks.key}
    return {f"/etc/slurm/{file}": {"namespace": ref.namespace, **source} for file, source in files.items()}
