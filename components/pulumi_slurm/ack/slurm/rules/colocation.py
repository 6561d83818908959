"""Colocation: everything that the copilot needs, and GRES that both files know."""

from collections.abc import Iterator

from pulumi_slurm.ack.slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.ack.slurm.slurm_conf import COLOCATION_GRES, words_of
from pulumi_slurm.errors import FieldError
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, parse
from pulumi_slurm.slurmconf.conf_error import ConfError

_LEAST_KUBERNETES = (1, 26)
_CLUSTER_DOMAIN = "cluster.local"
_GRES_CONF = (*CLUSTER, "config_files", "gres.conf")


def colocation_is_complete(context: RuleContext) -> Iterator[FieldError]:
    """Refuse a copilot that would never learn of a job, or never be heard."""
    ack = context.ack
    at = (*ACK, "copilot")
    if ack.copilot is None:
        return
    if not ack.slurmrestd:
        problem = "the copilot changes nodes through slurmrestd"
        yield FieldError(
            (*ACK, "slurmrestd"), False, problem, "Write true, or leave copilot out.", depends_on_fields=(at,)
        )
    if ack.operator.values.get("enableCopilot") is False:
        path = (*ACK, "operator", "values", "enableCopilot")
        yield FieldError(
            path, False, "the copilot is a part of the operator, and this leaves it out", "Leave it out.", (at,)
        )
    watched = ack.operator.values.get("watchNamespace", ack.operator.watch_namespace)
    if watched is not None and watched != context.spec.namespace:
        yield FieldError(
            (*ACK, "operator", "watch_namespace"),
            watched,
            f"the copilot looks for clusters in this namespace alone, and this one is in {context.spec.namespace}",
            f'Leave it out, or write "{context.spec.namespace}".',
            (at,),
        )
    version = context.kubernetes_version
    if version and _release(version) < _LEAST_KUBERNETES:
        problem = "colocated scheduling needs Kubernetes 1.26"
        yield FieldError(
            ("ack", "control_plane", "version"), version, problem, "Write 1.26 or later.", depends_on_fields=(at,)
        )
    if context.cluster_domain != _CLUSTER_DOMAIN:
        yield FieldError(
            ("ack", "control_plane", "cluster_domain"),
            context.cluster_domain,
            "the copilot asks for slurmrestd below svc.cluster.local, whatever the cluster's domain is",
            f'Write "{_CLUSTER_DOMAIN}".',
            depends_on_fields=(at,),
        )


def gres_are_the_same(context: RuleContext) -> Iterator[FieldError]:
    """Refuse GRES of which slurm.conf and gres.conf don't say the same."""
    conf = _own_gres_conf(context)
    if conf is not None:
        yield from _names_agree(context, conf)
        yield from _counters_are_plain(conf)


def _names_agree(context: RuleContext, conf: Conf) -> Iterator[FieldError]:
    named = {_gres_name(entry) for entry in conf.entries} - {""}
    wanted = words_of(context.conf, "GresTypes").keys()
    for name in COLOCATION_GRES if context.ack.copilot else ():
        if name not in named:
            problem = f"the copilot counts in {name}, and there is no line for it"
            yield FieldError(
                _GRES_CONF, name, problem, f"Add the line Name={name} Flags=CountOnly.", ((*ACK, "copilot"),)
            )
    for name in sorted(named - wanted):
        problem = f"slurm.conf doesn't know the GRES {name} (GresTypes), so no job could ask for it"
        if name in COLOCATION_GRES:
            fix = "Add ack.slurm.copilot, or leave the line out."
        elif name == "gpu":
            fix = "State the GPUs of a node set's machine or pool, or leave the line out."
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


def _own_gres_conf(context: RuleContext) -> Conf | None:
    text = context.spec.config_files.get(File.GRES.value)
    if text is None:
        return None
    try:
        return parse(text, File.GRES, context.ack.series)
    except ConfError:
        return None  # Another rule tells of it.


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.partition("-")[0].split(".")[:2] if part.isdigit())
