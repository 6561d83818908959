"""Random clusters of ack-slurm-operator: those of `tests.unit.strategies`, without what it doesn't support."""

from collections.abc import Iterable
from typing import Any

from hypothesis import assume, strategies as st
from hypothesis.strategies import DrawFn
from pydantic import BaseModel

from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.ack_slurm.rules.unsupported_fields import _LOGIN_SET_FIELDS, NODE_SETS
from pulumi_slurm.errors import Severity
from pulumi_slurm.model import (
    ConfineSpec,
    ImagesSpec,
    LoginSetSpec,
    MonitoringSpec,
    NodePoolSpec,
    NodeSetSpec,
    ServiceSpec,
    SlurmSpec,
)
from pulumi_slurm.rules import check_cluster
from pulumi_slurm.slurmconf.version import SERIES
from tests.unit.ack_slurm.examples import IMAGE
from tests.unit.bridge_strategies import PARTITION
from tests.unit.strategies import specs

AckCluster = tuple[SlurmSpec, list[NodePoolSpec], AckSlurmSpec]


@st.composite
def ack_clusters(draw: DrawFn) -> AckCluster:
    """Draw a cluster that the rules accept."""
    spec, pools = draw(specs())
    copilot = draw(st.booleans())
    ack = AckSlurmSpec.model_validate(
        {
            "image": IMAGE,
            "slurm_version": str(draw(st.sampled_from(SERIES))),
            "copilot": {"submit_plugin": True} if copilot else None,
            "munge_path": draw(st.sampled_from(["/var/munge", "/var/munge/munge.key"])),
            "job_completion": draw(st.sampled_from([None, {"host": "mysql.example.org"}])),
        }
    )
    spec = for_this_operator(spec, copilot)
    of_slurm = check_cluster(spec, other_release=ack.slurm_version)
    errors = [*of_slurm, *check_ack_slurm(spec, pools, ack)]
    assume(not [error for error in errors if error.severity is Severity.ERROR])
    return spec, pools, ack


def for_this_operator(spec: SlurmSpec, copilot: bool) -> SlurmSpec:
    """Return a specification without the fields that ack-slurm-operator or its copilot doesn't support."""
    node_sets = [
        node_set.model_copy(
            update={
                **_defaults(NodeSetSpec, NODE_SETS),
                "workload_disruption_protection": True,
                **({"features": []} if copilot else {}),
            }
        )
        for node_set in spec.node_sets
    ]
    login_sets = [
        login_set.model_copy(
            update={
                "replicas": None,
                # Its CLBs read no ranges.
                "service": login_set.service.model_copy(update={"internal": True, "source_ranges": []}),
                **_defaults(LoginSetSpec, _LOGIN_SET_FIELDS),
            }
        )
        for login_set in spec.login_sets[:1]
    ]
    files = {name: text for name, text in spec.config_files.items() if name != "topology.yaml"}
    hooks = {hook: dict([*getattr(spec.hooks, hook).items()][:1]) for hook in ("prolog_slurmctld", "epilog_slurmctld")}
    # Of a slurmctld outside, as this operator has none.
    lines = {key: text for key, text in spec.slurm_conf.extra.items() if not key.startswith("AccountingStorage")}
    changes = {
        "slurm_conf": spec.slurm_conf.model_copy(update={"extra": lines}),
        "node_sets": node_sets,
        "config_files": files,
        "confine": ConfineSpec(),
        "hooks": spec.hooks.model_copy(update=hooks),
        "identity": spec.identity and spec.identity.model_copy(update={"sssd_conf_secret": None}),
        "login_sets": login_sets,
        "bridge": None,
        "partitions": [partition for partition in spec.partitions if partition.name != PARTITION],
        "tokens": [],
        "monitoring": MonitoringSpec(),
        "keys": spec.keys.model_copy(update={"jwks": None}),
        "controller": spec.controller.model_copy(update={"external": None, "overrides": {}}),
        "rest_api": spec.rest_api.model_copy(update={"overrides": {}, "service": ServiceSpec()}),
        "topologies": [],
        "images": spec.images.model_copy(update={"registry": ImagesSpec().registry, "tag": None}),
    }
    fields = {name: getattr(spec, name) for name in spec.model_fields_set - {"slurm_version"}}
    return SlurmSpec.model_construct(**{**fields, **changes})


def _defaults(model: type[BaseModel], fields: Iterable[str]) -> dict[str, Any]:
    return {field: model.model_fields[field].get_default(call_default_factory=True) for field in fields}
