"""Changes of a cluster's objects that no other file here tells, and those of which nobody knows what they mean.

Every field of every object is in one of three places: the fields that end in pods (`differences`), those that another
file here reads from the specification (`_TOLD`), and the rows below. What is in none is said to be not judged.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.manifests.immutable import made_anew_for
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.adopting.differences import OF_PODS, differences
from pulumi_slurm_cli.review.changed_settings import as_text, changed_settings
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.effect import NOBODY_KNOWS, Effect, Verdict

Row = tuple[Verdict, str]
"""A verdict, and what the change means."""
_NOTHING: Row = (Verdict.NOTHING, "")
_UNJUDGED: Row = (Verdict.UNJUDGED, NOBODY_KNOWS)
_GROWS: Row = (
    Verdict.NOTHING,
    "It grows in place where its storage class lets it. Kubernetes refuses a smaller one, and the update fails.",
)
_TOLD: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Accounting": frozenset({"external", "externalConfig", "jwtHs256KeyRef", "jwtKeyRef", "slurmKeyRef"}),
        "Controller": frozenset(
            {
                *("accountingRef", "clusterName", "external", "externalConfig", "extraConf", "inplaceReconfigure"),
                *("jwtHs256KeyRef", "jwtKeyRef", "slurmKeyRef"),
            }
        ),
        # The keys of root are in an annotation of the pods too.
        "LoginSet": frozenset({"controllerRef", "replicas", "rootSshAuthorizedKeys"}),
        "NodeSet": frozenset({"controllerRef", "partition", "replicas", "scalingMode"}),
        "PersistentVolume": frozenset({"csi", "nfs"}),
        "RestApi": frozenset({"controllerRef"}),
    }
)
"""Fields of ``spec`` of which the specification's change says what they mean."""
_FIELDS: Mapping[str, Mapping[str, Row]] = MappingProxyType(
    {
        "Controller": MappingProxyType(
            {
                "metrics": (Verdict.RECONFIGURE, "The operator adds or removes their lines."),
                "persistence": (
                    Verdict.NOTHING,
                    "The operator leaves the volume as it was made: grow its claim itself.",
                ),
            }
        ),
        "LoginSet": MappingProxyType({"strategy": _NOTHING, "workloadDisruptionProtection": _NOTHING}),
        "NodeSet": MappingProxyType(
            {
                "minReadySeconds": _NOTHING,
                "persistentVolumeClaimRetentionPolicy": (
                    Verdict.NOTHING,
                    "It holds for workers that go from then on: with Delete what is on their claims goes too.",
                ),
                "pinToNode": (Verdict.NOTHING, "A pinned worker stays Pending while its Kubernetes node is away."),
                "pruneSlurmNodeRecords": _NOTHING,
                "revisionHistoryLimit": _NOTHING,
                "volumeClaimTemplates": (
                    Verdict.NOTHING,
                    "Workers keep the claims that they have; those made from then on get others. From 1.2 on "
                    "slurm-operator refuses it, and the update fails.",
                ),
                "updateStrategy": (Verdict.NOTHING, "It holds from the next replacement on."),
                "workloadDisruptionProtection": (
                    Verdict.NOTHING,
                    "Without it Kubernetes may evict workers that have jobs, as in a drain of their node.",
                ),
            }
        ),
        "PersistentVolume": MappingProxyType({"capacity": _GROWS}),
        "PersistentVolumeClaim": MappingProxyType({"resources": _GROWS}),
        "RestApi": MappingProxyType({"replicas": _NOTHING}),
    }
)
"""What a change of the other fields means, by kind and field of ``spec``.

Source: of slurm-operator the webhooks of v1.2.1 (`volumeClaimTemplates`), and internal/utils/objectutils/patch.go,
v1.0.5 to v1.2.1, which leaves a StatefulSet's claims out (`persistence`). 1.1.0 was asked about both. Of claims:
https://kubernetes.io/docs/concepts/storage/persistent-volumes/#expanding-persistent-volumes-claims.
"""
NO_JOBS = frozenset(
    {
        # Files and scripts: pods that read them are replaced, or slurmctld reconfigures.
        *("ConfigMap", "Job", "CronJob", "Backup"),
        # Those of users are told of the specification; the others are for Jobs of ours.
        "Token",
        *("ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"),
        # They keep pods, and look at them.
        *("PodDisruptionBudget", "ServiceMonitor", "PodMonitor", "PodMonitoring", "PrometheusRule"),
        # Bounds are told of the node set; workers that go are drained.
        *("HorizontalPodAutoscaler", "ScaledObject", "TriggerAuthentication"),
    }
)
"""Kinds whose change does nothing to a job, or is told elsewhere."""
_RUNS: Mapping[str, str] = MappingProxyType(
    {
        "mariadb": "slurmdbd waits for it, and slurmctld keeps what it has to say until then.",
        "directory": "Users that no pod has in its cache aren't found meanwhile.",
        "prometheus": "Autoscalers that ask it wait.",
        "directory-admin": "Its page is away meanwhile.",
    }
)
"""What waits for a pod of ours, by the end of its name."""
_KINDS_WITH_PODS = frozenset({"Deployment", "MariaDB", "StatefulSet"})
_TOLD_SERVICES = ("-directory", "-mariadb", "-slurmdbd", "-ssh")
"""How the names of Services end of which another line says what goes with them."""
_NEW_OR_GONE = frozenset({"NodeSet", "Controller", "Accounting", "RestApi"})
"""Kinds of which other files tell that they come and go."""


