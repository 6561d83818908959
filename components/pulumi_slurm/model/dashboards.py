"""A dashboard for Grafana, by a ConfigMap that its sidecar reads."""

from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model


class DashboardsSpec(Model):
    """A ConfigMap with a dashboard of slurmctld's metrics, for the sidecar that Grafana's charts run.

    Source: https://github.com/kiwigrid/k8s-sidecar.
    """

    _with_line_breaks = frozenset({"annotations"})

    labels: dict[str, str] = {"grafana_dashboard": "1"}
    """Labels by which the sidecar selects the ConfigMap; yours stand in place of the default."""
    annotations: dict[str, str] = {}
    """Annotations of the ConfigMap."""
    folder: str | None = Field(default=None, min_length=1)
    """The folder of Grafana in which it is put. The sidecar's provider needs `foldersFromFilesStructure` for that."""
    folder_annotation: str = "k8s-sidecar-target-directory"
    """The annotation in which the sidecar looks for the folder, its `FOLDER_ANNOTATION`."""

    _labels = field_validator("labels")(kubernetes_names.labels)
    _annotations = field_validator("annotations")(kubernetes_names.annotations)
    _folder_annotation = field_validator("folder_annotation")(kubernetes_names.label_key)

    @model_validator(mode="after")
    def _folder_is_written_once(self) -> Self:
        if self.folder is not None and self.folder_annotation in self.annotations:
            raise field_errors(
                [
                    FieldError(
                        ("annotations", self.folder_annotation),
                        self.annotations[self.folder_annotation],
                        "folder writes this annotation",
                        "Leave one of them out.",
                        depends_on_fields=(("folder",), ("folder_annotation",)),
                    )
                ]
            )
        return self
