"""slurmrestd: the RestApi and its Service."""

from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.services import slurmrestd_service
from pulumi_slurm.model import RestApiSpec


class RestApiPart(Part):
    """slurmrestd."""

    rest_api: RestApiSpec = RestApiSpec()
    """slurmrestd and its Service."""

    def manifests(self) -> Manifests:
        """Return the RestApi and its Service."""
        service = slurmrestd_service(self.cluster, self.rest_api)
        return {"restapi": slinky.rest_api(self.cluster, self.rest_api), **by_kind("slurmrestd", service)}
