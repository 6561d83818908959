"""Compare the words and plugins that the catalogue lists with those in Slurm's source, series by series.

For a maintainer, when a series is added or in doubt:

    git clone --bare https://github.com/SchedMD/slurm slurm.git
    PYTHONPATH=components python -m tools.slurm_words_from_source slurm.git

A line of the output is a key whose words differ, as the catalogue's table should have them: each word with the first
and the last series that has it. The branches are slurm-23.02 and so on.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping

from pulumi_slurm.slurmconf.catalogue import File, Word, find
from pulumi_slurm.slurmconf.version import SERIES, Series

READ_CONFIG = "src/common/read_config.c"
PROTOCOL_DEFS = "src/common/slurm_protocol_defs.c"
FUNCTIONS = {
    (None, "AccountingStorageEnforce"): (READ_CONFIG, "_validate_accounting_storage_enforce"),
    (None, "DebugFlags"): (READ_CONFIG, "debug_str2flags"),
    (None, "EnforcePartLimits"): (PROTOCOL_DEFS, "parse_part_enforce_type"),
    (None, "PreemptMode"): (PROTOCOL_DEFS, "preempt_mode_num"),
    (None, "PrologFlags"): (READ_CONFIG, "prolog_str2flags"),
    (None, "ReconfigFlags"): (READ_CONFIG, "reconfig_str2flags"),
    (None, "SelectTypeParameters"): (READ_CONFIG, "_parse_select_type_param"),
    ("PartitionName", "PreemptMode"): (PROTOCOL_DEFS, "preempt_mode_num"),
}
"""The functions that compare a value with words, and refuse it when it is none of them."""
BLOCKS = {
    (None, "PriorityUsageResetPeriod"): (READ_CONFIG, "temp_str, "),
    (None, "TaskPluginParam"): (READ_CONFIG, "(?:tok|val_ptr),"),
}
"""Keys whose words stand in a block of their own inside of a longer function, and what they are compared with."""
TABLES = {
    (None, name): ("src/common/slurm_rlimits_info.c", r'\{ RLIMIT_\w+,\s*"(\w+)"', "RLIMIT_", ("ALL", "NONE"))
    for name in ("PropagateResourceLimits", "PropagateResourceLimitsExcept")
}
"""Keys whose words stand in a table, a prefix that each of them may have, and further words."""
PLUGINS = {
    "AcctGatherEnergyType": ("acct_gather_energy", True),
    "AcctGatherFilesystemType": ("acct_gather_filesystem", False),
    "AcctGatherInterconnectType": ("acct_gather_interconnect", True),
    "AcctGatherProfileType": ("acct_gather_profile", False),
    "BurstBufferType": ("burst_buffer", True),
    "CertgenType": ("certgen", False),
    "CertmgrType": ("certmgr", False),
    "CliFilterPlugins": ("cli_filter", True),
    "HashPlugin": ("hash", True),
    "HttpParserType": ("http_parser", False),
    "JobAcctGatherType": ("jobacct_gather", False),
    "JobCompType": ("jobcomp", False),
    "JobContainerType": ("job_container", False),
    "JobSubmitPlugins": ("job_submit", True),
    "MCSPlugin": ("mcs", False),
    "MpiDefault": ("mpi", None),
    "NamespaceType": ("namespace", True),
    "NodeFeaturesPlugins": ("node_features", True),
    "PreemptType": ("preempt", False),
    "PrEpPlugins": ("prep", True),
    "PrioritySiteFactorPlugin": ("site_factor", False),
    "PriorityType": ("priority", False),
    "ProctrackType": ("proctrack", False),
    "SchedulerType": ("sched", False),
    "SelectType": ("select", False),
    "SwitchType": ("switch", False),
    "TaskPlugin": ("task", True),
    "TLSType": ("tls", False),
    "TopologyPlugin": ("topology", False),
    "UrlParserType": ("url_parser", False),
}
"""Folders below src/plugins, and whether a plugin's name may stand without the folder's; None for only without."""
BY_HAND = {
    "AcctGatherEnergyType": "rsmi is read as gpu",
    "AcctGatherInterconnectType": "none is compared with behind AcctGatherInfinibandType, which is read for it too",
    "JobContainerType": "from 25.11 on it is read as NamespaceType, with either prefix",
    "NamespaceType": "none is compared with behind JobContainerType, which is read for it too",
    "MpiDefault": "one word for each version of PMIx; openmpi is read as none",
    "PreemptType": "preempt/none is compared with",
    "TLSType": "Slinky's images have no s2n",
    "TopologyPlugin": "default is compared with; 3d_torus ends slurmctld unless it was built for three dimensions",
}
"""Keys of which the catalogue says something else than the source's folders, and why."""
NO_PLUGINS = {"common", "common_xkcp"}
_COMPARED = r'xstrn?(?:case)?cmp\(\s*{subject}\s*"([^"]+)"'
AFTER_EQUALS = {"autobind=": tuple(f"autobind={word}" for word in ("none", "threads", "cores", "sockets"))}
"""What follows a word that ends in =, which the source compares apart."""


