"""Overrides: what they may not touch, because it is derived, immutable, or brings the operator down."""

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.override_fields import ALL_PROBES, DERIVED, PORTS, PROBES, overridable


def overrides_leave_what_is_derived(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse overrides that the operator would refuse, ignore or stumble over, and those that undo what is derived."""
    places: list[tuple[str, Path, Mapping[str, Any]]] = [
        ("Controller", ("controller",), spec.controller.overrides),
        ("RestApi", ("rest_api",), spec.rest_api.overrides),
    ]
    if spec.accounting:
        places.append(("Accounting", ("accounting",), spec.accounting.overrides))
    places += [("NodeSet", ("node_sets", i), item.overrides) for i, item in enumerate(spec.node_sets)]
    places += [("LoginSet", ("login_sets", i), item.overrides) for i, item in enumerate(spec.login_sets)]
    for kind, owner, overrides in places:
        at: Path = (*owner, "overrides")
        yield from _known(spec, kind, at, overrides)
        for path, instead in DERIVED[kind].items():
            value = _value_at(overrides, path)
            if value is not FieldError.ABSENT:
                yield FieldError((*at, *path), value, "this is derived and would fall apart", f"Instead {instead}.")
        yield from _containers(kind, at, overrides)
        yield from _ports(kind, at, overrides)
        if kind in {"NodeSet", "LoginSet"}:
            yield from _lists(spec, kind, at, overrides)


def _known(spec: SlurmSpec, kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    known = overridable(kind, _minor(spec.operator.version))
    for field in overrides:
        if field not in known and (field,) not in DERIVED[kind]:
            yield FieldError(
                (*at, field),
                overrides[field],
                f"slurm-operator {spec.operator.version} knows no such field of a {kind}",
                nearest(str(field), known),
                depends_on_fields=(("operator_version",),),
            )


def _containers(kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    for container, probes in PROBES[kind].items():
        fields = overrides.get(container)
        if not isinstance(fields, Mapping):
            continue
        for probe in ALL_PROBES:
            if probe in fields and probe not in probes:
                yield FieldError(
                    (*at, container, probe),
                    fields[probe],
                    f"the operator's container {container} has no such probe, and merging one brings the operator down",
                    "Leave it out.",
                )
    for field in (*PROBES[kind], "template"):
        for path, value in _nothings(overrides.get(field), (*at, field)):
            yield FieldError(
                path,
                value,
                'the operator drops false, 0 and "" from what it merges, so this has no effect',
                "Leave it out.",
            )


def _ports(kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    port = _value_at(overrides, ("service", "port"))
    if kind in PORTS and port is not FieldError.ABSENT and port != PORTS[kind]:
        yield FieldError(
            (*at, "service", "port"),
            port,
            f"it changes the Service alone: daemons, clients and the operator keep {PORTS[kind]}",
            "Leave it out.",
        )


def _lists(spec: SlurmSpec, kind: str, at: Path, overrides: Mapping[str, Any]) -> Iterator[FieldError]:
    """Refuse lists that would replace the ones with our volumes and sidecars."""
    node_set = spec.node_sets[at[1]] if kind == "NodeSet" and isinstance(at[1], int) else None
    volumes, mounts, sidecars = bool(spec.shared_volumes), bool(spec.shared_volumes), False
    if node_set:
        sidecars = bool(node_set.sidecars)
        own = bool(node_set.host_paths or node_set.shared_memory)
        volumes |= own or any(sidecar.host_paths for sidecar in node_set.sidecars)
        mounts |= own or bool(node_set.volume_claims)
    container = "slurmd" if node_set else "login"
    use_volumes = "Use sharedVolumes, or volumeClaims and hostPaths of a node set."
    for path, ours, what, fix in (
        (("template", "spec", "volumes"), volumes, "volumes", use_volumes),
        ((container, "volumeMounts"), mounts, "volumes", use_volumes),
        (("template", "spec", "initContainers"), sidecars, "sidecars", "Use sidecars of the node set."),
    ):
        value = _value_at(overrides, path)
        if ours and value is not FieldError.ABSENT:
            problem = f"a list in overrides replaces the whole list, and the {what} of this specification would be gone"
            yield FieldError((*at, *path), value, problem, fix)


def _value_at(data: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return FieldError.ABSENT
        data = data[step]
    return data


def _nothings(data: Any, at: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _nothings(value, (*at, key))
    elif isinstance(data, bool | int | float | str) and not data:
        yield at, data


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
