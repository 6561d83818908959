"""The configuration of a stack on a cloud: its Kubernetes cluster there, and the Slurm cluster on it.

Each of the two is read in spite of errors in the other; errors in one don't hide those in the other, and none is told
twice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from pulumi_slurm.clouds.cloud import Cloud, CloudSpec
from pulumi_slurm.clouds.on_cloud import OnCloud, default_name, errors_between, is_label, pools_to_name
from pulumi_slurm.configuration.slinky import slinky_texts
from pulumi_slurm.errors import FieldError, SpecError, format_path, without_warnings
from pulumi_slurm.loading import load, load_model
from pulumi_slurm.loading.partial_load import PartialLoad
from pulumi_slurm.loading.removed_paths import RemovedPaths
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import ALL_RULES
from pulumi_slurm.rules.run import Rule
from pulumi_slurm_stacks.config import CLUSTER_FIX, SUBJECT, ConfigReading, SlurmStackConfig, not_a_mapping

S = TypeVar("S", bound=CloudSpec)
T = TypeVar("T")
P = TypeVar("P")


class CloudConfig(OnCloud, SlurmStackConfig):
    """The configuration of a stack that makes its Kubernetes cluster. A subclass has a field called as its cloud."""

    def slurm_files(self) -> dict[str, str]:
        """Return Slurm's files, by name."""
        return slinky_texts(self.slurm, self.pools)

    @classmethod
    def rules(cls) -> Sequence[Rule]:
        """Return the rules that warnings of a stack on this cloud may come from."""
        return (*ALL_RULES, *cls._cloud.rules)

    @classmethod
    def rules_on_answers(cls) -> Sequence[Rule]:
        """Return those of them that only a preview runs, on what the cloud answers."""
        return cls._cloud.rules_on_answers

    @property
    def asks(self) -> bool:
        """Whether a preview asks the cloud for what exists, so that it may warn of more than the file shows."""
        return self._cloud.asks(getattr(self, self._cloud.key))

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> ConfigReading:
        """Return what can be read of a configuration, and every error in it."""
        return _CloudReading(cls._cloud, cls).read(data)


