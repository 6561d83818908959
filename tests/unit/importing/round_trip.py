"""From files to a specification and back to files: what is the same, and what is not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.diff import compare
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.importing import Imported, Source, import_cluster
from pulumi_slurm_cli.importing.conf_file import read_conf_file

CLUSTERS = Path(__file__).parent / "clusters"


@dataclass
class RoundTrip:
    """One example cluster, imported and written anew."""

    imported: Imported
    differences: list[str]
    """Between the original files, with the new names of nodes in them, and those that the specification comes to."""

    @property
    def left_out(self) -> list[str]:
        """What was left out, by file name, line and text."""
        return [f"{Path(item.location.file).name}:{item.location.line} {item.text}" for item in self.imported.left_out]

    def reason(self, text: str) -> str:
        """Return why something was left out."""
        (reason,) = {item.reason for item in self.imported.left_out if text in item.text}
        return reason


@cache
def round_trip(name: str) -> RoundTrip:
    """Import the example of this name and write it anew."""
    folder = CLUSTERS / name
    imported = import_cluster(folder / "slurm.conf")
    assert imported.spec, imported.errors
    written = static_conf(imported.spec)
    differences: list[str] = []
    for file in File:
        path = folder / file
        if path.exists():
            source = Source(path)
            original = read_conf_file(source.text(), file, Series.of("25.11"), file, source.included).conf
            renamed = with_new_names(original, imported.renamed)
            differences += map(str, compare(renamed, written.get(file, Conf(file)), Series.of("25.11")))
    return RoundTrip(imported, differences)


def with_new_names(conf: Conf, renamed: Mapping[str, str]) -> Conf:
    """Return a file in which nodes have the names that they got."""
    names = {
        old: new
        for olds, news in renamed.items()
        for old, new in zip(hostlist.expand(olds), hostlist.expand(news), strict=True)
    }

    def new(hosts: str) -> str:
        return hostlist.compress(names.get(host, host) for host in hostlist.expand(hosts))

    def entry(old: Entry) -> Entry:
        name = new(old.name) if old.keyword in ("NodeName", "DownNodes") else old.name
        hosts = {key: new(str(value)) for key, value in old.options.items() if key in ("Nodes", "NodeName")}
        return replace(old, name=name, options={**old.options, **hosts})

    return replace(conf, entries=tuple(map(entry, conf.entries)))
