"""`overrides` can set a field in the releases of slurm-operator that have it, however deep it is in the object."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pulumi_slurm.errors import FieldError, SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.model import operator_version
from pulumi_slurm.model.releases.operator_fields import CHANGES, FIELDS, SOURCES
from pulumi_slurm.model.releases.operator_version import RELEASES, paths
from pulumi_slurm.rules.override_fields import DERIVED, LISTS
from tools.operator_fields import kept_schemas

NODE_SET = {"name": "a", "machine": {"cpus": 4, "memory": "8Gi"}}
PARTS: dict[str, Any] = {
    "Accounting": lambda overrides: {"accounting": {"database": {"kind": "mariadb-operator"}, "overrides": overrides}},
    "Controller": lambda overrides: {"controller": {"overrides": overrides}},
    "LoginSet": lambda overrides: {"identity": {"directory": {}}, "loginSets": [{"name": "a", "overrides": overrides}]},
    "NodeSet": lambda overrides: {"nodeSets": [{**NODE_SET, "overrides": overrides}]},
    "RestApi": lambda overrides: {"restApi": {"overrides": overrides}},
}
"""The part of a specification that makes an object of a kind, with overrides."""

PATHS: dict[str, tuple[str | int, ...]] = {
    "Accounting": ("accounting", "overrides"),
    "Controller": ("controller", "overrides"),
    "LoginSet": ("login_sets", 0, "overrides"),
    "NodeSet": ("node_sets", 0, "overrides"),
    "RestApi": ("rest_api", "overrides"),
}
"""Where the overrides of each kind are in a specification of `PARTS`."""

ROWS = [(kind, path) for kind, changes in CHANGES.items() for path in changes if kind in PARTS]
"""All fields that some release lacks, of objects that have overrides."""

NEWEST = list({operator_version(release).minor: release for release in RELEASES}.values())
"""The newest release of each minor release."""
OLDER = pytest.mark.repeats("tests/unit/test_override_fields.py, with objects of later releases")


def nested(path: str, value: Any) -> Any:
    """Return a value below all steps of a path, as overrides have it."""
    for step in reversed(path.split(".")):
        value = {step: value}
    return value


def empty_at(kind: str, path: str) -> Any:
    """Return overrides with an empty value at a path, and a list wherever the CRD has a list of objects."""
    lists = {".".join(map(str, steps)) for steps in LISTS.get(kind, ())}
    value: Any = [] if path in lists else {}
    while path:
        path, _, name = path.rpartition(".")
        value = [{name: value}] if path in lists else {name: value}
    return value


def errors_of(kind: str, overrides: Mapping[str, Any], release: str) -> list[FieldError]:
    """Return the errors of a specification with overrides of one object; the rest of it has none."""
    try:
        load({"name": "c", "nodeSets": [], "operatorVersion": release, **PARTS[kind](overrides)})
    except SpecError as error:
        return list(error.errors)
    return []


def lists_of_objects(schema: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the paths below a schema at which there is a list of objects."""
    for name, below in schema.get("properties", {}).items():
        if "properties" in below.get("items", {}):
            yield (*at, name)
        yield from lists_of_objects(below, (*at, name))


@pytest.mark.parametrize("release", SOURCES.values())
def test_lists_are_those_of_the_crds(release: str) -> None:
    for kind, schema in kept_schemas(release).items():
        derived = [path for path in DERIVED.get(kind, ()) if path]
        lists = {path for path in lists_of_objects(schema) if not any(path[: len(above)] == above for above in derived)}
        assert lists <= {*LISTS.get(kind, ())} or kind not in PARTS, f"{kind}: write it into LISTS"


def test_only_tokens_have_no_overrides() -> None:
    assert {*FIELDS} - {*PARTS} == {"Token"}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("kind", "path"), ROWS)
