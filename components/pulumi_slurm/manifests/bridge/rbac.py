"""Permissions of the bridge's programs, by release.

Source: helm/slurm-bridge/files of https://github.com/SlinkyProject/slurm-bridge, v1.2.1, and for 1.1
helm/slurm-bridge/templates of v1.1.2, whose calls of the API in internal/ and cmd/ are the same but for the status of
PodGroups. Of the rights that only the chart of 1.1 gives, those to read are kept: a scheduler that may not list what it
watches never starts. To write what its code never writes is not.
"""

from collections.abc import Sequence

from pulumi_slurm.manifests.objects import Manifest, Manifests, by_kind, manifest
from pulumi_slurm.manifests.rbac import GROUP, account_with_role, role_binding
from pulumi_slurm.model import BridgeSpec, ReadableOwnerSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.releases.bridge_version import BridgeVersion

Rule = tuple[str, str, str]
"""API group, resources and verbs, these with commas between them."""

_READ = "get,list,watch"
_SCHEDULER: tuple[Rule, ...] = (
    ("", "namespaces,nodes", _READ),
    ("", "persistentvolumeclaims,persistentvolumes", f"{_READ},update"),
    ("", "pods", f"{_READ},patch"),
    ("", "pods/binding", "create"),
    ("", "pods/finalizers,pods/status", "patch"),
    ("", "events", "create,patch,update"),
    ("events.k8s.io", "events", "create,patch,update"),
    ("apps", "replicasets,statefulsets", _READ),
    ("extensions", "replicasets", _READ),
    ("authentication.k8s.io", "tokenreviews", "create"),
    ("authorization.k8s.io", "subjectaccessreviews", "create"),
    ("coordination.k8s.io", "leases", "create,get,list,update"),
    ("resource.k8s.io", "deviceclasses,resourceslices", _READ),
    ("resource.k8s.io", "resourceclaims", f"{_READ},create,delete,update"),
    ("resource.k8s.io", "resourceclaims/binding,resourceclaims/status", "patch"),
    ("storage.k8s.io", "csidrivers,csinodes,csistoragecapacities,storageclasses", _READ),
)
_OWNERS: tuple[Rule, ...] = (
    ("batch", "jobs", "get"),
    ("jobset.x-k8s.io", "jobsets", "get"),
    ("leaderworkerset.x-k8s.io", "leaderworkersets", "get"),
    ("scheduling.x-k8s.io", "podgroups", "get"),
    # Upstream's charts lack it, and a pod whose direct owner may not be read never starts.
    ("apps", "daemonsets", "get"),
)
_WORKLOADS: tuple[Rule, ...] = (
    ("scheduling.k8s.io", "podgroups,workloads", "get"),
    ("scheduling.k8s.io", "podgroups/status", "patch,update"),
)
_SCHEDULER_1_1: tuple[Rule, ...] = (
    ("", "replicationcontrollers,services", _READ),
    ("policy", "poddisruptionbudgets", _READ),
    ("storage.k8s.io", "volumeattachments", _READ),
)
_ALL_OWNERS: tuple[Rule, ...] = (
    ("apps", "deployments", "get"),
    ("batch", "cronjobs", "get"),
)
"""Those that later releases pass over."""
_ADMISSION: tuple[Rule, ...] = (("", "namespaces", _READ),)
_CONTROLLERS: tuple[Rule, ...] = (
    ("", "nodes", f"{_READ},patch"),
    ("", "pods", f"{_READ},delete,patch"),
    ("", "pods/finalizers", "patch,update"),
    ("resource.k8s.io", "resourceclaims", f"{_READ},delete"),
    ("resource.k8s.io", "resourceslices", _READ),
)
_ELECTION: tuple[Rule, ...] = (
    ("", "events", "create,patch"),
    ("coordination.k8s.io", "leases", "create,get,list,update"),
)


def accounts(ref: ClusterRef, options: BridgeSpec, version: BridgeVersion) -> Manifests:
    """Return the accounts of the three programs, each with what gives it rights."""
    by_release = (
        *(_ALL_OWNERS if version.needs_every_owner else ()),
        *(_WORKLOADS if version.has_workload_api else _SCHEDULER_1_1),
    )
    scheduler = (*_SCHEDULER, *_OWNERS, *by_release, *map(_may_read, options.owners))
    controllers = (*_CONTROLLERS, *(_ELECTION if version.elects_controllers else ()))
    manifests: Manifests = {}
    for program, rules in (("scheduler", scheduler), ("admission", _ADMISSION), ("controllers", controllers)):
        manifests |= by_kind(program, account_with_role(ref, f"{ref.name}-bridge-{program}", _rules(rules)))
    return manifests | by_kind("scheduler", [_reads_authentication(ref)])


def _may_read(owner: ReadableOwnerSpec) -> Rule:
    return owner.api_group, owner.resource, "get"


def _rules(rules: Sequence[Rule]) -> list[Manifest]:
    return [
        {"apiGroups": [group], "resources": resources.split(","), "verbs": verbs.split(",")}
        for group, resources, verbs in rules
    ]


def _reads_authentication(ref: ClusterRef) -> Manifest:
    """Return what lets the scheduler ask who calls it, as every scheduler does."""
    name = f"{ref.namespace}-{ref.name}-bridge-scheduler"
    binding = manifest(f"{GROUP}/v1", "RoleBinding", ref, name)
    binding["metadata"]["namespace"] = "kube-system"
    role = "extension-apiserver-authentication-reader"
    return binding | role_binding(ref, f"{ref.name}-bridge-scheduler", "Role", role)
