"""RDS."""

import re
from collections.abc import Iterator
from typing import ClassVar

from tests.clouds.alibaba import keys
from tests.clouds.alibaba.alicloud import AlibabaKind, Reference, in_region, known_kind, need, now, region
from tests.clouds.alibaba.firewalls import SECURITY_GROUP
from tests.clouds.alibaba.networks import SWITCH
from tests.clouds.simulator.cloud import Stored
from tests.clouds.simulator.differences import Rules
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Place, Values

INSTANCE = "alicloud:rds/instance:Instance"
DATABASE = "alicloud:rds/database:Database"
ACCOUNT = "alicloud:rds/rdsAccount:RdsAccount"

_LETTERS = ("[a-z]", "[A-Z]", "[0-9]", r"[!@#$%^&*()_+=-]")


@known_kind
class Instance(AlibabaKind):
    token = INSTANCE
    terraform = "alicloud_db_instance"
    action = "rds:CreateDBInstance"
    prefix = "rm"
    name_property = "instanceName"
    defaults = {
        "instanceChargeType": "Postpaid",
        "autoRenew": False,
        "autoRenewPeriod": 1,
        "deletionProtection": False,
        "forceRestart": False,
        "securityIpMode": "normal",
        "sqlCollectorConfigValue": 30,
    }
    references = (Reference("vswitchId", SWITCH), Reference("securityGroupIds", SECURITY_GROUP))
    values = {
        "engine": "MySQL SQLServer PostgreSQL PPAS MariaDB",
    }
    rules = Rules(unordered=("parameters", "securityIps", "securityGroupIds"))  # fmt: skip

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        for name, choices in (("storageThreshold", {0, 10, 20, 30, 40, 50}), ("monitoringPeriod", {5, 10, 60, 300})):
            value = inputs.get(name)
            if isinstance(value, int) and value not in choices:
                yield (name,), f"expected one of {sorted(choices)}, received {value}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        for code, problem in _refused(inputs, scope, old):
            raise self.error(400, code, problem, "ModifyDBInstanceSpec" if old else None)

    def refuse_deletion(self, resource: Stored, state: Values, scope: Scope) -> None:
        if resource.state.get("deletionProtection"):
            raise self.error(
                403,
                "OperationDenied.DeletionProtection",
                f"The instance {resource.id} is protected against deletion.",
                "DeleteDBInstance",
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        state = super().state(inputs, scope, old)
        switch = need(scope, SWITCH, inputs["vswitchId"].split(",")[0])
        return {
            "category": "HighAvailability",
            "dbInstanceStorageType": "cloud_essd",
            "monitoringPeriod": 300,
            "port": "3306",
            "securityIps": ["127.0.0.1"],
            "createTime": old.state["createTime"] if old else now(),
            **state,
            "zoneId": state.get("zoneId") or switch.state["zoneId"],
            "vpcId": switch.state["vpcId"],
            "dbInstanceType": "Primary",
            "sslStatus": "No",
            "status": "Running",
        }

    def with_id(self, state: Values, resource_id: str, scope: Scope) -> Values:
        prefix = state.get("connectionStringPrefix") or resource_id
        return {**state, "connectionString": f"{prefix}.mysql.rds.aliyuncs.com", "connectionStringPrefix": prefix}

    def forget(self, resource: Stored, scope: Scope) -> None:
        """Its databases, accounts and policies are deleted with it."""
        for resource_kind in (Database, Account, Privilege, BackupPolicy):
            for dependent in scope.cloud.all(resource_kind.token):
                if dependent.state[resource_kind.instance] == resource.id:
                    scope.cloud.remove(dependent)


class InInstance(AlibabaKind):
    """A resource of an instance."""

    instance: ClassVar[str] = "instanceId"
    """The input with the instance's id."""
    references = (Reference("instanceId", INSTANCE, holds=False),)


@known_kind
class Database(InInstance):
    token = DATABASE
    terraform = "alicloud_db_database"
    action = "rds:CreateDatabase"
    name_property = "dataBaseName"
    defaults = {"characterSet": "utf8"}

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        name = inputs.get("dataBaseName")
        if isinstance(name, str) and not re.fullmatch("[a-z][a-z0-9_-]*[a-z0-9]", name):
            yield ("dataBaseName",), f"{name!r} is not a name of a database"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['instanceId']}:{inputs['dataBaseName']}"

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {**super().state(inputs, scope, old), "status": "Running"}


