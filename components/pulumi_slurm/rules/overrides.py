"""Rules on `overrides`: fields that they can't set because they are derived or immutable, or crash the operator."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.errors import FieldError, Path, format_path, nearest
from pulumi_slurm.model.kubernetes_fields import form_errors
from pulumi_slurm.model.pod import ServiceType
from pulumi_slurm.model.releases.operator_version import OperatorVersion, first_release_with, paths
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.operator import release_with_it
from pulumi_slurm.rules.override_fields import ALL_PROBES, DERIVED, LISTS, OBJECTS, PORTS, PROBES
from pulumi_slurm.rules.override_shapes import not_a_list, not_a_mapping, removes_all
from pulumi_slurm.rules.run import Rule


def overrides_keep_derived_fields(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse overrides of derived fields, and those that the operator would refuse, ignore or crash on."""
    overridden: list[tuple[str, Path, Mapping[str, Any]]] = [
        ("Controller", ("controller",), spec.controller.overrides),
        ("RestApi", ("rest_api",), spec.rest_api.overrides),
    ]
    if spec.accounting:
        overridden.append(("Accounting", ("accounting",), spec.accounting.overrides))
    overridden += [("NodeSet", ("node_sets", i), item.overrides) for i, item in enumerate(spec.node_sets)]
    overridden += [("LoginSet", ("login_sets", i), item.overrides) for i, item in enumerate(spec.login_sets)]
    for kind, parent, overrides in overridden:
        at: Path = (*parent, "overrides")
        errors = [*_fields_exist(spec.operator, kind, at, overrides)]
        yield from errors
        refused_paths = {error.path for error in errors}
        for error in _values_are_allowed(spec, kind, at, overrides):
            if error.path not in refused_paths:
                yield error