class Source:
    """One series in a repository."""

    def __init__(self, repository: str, series: Series) -> None:
        self._repository = repository
        self._branch = f"slurm-{series}"

    def text(self, path: str) -> str:
        """Return the text of a file."""
        return self._git("show", f"{self._branch}:{path}")

    def folders(self, path: str) -> list[str]:
        """Return the names of the folders in a folder."""
        names = self._git("ls-tree", "-r", "--name-only", self._branch, f"{path}/").splitlines()
        return sorted(
            {name.removeprefix(f"{path}/").split("/")[0] for name in names if name.count("/") > path.count("/") + 1}
        )

    def _git(self, *command: str) -> str:
        return subprocess.run(
            ("git", "-C", self._repository, *command), capture_output=True, text=True, check=False
        ).stdout


def words(source: Source) -> Iterator[tuple[tuple[str | None, str], list[str]]]:
    """Yield the words of each key."""
    for key, (path, function) in FUNCTIONS.items():
        body = _function(source.text(path), function)
        yield key, sorted(set(re.findall(_COMPARED.format(subject=r"\w+,"), body)), key=str.lower)
    for key, (path, subject) in BLOCKS.items():
        body = source.text(path).partition(f'"{key[1]}", hashtbl)')[2].partition("s_p_get_")[0]
        compared = re.findall(_COMPARED.format(subject=subject), body)
        yield key, sorted({word for item in compared for word in AFTER_EQUALS.get(item, (item,))}, key=str.lower)
    for key, (path, pattern, prefix, more) in TABLES.items():
        names = re.findall(pattern, source.text(path))
        yield key, [*more, *(f"{start}{name}" for name in sorted(names) for start in ("", prefix))]
    for name, (folder, prefix_optional) in PLUGINS.items():
        there = {item for item in source.folders(f"src/plugins/{folder}") if item not in NO_PLUGINS}
        plugins = {f"{prefix_of(folder, prefix_optional)}{item}" for item in there}
        if plugins:
            yield (None, name), sorted({*plugins, *_for_none(source, name, folder)})


def prefix_of(folder: str, optional: bool | None) -> str:
    """Return what stands before a plugin's name."""
    return "" if optional is None else f"[{folder}/]" if optional else f"{folder}/"


def _for_none(source: Source, name: str, folder: str) -> set[str]:
    """Return the words that mean no plugin, where the source looks for "none" in the value."""
    text = source.text(READ_CONFIG).partition("static int _validate_and_set_defaults(slurm_conf_t *conf,\n")[2]
    after = re.search(rf'"{name}",\s*hashtbl\)(.*?)s_p_get_', text, re.S)
    if after and re.search(r'(?:xstrcasestr|xstrcasecmp)\([^;]*"none"\)', after[1]):
        return {"none", f"{folder}/none"}
    return set()


def _function(text: str, name: str) -> str:
    match = re.search(rf"^\w[^\n;]*\b{name}\([^;{{]*\)\s*\{{(.*?)^\}}", text, re.M | re.S)
    return match[1] if match else ""


def table(repository: str) -> Mapping[tuple[str | None, str], str]:
    """Return the words of each key as the catalogue's table has them."""
    by_key: dict[tuple[str | None, str], dict[str, list[Series]]] = {}
    spellings: dict[tuple[str | None, str, str], str] = {}
    for series in SERIES:
        for key, items in words(Source(repository, series)):
            for item in items:
                there = by_key.setdefault(key, {}).setdefault(spellings.setdefault((*key, item.lower()), item), [])
                there.extend(() if series in there else (series,))
    return {
        key: " ".join(str(Word(item, _since(there), _until(there))) for item, there in sorted(items.items()))
        for key, items in by_key.items()
    }


def _since(there: list[Series]) -> Series | None:
    return None if there[0] == SERIES[0] else there[0]


def _until(there: list[Series]) -> Series | None:
    return None if there[-1] == SERIES[-1] else there[-1]


if __name__ == "__main__":
    for (entry, name), line in table(sys.argv[1]).items():
        key = find(File.SLURM, name, entry)
        listed = " ".join(sorted(str(word) for word in (key.words or key.plugins))) if key else "no such key"
        if sorted(listed.lower().split()) != sorted(line.lower().split()) and name not in BY_HAND:
            sys.stdout.write(f"{entry or ''} {name}\n  source:    {line}\n  catalogue: {listed}\n")