def test_a_field_is_refused_in_releases_without_it(kind: str, path: str, release: str) -> None:
    since, until = CHANGES[kind][path]
    minor = operator_version(release).minor
    problems = [error.problem for error in errors_of(kind, empty_at(kind, path), release)]
    if tuple(path.split(".")) in DERIVED[kind]:
        assert problems == ["pulumi-slurm derives this, and an override breaks the cluster"]
    elif since <= minor and (until is None or minor < until):
        assert problems == []
    else:
        assert problems == [f"slurm-operator {release} knows no such field of a {kind}"]


def test_rows_have_fields_that_are_not_derived_at_the_top_and_deeper() -> None:
    checked = {path for kind, path in ROWS if tuple(path.split(".")) not in DERIVED[kind]}
    assert checked >= {
        "pinToNode",
        "strategy",
        "taintKubeNodes",
        "updateStrategy.scheduledUpdate",
    }


@pytest.mark.parametrize("release", NEWEST)
@pytest.mark.parametrize("kind", PARTS)
def test_all_fields_of_a_release_are_accepted_and_none_beside_them(kind: str, release: str) -> None:
    for path in fields_to_override(kind, release):
        # The release says nothing about values, so an empty one stands for all.
        assert errors_of(kind, empty_at(kind, path.replace("*", name_below(path))), release) == [], path
        if "*" not in path:
            (error,) = errors_of(kind, empty_at(kind, f"{path}Misspelt"), release)
            assert error.path[-1] == f"{path}Misspelt".rpartition(".")[2]
            assert error.problem == f"slurm-operator {release} knows no such field of a {kind}"


def name_below(path: str) -> str:
    """Return a name that is right below a path that a release leaves open; where it is free, any."""
    of_kubernetes = {"template.spec.*": "overhead", "service.spec.*": "selector", "volumeClaimTemplates.*": "spec"}
    return of_kubernetes.get(path) or ("resources" if path.count(".") == 1 else "anyName")


def fields_to_override(kind: str, release: str) -> list[str]:
    """Return the fields that a release has, without those that have a rule of their own."""
    with_a_rule = {*(".".join(map(str, path)) for path in DERIVED[kind]), "service.port"}
    return [
        path
        for path in sorted(paths(kind))
        if operator_version(release).has(kind, path)
        and not any(f"{path}.".startswith(f"{other}.") for other in with_a_rule)
    ]


def test_items_of_lists_are_looked_at() -> None:
    endpoints = [{"interval": "30s"}, {"path": "/metrics", "scrapeTimout": "5s"}]
    (error,) = errors_of("Controller", nested("metrics.serviceMonitor.endpoints", endpoints), RELEASES[-1])
    assert str(error) == (
        f'controller.overrides.metrics.serviceMonitor.endpoints[1].scrapeTimout = "5s": slurm-operator {RELEASES[-1]} '
        'knows no such field of a Controller. Did you mean "scrapeTimeout"?'
    )


def test_a_name_with_a_dot_is_not_a_path() -> None:
    (error,) = errors_of("NodeSet", {"updateStrategy.type": "OnDelete"}, RELEASES[-1])
    assert error.problem == f"slurm-operator {RELEASES[-1]} knows no such field of a NodeSet"
    assert errors_of("NodeSet", nested("template.metadata.labels", {"example.org/team": "hpc"}), RELEASES[-1]) == []


NOTHING_REMOVED = "null would remove everything here"
NOT_A_MAPPING = "this is not a mapping"
NOT_A_LIST = "this is not a list"


