"""Registries, Filestore, Lustre and buckets."""

import zlib
from collections.abc import Iterator

from tests.clouds.gcp.google import GoogleKind, Reference, known_kind, now, number_of, project
from tests.clouds.gcp.networks import NETWORK, use_connection
from tests.clouds.gcp.projects import Member
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

REPOSITORY = "gcp:artifactregistry/repository:Repository"
BUCKET = "gcp:storage/bucket:Bucket"
FILESTORE_GIB = {
    "BASIC_HDD": (1024, 65434),
    "BASIC_SSD": (2560, 65434),
    "ZONAL": (100, 102400),
    "REGIONAL": (100, 102400),
    "ENTERPRISE": (1024, 10240),
}
"""The minimum and the maximum GiB by tier."""


@known_kind
class Repository(GoogleKind):
    token = REPOSITORY
    keys = {"kmsKeyName": "gcp-sa-artifactregistry"}
    api = "artifactregistry.googleapis.com"
    autonamed = False
    name_property = "repositoryId"
    labels = "labels"
    permission = "artifactregistry.repositories.create"
    defaults = {"mode": "STANDARD_REPOSITORY"}
    rules = Rules(unordered=("cleanupPolicies",))

    def identify(self, inputs: Values, scope: Scope) -> str:
        return (
            f"projects/{project(inputs, scope)}/locations/{_location(inputs, scope)}/repositories/{self.name(inputs)}"
        )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        where = _location(inputs, scope)
        created = old.state["createTime"] if old else now()
        uri = f"{where}-docker.pkg.dev/{state['project']}/{self.name(inputs)}"
        times = {"createTime": created, "updateTime": created}
        return {**state, "location": where, "name": self.name(inputs), "registryUri": uri, **times}


@known_kind
class RepositoryMember(Member):
    token = "gcp:artifactregistry/repositoryIamMember:RepositoryIamMember"
    api = "artifactregistry.googleapis.com"
    on = "repository"
    says_project = True
    permission = "artifactregistry.repositories.setIamPolicy"
    references = (Reference("repository", REPOSITORY, holds=False),)
    rules = Rules(by_last_part=("repository",))


