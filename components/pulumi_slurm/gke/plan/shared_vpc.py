"""What Google's service agents of a project need in the host project of a Shared VPC.

Source: https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-shared-vpc#enabling_and_granting_roles. What GKE
needs to manage the firewall of the host project for load balancers is not among them: its administrators make such
rules, or grant that too.
"""

from enum import Enum
from typing import NamedTuple

from pulumi_slurm.gke.plan.encryption import KeyUser


class Agent(Enum):
    """A service agent of Google's."""

    GKE = "gke"
    APIS = "apis"

    def member(self, number: str) -> str:
        """Return the agent of the project with this number, as the member of a policy."""
        if self is Agent.GKE:
            return KeyUser.GKE.member(number)
        return f"serviceAccount:{number}@cloudservices.gserviceaccount.com"


class Grant(NamedTuple):
    """A role that an agent needs."""

    agent: Agent
    role: str
    of_the_subnetwork: bool
    """Whether it is granted on the subnetwork rather than on the host project."""

    def stated(self, number: str, host: str, region: str, subnetwork: str) -> dict[str, str]:
        """Return who needs which role on what, for people to read."""
        project = f"projects/{host}"
        on = f"{project}/regions/{region}/subnetworks/{subnetwork}" if self.of_the_subnetwork else project
        return {"member": self.agent.member(number), "role": self.role, "on": on}


GRANTS = (
    Grant(Agent.GKE, "roles/compute.networkUser", of_the_subnetwork=True),
    Grant(Agent.APIS, "roles/compute.networkUser", of_the_subnetwork=True),
    Grant(Agent.GKE, "roles/container.hostServiceAgentUser", of_the_subnetwork=False),
)
