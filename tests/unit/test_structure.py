"""The packages, and the floors of each: each imports only those below it, and no file takes part in a circle.

Every import counts, wherever it stands in a file, and so does every other way of loading a module.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT

PACKAGES = {
    "pulumi_slurm": CHECKOUT / "components",
    "pulumi_slurm_stacks": CHECKOUT / "stacks",
    "pulumi_slurm_cli": CHECKOUT / "cli",
}
"""The packages from the ground up, and the folder of each."""
DOOR = "pulumi_slurm.__main__"
"""What `python -m pulumi_slurm` runs: the command line, which is above all."""
FLOORS = {
    "pulumi_slurm": (
        {"choices", "docstrings", "issue", "keys", "secrecy", "spelling", "user_error", "version", "visible"},
        {"user_file"},
        {"errors", "slurmconf"},
        {"model"},
        {"machines", "derived"},
        {"rules"},
        {"loading"},
        {"configuration", "clouds"},
        {"providers"},
        {"manifests"},
        {"dicts"},
        {"kube"},
        {"slinky", "ack_slurm", "bridge"},
        {"cloud_slurm"},
        {"gke", "ack"},
        {"component_provider"},
        {"__main__", "__init__"},
    ),
    "pulumi_slurm_cli": (
        {"engine_yaml", "few", "kubectl", "shapes"},
        {"checking", "importing", "live", "pools"},
        {"adopting", "drift", "proof", "rehearsal"},
        {"review", "status"},
        {"offline"},
        {"commands"},
        {"__main__", "__init__"},
    ),
}
"""The rooms of these packages from the ground up; rooms of one floor don't import each other."""
WITHOUT_SDKS = {
    "pulumi_slurm": set().union(*FLOORS["pulumi_slurm"][:10]),
    "pulumi_slurm_cli": set().union(*FLOORS["pulumi_slurm_cli"]) - {"offline"},
}
"""The rooms below the components, and those of the command that run no program of Pulumi."""
INNER_FLOORS = ({"model"}, {"plan", "manifests"}, {"rules"})
"""The rooms within the packages for clouds and for ack-slurm-operator, below their components."""
LOADED_BY_NAME = {
    DOOR: "the command, which a copy of the library alone lacks",
    "pulumi_slurm.component_provider.components": "the package of a component that another language names",
    "pulumi_slurm.component_provider.provider": "the same",
    "pulumi_slurm_stacks.config": "the configuration of the stack that a file names, whose SDK may not be there",
    "pulumi_slurm_stacks.program": "the stack that a file names, whose SDK may not be there",
    "pulumi_slurm_cli.__main__": "the command that is called",
    "pulumi_slurm_cli.commands.drift": "a library that only --adopt needs",
    "pulumi_slurm_cli.review.clouds": "the clouds of the registry, a machine's price only where a pool has it",
    "pulumi_slurm_cli.commands.review": "Pulumi, which only --offline needs",
}
"""Modules that load others by a name that they are told, or late, and what that is."""


def modules() -> dict[str, Path]:
    found = {}
    for package, folder in PACKAGES.items():
        for file in (folder / package).rglob("*.py"):
            name = ".".join(file.relative_to(folder).with_suffix("").parts)
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
        elif isinstance(node, ast.Constant) and node.value in MODULES and module in LOADED_BY_NAME:
            # A package itself loads nothing before a name of it is asked for.
            yield from {str(node.value)} - PACKAGES.keys()


IMPORTS = {module: set(imports(module)) for module in MODULES}
GRAPH = {module: {target for target in targets if target in MODULES} - {module} for module, targets in IMPORTS.items()}


def package_of(module: str) -> str:
    return module.split(".", maxsplit=1)[0]


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


def test_each_package_imports_only_packages_below_it() -> None:
    floor = {name: number for number, name in enumerate(PACKAGES)}
    wrong = {
        (module, target)
        for module, targets in GRAPH.items()
        for target in targets
        if floor[package_of(target)] > floor[package_of(module)] and module != DOOR
    }
    assert not wrong


def test_what_loads_modules_by_name_is_known() -> None:
    """An import that no test sees could lead upstairs."""
    ways = ("import_module", "__import__", "run_module", "run_path", "spec_from_file_location", "exec(")
    loading = {module for module, file in MODULES.items() if any(way in file.read_text() for way in ways)}
    assert loading == LOADED_BY_NAME.keys()


@pytest.mark.parametrize("package", FLOORS)
def test_every_room_has_a_floor(package: str) -> None:
    assert {room(module) for module in MODULES if package_of(module) == package} == set().union(*FLOORS[package])


@pytest.mark.parametrize("package", FLOORS)
def test_each_floor_imports_only_floors_below_it(package: str) -> None:
    floor = {name: number for number, names in enumerate(FLOORS[package]) for name in names}
    wrong = {
        (module, target)
        for module, targets in GRAPH.items()
        for target in targets
        if package_of(module) == package_of(target) == package
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
        if package_of(module) == package_of(target) == "pulumi_slurm"
        if room(module) == room(target) == package and within(target) > within(module)
    }
    assert not wrong


@pytest.mark.parametrize("package", WITHOUT_SDKS)
def test_what_is_below_the_components_needs_neither_pulumi_nor_a_cloud_s_sdk(package: str) -> None:
    for module in (module for module in MODULES if package_of(module) == package):
        parts = module.split(".")
        pure = room(module) in WITHOUT_SDKS[package] or (len(parts) > 2 and parts[2] in set().union(*INNER_FLOORS))
        sdks = {name.split(".")[0] for name in IMPORTS[module]} & {
            "pulumi",
            "pulumi_kubernetes",
            "pulumi_gcp",
            "pulumi_alicloud",
        }
        assert not (pure and sdks), module