def other_effects(change: ClusterChange) -> Iterator[Effect]:
    """Yield what the remaining changes of objects mean."""
    before, after = change.before, change.after
    assert before
    assert after
    for key in dict.fromkeys([*before.objects, *after.objects]):
        old, new = before.objects.get(key), after.objects.get(key)
        if old and new:
            yield from _of_changed(old, new, after.spec)
        elif key[0] not in _NEW_OR_GONE:
            yield from _of_new_or_gone(key, is_new=old is None)
    yield from _of_tokens(before.spec, after.spec)
    if before.spec.namespace_labels != after.spec.namespace_labels:
        meaning = "What may run in it can depend on them, as by Pod Security Admission."
        yield Effect(Verdict.UNJUDGED, f"namespace {after.spec.namespace}", "other labels", meaning)


def _of_tokens(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    before, after = ({token.name: token for token in spec.tokens} for spec in (old, new))
    for name in dict.fromkeys([*before, *after]):
        subject = f"token {name}"
        if name not in after:
            meaning = "Whoever uses it is refused once it has run out."
            yield Effect(Verdict.NOTHING, subject, "goes", meaning)
        elif name not in before:
            yield Effect(Verdict.NOTHING, subject, "is new")
        elif changed := changed_settings(before[name], after[name], type(before[name]).model_fields):
            yield Effect(Verdict.NOTHING, subject, as_text(changed), "Whoever uses it reads its Secret anew.")


def _of_new_or_gone(key: tuple[str, str], *, is_new: bool) -> Iterator[Effect]:
    kind, name = key
    becomes = "is new" if is_new else "goes"
    if kind == "LoginSet" and is_new:
        yield Effect(Verdict.NOTHING, f"login set {name}", becomes)
    elif kind == "NetworkPolicy":
        yield _of_policy(name, becomes)
    elif kind == "Service" and not name.endswith(_TOLD_SERVICES):
        meaning = "" if is_new else "Whoever connects by its name or address no longer does."
        yield Effect(Verdict.NOTHING if is_new else Verdict.UNJUDGED, f"Service {name}", becomes, meaning)


def _of_policy(name: str, becomes: str) -> Effect:
    meaning = "Who connects to Slurm from elsewhere isn't known here: what it doesn't name loses the connection."
    return Effect(Verdict.UNJUDGED, f"NetworkPolicy {name}", becomes, meaning)


def _of_changed(old: Manifest, new: Manifest, spec: SlurmSpec) -> Iterator[Effect]:
    kind, name = str(new["kind"]), str(new["metadata"]["name"])
    if kind in OF_PODS:
        covered = {*OF_PODS[kind], *_TOLD[kind], *(path.split(".")[1] for path in made_anew_for(old, new))}
        for field in dict.fromkeys(difference.steps[0] for difference in differences(old, new, spec.operator)):
            verdict, meaning = _FIELDS.get(kind, {}).get(field, _UNJUDGED)
            if field not in covered:
                yield Effect(verdict, f"{kind} {name}", f"{field} changes", meaning)
    elif kind == "NetworkPolicy" and old["spec"] != new["spec"]:
        yield _of_policy(name, "changes")
    elif kind in _KINDS_WITH_PODS and old["spec"] != new["spec"]:
        waits = next((text for end, text in _RUNS.items() if name.endswith(f"-{end}")), NOBODY_KNOWS)
        yield Effect(Verdict.RESTART, f"{kind} {name}", "its pod is replaced", waits)
    elif kind == "Service" and (fields_of := [*changed_object_fields(old, new)]):
        # A connection of SSH may end, and with it commands that wait for jobs.
        verdict = Verdict.UNJUDGED if name.endswith("-ssh") else Verdict.NOTHING
        meaning = "Whoever connects from outside the cluster by its old address or port no longer does."
        yield Effect(verdict, f"Service {name}", f"{', '.join(fields_of)} change", meaning)
    elif kind == "Service" and _annotations_of_a_balancer(old) != _annotations_of_a_balancer(new):
        meaning = "By them a cloud may make its load balancer anew, at another address, or let others connect."
        yield Effect(Verdict.UNJUDGED, f"Service {name}", "its annotations change", meaning)
    elif kind not in NO_JOBS:
        for field in changed_object_fields(old, new):
            verdict, meaning = row_of(kind, field)
            if field.removeprefix("spec.") not in _TOLD.get(kind, ()):
                yield Effect(verdict, f"{kind} {name}", f"{field} changes", meaning)


def row_of(kind: str, field: str) -> Row:
    """Return what a change of an object's field means: "spec.capacity"."""
    return _FIELDS.get(kind, {}).get(field.removeprefix("spec."), _UNJUDGED)


def _annotations_of_a_balancer(service: Manifest) -> Mapping[str, str]:
    """Return the annotations of a Service that has a load balancer, but those that Pulumi reads; no other's."""
    if service["spec"].get("type") != "LoadBalancer":
        return {}
    annotations: Mapping[str, str] = service["metadata"].get("annotations") or {}
    return {name: text for name, text in annotations.items() if not name.startswith("pulumi.com/")}


def changed_object_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields that differ, beyond labels and annotations, which no job sees."""
    for part in dict.fromkeys([*old, *new]):
        before: Any = old.get(part)
        after: Any = new.get(part)
        if part == "metadata" or before == after:
            continue
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from (
                f"{part}.{key}" for key in dict.fromkeys([*before, *after]) if before.get(key) != after.get(key)
            )
        else:
            yield part
