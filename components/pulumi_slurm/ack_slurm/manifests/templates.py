"""Pod templates of controllers, slurmdbd, slurmrestd and workers.

The operator replaces the command of the first container and keeps all other fields. It may drop labels and annotations
of a template, so nothing depends on them.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.ack_slurm.manifests.files import config_volume
from pulumi_slurm.ack_slurm.manifests.groups import Group
from pulumi_slurm.ack_slurm.manifests.ldap_files import ldap_mounts, ldap_volume
from pulumi_slurm.ack_slurm.manifests.munge_key import munge_file, munge_volume
from pulumi_slurm.ack_slurm.manifests.names import JWT_FILE, SLURM_ID, keys_config_map, state_claim
from pulumi_slurm.ack_slurm.manifests.slurm_conf import STATE_PATH, uses_tokens
from pulumi_slurm.ack_slurm.manifests.start_scripts import AFTER_START, DRAIN, after_slurmdbd_starts, needs_node_name
from pulumi_slurm.ack_slurm.manifests.worker_placement import alone_on_its_node, priority_class, worker_resources
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.model.pods import PodExtrasSpec
from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests.node_volumes import node_mounts, node_volumes
from pulumi_slurm.manifests.objects import KEY_GENERATIONS, READABLE_BY_GROUP, Manifest, merged, pruned
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN
from pulumi_slurm.manifests.pods import container, pod_template, shared_mounts, shared_volumes
from pulumi_slurm.manifests.sidecars import sidecar_containers, sidecar_volumes
from pulumi_slurm.model import NodePoolSpec, PodSpec, ResourcesSpec, SlurmSpec
from pulumi_slurm.model.alibaba_annotations import KEEP_ON_NODE
from pulumi_slurm.model.cluster_ref import ClusterRef

ROOT_KEYS = "authorized_keys"
_SLURM_READS = MappingProxyType({"fsGroup": SLURM_ID, "fsGroupChangePolicy": "OnRootMismatch"})
"""slurmctld reads the JWT key after it has changed to user slurm."""
_REQUESTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "slurmctld": MappingProxyType({"cpu": "500m", "memory": "1Gi"}),
        "slurmdbd": MappingProxyType({"cpu": "100m", "memory": "512Mi"}),
        "slurmrestd": MappingProxyType({"cpu": "100m", "memory": "256Mi"}),
    }
)
"""What daemons request by default. Pods without requests are the first that a full node ends. Without limits: people's
processes are in the pod of slurmctld too, and at a limit the kernel could end slurmctld in their place."""


class Templates:
    """The pod templates of a cluster; ``image`` is the default image of daemons."""

    def __init__(self, spec: SlurmSpec, pools: Sequence[NodePoolSpec], ack: AckSlurmSpec, image: str) -> None:
        self._spec, self._pools, self._ack, self._image = spec, pools, ack, image
        self._ref = ClusterRef.of(spec)

    def controller(self) -> Manifest:
        """Return the template of controllers; the operator sets its host name."""
        spec, ack = self._spec, self._ack
        options = spec.controller
        volumes, mounts = self._state()
        volumes += [*shared_volumes(self._ref, spec.shared_volumes), *ldap_volume(spec)]
        mounts += [*shared_mounts(spec.shared_volumes), *ldap_mounts(spec)]
        if root_keys(spec):
            volumes.append({"name": "root-keys", "configMap": {"name": keys_config_map(spec.name)}})
            path = f"/root/.ssh/{ROOT_KEYS}"
            mounts.append({"name": "root-keys", "mountPath": path, "subPath": ROOT_KEYS, "readOnly": True})
        template = self._pod(
            "slurmctld", options.pod, ack.controller, options.image, options.resources, volumes=volumes, mounts=mounts
        )
        if ack.controller.init_bash is None:
            template["spec"]["containers"][0] |= {"command": ["bash"], "args": [f"{ack.config_path}/{AFTER_START}"]}
        if not options.pod.service_account_name:
            template["spec"]["serviceAccountName"] = spec.name
        return template

    def slurmdbd(self) -> Manifest:
        """Return the template of slurmdbd."""
        accounting = self._spec.accounting
        assert accounting is not None
        template = self._pod("slurmdbd", accounting.pod, self._ack.slurmdbd, accounting.image, accounting.resources)
        # So that munge runs even if the operator's script reads its folder as a file. A hook of postStart runs beside
        # the command: https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/.
        hook = {"postStart": {"exec": {"command": after_slurmdbd_starts(self._ack)}}}
        template["spec"]["containers"][0]["lifecycle"] = hook
        return template

    def slurmrestd(self) -> Manifest:
        """Return the template of slurmrestd."""
        options = self._spec.rest_api
        return self._pod("slurmrestd", options.pod, self._ack.rest, options.image, options.resources)

    def worker(self, group: Group) -> Manifest:
        """Return the template of a group's workers."""
        spec, node_set = self._spec, group.node_set
        extras = self._ack.worker(group.name)
        template = self._pod(
            "slurmd",
            node_set.pod,
            extras,
            node_set.image,
            None,
            volumes=[
                *shared_volumes(self._ref, spec.shared_volumes),
                *node_volumes(node_set),
                *sidecar_volumes(node_set.sidecars),
                *ldap_volume(spec),
            ],
            mounts=[*shared_mounts(spec.shared_volumes), *node_mounts(node_set), *ldap_mounts(spec)],
            pool=next((pool for pool in self._pools if pool.name == node_set.pool), None),
        )
        template["spec"] |= pruned({"initContainers": sidecar_containers(self._ref, node_set.sidecars)})
        metadata = template["metadata"]
        for field in ("labels", "annotations"):
            metadata[field] = {**KEEP_ON_NODE, **metadata.get(field, {})}
        requests = self._ack.worker_requests(group.name)
        if requests:
            template["spec"]["affinity"] = alone_on_its_node(node_set.pod.affinity)
        template["spec"] |= pruned({"priorityClassName": priority_class(spec, group, self._ack)})
        slurmd = template["spec"]["containers"][0]
        slurmd |= pruned({"resources": worker_resources(group, requests)})
        if group.machine and group.machine.has_rdma:
            slurmd["securityContext"] = _may_raise_limits(slurmd.get("securityContext", {}))
        if self._ack.drain_before_end or needs_node_name(group, self._ack):
            node_name = {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
            slurmd["env"] = [*slurmd.get("env", []), node_name]
        if self._ack.drain_before_end:
            command = ["sh", "-c", f'bash /etc/slurm/{DRAIN} "$NODE_NAME"']
            slurmd["lifecycle"] = {"preStop": {"exec": {"command": command}}}
        return template

    def _pod(
        self,
        daemon: str,
        options: PodSpec,
        extras: PodExtrasSpec,
        image: str | None,
        resources: ResourcesSpec | None,
        *,
        volumes: Sequence[Manifest] = (),
        mounts: Sequence[Manifest] = (),
        pool: NodePoolSpec | None = None,
    ) -> Manifest:
        ack = self._ack
        daemon_volumes = [config_volume(self._spec, self._pools, ack, daemon), munge_volume(self._spec)]
        daemon_mounts: list[Manifest] = [
            {"name": "config", "mountPath": ack.config_path},
            {"name": "munge", "mountPath": ack.munge_path, **munge_file(ack)},
        ]
        security_context: dict[str, Any] = {}
        keys = [Purpose.SLURM]
        if daemon != "slurmd":
            security_context = dict(_SLURM_READS)
            if uses_tokens(ack):
                keys.append(Purpose.JWT)
                daemon_volumes.append(self._jwt())
                daemon_mounts.append({"name": "jwt", "mountPath": ack.jwt_path, "readOnly": True})
        template = pod_template(
            self._ref,
            options,
            node_labels=pool.node_labels if pool else None,
            taints=pool.taints if pool else (),
            volumes=[*daemon_volumes, *volumes, *extras.volumes],
            annotations={KEY_GENERATIONS: self._ref.key_generations(*keys)},
        )
        daemon_container = container(
            self._ref,
            extras.image or image or self._image,
            options.env,
            resources=resources,
            volume_mounts=[*daemon_mounts, *mounts, *extras.volume_mounts],
        )
        if resources is None and daemon in _REQUESTS:
            daemon_container["resources"] = {"requests": dict(_REQUESTS[daemon])}
        # Controllers scale their cluster, by an account of theirs.
        if daemon != "slurmctld" and not options.service_account_name:
            template["spec"] |= WITHOUT_TOKEN
        template["spec"] |= pruned(
            {
                "setHostnameAsFQDN": extras.set_hostname_as_fqdn or None,
                "securityContext": merged(security_context, extras.pod_security_context),
                "containers": [
                    {"name": daemon, **daemon_container, **pruned({"securityContext": extras.security_context})}
                ],
            }
        )
        return template

    def _jwt(self) -> Manifest:
        secret = self._ref.jwt_key()
        items = [{"key": secret["key"], "path": JWT_FILE}]
        return {
            "name": "jwt",
            "secret": {"secretName": secret["name"], "items": items, "defaultMode": READABLE_BY_GROUP},
        }

    def _state(self) -> tuple[list[Manifest], list[Manifest]]:
        state = self._spec.controller.state
        if not state.enabled:
            return [], []
        claim = state.existing_claim or state_claim(self._ref.name)
        volume = {"name": "state", "persistentVolumeClaim": {"claimName": claim}}
        return [volume], [{"name": "state", "mountPath": STATE_PATH}]


def _may_raise_limits(security_context: Manifest) -> Manifest:
    capabilities = security_context.get("capabilities", {})
    added = dict.fromkeys([*capabilities.get("add", []), "SYS_RESOURCE"])
    return {**security_context, "capabilities": {**capabilities, "add": list(added)}}


def root_keys(spec: SlurmSpec) -> list[str]:
    """Return the public keys that may log in to the controller as root."""
    return [key for login_set in spec.login_sets for key in login_set.root_authorized_keys]
