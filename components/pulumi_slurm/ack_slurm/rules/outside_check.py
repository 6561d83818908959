"""What the files of a Slurm outside Kubernetes lack, or say otherwise, of what the copilot relies on."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm.ack_slurm.manifests.outside_files import OutsideNeeds
from pulumi_slurm.configuration.outside_check import unmet
from pulumi_slurm.issue import Issue
from pulumi_slurm.secrecy import without_secrets
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, render
from pulumi_slurm.slurmconf.node_lines import node_lines

_WHY = MappingProxyType(
    {
        "AuthAltTypes": "the copilot speaks to slurmrestd with a token",
        "GresTypes": "the copilot counts in them what is free",
        "JobSubmitPlugins": "with outsideSlurm.submitPlugin jobs get their counters by it",
        "NodeFeaturesPlugins": "without it slurmctld sets a node INVAL whose counters the copilot has changed",
    }
)
"""By key: why the copilot needs it."""


def unmet_by_copilot(needs: OutsideNeeds, files: Mapping[File, Conf], names: Mapping[File, str]) -> Iterator[str]:
    """Yield one line for each thing in which files don't hold what is needed.

    ``files`` are slurm.conf, and gres.conf where it could be read; ``names`` are those of the files, for messages.
    """
    slurm_conf = files[File.SLURM]
    yield from unmet(needs.files[File.SLURM], slurm_conf, names[File.SLURM], why=_WHY)
    for label, issue in (*_key(slurm_conf), *_nodes(needs, slurm_conf)):
        yield f"{names[File.SLURM]}: {without_secrets(f'{label}: {issue}')}"
    if File.GRES in files:
        for label, issue in _counters(needs.files[File.GRES], files[File.GRES]):
            yield f"{names[File.GRES]}: {label}: {issue}"


def _key(slurm_conf: Conf) -> Iterator[tuple[str, Issue]]:
    """Yield what is wrong where Slurm has no key for the copilot's tokens.

    With jwks= and without jwt_key= it has none of its own: init_hs256 in src/plugins/auth/jwt/auth_jwt.c of
    SchedMD/slurm, from 23.02 to 26.05.
    """
    words = slurm_conf.options.get("AuthAltParameters", ())
    items = words if isinstance(words, tuple) else (str(words),)
    begins = {item.partition("=")[0].lower() for item in items}
    if "jwks" in begins and "jwt_key" not in begins:
        problem = "with jwks= alone slurmctld takes no token that is signed by its jwt_hs256.key, such as the copilot's"
        yield "AuthAltParameters", Issue(problem, "Add jwt_key= and the path of that file.")


def _nodes(needs: OutsideNeeds, slurm_conf: Conf) -> Iterator[tuple[str, Issue]]:
    """Yield shared nodes with features, and shared nodes that Slurm doesn't know at all."""
    shared = {*hostlist.expand(needs.nodes)}
    hosts: set[str] = set()
    for line in node_lines(slurm_conf):
        hosts.update(line.hosts)
        features = line.options.get("Features")
        if features and not shared.isdisjoint(line.hosts):
            text = ",".join(features) if isinstance(features, tuple) else str(features)
            problem = "with node_features/k8s_resources slurmd reports no feature but k8s, and slurmctld sets it INVAL"
            yield f"NodeName={line.entry.name} Features={text}", Issue(problem, "Leave Features out.")
    # Nodes with a line may still come, and with MaxNodeCount those without one.
    if shared and shared.isdisjoint(hosts) and not slurm_conf.options.get("MaxNodeCount"):
        problem = "no line has any of these nodes, so the copilot can't change their counters"
        yield f"NodeName={needs.nodes}", Issue(problem, "Write their names in Slurm as aliases in outsideSlurm.nodes.")


def _counters(wanted: Conf, gres_conf: Conf) -> Iterator[tuple[str, Issue]]:
    for counter in wanted.entries:
        lines = [entry for entry in gres_conf.entries if _gres_name(entry) == counter.name]
        text = render(Conf(File.GRES, entries=(counter,))).strip()
        if not lines:
            yield (
                f"Name={counter.name}",
                Issue("this line is missing, and the copilot counts in it", f'Write "{text}".'),
            )
        for entry in lines:
            for key in sorted({"File", "MultipleFiles", "Type"} & {*entry.options}):
                problem = "this is a counter without files and types"
                yield f"Name={counter.name} {key}={entry.options[key]}", Issue(problem, f'Write "{text}".')


def _gres_name(entry: Entry) -> str:
    return str(entry.name if entry.keyword == "Name" else entry.options.get("Name", "")).lower()
