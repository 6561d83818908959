"""Placeholders of templates that nobody has filled in: as names, Slurm and the import would take them."""

import re
from collections.abc import Iterable, Iterator

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.conf_error import LineError
from pulumi_slurm.slurmconf.secrets import shown
from pulumi_slurm.slurmconf.statements import Statement

_IN_NAMES = re.compile(r"[<>{}$`]|%\(|%\w+%|@\w+@|__\w+__|\[[A-Za-z_]+\]")
"""What Jinja, Go, shells, Python, Windows, autoconf and people have around the name of what is to be filled in."""
_IN_NODES = re.compile(r"[()~!*?|]|\.\.\.")
"""What else no name of a node or a partition has."""
_WHOLE = re.compile(r"<[^<>]+>|\{\{?[^{}]*\}\}?|\$[({]?[A-Za-z_].*|%\(.*|%\w+%|@\w+@|__\w+__")
_NAMES = frozenset(
    (
        *("clustername", "nodename", "nodeset", "partitionname", "downnodes", "frontendname", "nodes", "allocnodes"),
        *("nodeaddr", "nodehostname", "bcastaddr", "frontendaddr", "feature", "features", "gres", "topology"),
        *(
            "slurmctldhost",
            "controlmachine",
            "controladdr",
            "backupcontroller",
            "backupaddr",
            "slurmuser",
            "slurmduser",
        ),
        *("accountingstoragehost", "accountingstoragebackuphost", "accountingstorageexternalhost", "jobcomphost"),
        *("allowaccounts", "allowgroups", "allowqos", "denyaccounts", "denyqos", "qos", "alternate"),
        *("suspendexcnodes", "suspendexcparts", "dbdhost", "dbdaddr", "dbdbackuphost", "storagehost", "storageloc"),
        *("storagebackuphost", "storageuser", "grestypes"),
    )
)
"""Keys whose values are names, in small letters."""
_ENTRIES = frozenset({"nodename", "nodeset", "partitionname", "downnodes"})
_OF_NODES = _ENTRIES | {"nodes"}
_FREE_TEXTS = frozenset({"comment", "extra", "reason"})


def placeholder_errors(statements: Iterable[Statement]) -> Iterator[LineError]:
    """Yield an error for each name, and each value on lines of nodes and partitions, that is to be filled in."""
    to_fill_in = Issue("this is a template's, to be filled in", "Import the file that the template becomes.")
    no_name = Issue("Slurm has no such names", 'Write names or hostlists, for example "n[1-4]".')
    for statement in statements:
        in_entry = statement.pairs[0][0].lower() in _ENTRIES
        for key, value in statement.pairs:
            is_placeholder = key.lower() in _NAMES and _IN_NAMES.search(value)
            if is_placeholder or (in_entry and key.lower() not in _FREE_TEXTS and _WHOLE.fullmatch(value)):
                yield LineError(statement.location, shown(key, value), to_fill_in)
            elif key.lower() in _OF_NODES and _IN_NODES.search(value):
                yield LineError(statement.location, shown(key, value), no_name)
