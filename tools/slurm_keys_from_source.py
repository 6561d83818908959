"""Compare the catalogue of keys with the option tables in Slurm's source, series by series.

For a maintainer, when a series is added or in doubt:

    git clone --bare https://github.com/SchedMD/slurm slurm.git
    PYTHONPATH=components python -m tools.slurm_keys_from_source slurm.git 25.11=slurm-25-11-0-1 26.05=slurm-26-05-3-1

Each line of the output is a key that only one side knows. A key that the source still reads but only to refuse or
ignore it, and that the catalogue therefore has as retired, is told with its type and handler there.
"""

import re
import subprocess
import sys
from collections.abc import Iterator

from pulumi_slurm.slurmconf.catalogue import File, find, keys
from pulumi_slurm.slurmconf.version import Series

SOURCES = {
    File.SLURM: ("src/common/read_config.c",),
    File.SLURMDBD: ("src/slurmdbd/read_config.c",),
    File.GRES: ("src/interfaces/gres.c",),
    File.CGROUP: ("src/interfaces/cgroup.c",),
    File.TOPOLOGY: tuple(
        f"src/plugins/topology/{file}"
        for file in (
            *("tree/topology_tree.c", "tree/switch_record.c"),
            *("block/topology_block.c", "block/block_record.c"),
            "ring/ring_record.c",
        )
    ),
    File.BURST_BUFFER: ("src/plugins/burst_buffer/common/burst_buffer_common.c",),
    File.HELPERS: ("src/plugins/node_features/helpers/node_features_helpers.c",),
}
ENTRIES = {
    "_nodename_options": "NodeName",
    "_partition_options": "PartitionName",
    "_frontend_options": "FrontendName",
    "_downnodes_options": "DownNodes",
    "_nodeset_options": "NodeSet",
    "_power_action_options": "PowerAction",
    "_gres_options": "NodeName",
    "_switch_options": "SwitchName",
    "_block_options": "BlockName",
    "_ring_options": "RingName",
    "feature_options": "Feature",
}
"""Tables for what follows the first key of a line, by their names in the source."""

_TABLE = re.compile(r"s_p_options_t\s+\*?(\w+)\[\]\s*=\s*\{(.*?)\{\s*NULL\s*\}", re.DOTALL)
_OPTION = re.compile(r'\{\s*"(\w+)"\s*,\s*(S_P_\w+)\s*(?:,\s*(\w+))?')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def options(repository: str, tag: str, file: File) -> Iterator[tuple[str | None, str, str]]:
    """Yield entry, name and "type handler" of each key that the source reads."""
    for path in SOURCES[file]:
        command = ["git", "-C", repository, "show", f"{tag}:{path}"]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        for table, body in _TABLE.findall(_COMMENT.sub("", text)):
            for name, kind, handler in _OPTION.findall(body):
                yield ENTRIES.get(table), name, f"{kind} {handler}".strip()


def differences(repository: str, tag: str, series: Series) -> Iterator[str]:
    """Yield a line for each key that only the source or only the catalogue knows."""
    for file in File:
        read = {(entry, name.lower()): (name, how) for entry, name, how in options(repository, tag, file)}
        for (entry, _), (name, how) in sorted(read.items(), key=str):
            key = find(file, name, entry)
            if key is None or not key.known_in(series):
                status = f"until {key.until}" if key and key.until else "not there"
                yield f"{series} {file} {entry or ''} {name}: {how}; in the catalogue {status}"
        for entry in {entry for entry, _ in read}:
            for key in keys(file, entry, series):
                if (entry, key.name.lower()) not in read:
                    yield f"{series} {file} {entry or ''} {key.name}: only in the catalogue"


if __name__ == "__main__":
    _, repository, *pairs = sys.argv
    for pair in pairs:
        version, tag = pair.split("=")
        sys.stdout.writelines(f"{line}\n" for line in differences(repository, tag, Series.of(version)))
