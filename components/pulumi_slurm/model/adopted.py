"""What a cluster that Slinky's chart made keeps of it, so that no pod restarts when a stack takes it over."""

from pydantic import field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model


class AdoptedFilesSpec(Model):
    """A ConfigMap with files, whose name is in the pod of slurmctld."""

    name: str
    """The ConfigMap's name."""
    files: list[str]
    """The names of its files."""

    _name = field_validator("name")(kubernetes_names.object_name)


class AdoptedSpec(Model):
    """A cluster that Slinky's chart `slurm` has made, as `pulumi-slurm adopt` writes it.

    Pods get no labels, annotations and node selectors but those in `pod`, node sets may go without a machine, and no
    object is replaced. The provider needs `enablePatchForce`, which kind kubernetes sets. Left out, the cluster is like
    any other, and all of its pods restart for it.
    """

    _with_line_breaks = frozenset({"slurmdbd_conf"})

    files: dict[str, list[AdoptedFilesSpec]] = {}
    """ConfigMaps by the field of the Controller, such as "prologScriptRefs"; used while `configFiles` or `hooks` have
    the files that they name. Another file restarts slurmctld, since it is in a new ConfigMap."""
    files_hash: str | None = None
    """Of all files of the chart, where `controller.inplaceReconfigure` is false: other ones restart slurmctld."""
    slurmd_options: dict[str, str] = {}
    """By node set, its options of `slurmd --conf` in the chart's order; used while they are those of its fields."""
    slurmdbd_conf: str | None = None
    """The chart's lines of slurmdbd.conf, "" for none; used while they say what `accounting.extraConf` says."""