@known_kind
class Bucket(GoogleKind):
    token = BUCKET
    keys = {"encryption.defaultKmsKeyName": "gs-project-accounts"}
    api = "storage.googleapis.com"
    labels = "labels"
    permission = "storage.buckets.create"
    defaults = {"forceDestroy": False, "storageClass": "STANDARD"}

    def normalized(self, inputs: Values, old: Values, resource_name: str) -> Values:
        """The provider writes locations in capitals."""
        normalized = super().normalized(inputs, old, resource_name)
        location = normalized.get("location")
        return {**normalized, "location": location.upper()} if isinstance(location, str) else normalized

    def identify(self, inputs: Values, scope: Scope) -> str:
        return self.name(inputs)

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if scope.cloud.settings.get("objects", {}).get(resource.name) and not state.get("forceDestroy"):
            raise CloudError(
                f"Error trying to delete bucket {resource.name} containing objects without `force_destroy`"
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        name = self.name(inputs)
        created = old.state["timeCreated"] if old else now()
        return {
            **super().state(inputs, scope, old),
            "selfLink": f"https://www.googleapis.com/storage/v1/b/{name}",
            "url": f"gs://{name}",
            "projectNumber": int(number_of(project(inputs, scope), scope)),
            "timeCreated": created,
            "updated": created,
        }


@known_kind
class BucketMember(Member):
    token = "gcp:storage/bucketIAMMember:BucketIAMMember"
    api = "storage.googleapis.com"
    on = "bucket"
    permission = "storage.buckets.setIamPolicy"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        """Buckets that exist already are those that a test has named."""
        super().refuse(inputs, scope, old)
        name = inputs["bucket"]
        if not scope.cloud.get(BUCKET, name) and name not in scope.cloud.settings.get("buckets", []):
            raise CloudError("googleapi: Error 404: The specified bucket does not exist., notFound")


@known_kind
class Filestore(GoogleKind):
    token = "gcp:filestore/instance:Instance"
    keys = {"kmsKeyName": "cloud-filer"}
    api = "file.googleapis.com"
    labels = "labels"
    permission = "file.instances.create"
    defaults = {"protocol": "NFS_V3"}
    computed = ("networks.ipAddresses",)
    values = {
        "tier": "STANDARD PREMIUM BASIC_HDD BASIC_SSD HIGH_SCALE_SSD ZONAL REGIONAL ENTERPRISE",
    }
    references = (Reference("networks.network", NETWORK),)
    rules = Rules(by_last_part=("networks.network",))  # fmt: skip

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        share = inputs.get("fileShares") or {}
        if len(str(share.get("name", ""))) > 16:
            yield ("fileShares", "name"), "the name of a share has 16 characters at most"
        if inputs.get("protocol") == "NFS_V4_1" and inputs.get("tier") not in {"ZONAL", "REGIONAL", "ENTERPRISE"}:
            yield ("protocol",), f"NFS_V4_1 is not offered with the tier {inputs.get('tier')}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/locations/{_location(inputs, scope)}/instances/{inputs['name']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        size = inputs["fileShares"]["capacityGb"]
        min_gib, max_gib = FILESTORE_GIB.get(inputs["tier"], (1, 102400))
        if not min_gib <= size <= max_gib:
            raise CloudError(
                f"googleapi: Error 400: Invalid capacity: {inputs['tier']} takes {min_gib} to {max_gib} GB, badRequest"
            )
        shrinks = old is not None and size < old.state["fileShares"]["capacityGb"]
        if shrinks and inputs["tier"].startswith("BASIC"):
            raise CloudError(f"googleapi: Error 400: {inputs['tier']} instances can't shrink, badRequest")
        regional = inputs["tier"] in {"REGIONAL", "ENTERPRISE"}
        if regional is _is_zone(_location(inputs, scope)):
            location = "a region" if regional else "a zone"
            raise CloudError(f"googleapi: Error 400: {inputs['tier']} instances lie in {location}, badRequest")
        network = inputs["networks"][0]
        if old is None and network.get("connectMode") == "PRIVATE_SERVICE_ACCESS":
            use_connection(network["network"], scope, "Instance")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        address = _address(self.identify(inputs, scope))
        state["networks"] = [{"connectMode": "DIRECT_PEERING", **network} for network in state["networks"]]
        for network in state["networks"]:
            network.update(ipAddresses=[address], reservedIpRange=network.get("reservedIpRange", f"{address}/29"))
        where = _location(inputs, scope)
        created = old.state["createTime"] if old else now()
        return {
            **state,
            "location": where,
            "zone": where,
            "createTime": created,
            "etag": f"{scope.cloud.next_number()}",
        }

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if resource.state.get("deletionProtectionEnabled"):
            raise CloudError(
                f"Error when reading or editing Instance: googleapi: Error 400: Instance '{resource.id}' is protected "
                "against deletion, failedPrecondition"
            )


@known_kind
class Lustre(GoogleKind):
    token = "gcp:lustre/instance:Instance"
    keys = {"kmsKey": "gcp-sa-lustre"}
    api = "lustre.googleapis.com"
    autonamed = False
    name_property = "instanceId"
    labels = "labels"
    permission = "lustre.instances.create"
    references = (Reference("network", NETWORK),)
    rules = Rules(by_last_part=("network",))  # fmt: skip

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"projects/{project(inputs, scope)}/locations/{inputs['location']}/instances/{inputs['instanceId']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if not 9000 <= int(inputs["capacityGib"]) <= 7632000:
            raise CloudError(f"googleapi: Error 400: Invalid capacity_gib {inputs['capacityGib']}, badRequest")
        if len(inputs["filesystem"]) > 8:
            raise CloudError(f"googleapi: Error 400: Invalid filesystem {inputs['filesystem']!r}, badRequest")
        if not _is_zone(inputs["location"]):
            raise CloudError(f"googleapi: Error 400: Location {inputs['location']} is not a zone, badRequest")
        if old is None:
            use_connection(inputs["network"], scope, "Instance")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        name = self.identify(inputs, scope)
        created = old.state["createTime"] if old else now()
        return {
            **super().state(inputs, scope, old),
            "name": name,
            "mountPoint": f"{_address(name)}@tcp:/{inputs['filesystem']}",
            "state": "ACTIVE",
            "createTime": created,
            "updateTime": created,
        }


def _location(inputs: Values, scope: Scope) -> str:
    location = inputs.get("location") or inputs.get("zone") or scope.config.get("zone") or scope.config.get("region")
    if not location:
        raise CloudError("Cannot determine location: set in this resource, or set provider-level 'zone' or 'region'.")
    return str(location)


def _is_zone(location: str) -> bool:
    return location.count("-") == 2


def _address(name: str) -> str:
    """Return an address of the range that private services have, always the same for a name."""
    number = zlib.crc32(name.encode())
    return f"10.127.{number >> 8 & 15}.{number % 32 * 8}"