@pytest.mark.parametrize("release", [*(pytest.param(release, marks=OLDER) for release in NEWEST[:-2]), *NEWEST[-2:]])
@pytest.mark.parametrize("kind", PARTS)
def test_null_and_other_shapes_are_refused_wherever_the_crd_has_an_object(kind: str, release: str) -> None:
    """Merged as they are, they would replace everything that is derived below them."""
    allowed = fields_to_override(kind, release)
    objects = {path.rpartition(".")[0] for path in allowed if "." in path}
    assert objects >= {"template", "template.spec"}
    lists = {".".join(map(str, steps)) for steps in LISTS.get(kind, ())}
    for path in objects:
        at = (*PATHS[kind], *path.split("."))
        if any(path.startswith(f"{above}.") for above in lists):
            continue
        wrong: list[tuple[Any, str]] = [(None, NOTHING_REMOVED)]
        if path in lists:
            wrong += [({}, NOT_A_LIST), ("x", NOT_A_LIST), (1, NOT_A_LIST), (False, NOT_A_LIST)]
        else:
            wrong += [(value, NOT_A_MAPPING) for value in ([], [{"enabled": False}], "", "x", 0, 1, False, True)]
        for value, problem in wrong:
            errors = errors_of(kind, nested(path, value), release)
            assert [(error.path, error.problem) for error in errors] == [(at, problem)], value


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("NodeSet", "template.spec.nodeSelector"),
        ("NodeSet", "template.spec.tolerations"),
        ("NodeSet", "template.metadata.annotations.anyName"),
        ("NodeSet", "slurmd.image"),
        ("NodeSet", "slurmd.resources.limits"),
        ("NodeSet", "updateStrategy.rollingUpdate.maxUnavailable"),
        ("Controller", "persistence.accessModes"),
        ("Controller", "metrics.serviceMonitor.interval"),
        ("LoginSet", "login.resources"),
    ],
)
def test_null_is_refused_below_objects_too(kind: str, path: str) -> None:
    (error,) = errors_of(kind, nested(path, None), RELEASES[-1])
    assert (error.path, error.problem) == ((*PATHS[kind], *path.split(".")), NOTHING_REMOVED)


@pytest.mark.parametrize("value", [[], "x", 1])
@pytest.mark.parametrize("path", ["template.spec.nodeSelector", "template.spec.affinity", "slurmd.resources.requests"])
def test_objects_that_kubernetes_defines_are_not_replaced(path: str, value: Any) -> None:
    (error,) = errors_of("NodeSet", nested(path, value), RELEASES[-1])
    assert (error.path, error.problem) == ((*PATHS["NodeSet"], *path.split(".")), NOT_A_MAPPING)


@pytest.mark.parametrize(
    ("kind", "path", "value", "problem"),
    [
        ("NodeSet", "template.spec.hostPid", True, "Write hostPID, if you mean that."),
        ("NodeSet", "slurmd.env", {"A": "b"}, "this is not a list"),
        ("Controller", "slurmctld.livenessProbe.timeoutSecond", 5, "Write timeoutSeconds, if you mean that."),
        ("LoginSet", "login.securityContext.privileged", "yes", "Kubernetes takes true or false here"),
        ("Accounting", "slurmdbd.imagePullPolcy", "Always", "Write imagePullPolicy, if you mean that."),
    ],
)
def test_what_a_release_leaves_open_has_the_form_of_kubernetes(kind: str, path: str, value: Any, problem: str) -> None:
    (error,) = errors_of(kind, nested(path, value), RELEASES[-1])
    assert error.path == (*PATHS[kind], *path.split("."))
    assert problem in f"{error.problem}. {error.fix}"


def test_names_of_labels_are_not_those_of_fields() -> None:
    labels = {"nodeSelector": "x", "resources": "x", "affinity": "x"}
    assert errors_of("NodeSet", nested("template.metadata.labels", labels), RELEASES[-1]) == []


def test_items_of_lists_are_objects() -> None:
    (error,) = errors_of("Controller", nested("metrics.serviceMonitor.endpoints", [None]), RELEASES[-1])
    assert (error.path[-2:], error.problem) == (("endpoints", 0), NOT_A_MAPPING)


def test_null_is_not_reported_twice_where_it_would_remove_volumes() -> None:
    part = {**NODE_SET, "overrides": nested("template.spec.volumes", None)}
    volumes = [{"name": "home", "mountPath": "/home", "storageClass": "s"}]
    with pytest.raises(SpecError) as caught:
        load({"name": "c", "sharedVolumes": volumes, "nodeSets": [part]})
    assert [error.problem for error in caught.value.errors] == [NOTHING_REMOVED]
