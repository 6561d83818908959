"""Rules on the bridge: its namespaces, and the pods of its programs."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.bridge import TOKEN
from pulumi_slurm.model.releases.bridge_version import bridge_release
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.names import repeated
from pulumi_slurm.rules.run import Rule

_NAMESPACES: Path = ("bridge", "namespaces")
_OF_KUBERNETES = ("kube-system", "kube-public", "kube-node-lease")
_OF_OPERATOR = "slinky"
"""The namespace of slurm-operator by default; where it is installed in another, that one's name isn't known here."""
_OF_CERT_MANAGER = "cert-manager"
"""Where cert-manager is by default; the webhook, without which no pod is made, has its certificate from there."""


def bridge_has_namespaces(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a bridge that schedules the pods of no namespace, and namespaces that are configured in two ways."""
    bridge = spec.bridge
    if bridge is None:
        return
    depends_on: tuple[Path, ...] = (_NAMESPACES, ("bridge", "namespace_selector"))
    if not bridge.namespaces and not bridge.namespace_selector:
        yield FieldError(
            _NAMESPACES,
            FieldError.ABSENT,
            "without namespaces the bridge schedules no pods",
            "Add namespaces: [{name: ...}], or namespaceSelector: {<label>: <value>}.",
            depends_on,
        )
    elif bridge.namespaces and bridge.namespace_selector:
        yield FieldError(
            depends_on[1],
            bridge.namespace_selector,
            "with a selector the bridge ignores the list in namespaces",
            "Leave namespaceSelector out, or leave namespaces out.",
            depends_on,
        )


def bridged_namespaces_are_for_workloads(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse namespaces whose pods have to start before Slurm schedules any, and fields without an effect."""
    namespaces = spec.bridge.namespaces if spec.bridge else []
    for index, name in repeated([namespace.name for namespace in namespaces]):
        yield FieldError((*_NAMESPACES, index, "name"), name, "this name is already used", "Leave it out.")
    owners = {
        **dict.fromkeys(_OF_KUBERNETES, "Kubernetes itself runs there"),
        _OF_OPERATOR: "slurm-operator runs there",
        _OF_CERT_MANAGER: "cert-manager runs there",
        spec.namespace: "Slurm's own pods run there",
    }
    for index, namespace in enumerate(namespaces):
        at: Path = (*_NAMESPACES, index)
        if namespace.name in owners:
            yield FieldError(
                (*at, "name"),
                namespace.name,
                f"{owners[namespace.name]}, and its pods would wait for a scheduler that needs them",
                "Write a namespace for workloads.",
                (("namespace",),),
            )
        elif namespace.name == "default" and namespace.create:
            problem = "every cluster has this namespace, and Kubernetes does not let it be deleted"
            yield FieldError((*at, "create"), True, problem, "Write false.")
        if namespace.labels and not namespace.create:
            problem = "the namespace is not made here, so it would not get these labels"
            yield FieldError((*at, "labels"), namespace.labels, problem, "Leave it out, or leave create out.")


def bridge_controllers_are_alone(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse several controllers, which elect no leader before slurm-bridge 1.3 and would undo each other's work.

    Source: helm/slurm-bridge/templates/controllers of https://github.com/SlinkyProject/slurm-bridge at v1.2.1.
    """
    release = bridge_release(spec.bridge.version, spec.operator) if spec.bridge else None
    if spec.bridge and spec.bridge.controllers.replicas > 1 and not (release and release.elects_controllers):
        yield FieldError(
            ("bridge", "controllers", "replicas"),
            spec.bridge.controllers.replicas,
            "controllers of slurm-bridge before 1.3 elect no leader, and several would register each node",
            "Leave it out.",
        )


def bridge_has_its_token(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a token of the name that the bridge's own has."""
    for index, token in enumerate(spec.tokens if spec.bridge else ()):
        if token.name == TOKEN:
            problem = "the bridge has a token of this name"
            yield FieldError(("tokens", index, "name"), token.name, problem, "Choose another name.", (("bridge",),))


RULES: tuple[Rule, ...] = (
    bridge_has_namespaces,
    bridged_namespaces_are_for_workloads,
    bridge_controllers_are_alone,
    bridge_has_its_token,
)