class _CloudReading(Generic[S, P]):
    """One configuration being read."""

    def __init__(self, cloud: Cloud[S, P], model: type[CloudConfig]) -> None:
        self._cloud = cloud
        self._model = model

    def read(self, data: Mapping[str, Any]) -> ConfigReading:
        """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
        cloud = self._cloud
        settings = dict(data)
        raw_cloud, raw_slurm = settings.pop(cloud.key, None), settings.pop("cluster", None)
        outer, errors = self._parse_outer(settings)
        cloud_spec, cloud_errors = self._parse_cloud(raw_cloud, raw_slurm)
        partial = cloud_spec or self._parse_cloud_ignoring(raw_cloud, cloud_errors)
        plan = cloud.plan(partial) if partial else None
        pools = pools_to_name(cloud, plan, _names_of_pools(raw_cloud, raw_slurm))
        slurm, slurm_errors = _parse_slurm(raw_slurm, pools, cloud.other_release(plan) if plan else None)
        errors += [*cloud_errors, *slurm_errors]
        if plan:
            cross_errors = list(cloud.check_settings(plan, settings))
            if slurm:
                cross_errors += errors_between(cloud, plan, slurm, pools)
            else:
                cross_errors += self._check_with_partial_slurm(plan, raw_slurm)
            errors += without_warnings(_new_errors(cross_errors, errors))
        needs = cloud.needed_secrets(plan, slurm) if plan and slurm else {}
        if errors or outer is None or cloud_spec is None or slurm is None:
            return ConfigReading(None, slurm, errors, needs)
        config = outer.model_copy(update={cloud.key: cloud_spec, "cluster": slurm})
        return ConfigReading(config, slurm, without_warnings(config.errors_as_built()), needs)

    def _parse_outer(self, settings: Mapping[str, Any]) -> tuple[CloudConfig | None, list[FieldError]]:
        """Return the configuration without its two large parts."""
        parts = {self._cloud.key: dict(self._cloud.placeholders), "cluster": {"name": "unnamed"}}
        try:
            return load_model(self._model, {**parts, **settings}, SUBJECT), []
        except SpecError as error:
            return None, error.errors

    def _parse_cloud(self, raw_cloud: Any, raw_slurm: Any) -> tuple[S | None, list[FieldError]]:
        """Return the cloud's specification, which has the Slurm cluster's name unless it has its own."""
        cloud = self._cloud
        if not isinstance(raw_cloud, dict):
            return None, [not_a_mapping(cloud.key, raw_cloud, cloud.example)]
        slurm_name = raw_slurm.get("name") if isinstance(raw_slurm, dict) else None
        errors: list[FieldError] = []
        if raw_cloud.get("name") is None and isinstance(slurm_name, str):
            try:
                raw_cloud = {**raw_cloud, "name": default_name(cloud, slurm_name)}
            except SpecError as error:
                errors = error.errors
        try:
            return cloud.load(raw_cloud, at=(cloud.key,)), errors
        except SpecError as error:
            return None, [*errors, *error.errors]

    def _parse_cloud_ignoring(self, raw_cloud: Any, errors: Sequence[FieldError]) -> S | None:
        """Return the cloud's specification without what has errors, for the Slurm cluster to be judged by the rest.

        Placeholders take the place of required fields.
        """
        if not isinstance(raw_cloud, dict):
            return None
        fields = {error.path[1] for error in errors if len(error.path) > 1}
        pools = {error.path[2] for error in errors if error.path[1:2] == ("pools",) and len(error.path) > 2}
        remaining = {name: value for name, value in raw_cloud.items() if name not in fields}
        if pools and isinstance(raw_cloud.get("pools"), list):
            remaining["pools"] = [pool for index, pool in enumerate(raw_cloud["pools"]) if index not in pools]
        try:
            return self._cloud.spec.model_validate({**self._cloud.placeholders, **remaining})
        except ValidationError:
            return None

    def _check_with_partial_slurm(self, plan: P, raw_slurm: Any) -> Iterator[FieldError]:
        """Yield what is wrong between it and what can be read of a Slurm cluster with errors of its own."""
        reading = PartialLoad(raw_slurm, SlurmSpec)
        slurm = reading.read()
        if isinstance(slurm, SlurmSpec):
            errors = (error for error in self._cloud.check_slurm(plan, slurm) if not reading.is_consequence(error))
            yield from (reading.with_original_paths(error).below("cluster") for error in errors)


def _parse_slurm(
    raw_slurm: Any, pools: Sequence[NodePoolSpec], other_release: str | None
) -> tuple[SlurmSpec | None, list[FieldError]]:
    """Return the Slurm cluster as the user wrote it."""
    if not isinstance(raw_slurm, dict):
        return None, [not_a_mapping("cluster", raw_slurm, CLUSTER_FIX)]
    try:
        return load(raw_slurm, pools, at=("cluster",), other_release=other_release)[0], []
    except SpecError as error:
        return None, error.errors


def _new_errors(cross_errors: Iterable[FieldError], errors: Sequence[FieldError]) -> list[FieldError]:
    """Return the errors between parts that are neither reported of their fields already nor follow from those."""
    reported = {format_path(error.path) for error in errors}
    unread = RemovedPaths(error.path for error in errors)
    return [error for error in cross_errors if format_path(error.path) not in reported and not unread.explain(error)]


def _names_of_pools(raw_cloud: Any, raw_slurm: Any) -> set[str]:
    """Return the names of all pools that are written; those that node sets want, when one can't be read."""
    pools = raw_cloud.get("pools", []) if isinstance(raw_cloud, dict) else None
    existing = (
        raw_cloud.get("existingPools", raw_cloud.get("existing_pools", [])) if isinstance(raw_cloud, dict) else []
    )
    if isinstance(pools, list) and isinstance(existing, list):
        pools = [*pools, *existing]
        names = [pool.get("name") if isinstance(pool, dict) else None for pool in pools]
        if all(map(is_label, names)):
            return {name for name in names if is_label(name)}
    node_sets = raw_slurm.get("nodeSets", raw_slurm.get("node_sets")) if isinstance(raw_slurm, dict) else None
    wanted = [item.get("pool") for item in node_sets if isinstance(item, dict)] if isinstance(node_sets, list) else []
    return {name for name in wanted if is_label(name)}
