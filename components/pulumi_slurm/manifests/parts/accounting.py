"""slurmdbd: the Accounting and its Service."""

from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.database import database_host, password_secret
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.services import slurmdbd_service
from pulumi_slurm.model import AccountingSpec


class AccountingPart(Part):
    """slurmdbd."""

    accounting: AccountingSpec = AccountingSpec()
    """slurmdbd and its database, or the description of one outside the cluster."""

    def manifests(self) -> Manifests:
        """Return the Accounting and its Service."""
        database = self.accounting.database
        host, password = database_host(self.cluster, database), password_secret(self.cluster, database)
        resource = slinky.accounting(self.cluster, self.accounting, host=host, password=password)
        return {
            "accounting": resource,
            **by_kind(
                "slurmdbd", slurmdbd_service(self.cluster, self.accounting) if not self.accounting.external else []
            ),
        }
