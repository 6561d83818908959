"""The base of Alibaba Cloud's resources: regions, ids, references, and messages of errors."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tests.clouds.simulator import facts
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Kind, Scope
from tests.clouds.simulator.wire import Place, Values, texts_at

_ZONE = re.compile(r"-?[a-z]")


@dataclass(frozen=True)
class Reference:
    """An input that names another resource."""

    place: str
    """Its pattern, e.g. "vswitchIds"."""
    token: str
    by: str = "id"
    """The property of the other resource that it contains; "id" is its id."""
    holds: bool = True
    """Whether the other can't be deleted as long as this exists."""


class AlibabaKind(Kind):
    """A resource of Alibaba Cloud."""

    # The provider has inputs for names, such as vpcName, and generates none.
    autonamed = False
    terraform: ClassVar[str]
    """Its name in Terraform, which errors contain."""
    action: ClassVar[str]
    """The product and the action that creates it, as in RAM, e.g. "vpc:CreateVpc"."""
    prefix: ClassVar[str] = ""
    """The prefix of its ids."""
    references: ClassVar[tuple[Reference, ...]] = ()
    sent_if_written: ClassVar[tuple[str, ...]] = ()
    """Inputs that the provider's code sends only if they aren't empty: taken back, they stay as they were."""
    together: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Inputs that exclude each other."""

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        """Refuse invalid values, and inputs that exclude each other."""
        yield from super().problems(inputs)
        for field, other in self.together:
            if inputs.get(field) is not None and inputs.get(other) is not None:
                yield (field,), f"this conflicts with {other}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        """Return an unused id; several resources may have the same name."""
        return f"{self.prefix}-sim{scope.cloud.next_number():06d}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        """Refuse references to resources that don't exist."""
        for reference, value in self._referred(inputs):
            if find(scope, reference, value) is None:
                raise self.error(404, f"Invalid{says(reference.token)}Id.NotFound", f"{value} does not exist")

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        """Refuse to delete resources that others still use."""
        user = next(self._users(resource, scope), None)
        if user:
            raise self.error(
                400,
                f"DependencyViolation.{says(user.token)}",
                f"The specified resource {resource.id} is still used by {user.id}",
                f"Delete{says(self.token)}",
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        """Return the inputs, and the properties that stay when they are removed from the inputs."""
        merged_inputs = self.merged(inputs, old)
        return {name: value for name, value in super().state(merged_inputs, scope, old).items() if name != "__defaults"}

    def merged(self, inputs: Values, old: Stored | None) -> Values:
        """Return the inputs as the cloud gets them: a change doesn't contain removed inputs."""
        names = [*facts.kept(self.token), *self.sent_if_written]
        kept = {name: old.state[name] for name in names if old and name in old.state}
        return {**kept, **inputs}

    def error(self, status: int, code: str, message: str, action: str | None = None) -> CloudError:
        """Return an error of the API in the provider's form."""
        return CloudError(
            f"[ERROR] terraform-provider-alicloud/alicloud/resource_{self.terraform}.go: Resource {self.terraform} "
            f"{action or self.action.partition(':')[2]} Failed!!! [SDK alibaba-cloud-sdk-go ERROR]:\nSDKError:\n"
            f"   StatusCode: {status}\n   Code: {code}\n   Message: code: {status}, {message} request id: SIMULATED"
        )

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        """Return Alibaba Cloud's message."""
        name = self.name(inputs)
        if fault == "lost":
            return f"[ERROR] Resource {self.terraform} {name} Failed!!! Post: unexpected EOF"
        errors = {
            "exists": (409, "Resource.AlreadyExist", f"The resource {name} already exists."),
            "gone": (404, "InvalidResource.NotFound", f"The resource {name} is not found."),
            "permission": (
                403,
                "Forbidden.RAM",
                f"User not authorized to operate on the specified resource, or this API doesn't support RAM. "
                f"Action: {self.action}",
            ),
            "quota": (400, f"QuotaExceeded.{says(self.token)}", f"The quota of {self.terraform} is exceeded."),
            "throttling": (400, "Throttling.User", "Request was denied due to user flow control."),
            "unavailable": (503, "ServiceUnavailable", "The request has failed due to a temporary failure."),
        }
        return str(self.error(*errors[fault])) if fault in errors else super().fail(fault, inputs, scope)

    def _referred(self, inputs: Values) -> Iterator[tuple[Reference, str]]:
        for reference in self.references:
            for value in texts_at(inputs, reference.place):
                # RDS has several vSwitches in one string.
                for item in value.split(","):
                    yield reference, item

    def _users(self, resource: Stored, scope: Scope) -> Iterator[Stored]:
        for other in scope.cloud.all():
            resource_kind = KINDS.get(other.token)
            for reference, value in resource_kind._referred(other.state) if resource_kind else ():
                if reference.holds and reference.token == resource.token and means(value, reference, resource):
                    yield other


KINDS: dict[str, AlibabaKind] = {}
"""The resource kinds by token; modules add those that they define."""


def known_kind(kind: type[AlibabaKind]) -> type[AlibabaKind]:
    """Register a resource kind."""
    KINDS[kind.token] = kind()
    return kind


def find(scope: Scope, reference: Reference, value: str) -> Stored | None:
    """Return the resource to which a reference refers, or None."""
    return next((resource for resource in scope.cloud.all(reference.token) if means(value, reference, resource)), None)


def need(scope: Scope, token: str, resource_id: str) -> Stored:
    """Return a resource whose existence was checked before."""
    resource = scope.cloud.get(token, resource_id)
    assert resource, f"{token} {resource_id}"
    return resource


def means(value: str, reference: Reference, resource: Stored) -> bool:
    """Return whether a reference refers to this resource."""
    return value == (resource.id if reference.by == "id" else resource.state.get(reference.by))


def says(token: str) -> str:
    """Return the name of a resource kind in errors."""
    return token.rpartition(":")[2]


def region(scope: Scope) -> str:
    """Return the provider's region."""
    name = scope.config.get("region")
    if not name:
        raise CloudError("[ERROR] region: required field is not set")
    return str(name)


def in_region(zone: str, scope: Scope) -> bool:
    """Return whether a zone is in the region: cn-hangzhou-h, ap-southeast-1a."""
    return zone.startswith(region(scope)) and bool(_ZONE.fullmatch(zone.removeprefix(region(scope))))


def now() -> str:
    """Return the time as Alibaba Cloud's APIs write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
