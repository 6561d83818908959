"""GkeKeyUsers: which of Google's services may use a key of Cloud KMS."""

import pulumi
import pulumi_gcp as gcp
from pydantic import Field, field_validator

from pulumi_slurm.gke.arguments import GkeArgsWithNumber, number_of, when_known
from pulumi_slurm.gke.model import names
from pulumi_slurm.gke.plan.encryption import KeyUser
from pulumi_slurm.kube.component import Component, Options
from pulumi_slurm.model.one_of import OneOf

ENCRYPTER = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
"""The role with which a service agent uses a key."""

_NOT_ON_REQUEST = frozenset({KeyUser.GKE, KeyUser.COMPUTE_ENGINE, KeyUser.CLOUD_STORAGE})
"""Services whose agents no request makes: two are there as soon as their API is on."""


class GkeKeyUsersArgs(GkeArgsWithNumber):
    """Arguments of `GkeKeyUsers`."""

    key: pulumi.Input[str]
    """The key: projects/P/locations/R/keyRings/K/cryptoKeys/C. It may be another project's."""
    services: list[OneOf[KeyUser]] = Field(min_length=1)
    """The services that encrypt with it."""

    _key = field_validator("key")(when_known(names.kms_key))


class GkeKeyUsers(Component[GkeKeyUsersArgs]):
    """The service agents of a project that may encrypt with a key, and these agents themselves.

    All clusters of the project have the agents in common, so the grants stay when one is destroyed: what others have
    encrypted could no longer be read.
    """

    members: pulumi.Output[list[str]]
    """The agents, as the members of policies."""

    def __init__(self, resource_name: str, args: GkeKeyUsersArgs, opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        number = number_of(args.project, args.project_number, self)
        users = [KeyUser(service) for service in args.services]
        members = {user: number.apply(user.member) for user in users}
        if KeyUser.CLOUD_STORAGE in members:
            # Google makes this agent for whoever asks for its address, and for nobody else:
            # https://cloud.google.com/storage/docs/getting-service-agent.
            # In a project that is made its API has to be on before, as `depends_on` says.
            after = self._depends_on() if args.project_number is not None else []
            members[KeyUser.CLOUD_STORAGE] = gcp.storage.get_project_service_account_output(
                project=args.project, opts=pulumi.InvokeOutputOptions(parent=self, depends_on=after)
            ).email_address.apply(lambda email: f"serviceAccount:{email}")
        grants = [
            gcp.kms.CryptoKeyIAMMember(
                f"{self._name}-{user}",
                crypto_key_id=args.key,
                role=ENCRYPTER,
                member=member,
                opts=self.child(*self._agent(user), retain_on_delete=True),
            )
            for user, member in members.items()
        ]
        self.members = pulumi.Output.all(*members.values())
        self.finish(*grants)

    def _agent(self, user: KeyUser) -> list[pulumi.Resource]:
        """Let Google make the agent of a service, whose policy can't name it before."""
        if user in _NOT_ON_REQUEST:
            return []
        return [
            gcp.projects.ServiceIdentity(
                f"{self._name}-{user}-agent", project=self._args.project, service=user.api, opts=self.child()
            )
        ]
