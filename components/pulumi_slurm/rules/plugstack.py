"""Rules on plugstack.conf: images have its SPANK plugins, and slurmd, srun, sbatch and salloc read it.

Without a required plugin slurmd exits, and so do the others; without an optional one its options aren't there.

Source: src/common/spank.c and src/common/parse_config.c of Slurm, 24.11 to 26.05, which tests/slurmd/test_plugstack.py
asks; the Dockerfiles of https://github.com/SlinkyProject/containers, of June 2026, whose packages have no SPANK plugin
(spank_pbs.so is in slurm-smd-torque), and the Makefile of https://github.com/NVIDIA/pyxis.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.access import LoginSetSpec
from pulumi_slurm.model.images import Daemon, ImagesSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.slurmconf.plugstack import PLUGSTACK, Directive, PlugstackLine, read_plugstack

_AT: Path = ("config_files", PLUGSTACK)
_OF_IMAGE = ("/usr/", "/lib")
"""How paths begin that are the image's, unless something is mounted there. Others may be on a volume, also on one that
a cloud's part of the specification adds later."""
_ETC_SLURM = "/etc/slurm"
_PYXIS = ("spank_pyxis.so", "/usr/share/pyxis/pyxis.conf")
_FILES_OF_SLINKY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"slurmd": (), "login": (), "slurmd-pyxis": _PYXIS, "login-pyxis": _PYXIS}
)
"""By name of Slinky's image: its SPANK plugins, and its files for plugstack.conf to include. What it has in /etc/slurm
is out of sight, since the operator mounts a volume there."""

_FIELDS = MappingProxyType({Daemon.SLURMD: "nodeSets", Daemon.LOGIN: "loginSets"})
_NAMED = 3
"""Of how many node sets and login sets a message has the name."""


@dataclass(frozen=True)
class _Set:
    """A node set or login set."""

    field: str
    name: str
    image: str
    """Its image: of `overrides`, its own, or that of `images`."""
    is_own: bool
    """Whether it has an image of its own."""
    mounts: tuple[str, ...]

    @property
    def is_of_slinky(self) -> bool:
        """Whether the image is from Slinky's registry; another registry may be a mirror of it, or have other images."""
        return self.image.startswith(f"{ImagesSpec().registry}/")

    def lacks(self, line: PlugstackLine) -> bool:
        """Return whether neither its image nor a volume has a plugin, or a file to include, as far as that is known."""
        path, name = line.path, self.image.rpartition("/")[2].partition("@")[0].partition(":")[0]
        files = None if self.is_own and not self.is_of_slinky else _FILES_OF_SLINKY.get(name)
        if files is None or (path.startswith("/") and not path.startswith((*_OF_IMAGE, _ETC_SLURM))):
            return False
        included = line.directive is Directive.INCLUDE
        in_image = any(fnmatch(file, path) if included else file == PurePosixPath(path).name for file in files)
        return not in_image and not self._mounts(path)

    def _mounts(self, path: str) -> bool:
        folder = path.partition("*")[0].rpartition("/")[0] or "/usr/lib"
        return any(f"{path}/".startswith(f"{mount}/") or f"{mount}/".startswith(f"{folder}/") for mount in self.mounts)


