"""NAS: file systems, who may mount them, and where."""

from collections.abc import Iterator

from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, find, in_region, known_kind, need, now, region
from tests.clouds.alibaba.firewalls import SECURITY_GROUP
from tests.clouds.alibaba.networks import NETWORK, SWITCH, not_a_range
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.kind import CloudError, Scope
from tests.clouds.simulator.wire import Place, Values

FILE_SYSTEM = "alicloud:nas/fileSystem:FileSystem"
ACCESS_GROUP = "alicloud:nas/accessGroup:AccessGroup"
ACCESS_RULE = "alicloud:nas/accessRule:AccessRule"
MOUNT_TARGET = "alicloud:nas/mountTarget:MountTarget"

_STORAGE = {
    "standard": {"Performance", "Capacity", "Premium"},
    "extreme": {"standard", "advance"},
    "cpfs": {"advance_100", "advance_200"},
}


@known_kind
class FileSystem(AlibabaKind):
    token = FILE_SYSTEM
    terraform = "alicloud_nas_file_system"
    action = "nas:CreateFileSystem"
    name_property = "description"
    references = (Reference("vpcId", NETWORK), Reference("vswitchId", SWITCH))

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        encrypt_type = inputs.get("encryptType")
        if isinstance(encrypt_type, int) and encrypt_type not in {0, 1, 2}:
            yield ("encryptType",), f"expected one of 0, 1, 2, received {encrypt_type}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        extreme = "extreme-" if inputs.get("fileSystemType") == "extreme" else ""
        return f"{extreme}51{scope.cloud.next_number():08x}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        file_system_type, storage = inputs.get("fileSystemType", "standard"), inputs["storageType"]
        if storage not in _STORAGE.get(file_system_type, {storage}):
            raise self.error(400, "InvalidStorageType.NotSupport", f"{file_system_type} has no storage type {storage}.")
        zone = inputs.get("zoneId")
        if zone and not in_region(zone, scope):
            raise self.error(404, "InvalidZoneId.NotFound", f"The zone {zone} does not exist in {region(scope)}.")
        if file_system_type != "standard" and not zone:
            raise self.error(400, "MissingZoneId", f"A file system of the type {file_system_type} needs a zone.")
        if file_system_type == "extreme":
            size = inputs.get("capacity") or 0
            if not 100 <= size <= 262144:
                raise self.error(400, "InvalidCapacity", f"{size} GiB are not between 100 and 262144.")
            if old and size < old.state["capacity"]:
                raise self.error(400, "InvalidCapacity", "A file system can't shrink.", "UpgradeFileSystem")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {
            "fileSystemType": "standard",
            "encryptType": 0,
            "redundancyType": "LRS",
            "zoneId": f"{region(scope)}-a",
            "createTime": old.state["createTime"] if old else now(),
            **super().state(inputs, scope, old),
            "regionId": region(scope),
            "status": "Running",
        }


@known_kind
class AccessGroup(AlibabaKind):
    token = ACCESS_GROUP
    terraform = "alicloud_nas_access_group"
    action = "nas:CreateAccessGroup"
    name_property = "accessGroupName"
    defaults = {"fileSystemType": "standard"}
    values = {
        "accessGroupType": "Vpc Classic",
    }

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        for name, other in self.together:
            if inputs.get(name) is None and inputs.get(other) is None:
                yield (name,), f"one of {name} and {other} must be specified"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['accessGroupName']}:{inputs['fileSystemType']}"

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        for target in scope.cloud.all(MOUNT_TARGET):
            if target.state["accessGroupName"] == resource.name:
                raise self.error(
                    400, "InvalidAccessGroup.InUse", f"{resource.name} is used by {target.id}.", "DeleteAccessGroup"
                )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        create_time = old.state["createTime"] if old else now()
        return {**super().state(inputs, scope, old), "createTime": create_time, "regionId": region(scope)}

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Its rules go with it."""
        for rule in scope.cloud.all(ACCESS_RULE):
            if rule.state["accessGroupName"] == resource.name:
                scope.cloud.remove(rule)


@known_kind
class AccessRule(AlibabaKind):
    token = ACCESS_RULE
    terraform = "alicloud_nas_access_rule"
    action = "nas:CreateAccessRule"
    defaults = {"priority": 1}
    references = (Reference("accessGroupName", ACCESS_GROUP, by="accessGroupName", holds=False),)

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        yield from not_a_range(inputs, "sourceCidrIp")

    def name(self, inputs: Values) -> str:
        return f"{inputs.get('accessGroupName')}:{inputs.get('sourceCidrIp')}"

    def identify(self, inputs: Values, scope: Scope) -> str:
        number = scope.cloud.next_number()
        return f"{inputs['accessGroupName']}:{number}:{inputs.get('fileSystemType', 'standard')}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        file_system_type = inputs.get("fileSystemType", "standard")
        if scope.cloud.get(ACCESS_GROUP, f"{inputs['accessGroupName']}:{file_system_type}") is None:
            raise self.error(
                404, "InvalidAccessGroup.NotFound", f"{inputs['accessGroupName']} is not for {file_system_type}."
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = {"fileSystemType": "standard", "rwAccessType": "RDWR", "userAccessType": "no_squash"}
        return {**state, **super().state(inputs, scope, old), "regionId": region(scope)}

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        return {**state, "accessRuleId": resource_id.split(":")[1]}


@known_kind
class MountTarget(AlibabaKind):
    token = MOUNT_TARGET
    terraform = "alicloud_nas_mount_target"
    action = "nas:CreateMountTarget"
    name_property = "fileSystemId"
    references = (
        Reference("fileSystemId", FILE_SYSTEM),
        Reference("accessGroupName", ACCESS_GROUP, by="accessGroupName"),
        Reference("vpcId", NETWORK),
        Reference("vswitchId", SWITCH),
        Reference("securityGroupId", SECURITY_GROUP),
    )
    values = {
        "networkType": "Vpc Classic",
        "status": "Active Inactive",
    }

    def identify(self, inputs: Values, scope: Scope) -> str:
        system = inputs["fileSystemId"]
        return f"{system}:{system}-{scope.cloud.next_number():05x}.{region(scope)}.nas.aliyuncs.com"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        system = need(scope, FILE_SYSTEM, inputs["fileSystemId"])
        group = inputs.get("accessGroupName")
        if group and scope.cloud.get(ACCESS_GROUP, f"{group}:{system.state['fileSystemType']}") is None:
            raise self.error(
                404, "InvalidAccessGroup.NotFound", f"{group} is not for {system.state['fileSystemType']}."
            )
        if inputs.get("networkType", "Vpc") != "Vpc":
            raise self.error(400, "InvalidNetworkType.NotSupport", "Only the network type Vpc is supported.")
        switch = inputs.get("vswitchId")
        if not switch:
            raise self.error(400, "MissingVSwitchId", "A mount target lies in a vSwitch.")
        network = need(scope, SWITCH, switch).state["vpcId"]
        if inputs.get("vpcId", network) != network:
            raise self.error(400, "InvalidVSwitchId.NotInVpc", f"{switch} is not in {inputs['vpcId']}.")

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if find(scope, self.references[0], resource.state["fileSystemId"]) is None:
            raise CloudError(f"Forbidden.NasNotFound: {resource.state['fileSystemId']}")

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        network = need(scope, SWITCH, inputs["vswitchId"]).state["vpcId"]
        return {"networkType": "Vpc", "vpcId": network, **super().state(inputs, scope, old), "status": "Active"}

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        return {**state, "mountTargetDomain": resource_id.partition(":")[2]}
