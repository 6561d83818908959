"""Rules on slurmdbd: files that its pod has, archives that outlive it, and what it shares with slurmctld.

Source: read_slurmdbd_conf in src/slurmdbd/read_config.c of Slurm; `tests/slurmd/test_slurmdbd.py` asks slurmdbd.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.accounting import AccountingSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.slurmconf import values
from pulumi_slurm.slurmconf.values import UnreadableError, ValueType

_DEFAULT_ARCHIVE_FOLDER = "/tmp"
_DEFAULT_HASH_PLUGIN = "k12"
_HASH_PLUGINS = frozenset({"k12", "sha3"})
_WITH_CERTIFICATES = ("/etc/ssl/", "/etc/pki/", "/usr/")
"""Folders of certificates that images have."""
_MOUNT = (
    'mount a volume there: by accounting.overrides, in "slurmdbd.volumeMounts" and "template.spec.volumes", or with '
    "ack-slurm-operator by ack.slurm.slurmdbd"
)


@warns
def slurmdbd_finds_its_files(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of files and folders that slurmdbd's pod doesn't have: slurmdbd exits, or never gets to its database.

    A warning, since ack-slurm-operator's pods get volumes and images by options of their own.
    """
    if not spec.accounting or spec.accounting.image:
        return
    at, mounted = ("accounting", "extra_conf"), _mounted(spec.accounting)
    for key, text in spec.accounting.extra_conf.items():
        if key.lower() in {"archivescript", "storagepassscript"} and not _is_below(text, mounted):
            yield _missing((*at, key), text, f"slurmdbd exits unless its pod has {text}")
        if key.lower() == "archivedir" and not _is_there(text, mounted):
            yield _missing((*at, key), text, f"slurmdbd exits unless its pod has the folder {text}")
        if key.lower() == "storageparameters":
            for item in text.split(","):
                name, _, file = item.strip().partition("=")
                is_file = name.upper() in {"SSL_CA", "SSL_CAPATH", "SSL_CERT", "SSL_KEY"}
                if is_file and not file.startswith(_WITH_CERTIFICATES) and not _is_below(file, mounted):
                    problem = f"slurmdbd waits for its database without end unless its pod has {file}"
                    yield _missing((*at, key), text, problem)


@warns
def archives_outlive_slurmdbd(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of archives of records in the pod itself: they are purged from the database, and gone with the pod."""
    if not spec.accounting:
        return
    lines = {key.lower(): (key, text) for key, text in spec.accounting.extra_conf.items()}
    archiving = [key for key, text in lines.values() if key.lower() in _ARCHIVE_FLAGS and _is_yes(text)]
    _, folder = lines.get("archivedir", ("", _DEFAULT_ARCHIVE_FOLDER))
    mounted = _mounted(spec.accounting)
    is_kept = "archivescript" in lines or _is_below(folder, mounted)
    # Of a folder that is not there the rule above warns; an image of the user's may have it.
    is_there = spec.accounting.image is not None or _is_there(folder, mounted)
    if archiving and is_there and not is_kept:
        key = archiving[0]
        problem = f"slurmdbd writes archives into {folder} of its pod, where they are lost when the pod ends"
        fix = f"Write ArchiveDir with a path of your own, and {_MOUNT}."
        yield FieldError(("accounting", "extra_conf", key), lines[key.lower()][1], problem, fix)


def daemons_hash_alike(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse different hash plugins of slurmctld and slurmdbd, which then understand no message of each other."""
    if not spec.accounting or spec.accounting.external:
        return
    places: dict[Path, Mapping[str, str]] = {
        ("slurm_conf", "extra"): spec.slurm_conf.extra,
        ("accounting", "extra_conf"): spec.accounting.extra_conf,
    }
    texts = {
        (*at, key): text for at, lines in places.items() for key, text in lines.items() if key.lower() == "hashplugin"
    }
    plugins = {text.removeprefix("hash/") for text in texts.values()}
    if len(texts) == 1:
        plugins.add(_DEFAULT_HASH_PLUGIN)
    if len(plugins) > 1 and plugins <= _HASH_PLUGINS:
        path, text = next(iter(texts.items()))
        problem = "slurmctld and slurmdbd hash with different plugins, and don't understand each other"
        fix = "Write the same HashPlugin in slurmConf.extra and in accounting.extraConf."
        yield FieldError(path, text, problem, fix, tuple(other for other in texts if other != path))


_ARCHIVE_FLAGS = frozenset(
    f"archive{records}"
    for records in ("events", "jobs", "jobenv", "jobscript", "resvs", "steps", "suspend", "txn", "usage")
)


def _is_yes(text: str) -> bool:
    try:
        return values.read(ValueType.FLAG, text) is True
    except UnreadableError:
        return False


def _mounted(accounting: AccountingSpec) -> set[str]:
    """Return the folders on which overrides mount volumes in slurmdbd's container."""
    container = accounting.overrides.get("slurmdbd")
    mounts: Any = container.get("volumeMounts") if isinstance(container, Mapping) else None
    paths = (
        [mount.get("mountPath") for mount in mounts if isinstance(mount, Mapping)] if isinstance(mounts, list) else []
    )
    return {path for path in paths if isinstance(path, str)}


def _is_there(folder: str, mounted: set[str]) -> bool:
    """Return whether slurmdbd's container has a folder for archives, unless its image is the user's."""
    return folder == _DEFAULT_ARCHIVE_FOLDER or _is_below(folder, mounted)


def _is_below(path: str, folders: set[str]) -> bool:
    return any(PurePosixPath(path).is_relative_to(folder) for folder in folders)


def _missing(path: Path, text: str, problem: str) -> FieldError:
    return FieldError(path, text, problem, f"Leave it out, or {_MOUNT}.")


RULES: tuple[Rule, ...] = (
    slurmdbd_finds_its_files,
    archives_outlive_slurmdbd,
    daemons_hash_alike,
)