@known_kind
class Account(InInstance):
    token = ACCOUNT
    terraform = "alicloud_rds_account"
    action = "rds:CreateAccount"
    name_property = "accountName"
    instance = "dbInstanceId"
    defaults = {"resetPermissionFlag": False}
    secret = (("accountPassword",), ("password",))
    references = (Reference("dbInstanceId", INSTANCE, holds=False),)

    def problems(self, inputs: Values) -> Iterator[tuple[Place, str]]:
        yield from super().problems(inputs)
        name = inputs.get("accountName")
        if isinstance(name, str) and not re.fullmatch("[a-z][a-z0-9_]{0,61}[a-z0-9]", name):
            yield ("accountName",), f"{name!r} is not a name of an account"

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['dbInstanceId']}:{inputs['accountName']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        password = inputs.get("accountPassword") or ""
        mixed = sum(bool(re.search(letters, password)) for letters in _LETTERS)
        if not 8 <= len(password) <= 32 or mixed < 3:
            raise self.error(
                400,
                "InvalidAccountPassword.Malformed",
                "A password has 8 to 32 characters, of three of these kinds: capitals, small letters, digits, others.",
                "ResetAccountPassword" if old else None,
            )

    def state(self, inputs: Values, scope: Scope, old: Stored | None) -> Values:
        return {"accountType": "Normal", **super().state(inputs, scope, old), "status": "Available"}


@known_kind
class Privilege(InInstance):
    token = "alicloud:rds/accountPrivilege:AccountPrivilege"
    terraform = "alicloud_db_account_privilege"
    action = "rds:GrantAccountPrivilege"
    name_property = "accountName"
    defaults = {"privilege": "ReadOnly"}
    rules = Rules(unordered=("dbNames",))

    def identify(self, inputs: Values, scope: Scope) -> str:
        return f"{inputs['instanceId']}:{inputs['accountName']}:{inputs['privilege']}"

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        where = inputs["instanceId"]
        if scope.cloud.get(ACCOUNT, f"{where}:{inputs['accountName']}") is None:
            raise self.error(404, "InvalidAccountName.NotFound", f"{inputs['accountName']} does not exist.")
        for name in inputs["dbNames"]:
            if scope.cloud.get(DATABASE, f"{where}:{name}") is None:
                raise self.error(404, "InvalidDBName.NotFound", f"{name} does not exist.")


@known_kind
class BackupPolicy(InInstance):
    token = "alicloud:rds/backupPolicy:BackupPolicy"
    terraform = "alicloud_db_backup_policy"
    action = "rds:ModifyBackupPolicy"
    name_property = "instanceId"
    defaults = {
        "preferredBackupTime": "02:00Z-03:00Z",
        "backupRetentionPeriod": 7,
        "highSpaceUsageProtection": "Enable",
    }
    values = {
        "preferredBackupPeriods": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    }
    rules = Rules(unordered=("preferredBackupPeriods",))  # fmt: skip

    def identify(self, inputs: Values, scope: Scope) -> str:
        return str(inputs["instanceId"])

    def refuse(self, inputs: Values, scope: Scope, old: Stored | None) -> None:
        super().refuse(inputs, scope, old)
        if not 7 <= inputs["backupRetentionPeriod"] <= 730:
            raise self.error(400, "InvalidBackupRetentionPeriod", "The period is not between 7 and 730 days.")
        basic = need(scope, INSTANCE, inputs["instanceId"]).state["category"] == "Basic"
        if basic and inputs.get("enableBackupLog"):
            raise self.error(400, "OperationDenied.DBInstanceType", "The Basic edition keeps no log.")


def _refused_key(inputs: Values, scope: Scope) -> Iterator[tuple[str, str]]:
    """A new instance takes the id of a key, and needs the role by which RDS uses it, in the input too.

    Source: encryption_key and role_arn of alicloud_db_instance in Terraform's provider alicloud.
    """
    if inputs.get("encryptionKey") in {"ServiceKey", "disabled"}:
        yield "InvalidEncryptionKey", f"{inputs['encryptionKey']} is not the id of a key."
    elif inputs.get("encryptionKey"):
        yield from keys.refused_key(keys.OF_DATABASES, scope)
        if inputs.get("roleArn") != f"acs:ram::{keys.ACCOUNT_ID}:role/{keys.OF_DATABASES.lower()}":
            yield "MissingParameter", "RoleARN is required for a key of KMS."


def _refused(inputs: Values, scope: Scope, old: Stored | None) -> Iterator[tuple[str, str]]:
    if old is None:
        yield from _refused_key(inputs, scope)
    if not inputs.get("vswitchId"):
        yield "MissingVSwitchId", "An instance needs a vSwitch."
        return
    switches = [need(scope, SWITCH, switch_id) for switch_id in inputs["vswitchId"].split(",")]
    zones = [inputs[name] for name in ("zoneId", "zoneIdSlaveA", "zoneIdSlaveB") if inputs.get(name)]
    for zone in zones:
        if not in_region(zone, scope):
            yield "InvalidZoneId.NotFound", f"The zone {zone} does not exist in {region(scope)}."
    if zones and [switch.state["zoneId"] for switch in switches] != zones:
        yield "InvalidVSwitchId.NotMatch", f"The vSwitches {inputs['vswitchId']} are not those of {', '.join(zones)}."
    if ".serverless." in inputs["instanceType"] and not inputs.get("category", "").startswith("serverless_"):
        yield "InvalidDBInstanceClass.ValueNotSupport", f"{inputs['instanceType']} is not of {inputs.get('category')}."
    has_second_instance = inputs.get("category") == "HighAvailability"
    if inputs.get("category") == "Basic" and len(zones) > 1:
        yield "InvalidZoneIdSlave", "The Basic edition has one instance."
    if (
        inputs.get("category") in {"Basic", "HighAvailability"}
        and inputs["instanceType"].endswith(".2c") is not has_second_instance
    ):
        yield "InvalidDBInstanceClass.ValueNotSupport", f"{inputs['instanceType']} is not of {inputs['category']}."
    size = inputs["instanceStorage"]
    if size % 5 or size < 20:
        yield "InvalidStorageSize.Format", f"{size} GB is not a multiple of 5 from 20 on."
    if old and size < old.state["instanceStorage"]:
        yield "InvalidStorageSize.Decrease", "A disk can't shrink."
    if inputs.get("storageAutoScale") == "Enable" and inputs.get("category") == "Basic":
        yield "OperationDenied.DBInstanceType", "The storage of the Basic edition is not expanded automatically."
    if inputs.get("storageAutoScale") == "Enable" and inputs.get("storageUpperBound", size) < size:
        yield "InvalidStorageUpperBound", "The upper bound is below the size."
