"""Who may name what in annotations of workloads that Slurm Bridge schedules: policies of the API server itself.

The bridge checks none of it: it submits jobs as SlurmUser in the name of whoever stands in `user-id`, and by anyone who
may make pods (docs/usermanagement.md of https://github.com/SlinkyProject/slurm-bridge, v1.2.1, advises a policy).
SlurmUser is an operator, so Slurm takes every priority from it too: `validate_job_create_req` in
src/slurmctld/job_mgr.c of https://github.com/SchedMD/slurm, 26.05.3.

The bridge reads annotations of whatever owns a pod: a Deployment's count as well as a Job's. So every object of a
managed namespace is looked at, and none of other namespaces.
"""

import json
from collections.abc import Iterator, Sequence
from types import MappingProxyType

from pulumi_slurm.manifests.bridge.programs import release_of
from pulumi_slurm.manifests.objects import ADMISSION_API, NAMESPACE_NAME, Manifest, Manifests, by_kind, cluster_wide
from pulumi_slurm.model.bridge import BridgedNamespaceSpec, BridgeSpec
from pulumi_slurm.model.bridge_work import SUFFIXES, WORK_PREFIX
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.releases.bridge_version import BridgeVersion

NAMED = MappingProxyType(
    {
        "users": "user_id",
        "groups": "group_id",
        "accounts": "account",
        "qos": "qos",
        "partitions": "partition",
        "reservations": "reservation",
    }
)
"""Fields of a namespace, and the annotation whose values each of them lists."""
NAMESPACE_PREFIX = "slurm.pulumi.com/bridge-"
"""Annotations of namespaces that are managed by a selector: the same fields, with commas between names."""

_ROOTS = (
    "Pod",
    "Job",
    "JobSet",
    "PodGroup",
    "LeaderWorkerSet",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "CronJob",
)
"""Kinds whose annotations count, unless a controller of theirs is followed."""
_FOLLOWED = (
    "Pod of apps/v1/ReplicaSet",
    "Pod of apps/v1/StatefulSet",
    "Pod of apps/v1/DaemonSet",
    "Pod of batch/v1/Job",
    "Job of jobset.x-k8s.io/v1alpha2/JobSet",
    "StatefulSet of leaderworkerset.x-k8s.io/v1/LeaderWorkerSet",
    "StatefulSet of v1/Pod",
)
"""Objects whose controller the bridge may read and takes the annotations from, in every release."""
_ABOVE = ("ReplicaSet of apps/v1/Deployment", "Job of batch/v1/CronJob")
"""Objects whose controller 1.1 takes annotations from, and which have them too; later releases may not read it."""


def policies(ref: ClusterRef, bridge: BridgeSpec) -> Manifests:
    """Return two policies, each with its binding: for managed namespaces, and for pods of all others.

    In others the bridge schedules a pod too, where that names its scheduler: that is refused, with any annotations.
    """
    inside = _policy(ref, "work", _of_work(ref, bridge), _selector(bridge, "In")) if _is_any_managed(bridge) else {}
    outside = _policy(ref, "elsewhere", _of_pods_elsewhere(bridge), _selector(bridge, "NotIn"))
    return {**inside, **outside}


def _is_any_managed(bridge: BridgeSpec) -> bool:
    return bool(bridge.namespaces or bridge.namespace_selector)


def _policy(ref: ClusterRef, role: str, spec: Manifest, selector: Manifest) -> Manifests:
    name = f"{ref.namespace}-{ref.name}-bridge-{role}"
    binding = {
        "policyName": name,
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": selector},
    }
    manifests = [
        {**cluster_wide(ADMISSION_API, "ValidatingAdmissionPolicy", ref, name), "spec": spec},
        {**cluster_wide(ADMISSION_API, "ValidatingAdmissionPolicyBinding", ref, name), "spec": binding},
    ]
    return by_kind(role, manifests)


def _selector(bridge: BridgeSpec, operator: str) -> Manifest:
    """Return the selector of managed namespaces, or of the others as far as a selector can say it."""
    if bridge.namespaces:
        names = [namespace.name for namespace in bridge.namespaces]
        return {"matchExpressions": [{"key": NAMESPACE_NAME, "operator": operator, "values": names}]}
    return {"matchLabels": bridge.namespace_selector} if operator == "In" else {}


