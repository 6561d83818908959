"""Work for a file grows with its mistakes, and not with their square: whoever opens a pull request chooses how many."""

from collections import Counter
from collections.abc import Callable
from types import ModuleType

import pytest

from pulumi_slurm.derived import accounts
from pulumi_slurm.model.accounts import AccountSpec
from pulumi_slurm.slurmconf import catalogue
from pulumi_slurm.slurmconf.version import SERIES
from pulumi_slurm_cli import engine_yaml
from pulumi_slurm_cli.checking.check import check


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, str], Counter[str]]:
    def count(module: ModuleType, name: str) -> Counter[str]:
        original, counts = getattr(module, name), Counter[str]()

        def call(*args: object, **kwargs: object) -> object:
            counts[name] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(module, name, call)
        return counts

    return count


def cluster(*lines: str) -> str:
    return "\n".join(["config:", "  slurm:kind: kubernetes", "  slurm:cluster:", "    name: hpc", *lines])


def test_no_mapping_is_read_anew_for_each_mistake_in_it(counted: Callable[[ModuleType, str], Counter[str]]) -> None:
    read = []
    for many in (10, 100):
        counts = counted(engine_yaml, "_items")
        found = check(cluster(*(f"    x{number}: 1" for number in range(many))), "Pulumi.hpc.yaml")
        assert [item.place.line for item in found if item.path.startswith("slurm:cluster.x")] == [*range(5, 5 + many)]
        read.append(counts["_items"])
    assert read[0] == read[1]


def test_each_unknown_key_of_slurm_is_compared_once_for_each_series(
    counted: Callable[[ModuleType, str], Counter[str]],
) -> None:
    compared = counted(catalogue, "closest")
    keys = [f"        Unknown{number}: x" for number in range(40)]
    found = check(cluster("    slurmConf:", "      extra:", *keys), "Pulumi.hpc.yaml")
    assert len([item for item in found if "Unknown" in item.path]) == 40
    # A rule asks whether another series would take them.
    assert compared["closest"] <= 40 * len(SERIES)


def test_a_chain_of_accounts_is_gone_through_once_for_each() -> None:
    chain = [AccountSpec(name=f"a{number}", parent=f"a{number - 1}") for number in range(1, 2000)]
    by_name = {account.name: account for account in chain}
    assert accounts.with_ancestors(chain[-1], by_name) == chain[::-1]


def test_the_ancestors_of_a_cycle_end_before_the_first_repetition() -> None:
    cycle = [AccountSpec(name="a", parent="b"), AccountSpec(name="b", parent="c"), AccountSpec(name="c", parent="a")]
    by_name = {account.name: account for account in cycle}
    assert [account.name for account in accounts.with_ancestors(cycle[0], by_name)] == ["a", "b", "c"]
    lone = AccountSpec(name="x", parent="x")
    assert accounts.with_ancestors(lone, {"x": lone}) == [lone]
