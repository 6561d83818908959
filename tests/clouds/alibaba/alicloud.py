"""What Alibaba Cloud's resources have in common: regions, ids, references, and the words of errors."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

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
    """The property of the other that it holds; "id" is its id."""
    holds: bool = True
    """Whether the other can't be deleted as long as this exists."""


class AlibabaKind(Kind):
    """A resource of Alibaba Cloud."""

    # The provider's names are inputs of their own, such as vpcName, and it makes none up.
    autonamed = False
    terraform: ClassVar[str]
    """What Terraform calls it, as its errors do."""
    action: ClassVar[str]
    """The product and the action that makes it, as RAM knows them, e.g. "vpc:CreateVpc"."""
    prefix: ClassVar[str] = ""
    """What its ids begin with."""
    references: ClassVar[tuple[Reference, ...]] = ()
    together: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Inputs that exclude each other."""

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        """Refuse values that there aren't, and inputs that exclude each other."""
        yield from super().problems(inputs)
        for one, other in self.together:
            if inputs.get(one) is not None and inputs.get(other) is not None:
                yield (one,), f"this conflicts with {other}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        """Return an id that was never there before; names may be there twice."""
        return f"{self.prefix}-sim{scope.cloud.next_number():06d}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        """Refuse references to nothing."""
        for reference, value in self._referred(inputs):
            if find(scope, reference, value) is None:
                raise self.error(404, f"Invalid{says(reference.token)}Id.NotFound", f"{value} does not exist")

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        """Refuse to delete what others still use."""
        user = next(self._users(resource, scope), None)
        if user:
            raise self.error(
                400,
                f"DependencyViolation.{says(user.token)}",
                f"The specified resource {resource.id} is still used by {user.id}",
                f"Delete{says(self.token)}",
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        """Return the inputs, and what stays although it is no longer stated."""
        found = self.merged(inputs, old)
        return {name: value for name, value in super().state(found, scope, old).items() if name != "__defaults"}

    def merged(self, inputs: Values, old: Stored | None) -> Values:
        """Return the inputs as the cloud gets them: a change doesn't tell it what to take back."""
        kept = {name: old.state[name] for name in self.rules.kept if old and name in old.state}
        return {**kept, **inputs}

    def error(self, status: int, code: str, message: str, action: str | None = None) -> CloudError:
        """Return an error in the form that the provider gives to those of the API."""
        return CloudError(
            f"[ERROR] terraform-provider-alicloud/alicloud/resource_{self.terraform}.go: Resource {self.terraform} "
            f"{action or self.action.partition(':')[2]} Failed!!! [SDK alibaba-cloud-sdk-go ERROR]:\nSDKError:\n"
            f"   StatusCode: {status}\n   Code: {code}\n   Message: code: {status}, {message} request id: SIMULATED"
        )

    def fail(self, fault: str, inputs: Values, scope: Scope) -> str:
        """Return Alibaba Cloud's words."""
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
                # RDS takes several vSwitches in one text.
                for each in value.split(","):
                    yield reference, each

    def _users(self, resource: Stored, scope: Scope) -> Iterator[Stored]:
        for other in scope.cloud.all():
            kind = KINDS.get(other.token)
            for reference, value in kind._referred(other.state) if kind else ():
                if reference.holds and reference.token == resource.token and means(value, reference, resource):
                    yield other


KINDS: dict[str, AlibabaKind] = {}
"""By token; each module that defines some adds them."""


def known_kind(kind: type[AlibabaKind]) -> type[AlibabaKind]:
    """Add a kind to those that there are."""
    KINDS[kind.token] = kind()
    return kind


def find(scope: Scope, reference: Reference, value: str) -> Stored | None:
    """Return the resource that a reference means."""
    return next((each for each in scope.cloud.all(reference.token) if means(value, reference, each)), None)


def need(scope: Scope, token: str, resource_id: str) -> Stored:
    """Return a resource whose reference was checked before."""
    found = scope.cloud.get(token, resource_id)
    assert found, f"{token} {resource_id}"
    return found


def means(value: str, reference: Reference, resource: Stored) -> bool:
    """Say whether a reference means this resource."""
    return value == (resource.id if reference.by == "id" else resource.state.get(reference.by))


def says(token: str) -> str:
    """Return what errors call a kind."""
    return token.rpartition(":")[2]


def region(scope: Scope) -> str:
    """Return the provider's region."""
    found = scope.config.get("region")
    if not found:
        raise CloudError("[ERROR] region: required field is not set")
    return str(found)


def in_region(zone: str, scope: Scope) -> bool:
    """Say whether a zone is one of the region's: cn-hangzhou-h, ap-southeast-1a."""
    return zone.startswith(region(scope)) and bool(_ZONE.fullmatch(zone.removeprefix(region(scope))))


def now() -> str:
    """Return the time as Alibaba Cloud's APIs write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
