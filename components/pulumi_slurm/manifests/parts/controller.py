"""slurmctld: its files, the Controller, and its Service."""

from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.files import file_config_maps, health_check_manifests
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.services import slurmctld_service
from pulumi_slurm.model import ControllerSpec, HooksSpec, MonitoringSpec


class ControllerPart(Part):
    """slurmctld."""

    _with_line_breaks = frozenset({"extra_conf", "config_files"})

    controller: ControllerSpec = ControllerSpec()
    """slurmctld, or the description of one outside the cluster."""
    monitoring: MonitoringSpec = MonitoringSpec()
    """Metrics."""
    accounting: bool = False
    """Whether the cluster has an `Accounting`, which then has to be there first."""
    extra_conf: str = ""
    """Lines at the end of slurm.conf."""
    config_files: dict[str, str] = {}
    """Configuration files other than slurm.conf."""
    hooks: HooksSpec = HooksSpec()
    """Prolog and epilog scripts."""

    def manifests(self) -> Manifests:
        """Return the files, the Controller and its Service."""
        files = file_config_maps(self.cluster, self.config_files, self.hooks)
        resource = slinky.controller(
            self.cluster,
            self.controller,
            self.monitoring,
            accounting=self.accounting,
            extra_conf=self.extra_conf,
            config_maps=files,
        )
        service = slurmctld_service(self.cluster, self.controller) if not self.controller.external else []
        return {
            **{
                f"{field.removesuffix('Refs')}{'' if index == 1 else f'-{index}'}": config_map
                for field, config_maps in files.items()
                for index, config_map in enumerate(config_maps, start=1)
            },
            **health_check_manifests(self.cluster, self.hooks),
            # The operator's webhook reads the ConfigMaps before it lets the Controller in.
            "controller": resource,
            **by_kind("slurmctld", service),
        }