def _values_are_allowed(spec: SlurmSpec, kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    for path, instead in DERIVED[kind].items():
        value = _value_at(overrides, path)
        if value is not FieldError.ABSENT:
            problem = "pulumi-slurm derives this, and an override breaks the cluster"
            yield FieldError((*at, *path), value, problem, f"{instead}.")
    yield from _probes_exist(kind, at, overrides)
    yield from _ports_are_kept(kind, at, overrides)
    # What a chart made is there already, and to leave it out would replace pods, or a load balancer's address.
    if not spec.adopted:
        yield from _empty_values_have_no_effect(kind, at, overrides)
        yield from _services_are_no_load_balancers(at, overrides)
    if kind in {"NodeSet", "LoginSet"}:
        yield from _lists_are_kept(spec, kind, at, overrides)


def _fields_exist(
    operator: OperatorVersion, kind: str, at: Path, data: Any, steps: tuple[str, ...] = ()
) -> Iterator[FieldError]:
    """Refuse fields that are not in the CRD, which the API server drops silently, and values of another shape.

    What is not a mapping would replace all that is derived there, see `pulumi_slurm.manifests.objects.merged`. ``data``
    is the value at ``at``, and ``steps`` is its path in the ``spec`` of the object. Items of a list have the path of
    the list.
    """
    names = operator.fields(kind, ".".join(steps))
    if data is None:
        yield removes_all(at)
    elif not names:
        # A field without fields of its own; the API server refuses it if its value is of another type.
        return
    elif steps in LISTS.get(kind, ()):
        if not isinstance(data, list):
            yield not_a_list(at, data)
            return
        for index, item in enumerate(data):
            if isinstance(item, Mapping):
                yield from _names_exist(operator, kind, (*at, index), item, steps)
            else:
                yield not_a_mapping((*at, index), item)
    elif not isinstance(data, Mapping):
        yield not_a_mapping(at, data)
    elif "*" in names:
        errors = [*_open_values_remove_nothing(kind, at, data, steps)]
        refused_paths = {error.path for error in errors}
        yield from errors
        yield from (error for error in form_errors(_type_of_open(steps), data, at) if error.path not in refused_paths)
    else:
        yield from _names_exist(operator, kind, at, data, steps)


def _names_exist(
    operator: OperatorVersion, kind: str, at: Path, fields: Mapping[str, Any], steps: tuple[str, ...]
) -> Iterator[FieldError]:
    names = operator.fields(kind, ".".join(steps))
    derived = {path[-1] for path in DERIVED[kind] if path[:-1] == steps}
    for name, value in fields.items():
        if name in derived:
            continue
        if name in names:
            yield from _fields_exist(operator, kind, (*at, name), value, (*steps, name))
        else:
            yield FieldError(
                (*at, name),
                value,
                f"slurm-operator {operator.version} knows no such field of a {kind}",
                release_with_it(operator, first_release_with(kind, path))
                if (path := ".".join((*steps, str(name)))) in paths(kind)
                else nearest(str(name), names - derived),
                depends_on_fields=(("operator_version",),),
            )


def _type_of_open(steps: tuple[str, ...]) -> str:
    """Return the type of Kubernetes of a field whose fields the CRD leaves open."""
    match steps:
        case ("template", "spec"):
            return "PodSpec"
        case ("service", "spec"):
            return "ServiceSpec"
        case ("volumeClaimTemplates",):
            return "PersistentVolumeClaim"
        case (("slurmctld" | "slurmdbd" | "slurmrestd" | "slurmd" | "login" | "logfile" | "reconfigure" | "initconf"),):
            return "Container"
    return "any"


def _open_values_remove_nothing(
    kind: str, at: Path, fields: Mapping[str, Any], steps: tuple[str, ...]
) -> Iterator[FieldError]:
    """Look below a field whose fields the CRD leaves open, such as ``template.spec``."""
    derived = {path[-1] for path in DERIVED[kind] if path[:-1] == steps}
    for name, value in fields.items():
        path = (*steps, str(name))
        if name in derived:
            continue
        if value is None:
            yield removes_all((*at, name))
        elif isinstance(value, Mapping):
            yield from _open_values_remove_nothing(kind, (*at, name), value, path)
        elif path in OBJECTS[kind]:
            yield not_a_mapping((*at, name), value)


def _probes_exist(kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    for container, probes in PROBES[kind].items():
        container_fields = overrides.get(container)
        if not isinstance(container_fields, Mapping):
            continue
        for probe in ALL_PROBES:
            if probe in container_fields and probe not in probes:
                yield FieldError(
                    (*at, container, probe),
                    container_fields[probe],
                    f"the operator's container {container} has no such probe, and merging one brings the operator down",
                    "Leave it out.",
                )


def _empty_values_have_no_effect(kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    for field in (*PROBES[kind], "template"):
        for path, value in _empty_values(overrides.get(field), (*at, field)):
            yield FieldError(
                path,
                value,
                'the operator drops false, 0 and "" from what it merges, so this has no effect',
                "Leave it out.",
            )


def _ports_are_kept(kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    port = _value_at(overrides, ("service", "port"))
    if kind in PORTS and port is not FieldError.ABSENT and port != PORTS[kind]:
        yield FieldError(
            (*at, "service", "port"),
            port,
            f"it changes the Service alone: daemons, clients and the operator keep {PORTS[kind]}",
            "Leave it out.",
        )


def _services_are_no_load_balancers(at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    """Refuse a load balancer of the operator's own Service, of which most clouds let everyone in."""
    if _value_at(overrides, ("service", "spec", "type")) == ServiceType.LOAD_BALANCER:
        yield FieldError(
            (*at, "service", "spec", "type"),
            ServiceType.LOAD_BALANCER,
            "nothing here says who may connect, and most clouds put the load balancer on the Internet",
            f"Leave it out, and set {format_path((*at[:-1], 'service', 'type'))}.",
        )


def _lists_are_kept(spec: SlurmSpec, kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    """Refuse lists that would replace those with the specification's volumes and sidecars."""
    node_set = spec.node_sets[at[1]] if kind == "NodeSet" and isinstance(at[1], int) else None
    login_set = spec.login_sets[at[1]] if kind == "LoginSet" and isinstance(at[1], int) else None
    volumes, mounts, sidecars = bool(spec.shared_volumes), bool(spec.shared_volumes), False
    extras = node_set or login_set
    if extras:
        volumes |= bool(extras.extra_volumes)
        mounts |= bool(extras.extra_volume_mounts)
    if node_set:
        sidecars = bool(node_set.sidecars)
        has_host_volumes = bool(node_set.host_paths or node_set.shared_memory)
        volumes |= has_host_volumes or any(sidecar.host_paths for sidecar in node_set.sidecars)
        mounts |= has_host_volumes or bool(node_set.volume_claims)
    container = "slurmd" if node_set else "login"
    use_volumes = "Use extraVolumes and extraVolumeMounts, which are added to the others."
    for path, has_items, items_name, fix in (
        (("template", "spec", "volumes"), volumes, "volumes", use_volumes),
        ((container, "volumeMounts"), mounts, "volumes", use_volumes),
        (("template", "spec", "initContainers"), sidecars, "sidecars", "Use sidecars of the node set."),
    ):
        value = _value_at(overrides, path)
        if has_items and value is not FieldError.ABSENT:
            problem = (
                f"a list in overrides replaces the whole list, and the {items_name} of this specification would be gone"
            )
            yield FieldError((*at, *path), value, problem, fix)


def _value_at(data: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return FieldError.ABSENT
        data = data[step]
    return data


def _empty_values(data: Any, at: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _empty_values(value, (*at, key))
    elif isinstance(data, bool | int | float | str) and not data:
        yield at, data


RULES: tuple[Rule, ...] = (overrides_keep_derived_fields,)
