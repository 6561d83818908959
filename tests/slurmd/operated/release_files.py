"""What is changed in the operator's files before daemons get them here, beside `tests/slurmd/differences.py`.

1. Keys that came after the release, or went before it: the operator writes for Slurm 25.11. A file without such keys
   stays as it is, to the letter.
2. There are no Services, and nothing outside the cluster. What listens on another port there has its usual one here.
3. A file that would crash slurmctld, see `GANG_NEEDS_NO_PARTITION`, gets a partition without nodes.
"""

from __future__ import annotations

import re

from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse, render
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.controller import Files
from tests.slurmd.rendered import GANG_NEEDS_NO_PARTITION, without_unknown_keys

USUAL_PORTS = {"StoragePort": 3306, "AccountingStoragePort": 6819}


def for_release(files: Files, written_for: str, release: str) -> dict[str, str | bytes]:
    """Return the files for a neighbour of the release that they were written for."""
    adapted, series = dict(files), Series.of(release)
    for name in set(File) & files.keys():
        content = files[name]
        text = content.decode() if isinstance(content, bytes) else content
        conf = parse(text, File(name), Series.of(written_for))
        known_conf = without_unknown_keys(conf, series)
        adapted[name] = _with_usual_ports(text if known_conf == conf else render(known_conf))
        if (
            series < GANG_NEEDS_NO_PARTITION
            and "GANG" in _preempt_mode(known_conf)
            and not known_conf.of("PartitionName")
        ):
            adapted[name] = f"{adapted[name]!s}PartitionName=none\n"
    return adapted


def _preempt_mode(conf: Conf) -> str:
    return str(conf.options.get("PreemptMode", "")).upper()


def _with_usual_ports(text: str) -> str:
    for key, port in USUAL_PORTS.items():
        text = re.sub(rf"(?m)^{key}=\d+$", f"{key}={port}", text)
    return text
