"""What Google's resources have in common: projects, APIs, labels, references, and the words of errors."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Kind, Scope
from tests.clouds.simulator.wire import Values, texts_at

NEW_PROJECT = "gcp:organizations/project:Project"
SERVICE = "gcp:projects/service:Service"
PROJECTS = frozenset({"some-project", "my-project", "network-team"})
"""The projects that somebody has made by hand before any test; in all others there is nothing until they are made."""
PROJECT_NUMBER = "123456789012"
"""The number of each of them."""
ATTRIBUTION = {"goog-pulumi-provisioned": "true"}
"""The label that pulumi-gcp puts on everything that can have labels."""
KEY_MEMBER = "gcp:kms/cryptoKeyIAMMember:CryptoKeyIAMMember"
ONLY_WITH_KEYS = "onlyWithKeys"
"""The setting of a cloud in which all that takes a key has to have one."""
ALWAYS_ON = frozenset({"cloudresourcemanager.googleapis.com", "serviceusage.googleapis.com"})
API_NAMES = {
    "cloudquotas.googleapis.com": "Cloud Quotas API",
    "artifactregistry.googleapis.com": "Artifact Registry API",
    "compute.googleapis.com": "Compute Engine API",
    "container.googleapis.com": "Kubernetes Engine API",
    "file.googleapis.com": "Cloud Filestore API",
    "iam.googleapis.com": "Identity and Access Management (IAM) API",
    "lustre.googleapis.com": "Google Cloud Managed Lustre API",
    "servicenetworking.googleapis.com": "Service Networking API",
    "sqladmin.googleapis.com": "Cloud SQL Admin API",
    "storage.googleapis.com": "Cloud Storage API",
}


@dataclass(frozen=True)
class Reference:
    """An input that names another resource."""

    place: str
    """Its pattern, e.g. "networkConfig.additionalNodeNetworkConfigs.network"."""
    token: str
    holds: bool = True
    """Whether the other can't be deleted as long as this exists."""
    optional: bool = False
    """Whether the other may be one that was there before, or be missing, which the kind itself refuses."""


