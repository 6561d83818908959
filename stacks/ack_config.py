"""What a stack on Alibaba Cloud is told: an ACK cluster with all that belongs to it, and a Slurm cluster on it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckRuntime, AckSpec
from pulumi_slurm.ack.model.names import LONGEST_CLUSTER_NAME
from pulumi_slurm.ack.plan.pools import node_pools, pools_from_zero
from pulumi_slurm.ack.plan.slurm_spec import with_alibaba_services
from pulumi_slurm.ack.rules import check_slurm
from pulumi_slurm.ack.slurm import given_secrets
from pulumi_slurm.ack.slurm.rules import check_ack_slurm
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.errors import FieldError, Path, SpecError
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.rules import check_pools
from stacks.cloud_reading import CloudPart, fields_of_clusters_that_exist, of_their_own, read_slurm, under
from stacks.config import ConfigReading, NeededSecret, StackConfig, StackSecrets


class AckSecrets(StackSecrets):
    """A stack's secrets on Alibaba Cloud, beside those of every stack; ack-slurm-operator's route needs them."""

    database_password: str | None = Field(default=None, repr=False)
    """The password of `cluster.accounting.database`, where a Secret with it is stated: slurmdbd.conf holds it."""
    job_completion_password: str | None = Field(default=None, repr=False)
    """The password of `ack.slurm.jobCompletion.user`."""
    copilot_token: str | None = Field(default=None, repr=False)
    """A token for the copilot, with `ack.slurm.copilot.token`."""


class AckConfig(StackConfig):
    """The configuration of a stack on Alibaba Cloud, without its secrets."""

    FOREIGN: ClassVar[Mapping[str, tuple[str, str]]] = {
        **fields_of_clusters_that_exist("ack"),
        "gke": (
            "this describes a cluster to make on Google Cloud, and this stack makes one on Alibaba Cloud",
            "Write kind: gke, or leave it out.",
        ),
    }
    SECRETS: ClassVar[type[StackSecrets]] = AckSecrets

    ack: AckSpec
    """The ACK cluster, its network, node pools, storage and database, and which operator runs Slurm there."""

    @property
    def name(self) -> str:
        """The ACK cluster's name, with which the names of all else begin."""
        return self.ack.cluster_name

    @property
    def slurm(self) -> SlurmSpec:
        """The Slurm cluster as it is built: with Alibaba Cloud's storage and database.

        Raises:
            SpecError: when these and what was stated of the same don't go together; `read_config` tells of that before.
        """
        return with_alibaba_services(self.ack, self.cluster, self.cluster.name)


_PART = CloudPart(
    key="ack",
    what="ACK cluster",
    model=AckSpec,
    load=load_ack,
    node_pools=node_pools,
    check_slurm=check_slurm,
    pool_label=POOL_LABEL,
    placeholders={"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"]},
    fix="Write ack: {region: ..., zones: [...], pools: [...]}.",
    longest_name=LONGEST_CLUSTER_NAME,
)
_OF_THE_ROUTE: tuple[Path, ...] = (("ack", "runtime"), ("ack", "slurm"))


def read(data: Mapping[str, Any]) -> ConfigReading:
    """Return what can be read of a configuration, and every error in it; paths begin below ``slurm:``."""
    rest = dict(data)
    # Read apart, so that errors in one part don't hide those in another.
    ack_data, cluster = rest.pop("ack", None), rest.pop("cluster", None)
    frame, found = _PART.frame(AckConfig, rest)
    ack, wrong = _PART.read(ack_data, cluster)
    left = ack or _PART.left(ack_data, wrong)
    pools = _PART.pools(left, ack_data, cluster)
    spec, wrong_too = read_slurm(cluster, pools)
    found += [*wrong, *wrong_too]
    if left:
        between = list(_operator(rest, left))
        between += _between(left, spec, pools) if spec else _PART.with_the_rest(left, cluster)
        found += of_their_own(between, found)
    needs = _needed_secrets(left, spec) if left and spec else {}
    if found or frame is None or ack is None or spec is None:
        return ConfigReading(None, spec, found, needs)
    config = frame.model_copy(update={"ack": ack, "cluster": spec})
    return ConfigReading(config, spec, list(_as_built(config)), needs)


def _between(ack: AckSpec, slurm: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Yield what is wrong between the two; paths begin below ``slurm:``."""
    yield from under("cluster", check_slurm(ack, slurm))
    yield from _of_the_route(ack, slurm, pools)


def _of_the_route(ack: AckSpec, slurm: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Yield what ack-slurm-operator can't do; Slinky's rules are those of every Slurm specification.

    It is read off Slurm's own files, so it is told when a Slurm cluster has no errors of its own any more.
    """
    if ack.runtime is not AckRuntime.ACK_SLURM_OPERATOR:
        return
    found = check_ack_slurm(
        slurm,
        pools,
        ack.slurm,
        kubernetes_version=ack.cluster.version,
        cluster_domain=ack.cluster.cluster_domain,
        pools_from_zero=pools_from_zero(ack),
    )
    for error in found:
        yield replace(error, depends_on_fields=(*error.depends_on_fields, *_OF_THE_ROUTE))


def _operator(rest: Mapping[str, Any], ack: AckSpec) -> Iterator[FieldError]:
    if ack.runtime is AckRuntime.ACK_SLURM_OPERATOR and rest.get("operator"):
        yield FieldError(
            ("operator",),
            rest["operator"],
            "this is about Slinky's slurm-operator, and slurm:ack has Alibaba Cloud's, so it would have no effect",
            "Leave it out, and set ack.slurm.operator; or write runtime: slinky in slurm:ack.",
            depends_on_fields=(("ack", "runtime"),),
        )


def _as_built(config: AckConfig) -> Iterator[FieldError]:
    """Yield what is wrong only when Alibaba Cloud's part and Slurm's are together; nothing if all rules are there."""
    try:
        built = config.slurm
    except SpecError as error:
        yield from under("cluster", error.errors)
        return
    pools = node_pools(config.ack)
    yield from under("cluster", check_pools(built, pools))
    yield from _of_the_route(config.ack, built, pools)


def _needed_secrets(ack: AckSpec, slurm: SlurmSpec) -> dict[str, NeededSecret]:
    """Return the secrets that ack-slurm-operator's route needs; Slinky reads its passwords from Secrets by itself."""
    if ack.runtime is not AckRuntime.ACK_SLURM_OPERATOR:
        return {}
    needs: dict[str, NeededSecret] = {}
    accounting, options = slurm.accounting, ack.slurm
    if accounting and not accounting.external and not ack.database and accounting.database.password_secret:
        why = f'slurmdbd.conf has to hold the password of "{accounting.database.user}"'
        needs["databasePassword"] = NeededSecret(why, given_secrets.database_password)
    if options.job_completion:
        why = f'slurm.conf has to hold the password of "{options.job_completion.user}"'
        needs["jobCompletionPassword"] = NeededSecret(why, given_secrets.database_password)
    if options.copilot and options.copilot.token:
        why = "ack.slurm.copilot.token says that the copilot's token is written by hand"
        needs["copilotToken"] = NeededSecret(why, given_secrets.token)
    return needs
