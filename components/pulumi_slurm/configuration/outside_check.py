"""What a configuration file outside the cluster lacks, or says otherwise, of what a specification relies on."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from types import MappingProxyType

from pulumi_slurm.derived.slurm_conf_lines import MEMLOCK, NOT_PROPAGATED, PROPAGATED, limit_names
from pulumi_slurm.issue import Issue
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMDBD_PORT
from pulumi_slurm.secrecy import without_secrets
from pulumi_slurm.slurmconf import catalogue
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, render, with_defaults
from pulumi_slurm.slurmconf.implied import in_full
from pulumi_slurm.slurmconf.letter_case import same_in_any_case
from pulumi_slurm.slurmconf.node_lines import node_lines
from pulumi_slurm.slurmconf.partition_nodes import Nodes
from pulumi_slurm.slurmconf.values import Value, write

_WHY = MappingProxyType(
    {
        "AccountingStorageHost": "slurmdbd is at {}",
        "AccountingStoragePort": "slurmdbd listens at port {}",
        "AccountingStorageType": "the specification has accounting",
        "AuthAltParameters": "slurmctld has to read the keys with which tokens are signed",
        "AuthAltTypes": "the operator speaks to Slurm with tokens",
        "AuthInfo": "pods know no users by name",
        "AuthType": "all daemons in pods use {}",
        "ClusterName": "pods and accounting know the cluster as {}",
        "CredType": "all daemons in pods use {}",
        "PropagateResourceLimitsExcept": "over RDMA jobs need slurmd's limit of locked memory",
        "SlurmctldHost": "pods look for slurmctld at {}",
        "SlurmctldParameters": "pods have no files of their own, and take them from slurmctld",
        "SlurmctldPort": "pods look for slurmctld at port {}",
    }
)
"""By key: why pods need it."""
_OTHERWISE = "the specification says so"
_DEFAULTS: Mapping[str, Value] = MappingProxyType(
    {"SlurmctldPort": str(SLURMCTLD_PORT), "AccountingStoragePort": SLURMDBD_PORT}
)


def unmet(wanted: Conf, actual: Conf, name: str, why: Mapping[str, str] = _WHY) -> Iterator[str]:
    """Yield one line for each thing in which a file does not hold what is wanted; ``name`` is the file's.

    The rest of it is the outside cluster's own affair. ``why`` says by key what it is wanted for.
    """
    actual = with_defaults(actual)
    for label, issue in (*_options(wanted, actual, why), *_entries(wanted, actual), *_out_of_reach(wanted, actual)):
        yield f"{name}: {without_secrets(f'{label}: {issue}')}"


def _options(wanted: Conf, actual: Conf, why: Mapping[str, str]) -> Iterator[tuple[str, Issue]]:
    for key, value in sorted(wanted.options.items()):
        if key == NOT_PROPAGATED and not {"ALL", MEMLOCK} & _limits_passed_on(actual):
            continue
        if issue := _option(key, value, actual, why.get(key, _OTHERWISE)):
            have = actual.options.get(key)
            yield key if have is None else "; ".join(_pairs(actual, key, have)), issue


def _entries(wanted: Conf, actual: Conf) -> Iterator[tuple[str, Issue]]:
    wanted_nodes, nodes = _with_registering(wanted), _with_registering(actual)
    for entry in wanted.entries:
        same = next((item for item in actual.of(entry.keyword) if item.name == entry.name), None)
        label = f"{entry.keyword}={entry.name}"
        if same is None:
            line = render(Conf(wanted.file, entries=(entry,))).strip()
            yield label, Issue(f"this line is missing, and {_OTHERWISE}", f'Write "{line}".')
            continue
        for key in _contradictions(entry, same, wanted_nodes, nodes):
            text, have = _text(wanted, entry.keyword, key, entry.options[key]), same.options.get(key)
            shown = key if have is None else f"{key}={_text(actual, entry.keyword, key, have)}"
            yield f"{label} {shown}", Issue(f"the specification has {text}", f'Write "{key}={text}".')


def _option(key: str, value: Value, actual: Conf, reason: str) -> Issue | None:
    have = actual.options.get(key, _DEFAULTS.get(key))
    why = reason.format(value[0] if isinstance(value, tuple) else value)
    write_it = f'Write "{"; ".join(_pairs(actual, key, value))}".'
    if key == "MaxNodeCount" and isinstance(value, int):
        return _max_node_count(value, have, actual)
    if have is None:
        return Issue(f"this line is missing, and {why}", write_it)
    if key == "SlurmctldHost" and isinstance(have, tuple) and isinstance(value, tuple):
        names = {part for item in have for part in item.rstrip(")").split("(")}
        return None if names >= {*value} else Issue(why, f'Write "{key}=<host name>({value[0]})".')
    if isinstance(have, tuple) and isinstance(value, tuple):
        missing = [word for word in value if not _has(key, word, have)]
        return Issue(why, _with_words(missing, have)) if missing else None
    same = str(have).lower() == str(value).lower() if key == "ClusterName" else str(have) == str(value)
    catalogue_key = catalogue.find(actual.file, key)
    return None if same or (catalogue_key and same_in_any_case(catalogue_key, have, value)) else Issue(why, write_it)


def _limits_passed_on(actual: Conf) -> set[str]:
    """Return the limits that a file passes on where it doesn't say which it doesn't: all, if it says nothing."""
    limits = actual.options.get(PROPAGATED, ("ALL",))
    return limit_names(",".join(limits)) if isinstance(limits, tuple) else set()


def _has(key: str, word: str, have: tuple[str, ...]) -> bool:
    # Where the files of keys are is the outside machine's own affair.
    if key == "AuthAltParameters" and word.startswith(("jwt_key=", "jwks=")):
        return any(item.startswith(f"{word.partition('=')[0]}=") for item in have)
    if first := _first_of_its_name(word, have):
        return first.lower() == word.lower()
    return word.lower() in {item.lower() for item in have}


def _first_of_its_name(word: str, have: tuple[str, ...]) -> str | None:
    """Return the item of which Slurm takes the value, such as "userclaimfield=a" for "userclaimfield=b"."""
    name, equals, _ = word.partition("=")
    return next((item for item in have if equals and item.lower().startswith(f"{name.lower()}=")), None)


def _with_words(missing: list[str], have: tuple[str, ...]) -> str:
    others = {word: other for word in missing if (other := _first_of_its_name(word, have))}
    fixes = [f"Write {word} in place of {other}." for word, other in others.items()]
    added = [word for word in missing if word not in others]
    return " ".join([*fixes, *([f"Add {','.join(added)}."] if added else [])])


def _max_node_count(wanted: int, have: Value | None, actual: Conf) -> Issue | None:
    """Return what is wrong with MaxNodeCount, which counts nodes with a line too: slurm.conf(5)."""
    with_a_line = sum(len(line.hosts) for line in node_lines(actual))
    needed = wanted + with_a_line
    if isinstance(have, int) and have >= needed:
        return None
    beside_lines = f", beside {with_a_line} with a line" if with_a_line else ""
    fix = f'Write "MaxNodeCount={needed}", or more.'
    missing = "this line is missing, and " if have is None else ""
    return Issue(f"{missing}{wanted} workers register by themselves{beside_lines}", fix)


def _contradictions(wanted: Entry, actual: Entry, wanted_nodes: Nodes, nodes: Nodes) -> Iterator[str]:
    """Yield the keys of a line that ``wanted`` that mean something else in ``actual``."""
    want, have = (in_full(File.SLURM, entry) for entry in (wanted, actual))
    for key in sorted(wanted.options):
        if wanted.keyword == "PartitionName" and key == "Nodes":
            if not _holds(nodes.of(have.get(key)), wanted_nodes.of(want.get(key))):
                yield key
        elif want.get(key) != have.get(key):
            yield key


def _out_of_reach(wanted: Conf, actual: Conf) -> Iterator[tuple[str, Issue]]:
    """Yield the node sets that no partition has, of those that none of the specification has either."""
    in_partitions: list[Set[str]] = []
    for conf in (wanted, actual):
        of_conf = _with_registering(conf)
        in_partitions += [of_conf.of(entry.options.get("Nodes")) for entry in conf.of("PartitionName")]
    of_wanted = _with_registering(wanted)
    for entry in wanted.of("NodeSet"):
        # Those of the specification have a feature; a file that was edited may have neither, which is no node.
        feature = entry.options.get("Feature")
        nodes = {f"Feature={feature}"} if feature else of_wanted.of(entry.options.get("Nodes"))
        if nodes and not any(_holds(names, nodes) for names in in_partitions):
            fix = f'Write for example "PartitionName={entry.name} Nodes={entry.name}".'
            yield f"NodeSet={entry.name}", Issue("no partition has its nodes, so no job comes to them", fix)


def _holds(names: Set[str], wanted: Set[str]) -> bool:
    return "ALL" in names or names >= wanted


def _with_registering(conf: Conf) -> Nodes:
    """Return the nodes of a file as if it had MaxNodeCount; `unmet` reports a missing one."""
    return Nodes(replace(conf, options={**conf.options, "MaxNodeCount": 1}))


def _pairs(conf: Conf, key: str, value: Value) -> list[str]:
    return render(Conf(conf.file, {key: value})).splitlines()


def _text(conf: Conf, keyword: str, key: str, value: Value) -> str:
    catalogue_key = catalogue.find(conf.file, key, keyword)
    return write(catalogue_key.type, value) if catalogue_key else str(value)
