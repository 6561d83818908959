"""What a specification comes to on a host of these tests: our prediction of the operator's files, as text."""

from dataclasses import replace

from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf import catalogue
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.operator_files import ACCOUNTING

JWKS = '{"keys": []}'
GANG_NEEDS_NO_PARTITION = Series(25, 11)
"""Before it, slurmctld crashes with GANG in PreemptMode and no partition at all; mended by its commit 7972fc84bdea."""


def rendered_files(spec: SlurmSpec, series: Series) -> dict[str, str | bytes]:
    """Return /etc/slurm of slurmctld, without keys that this neighbour of the specification's series doesn't know."""
    files: dict[str, str | bytes] = dict(config_files(spec))
    files |= {file.value: render(without_unknown_keys(conf, series)) for file, conf in slinky_files(spec).items()}
    hooks = spec.hooks
    for scripts in (hooks.prolog, hooks.epilog, hooks.prolog_slurmctld, hooks.epilog_slurmctld):
        files |= scripts
    return {**files, **({"jwks.json": JWKS} if spec.keys.jwks else {})}


def here(spec: SlurmSpec) -> SlurmSpec:
    """Return the specification with this site's names."""
    return spec.model_copy(update={"name": "c", "namespace": "slurm"})


def with_our_slurmdbd(files: dict[str, str | bytes], spec: SlurmSpec) -> dict[str, str | bytes]:
    """Return the files with this site's slurmdbd in place of one outside."""
    if spec.accounting and spec.accounting.external:
        ours = f"AccountingStorageHost={ACCOUNTING}\nAccountingStoragePort=6819\n"
        files["slurm.conf"] = f"{files['slurm.conf']!s}{ours}"
    return files


def without_unknown_keys(conf: Conf, series: Series) -> Conf:
    """Return the configuration without the keys that came after the series, or went before it."""
    return replace(
        conf,
        options={key: value for key, value in conf.options.items() if _knows(conf.file, key, series)},
        entries=tuple(
            replace(
                entry,
                options={
                    key: value for key, value in entry.options.items() if _knows(conf.file, key, series, entry.keyword)
                },
            )
            for entry in conf.entries
        ),
    )


def _knows(file: File, name: str, series: Series, entry: str | None = None) -> bool:
    # gres.conf has NodeName at the beginning of lines of another keyword.
    key = catalogue.find(file, name, entry) or catalogue.find(file, name)
    assert key is not None, name
    return key.known_in(series)