def _of_pods_elsewhere(bridge: BridgeSpec) -> Manifest:
    labels = " && ".join(
        f"namespaceObject.metadata.?labels[?{_text(key)}].orValue('') == {_text(value)}"
        for key, value in bridge.namespace_selector.items()
    )
    scheduler = _text(bridge.scheduler_name)
    return {
        "matchConstraints": {"resourceRules": [_rule("", "pods", "CREATE")]},
        "validations": [
            {
                # Here, since conditions of a match don't see the namespace.
                "expression": f"object.spec.schedulerName != {scheduler}" + (f" || ({labels})" if labels else ""),
                "messageExpression": f"'spec.schedulerName = ' + {scheduler} + ': Slurm schedules no pods of "
                "namespace ' + request.namespace + '. Make the pod in a namespace whose pods it schedules, or leave it "
                "out.'",
            }
        ],
    }


def _of_work(ref: ClusterRef, bridge: BridgeSpec) -> Manifest:
    names = "object.?metadata.?annotations.orValue({})"
    return {
        # All subresources too: a Binding's annotations become those of its pod.
        "matchConstraints": {"resourceRules": [_rule("*", "*/*", "CREATE", "UPDATE")]},
        "variables": [
            {"name": "work", "expression": names},
            {"name": "before", "expression": f"oldObject == null ? {{}} : {names.replace('object', 'oldObject', 1)}"},
            *(
                {
                    "name": field,
                    "expression": f"({_listed(bridge, field)}).split(',').filter(name, name != '')",
                }
                for field in NAMED
            ),
            {"name": "pair", "expression": _pair("object")},
            {"name": "pairBefore", "expression": f"oldObject == null ? '' : ({_pair('oldObject')})"},
            {
                "name": "ownerGroup",
                "expression": f"size({_controller('object')}) == 0 ? '' : "
                f"{_controller('object')}[0].apiVersion.split('/')[0]",
            },
            {"name": "maxPriority", "expression": f"int({_listed(bridge, 'max_priority', '-1')})"},
        ],
        "validations": [*_validations(), _user_is_named(ref, bridge), *_sizes_stay(release_of(ref, bridge))],
    }


def _rule(group: str, resource: str, *operations: str) -> Manifest:
    return {
        "apiGroups": [group],
        "apiVersions": ["*"],
        "resources": [resource],
        "operations": [*operations],
        "scope": "Namespaced",
    }


def _listed(bridge: BridgeSpec, field: str, nothing: str = "") -> str:
    """Return an expression for what a field of the namespace says, as text."""
    if bridge.namespaces:
        texts = {namespace.name: _field_text(namespace, field) or nothing for namespace in bridge.namespaces}
        pairs = ", ".join(f"{_text(name)}: {_text(text)}" for name, text in texts.items())
        return f"{{{pairs}}}[request.namespace]"
    key = NAMESPACE_PREFIX + field.replace("_", "-")
    return f"namespaceObject.metadata.?annotations[?{_text(key)}].orValue({_text(nothing)})"


def _field_text(namespace: BridgedNamespaceSpec, field: str) -> str:
    value = getattr(namespace, field)
    return ",".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _validations() -> Iterator[Manifest]:
    for field, name in NAMED.items():
        key = _text(WORK_PREFIX + SUFFIXES[name])
        # Of accounts, users and groups Slurm takes one; a comma is no part of a name.
        yield _validation(
            name,
            f"variables.work[{key}].split(',').all(name, name in variables.{field})",
            f"(size(variables.{field}) == 0 ? 'Leave it out' : 'Write one of: ' + variables.{field}.join(', '))",
        )
    key = _text(WORK_PREFIX + SUFFIXES["priority"])
    digits = f"variables.work[{key}].matches('^[0-9]{{1,10}}$')"
    yield _validation(
        "priority",
        f"({digits} && int(variables.work[{key}]) <= variables.maxPriority)",
        "(variables.maxPriority < 0 ? 'Leave it out' : 'Write ' + string(variables.maxPriority) + ' or less')",
    )


