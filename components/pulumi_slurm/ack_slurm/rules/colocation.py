"""Colocation: requirements of the copilot, and GRES that have to match in slurm.conf and gres.conf."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.manifests.slurm_conf import COLOCATION_GRES, items_of
from pulumi_slurm.ack_slurm.model.options import OperatorChartSpec
from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, parse
from pulumi_slurm.slurmconf.conf_error import ConfError

_MIN_KUBERNETES = (1, 26)
_CLUSTER_DOMAIN = "cluster.local"
_GRES_CONF = (*CLUSTER, "config_files", "gres.conf")


def colocation_is_complete(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a copilot that could not read jobs or change nodes."""
    ack = context.ack
    at = (*ACK, "copilot")
    if ack.copilot is None:
        return
    if not ack.slurmrestd:
        problem = "the copilot changes nodes through slurmrestd"
        yield FieldError(
            (*ACK, "slurmrestd"), False, problem, "Write true, or leave copilot out.", depends_on_fields=(at,)
        )
    yield from operator_runs_the_copilot(ack.operator, context.spec.namespace, (*ACK, "operator"), (at,))
    version = context.kubernetes_version
    if version and _release(version) < _MIN_KUBERNETES:
        problem = "colocated scheduling needs Kubernetes 1.26"
        yield FieldError(
            ("ack", "control_plane", "version"), version, problem, "Write 1.26 or later.", depends_on_fields=(at,)
        )
    if context.cluster_domain != _CLUSTER_DOMAIN:
        yield FieldError(
            ("ack", "control_plane", "cluster_domain"),
            context.cluster_domain,
            "the copilot looks for slurmrestd in the domain svc.cluster.local, whatever the cluster's domain is",
            f'Write "{_CLUSTER_DOMAIN}".',
            depends_on_fields=(at,),
        )


def operator_runs_the_copilot(
    operator: OperatorChartSpec, namespace: str, at: Path, depends_on_fields: tuple[Path, ...] = ()
) -> Iterator[FieldError]:
    """Yield what keeps an operator's copilot from a cluster in a namespace; ``at`` is the operator's path."""
    if operator.values.get("enableCopilot") is False:
        problem = "the copilot is a part of the operator, and this disables it"
        yield FieldError((*at, "values", "enableCopilot"), False, problem, "Leave it out.", depends_on_fields)
    watched_namespace = operator.values.get("watchNamespace", operator.watch_namespace)
    if watched_namespace is not None and watched_namespace != namespace:
        problem = f'the copilot looks for clusters in this namespace only, and the cluster is in "{namespace}"'
        fix = f'Leave it out, or write "{namespace}".'
        yield FieldError((*at, "watch_namespace"), watched_namespace, problem, fix, depends_on_fields)


def colocated_nodes_have_no_features(context: RuleContext) -> Iterator[FieldError]:
    """Refuse features of nodes with colocation, as slurmctld would set these nodes INVAL.

    node_features/k8s_resources declares every feature changeable, and slurmd reports none but its own.
    """
    if context.ack.copilot is None:
        return
    for index, node_set in enumerate(context.spec.node_sets):
        if node_set.features:
            problem = "with the copilot slurmd reports no feature but k8s, so slurmctld would set these nodes INVAL"
            fix = "Leave it out, and let jobs choose a partition."
            at = (*CLUSTER, "node_sets", index, "features")
            yield FieldError(at, node_set.features, problem, fix, depends_on_fields=((*ACK, "copilot"),))


def gres_conf_matches_slurm_conf(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a gres.conf with other GRES than slurm.conf."""
    conf = _user_gres_conf(context)
    if conf is not None:
        yield from _names_agree(context, conf)
        yield from _counters_are_plain(conf)


def _names_agree(context: RuleContext, conf: Conf) -> Iterator[FieldError]:
    names = {_gres_name(entry) for entry in conf.entries} - {""}
    configured = items_of(context.conf, "GresTypes").keys()
    for name in COLOCATION_GRES if context.ack.copilot else ():
        if name not in names:
            problem = f"the copilot counts in {name}, and there is no line for it"
            yield FieldError(
                _GRES_CONF, name, problem, f"Add the line Name={name} Flags=CountOnly.", ((*ACK, "copilot"),)
            )
    for name in sorted(names - configured):
        problem = f"slurm.conf doesn't have the GRES {name} (GresTypes), so no job could request it"
        if name in COLOCATION_GRES:
            fix = "Add ack.slurm.copilot, or leave the line out."
        elif name == "gpu":
            fix = "Configure the GPUs of a node set's machine or pool, or leave the line out."
        else:
            fix = "Add it to extraGres of the node sets that have it, or leave the line out."
        yield FieldError(_GRES_CONF, name, problem, fix)


def _counters_are_plain(conf: Conf) -> Iterator[FieldError]:
    for entry in conf.entries:
        name = _gres_name(entry)
        for key in ("File", "Type"):
            if name in COLOCATION_GRES and key in entry.options:
                problem = f"{name} is a counter without files and types"
                yield FieldError(_GRES_CONF, f"{key}={entry.options[key]}", problem, f"Leave {key} out.")


def _gres_name(entry: Entry) -> str:
    return str(entry.name if entry.keyword == "Name" else entry.options.get("Name", ""))


def _user_gres_conf(context: RuleContext) -> Conf | None:
    text = context.spec.config_files.get(File.GRES.value)
    if text is None:
        return None
    try:
        return parse(text, File.GRES, context.ack.series)
    except ConfError:
        return None  # Another rule reports it.


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.partition("-")[0].split(".")[:2] if part.isdigit())


RULES: tuple[Rule, ...] = (
    colocation_is_complete,
    colocated_nodes_have_no_features,
    gres_conf_matches_slurm_conf,
)
