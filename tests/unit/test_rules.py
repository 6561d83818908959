"""How rules are run, whatever they are about: codes, severities, and who is told."""

import pickle
import warnings
from collections.abc import Iterator

import pytest

from pulumi_slurm.errors import FieldError, Severity, SpecError, SpecWarning, collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import NodeSetSpec, PartitionOptionsSpec, SlurmSpec
from pulumi_slurm.rules import check_cluster
from pulumi_slurm.rules.run import checked_by, run_rules, warns

PATH = ("slurm_conf", "extra", "A")


def nothing_is_well(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse everything."""
    yield FieldError(PATH, "b", f"{spec.name} is not well", "Write something else.")


nothing_is_well.__module__ = "pulumi_slurm.rules.health"
SPEC = SlurmSpec(name="hpc", node_sets=[NodeSetSpec(name="a", pool="a")])


def test_an_error_carries_the_name_of_its_rule() -> None:
    (error,) = run_rules((nothing_is_well,), SPEC)
    assert error.code == "nothing-is-well"
    assert str(error) == 'slurm_conf.extra.A = "b": hpc is not well. Write something else.'
    assert error.line == f"{error} [nothing-is-well]"


def test_a_cloud_s_rule_says_which_cloud_it_is_about() -> None:
    def images_fit(spec: SlurmSpec) -> Iterator[FieldError]:
        yield from nothing_is_well(spec)

    images_fit.__module__ = "pulumi_slurm.gke.rules.images"
    (error,) = run_rules((images_fit,), SPEC)
    assert error.code == "gke-images-fit"


def test_what_is_refused_says_the_rule_at_the_end_of_each_line() -> None:
    with pytest.raises(SpecError) as caught:
        load({"name": "hpc", "nodeSets": [{"name": "a", "pool": "x"}]})
    (line,) = str(caught.value).splitlines()[1:]
    assert line.endswith(" [node-sets-fit-their-pools]")


def test_a_warning_is_told_and_refuses_nothing() -> None:
    with collected_warnings() as warned:
        assert checked_by(SPEC, lambda spec: run_rules((warns(nothing_is_well),) * 2, spec), "It") is SPEC
    (warning,) = warned
    assert (warning.severity, warning.code) == (Severity.WARNING, "nothing-is-well")


def test_python_can_turn_warnings_into_exceptions() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", SpecWarning)
        with pytest.raises(SpecWarning, match="hpc is not well"):
            checked_by(SPEC, lambda spec: run_rules((warns(nothing_is_well),), spec), "It")


def test_errors_count_when_there_are_warnings_too() -> None:
    rules = (warns(nothing_is_well), nothing_is_well)
    with pytest.raises(SpecError) as caught, collected_warnings() as warned:
        checked_by(SPEC, lambda spec: run_rules(rules, spec), "It")
    assert [error.severity for error in caught.value.errors] == [Severity.ERROR]
    assert not warned, "what is refused needs no warning beside it"


def test_the_exception_is_one_plain_class_that_can_be_pickled() -> None:
    with pytest.raises(SpecError) as caught:
        checked_by(SPEC, lambda spec: run_rules((nothing_is_well,), spec), "It")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is SpecError
    assert (str(again), again.errors) == (str(caught.value), caught.value.errors)


def test_a_warning_can_be_pickled() -> None:
    """Test runners pass warnings from one process to another."""
    (warning,) = run_rules((warns(nothing_is_well),), SPEC)
    again = pickle.loads(pickle.dumps(SpecWarning(warning)))
    assert (str(again), again.warning) == (warning.line, warning)


def test_models_run_no_rules() -> None:
    node_set = NodeSetSpec(name="a", pool="a", partition=PartitionOptionsSpec())
    twice = SlurmSpec(name="hpc", node_sets=[node_set, node_set])
    assert {error.code for error in check_cluster(twice)} == {"names-are-unique"}