def required_plugins_are_in_the_images(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse required plugins that Slinky's images don't have: slurmd exits, and so do srun, sbatch and salloc."""
    for line, lacking in _lacking(spec, Directive.REQUIRED):
        if of_slinky := [one for one in lacking if one.is_of_slinky]:
            problem = f"{_exit_of(of_slinky)} without it, and {_images(of_slinky)} don't have it"
            yield _error(line, problem, _with_image(line, of_slinky))


@warns
def plugins_are_in_the_images(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of plugins and files to include that Slinky's images don't have, and that a mirror's don't have either."""
    for line, lacking in _lacking(spec, Directive.REQUIRED):
        if not any(one.is_of_slinky for one in lacking):
            problem = f"{_exit_of(lacking)} without it, and {_images(lacking)} don't have it, nor has a mirror of them"
            yield _error(line, problem, _with_image(line, lacking))
    for line, lacking in _lacking(spec, Directive.INCLUDE):
        if line.includes_a_pattern:
            problem = f"{_images(lacking)} have no file of this name, so Slurm loads no plugin there"
            yield _error(line, problem, _with_image(line, lacking))
    for line, lacking in _lacking(spec, Directive.OPTIONAL):
        # Where others may have it, it may be optional for that.
        if len(lacking) == len(spec.node_sets) + len(spec.login_sets):
            problem = f"{_images(lacking)} don't have it, so Slurm passes over it"
            yield _error(line, problem, _with_image(line, lacking))


def slurmctld_finds_what_plugstack_includes(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse files to include that Slinky's image of slurmctld doesn't have: it looks for each for a minute.

    It does so at each start and each change, and answers nobody meanwhile; a name with an asterisk it passes over.
    """
    for line in plugstack_lines(spec) if not spec.controller.image else ():
        elsewhere = line.path.startswith("/") and not line.path.startswith(f"{_ETC_SLURM}/")
        if line.directive is Directive.INCLUDE and elsewhere and not line.includes_a_pattern:
            problem = "slurmctld has no such file, and looks for it for a minute at each start and each change"
            pattern = f"{PurePosixPath(line.path).parent}/*"
            fix = f'Write a pattern with an asterisk, which slurmctld passes over: "include {pattern}".'
            yield _error(line, problem, fix, ("controller", "image"))


@warns
def slurm_reads_plugstack_conf(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of PlugStackConfig that names no file of workers and login nodes: Slurm loads no plugin, without a word.

    They get plugstack.conf from slurmctld, into a folder of their own.
    """
    for key, text in spec.slurm_conf.extra.items():
        if not _is_plug_stack_config(key) or spec.controller.external:
            continue
        of_image = text.startswith("/") and not text.startswith(f"{_ETC_SLURM}/")
        has_file = PLUGSTACK in spec.config_files
        if of_image and has_file:
            problem = f"Slurm reads it in place of the {PLUGSTACK} of configFiles"
        elif not of_image:
            problem = "workers and login nodes have no such file, so Slurm loads no plugin"
        else:
            continue
        fix = "Leave it out." if has_file else f"Leave it out, and add {PLUGSTACK} to configFiles."
        yield FieldError(("slurm_conf", "extra", key), text, problem, fix, (("config_files",),))


def _is_plug_stack_config(key: str) -> bool:
    return key.lower() == "plugstackconfig"


def plugstack_lines(spec: SlurmSpec) -> list[PlugstackLine]:
    """Return the lines that slurmctld hands out, those of included files too, as far as Slurm reads them."""
    text = spec.config_files.get(PLUGSTACK)
    if text is None or spec.controller.external:
        return []
    return read_plugstack(text, lambda name: spec.config_files.get(name, ""))[0]


def _lacking(spec: SlurmSpec, directive: Directive) -> Iterator[tuple[PlugstackLine, list[_Set]]]:
    """Yield the lines with a directive that some node sets and login sets lack, with these."""
    lines = [line for line in plugstack_lines(spec) if line.directive is directive]
    if not lines or any(_is_plug_stack_config(key) for key in spec.slurm_conf.extra):
        return
    options: list[NodeSetSpec | LoginSetSpec] = [*spec.node_sets, *spec.login_sets]
    sets = [_set(spec, one) for one in options]
    for line in lines:
        if lacking := [one for one in sets if one.lacks(line)]:
            yield line, lacking


def _set(spec: SlurmSpec, options: NodeSetSpec | LoginSetSpec) -> _Set:
    daemon = Daemon.SLURMD if isinstance(options, NodeSetSpec) else Daemon.LOGIN
    container: Any = options.overrides.get(daemon)
    configured_image = (container.get("image") if isinstance(container, Mapping) else None) or options.image
    mounts = [volume.mount_path for volume in spec.shared_volumes]
    mounts += [str(mount["mountPath"]).rstrip("/") for mount in options.extra_volume_mounts]
    if isinstance(options, NodeSetSpec):
        mounts += [path.mount_path for path in options.host_paths]
    image = str(configured_image or spec.images.of(daemon, spec.slurm_version))
    return _Set(_FIELDS[daemon], options.name, image, configured_image is not None, tuple(mounts))


def _exit_of(sets: list[_Set]) -> str:
    fields = {one.field for one in sets}
    if len(fields) == len(_FIELDS):
        return "slurmd, srun, sbatch and salloc exit"
    return "slurmd exits" if _FIELDS[Daemon.SLURMD] in fields else "srun, sbatch and salloc exit"


def _images(sets: list[_Set]) -> str:
    names = [one.name for one in sets[:_NAMED]]
    others = len(sets) - len(names)
    return f"Slinky's images ({', '.join(names)}{f' and {others} more' if others else ''})"


def _with_image(line: PlugstackLine, sets: list[_Set]) -> str:
    """Return what to write: for pyxis Slinky's image with it, in place of the one that was set."""
    images: dict[str, str] = {}
    for one in sets:
        name, _, tag = one.image.partition("@")[0].rpartition(":")
        images.setdefault(one.field, f' to "{name}-pyxis:{tag}"' if "pyxis" in line.path else "")
    fields = " and ".join(f"image of {field}{image}" for field, image in images.items())
    return f"Set {fields}." if "pyxis" in line.path else f"Set {fields} to images that have it, or leave the line out."


def _error(line: PlugstackLine, problem: str, fix: str, *depends_on: Path) -> FieldError:
    fields: tuple[Path, ...] = (("node_sets",), ("login_sets",), ("images",), ("slurm_conf",))
    return FieldError(_AT, str(line), f"{line.location}: {problem}", fix, depends_on or fields)


RULES: tuple[Rule, ...] = (
    required_plugins_are_in_the_images,
    plugins_are_in_the_images,
    slurmctld_finds_what_plugstack_includes,
    slurm_reads_plugstack_conf,
)
RULES_OF_SLINKY = RULES