class GoogleKind(Kind):
    """A resource of Google Cloud."""

    api: ClassVar[str] = "compute.googleapis.com"
    references: ClassVar[tuple[Reference, ...]] = ()
    labels: ClassVar[str | None] = None
    """The input with the user's labels."""
    keys: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Where it names keys of Cloud KMS, and the domain of the service agent that uses each."""
    permission: ClassVar[str] = ""
    """What a caller needs to make it, e.g. "container.nodePools.create"."""

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        """Refuse what every API of Google's refuses."""
        self._need_api(inputs, scope)
        self._refuse_keys(inputs, scope)
        for reference, value in self._referred(inputs):
            if not reference.optional and find(scope, reference.token, value) is None:
                raise CloudError(not_found(reference.token, value))

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        """Refuse to delete what others still use."""
        user = next(self._users(resource, scope), None)
        if user:
            raise CloudError(
                f"googleapi: Error 400: The {self.says} resource '{resource.id}' is already being used by "
                f"'{user.id}', resourceInUseByAnotherResource"
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        """Return the inputs, with project and labels."""
        state = {name: value for name, value in super().state(inputs, scope, old).items() if name != "__defaults"}
        if "project" not in state:
            state["project"] = project(inputs, scope)
        if self.labels:
            labels = {**(inputs.get(self.labels) or {}), **ATTRIBUTION}
            state["pulumiLabels"] = state["effectiveLabels"] = labels
        return state

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        """Return Google's words."""
        where = f"projects/{project(inputs, scope)}"
        texts = {
            "exists": f"googleapi: Error 409: The resource '{self._id(inputs, scope)}' already exists, alreadyExists",
            "gone": f"googleapi: Error 404: The resource '{self._id(inputs, scope)}' was not found, notFound",
            "lost": "Error waiting for the operation: unexpected EOF",
            "permission": f"googleapi: Error 403: Required '{self.permission}' permission for '{where}', forbidden",
            "unavailable": "googleapi: Error 503: The service is currently unavailable., backendError",
            "quota": f"googleapi: Error 403: Quota exceeded for {where}, quotaExceeded",
        }
        return texts[fault] if fault in texts else super().fail(fault, inputs, scope)

    @property
    def says(self) -> str:
        """What Google calls it in errors."""
        return self.token.rpartition("/")[2].partition(":")[0]

    def _id(self, inputs: Values, scope: Scope) -> str:
        return self.identify(inputs, scope)

    def _need_api(self, inputs: Values, scope: Scope) -> None:
        where = existing_project(inputs, scope)
        if not (self.api in ALWAYS_ON or scope.cloud.settings.get("everyApiEnabled") or is_on(self.api, where, scope)):
            raise disabled(self.api, where)

    def _refuse_keys(self, inputs: Values, scope: Scope) -> None:
        """Refuse a key that the service's agent may not use, and nothing but keys where a policy says so.

        Nobody may use a key by default. The policy: https://cloud.google.com/kms/docs/cmek-org-policy.
        """
        for place, domain in self.keys.items():
            keys = [*texts_at(inputs, place)]
            if not keys and scope.cloud.settings.get(ONLY_WITH_KEYS):
                raise CloudError(
                    "googleapi: Error 412: Constraint 'constraints/gcp.restrictNonCmekServices' is violated: "
                    f"{self.says} needs a key in {place}, conditionNotMet"
                )
            agent = (
                f"serviceAccount:service-{number_of(project(inputs, scope), scope)}@{domain}.iam.gserviceaccount.com"
            )
            for key in keys:
                asked = {"cryptoKeyId": key, "role": "roles/cloudkms.cryptoKeyEncrypterDecrypter", "member": agent}
                if not any(asked.items() <= grant.state.items() for grant in scope.cloud.all(KEY_MEMBER)):
                    raise CloudError(
                        f"googleapi: Error 400: Cloud KMS key {key} can't be used by {agent}: "
                        "cryptoKeyVersions.useToEncrypt denied., badRequest"
                    )

    def _referred(self, inputs: Values) -> Iterator[tuple[Reference, str]]:
        for reference in self.references:
            for value in texts_at(inputs, reference.place):
                yield reference, value

    def _users(self, resource: Stored, scope: Scope) -> Iterator[Stored]:
        for other in scope.cloud.all():
            kind = KINDS.get(other.token)
            for reference, value in kind._referred(other.state) if kind else ():
                if reference.holds and reference.token == resource.token and means(value, resource):
                    yield other


KINDS: dict[str, GoogleKind] = {}
"""By token; each module that defines some adds them."""


def known_kind(kind: type[GoogleKind]) -> type[GoogleKind]:
    """Add a kind to those that there are."""
    KINDS[kind.token] = kind()
    return kind


def find(scope: Scope, token: str, value: str) -> Stored | None:
    """Return the resource that a name, an id or a link means."""
    return next((resource for resource in scope.cloud.all(token) if means(value, resource)), None)


def means(value: str, resource: Stored) -> bool:
    """Say whether a name, an id, a link or an account's address means this resource."""
    path = value.partition("/compute/v1/")[2] or value
    return path == resource.id or ("/" not in path and path in {resource.name, resource.state.get("email")})


def project(inputs: Values, scope: Scope) -> str:
    """Return the project of a resource; without one the provider fails, as the real one does."""
    name = inputs.get("project") or scope.config.get("project")
    if not name:
        raise CloudError("project: required field is not set")
    return str(name)


def new_project(where: str, scope: Scope) -> Stored | None:
    """Return a project that was made here; None if it was made by hand, or if there is none."""
    return scope.cloud.get(NEW_PROJECT, f"projects/{where}")


def number_of(where: str, scope: Scope) -> str:
    """Return the number of a project."""
    made = new_project(where, scope)
    return str(made.state["number"]) if made else PROJECT_NUMBER


def existing_project(inputs: Values, scope: Scope) -> str:
    """Return the project of a resource; refuse one that isn't there, of which Google doesn't say whether it is."""
    where = project(inputs, scope)
    if where not in PROJECTS and new_project(where, scope) is None:
        raise CloudError(
            f"googleapi: Error 403: Permission denied on resource project {where}., forbidden. "
            "The caller does not have permission, or the project does not exist"
        )
    return where


def asked_project(arguments: Values, scope: Scope, api: str) -> str:
    """Return the project that a data source asks by an API, which in one that was made here has to be on."""
    where = existing_project(arguments, scope)
    if new_project(where, scope) and not is_on(api, where, scope):
        raise disabled(api, where)
    return where


def is_on(api: str, where: str, scope: Scope) -> bool:
    """Return whether an API is on in a project."""
    return scope.cloud.get(SERVICE, f"{where}/{api}") is not None


def disabled(api: str, where: str) -> CloudError:
    """Return the error of an API that isn't on: https://cloud.google.com/apis/design/errors#error_info."""
    says = API_NAMES.get(api, api)
    return CloudError(
        f"googleapi: Error 403: {says} has not been used in project {where} before or it is disabled. Enable it by "
        f"visiting https://console.developers.google.com/apis/api/{api}/overview?project={where} then retry.\n"
        'Details:\n[\n  {\n    "@type": "type.googleapis.com/google.rpc.ErrorInfo",\n    "domain": "googleapis.com",\n'
        f'    "metadata": {{"consumer": "projects/{where}", "service": "{api}"}},\n'
        '    "reason": "SERVICE_DISABLED"\n  }\n]\n, accessNotConfigured'
    )


def region(inputs: Values, scope: Scope) -> str:
    """Return the region of a resource."""
    name = inputs.get("region") or scope.config.get("region")
    if not name:
        raise CloudError("Cannot determine region: set in this resource, or set provider-level 'region' or 'zone'.")
    return str(name)


def link(path: str) -> str:
    """Return the self link of a resource of Compute Engine."""
    return f"https://www.googleapis.com/compute/v1/{path}"


def now() -> str:
    """Return the time as Google's APIs write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def not_found(token: str, value: str) -> str:
    """Return the error for a reference to nothing."""
    says = token.rpartition("/")[2].partition(":")[0]
    return f"googleapi: Error 404: The resource '{value}' ({says}) was not found, notFound"