def _validation(name: str, allowed: str, fix: str) -> Manifest:
    """Return a validation of one annotation; an update that leaves it as it is passes, so that pods can end."""
    suffix = SUFFIXES[name]
    key = _text(WORK_PREFIX + suffix)
    same = f"({key} in variables.before && variables.before[{key}] == variables.work[{key}])"
    return {
        "expression": f"!({key} in variables.work) || {same} || {allowed}",
        "messageExpression": f"'annotation {WORK_PREFIX}{suffix} = ' + variables.work[{key}] + "
        f"': it may not be named in namespace ' + request.namespace + '. ' + {fix} + '.'",
    }


def _user_is_named(ref: ClusterRef, bridge: BridgeSpec) -> Manifest:
    """Return the validation by which no workload is SlurmUser's where users are listed.

    The bridge takes the annotations of the highest controller above a pod that it may read, and users write the
    references to controllers themselves. So an object needs no user of its own below a controller that surely is
    followed, and may have no other controller.
    """
    key = _text(WORK_PREFIX + SUFFIXES["user_id"])
    followed: Sequence[str] = _FOLLOWED
    passed_over: Sequence[str] = _ABOVE
    groups = [owner.api_group for owner in bridge.owners]
    below_owners = "false"
    if release_of(ref, bridge).needs_every_owner:
        # It follows whatever it may read to the end, and starts no pod below what it may not.
        followed, passed_over = (*_FOLLOWED, *_ABOVE), ()
        below_owners = f"variables.ownerGroup in {_list(groups)}"
    may_be_below = (
        f"variables.pair == '' || variables.pair in {_list(passed_over)} || variables.ownerGroup in {_list(groups)}"
    )
    resources = [f"{owner.api_group}/{owner.resource}" for owner in bridge.owners]
    resource = "request.resource.group + '/' + request.resource.resource"
    is_root = f"object.kind in {_list(_ROOTS)} || {resource} in {_list(resources)}"
    was_so = (
        f"(request.operation == 'UPDATE' && !({key} in variables.before) && variables.pair == variables.pairBefore)"
    )
    return {
        "expression": f"size(variables.users) == 0 || !({is_root}) || variables.pair in {_list(followed)} || "
        f"{below_owners} || {was_so} || ({key} in variables.work && ({may_be_below}))",
        "messageExpression": f"'annotation {WORK_PREFIX}{SUFFIXES['user_id']}: without it, or below a controller that "
        "the bridge does not know, the Slurm job would be SlurmUser\\'s. Write one of: ' + "
        "variables.users.join(', ') + '.'",
    }


def _sizes_stay(release: BridgeVersion) -> list[Manifest]:
    """Return what refuses to resize pods in place, of which Slurm would not hear; later releases do so themselves.

    Source: ValidateUpdate in internal/admission/admission.go of https://github.com/SlinkyProject/slurm-bridge at 1.3.
    """
    if release.refuses_resizes:
        return []
    resized = "request.resource.resource == 'pods' && request.?subResource.orValue('') == 'resize'"
    return [
        {
            "expression": f"request.resource.group != '' || !({resized})",
            "messageExpression": "'spec.containers[].resources: Slurm would not hear of another size. Make the pod "
            "anew with it.'",
        }
    ]


def _controller(item: str) -> str:
    """Return an expression for the list of an object's controllers, which has one item at most."""
    return f"{item}.?metadata.?ownerReferences.orValue([]).filter(owner, owner.?controller.orValue(false))"


def _pair(item: str) -> str:
    """Return an expression for the kinds of an object and of its controller; "" without a controller."""
    controllers = _controller(item)
    return (
        f"size({controllers}) == 0 ? '' : "
        f"{item}.kind + ' of ' + {controllers}[0].apiVersion + '/' + {controllers}[0].kind"
    )


def _list(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, names))}]"


def _text(value: str) -> str:
    return "'" + json.dumps(value)[1:-1] + "'"
