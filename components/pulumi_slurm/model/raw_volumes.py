"""Validators of volumes and mounts that users write in the form of the Kubernetes API."""

from collections.abc import Sequence
from typing import Any

from pulumi_slurm.errors import AsWritten, FieldError, raise_errors
from pulumi_slurm.model.kubernetes_fields import form_errors
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.one_line import line_break_errors

RawObjects = list[dict[str, Any]]
"""A list of mappings in the form of the Kubernetes API."""


def raw_volumes(volumes: RawObjects) -> RawObjects:
    """Validate the `volumes` of a pod: each has a name and one source."""
    errors = _name_errors(volumes)
    for index, volume in enumerate(volumes):
        sources = volume.keys() - {"name"}
        if len(sources) != 1:
            problem = f"it has {len(sources)} sources" if sources else "it has no source"
            fix = "Write one, for example configMap: {name: enroot}, besides the name."
            errors.append(FieldError((index,), volume, problem, fix, depends_on_fields=((index,),)))
    raise_errors([*errors, *form_errors("[Volume]", volumes), *line_break_errors(volumes)])
    return volumes


def raw_mounts(mounts: RawObjects) -> RawObjects:
    """Validate the `volumeMounts` of a container: each has the name of a volume and an absolute path."""
    errors = _name_errors(mounts)
    for index, mount in enumerate(mounts):
        path = mount.get("mountPath")
        if not isinstance(path, str) or not path.startswith("/") or ":" in path or ".." in path.split("/"):
            problem = AsWritten(f"mountPath is {'not an absolute path' if 'mountPath' in mount else 'missing'}")
            fix = AsWritten('Write for example mountPath: "/etc/enroot/enroot.conf".')
            errors.append(FieldError((index,), mount, problem, fix))
    raise_errors([*errors, *form_errors("[VolumeMount]", mounts), *line_break_errors(mounts)])
    return mounts


def _name_errors(items: Sequence[dict[str, Any]]) -> list[FieldError]:
    errors: list[FieldError] = []
    for index, item in enumerate(items):
        name = item.get("name")
        if not isinstance(name, str):
            errors.append(FieldError((index,), item, "it has no name", "Add the name of a volume."))
            continue
        try:
            dns_label(name)
        except ValueError:
            fix = 'Use lower-case letters, digits and "-".'
            errors.append(FieldError((index,), item, f'no volume has a name like "{name}"', fix))
    return errors
