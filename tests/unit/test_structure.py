"""The floors of the package: each imports only floors below it, and no file takes part in a circle.

Every import counts, wherever it stands in a file.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT

PACKAGE = CHECKOUT / "components" / "pulumi_slurm"

FLOORS = (
    {"docstrings", "engine_yaml", "issue", "keys", "secrecy", "user_error", "version", "visible"},
    {"user_file"},
    {"errors", "slurmconf"},
    {"model"},
    {"machines", "derived"},
    {"rules"},
    {"loading"},
    {"configuration", "clouds"},
    {"providers"},
    {"importing", "live", "manifests"},
    {"adopting", "drift", "rehearsal"},
    {"review"},
    {"dicts"},
    {"kube"},
    {"slinky", "ack_slurm", "bridge"},
    {"cloud_slurm"},
    {"gke", "ack"},
    {"component_provider", "commands"},
    {"__main__", "__init__"},
)
"""The rooms of the package from the ground up; rooms of one floor don't import each other."""
INNER_FLOORS = ({"model"}, {"plan", "manifests"}, {"rules"})
"""The rooms within the packages for clouds and for ack-slurm-operator, below their components."""


def modules() -> dict[str, Path]:
    found = {}
    for file in PACKAGE.rglob("*.py"):
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = file
    return found


MODULES = modules()


def imports(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} has a relative import"
            for alias in node.names:
                target = f"{node.module}.{alias.name}"
                yield target if target in MODULES else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


IMPORTS = {module: set(imports(module)) for module in MODULES}
GRAPH = {module: {target for target in targets if target in MODULES} - {module} for module, targets in IMPORTS.items()}


def room(module: str) -> str:
    return [*module.split("."), "__init__"][1]


def test_no_file_is_part_of_a_circle() -> None:
    try:
        list(TopologicalSorter(GRAPH).static_order())
    except CycleError as error:
        pytest.fail(f"a circle: {' -> '.join(error.args[1])}")


def test_nothing_is_imported_for_type_checkers_alone() -> None:
    hidden = [module for module, file in MODULES.items() if "TYPE_CHECKING" in file.read_text()]
    # A base class that mypy can't see, and a type that pydantic and type checkers read differently.
    assert hidden == ["pulumi_slurm.model.base", "pulumi_slurm.model.one_of"]


def test_every_room_has_a_floor() -> None:
    assert {room(module) for module in MODULES} == set().union(*FLOORS)


def test_each_floor_imports_only_floors_below_it() -> None:
    floor = {name: number for number, names in enumerate(FLOORS) for name in names}
    wrong = {
        (module, target)
        for module, targets in GRAPH.items()
        for target in targets
        if room(target) != room(module) and floor[room(target)] >= floor[room(module)]
    }
    assert not wrong


@pytest.mark.parametrize("package", ["gke", "ack", "ack_slurm"])
def test_models_know_no_plan_plans_know_no_rules_and_these_no_component(package: str) -> None:
    floor = {name: number for number, names in enumerate(INNER_FLOORS) for name in names}

    def within(module: str) -> int:
        parts = module.split(".")
        return floor.get(parts[2], len(INNER_FLOORS)) if len(parts) > 2 else len(INNER_FLOORS)

    wrong = {
        (module, target)
        for module, targets in GRAPH.items()
        for target in targets
        if room(module) == room(target) == package and within(target) > within(module)
    }
    assert not wrong


def test_what_is_below_the_components_needs_neither_pulumi_nor_a_cloud_s_sdk() -> None:
    below = set().union(*FLOORS[:10])
    for module in MODULES:
        parts = module.split(".")
        pure = room(module) in below or (len(parts) > 2 and parts[2] in set().union(*INNER_FLOORS))
        sdks = {name.split(".")[0] for name in IMPORTS[module]} & {
            "pulumi",
            "pulumi_kubernetes",
            "pulumi_gcp",
            "pulumi_alicloud",
        }
        assert not (pure and sdks), module
