"""A small site at Alibaba Cloud, resource by resource, as tests of the simulation create it.

Ids are made up by the cloud, so an example is a function of what was made before it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.clouds.engine import EngineClient, Made
from tests.clouds.simulator.wire import Values

REGION = "cn-hangzhou"
ZONES = ("cn-hangzhou-h", "cn-hangzhou-i")

NETWORK = "alicloud:vpc/network:Network"
SWITCH = "alicloud:vpc/switch:Switch"
NAT_GATEWAY = "alicloud:vpc/natGateway:NatGateway"
ADDRESS = "alicloud:ecs/eipAddress:EipAddress"
ASSOCIATION = "alicloud:ecs/eipAssociation:EipAssociation"
SNAT_ENTRY = "alicloud:vpc/snatEntry:SnatEntry"
SECURITY_GROUP = "alicloud:ecs/securityGroup:SecurityGroup"
RULE = "alicloud:ecs/securityGroupRule:SecurityGroupRule"
CLUSTER = "alicloud:cs/managedKubernetes:ManagedKubernetes"
NODE_POOL = "alicloud:cs/nodePool:NodePool"
AUTOSCALING = "alicloud:cs/autoscalingConfig:AutoscalingConfig"
FILE_SYSTEM = "alicloud:nas/fileSystem:FileSystem"
ACCESS_GROUP = "alicloud:nas/accessGroup:AccessGroup"
ACCESS_RULE = "alicloud:nas/accessRule:AccessRule"
MOUNT_TARGET = "alicloud:nas/mountTarget:MountTarget"
INSTANCE = "alicloud:rds/instance:Instance"
DATABASE = "alicloud:rds/database:Database"
ACCOUNT = "alicloud:rds/rdsAccount:RdsAccount"
PRIVILEGE = "alicloud:rds/accountPrivilege:AccountPrivilege"
BACKUPS = "alicloud:rds/backupPolicy:BackupPolicy"
CREDENTIAL = "alicloud:cs/getClusterCredential:getClusterCredential"

ROLE = "alicloud:ram/role:Role"
ATTACHMENT = "alicloud:ram/rolePolicyAttachment:RolePolicyAttachment"

PASSWORD = "Secret-of-123"

Site = Mapping[str, Made]
"""The created resources, by token."""

EXAMPLES: dict[str, Callable[[Site], Values]] = {
    ROLE: lambda _: {"roleName": "SlurmNodes", "assumeRolePolicyDocument": "{}"},
    ATTACHMENT: lambda site: {
        "roleName": site[ROLE].state["roleName"],
        "policyName": "AliyunOSSReadOnlyAccess",
        "policyType": "System",
    },
    NETWORK: lambda _: {"vpcName": "hpc", "cidrBlock": "10.0.0.0/8", "tags": {"cost": "research"}},
    SWITCH: lambda site: {
        "vswitchName": "hpc-nodes",
        "vpcId": site[NETWORK].id,
        "zoneId": ZONES[0],
        "cidrBlock": "10.0.0.0/24",
    },
    NAT_GATEWAY: lambda site: {
        "natGatewayName": "hpc",
        "vpcId": site[NETWORK].id,
        "vswitchId": site[SWITCH].id,
        "natType": "Enhanced",
        "paymentType": "PayAsYouGo",
    },
    ADDRESS: lambda _: {"addressName": "hpc", "bandwidth": "100", "internetChargeType": "PayByTraffic"},
    ASSOCIATION: lambda site: {
        "allocationId": site[ADDRESS].id,
        "instanceId": site[NAT_GATEWAY].id,
        "instanceType": "Nat",
    },
    SNAT_ENTRY: lambda site: {
        "snatEntryName": "hpc",
        "snatTableId": site[NAT_GATEWAY].state["snatTableIds"],
        "snatIp": site[ADDRESS].state["ipAddress"],
        "sourceVswitchId": site[SWITCH].id,
    },
    SECURITY_GROUP: lambda site: {
        "securityGroupName": "hpc",
        "vpcId": site[NETWORK].id,
        "securityGroupType": "enterprise",
    },
    RULE: lambda site: {
        "type": "ingress",
        "ipProtocol": "all",
        "portRange": "-1/-1",
        "nicType": "intranet",
        "cidrIp": "10.0.0.0/8",
        "securityGroupId": site[SECURITY_GROUP].id,
    },
    CLUSTER: lambda site: {
        "name": "hpc",
        "clusterSpec": "ack.pro.small",
        "vswitchIds": [site[SWITCH].id],
        "podCidr": "172.20.0.0/16",
        "serviceCidr": "172.16.0.0/20",
        "securityGroupId": site[SECURITY_GROUP].id,
        "newNatGateway": False,
        "slbInternetEnabled": False,
        "skipSetCertificateAuthority": True,
        "enableRrsa": True,
        "addons": [{"name": "flannel"}, {"name": "csi-plugin"}],
    },
    AUTOSCALING: lambda site: {"clusterId": site[CLUSTER].id, "scalerType": "goatscaler"},
    NODE_POOL: lambda site: {
        "nodePoolName": "gpu",
        "clusterId": site[CLUSTER].id,
        "vswitchIds": [site[SWITCH].id],
        "securityGroupIds": [site[SECURITY_GROUP].id],
        "instanceTypes": ["ecs.gn7i-c8g1.2xlarge", "ecs.gn7i-c16g1.4xlarge"],
        "systemDiskSize": 120,
        "scalingConfig": {"enable": True, "minSize": 0, "maxSize": 3, "type": "gpu"},
        "labels": [{"key": "slurm.pulumi.com/pool", "value": "gpu"}],
        "taints": [{"key": "slurm.pulumi.com/pool", "value": "gpu", "effect": "NoSchedule"}],
        "management": {"enable": True, "autoRepair": True, "autoRepairPolicy": {"restartNode": True}},
        "updateNodes": True,
    },
    FILE_SYSTEM: lambda _: {
        "description": "home",
        "protocolType": "NFS",
        "storageType": "Performance",
        "zoneId": ZONES[0],
        "encryptType": 1,
    },
    ACCESS_GROUP: lambda _: {"accessGroupName": "home", "accessGroupType": "Vpc"},
    ACCESS_RULE: lambda _: {
        "accessGroupName": "home",
        "sourceCidrIp": "10.0.0.0/24",
        "rwAccessType": "RDWR",
        "userAccessType": "no_squash",
    },
    MOUNT_TARGET: lambda site: {
        "fileSystemId": site[FILE_SYSTEM].id,
        "accessGroupName": "home",
        "networkType": "Vpc",
        "vpcId": site[NETWORK].id,
        "vswitchId": site[SWITCH].id,
    },
    INSTANCE: lambda site: {
        "instanceName": "accounting",
        "engine": "MySQL",
        "engineVersion": "8.0",
        "category": "Basic",
        "instanceType": "mysql.n2.medium.1",
        "instanceStorage": 20,
        "vswitchId": site[SWITCH].id,
        "zoneId": ZONES[0],
        "securityIps": ["10.0.0.0/24", "172.20.0.0/16"],
    },
    DATABASE: lambda site: {"instanceId": site[INSTANCE].id, "dataBaseName": "slurm_acct_db"},
    ACCOUNT: lambda site: {
        "dbInstanceId": site[INSTANCE].id,
        "accountName": "slurm",
        "accountPassword": PASSWORD,
        "accountType": "Normal",
    },
    PRIVILEGE: lambda site: {
        "instanceId": site[INSTANCE].id,
        "accountName": "slurm",
        "privilege": "ReadWrite",
        "dbNames": ["slurm_acct_db"],
    },
    BACKUPS: lambda site: {"instanceId": site[INSTANCE].id, "preferredBackupPeriods": ["Monday", "Friday"]},
}
"""Inputs by token, in an order in which the resources can be created."""


def make_site(engine: EngineClient, until: str | None = None, **changes: Any) -> dict[str, Made]:
    """Create the examples, or those up to one of them; ``changes`` are inputs of the last one."""
    site: dict[str, Made] = {}
    for token, inputs in EXAMPLES.items():
        last = token == until
        all_inputs = {**inputs(site), **(changes if last else {})}
        site[token] = engine.create(token, **{name: value for name, value in all_inputs.items() if value is not None})
        if last:
            break
    return site


def before(engine: EngineClient, token: str) -> dict[str, Made]:
    """Create the examples that come before one of them."""
    names = list(EXAMPLES)
    first = names.index(token)
    return make_site(engine, names[first - 1]) if first else {}
