"""The fields of Slinky's objects, and the minor releases of slurm-operator that have them.

Written by tools/operator_fields.py from the CRDs of slurm-operator; a change here is lost.
"""

from collections.abc import Mapping
from types import MappingProxyType

SOURCES: Mapping[tuple[int, int], str] = MappingProxyType(
    {
        (1, 0): "1.0.5",
        (1, 1): "1.1.2",
        (1, 2): "1.2.1",
        (1, 3): "1.3.0-rc1",
    }
)
"""The releases whose CRDs were read, by minor release."""

CHANGES: Mapping[str, Mapping[str, tuple[tuple[int, int], tuple[int, int] | None]]] = MappingProxyType(
    {
        "Accounting": MappingProxyType(
            {
                "jwksKeyRef": ((1, 1), None),
                "jwtKeyRef": ((1, 1), None),
            }
        ),
        "Controller": MappingProxyType(
            {
                "ha": ((1, 3), None),
                "inplaceReconfigure": ((1, 2), None),
                "jwksKeyRef": ((1, 1), None),
                "jwtKeyRef": ((1, 1), None),
            }
        ),
        "LoginSet": MappingProxyType(
            {
                "strategy": ((1, 1), None),
            }
        ),
        "NodeSet": MappingProxyType(
            {
                "ordinalPadding": ((1, 1), None),
                "oversubscribeNode": ((1, 2), None),
                "pinToNode": ((1, 2), None),
                "pruneSlurmNodeRecords": ((1, 2), None),
                "scalingMode": ((1, 1), None),
                "ssh": ((1, 1), None),
                "taintKubeNodes": ((1, 0), (1, 2)),
                "updateStrategy.scheduledUpdate": ((1, 2), None),
                "workloadDisruptionProtection": ((1, 1), None),
            }
        ),
        "Token": MappingProxyType(
            {
                "jwtKeyRef": ((1, 1), None),
            }
        ),
    }
)
"""Fields that not every release has: the first minor release with the field, and the first one without it again.

The fields below a field have its releases, unless they have a row of their own."""

FIELDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Accounting": (
            "external",
            "externalConfig.host",
            "externalConfig.port",
            "extraConf",
            "jwksKeyRef.key",
            "jwksKeyRef.name",
            "jwksKeyRef.optional",
            "jwtHs256KeyRef.key",
            "jwtHs256KeyRef.name",
            "jwtHs256KeyRef.optional",
            "jwtKeyRef.key",
            "jwtKeyRef.name",
            "jwtKeyRef.optional",
            "service.metadata.annotations.*",
            "service.metadata.labels.*",
            "service.nodePort",
            "service.port",
            "service.spec.*",
            "slurmKeyRef.key",
            "slurmKeyRef.name",
            "slurmKeyRef.optional",
            "slurmdbd.*",
            "storageConfig.database",
            "storageConfig.host",
            "storageConfig.passwordKeyRef.key",
            "storageConfig.passwordKeyRef.name",
            "storageConfig.passwordKeyRef.optional",
            "storageConfig.port",
            "storageConfig.username",
            "template.metadata.annotations.*",
            "template.metadata.labels.*",
            "template.spec.*",
        ),
        "Controller": (
            "accountingRef.name",
            "clusterName",
            "configFileRefs.name",
            "epilogScriptRefs.name",
            "epilogSlurmctldScriptRefs.name",
            "external",
            "externalConfig.host",
            "externalConfig.port",
            "extraConf",
            "ha.backups",
            "ha.enabled",
            "inplaceReconfigure",
            "jwksKeyRef.key",
            "jwksKeyRef.name",
            "jwksKeyRef.optional",
            "jwtHs256KeyRef.key",
            "jwtHs256KeyRef.name",
            "jwtHs256KeyRef.optional",
            "jwtKeyRef.key",
            "jwtKeyRef.name",
            "jwtKeyRef.optional",
            "logfile.*",
            "metrics.enabled",
            "metrics.serviceMonitor.annotations.*",
            "metrics.serviceMonitor.enabled",
            "metrics.serviceMonitor.endpoints.interval",
            "metrics.serviceMonitor.endpoints.path",
            "metrics.serviceMonitor.endpoints.scrapeTimeout",
            "metrics.serviceMonitor.interval",
            "metrics.serviceMonitor.labels.*",
            "metrics.serviceMonitor.scrapeTimeout",
            "persistence.accessModes",
            "persistence.dataSource.apiGroup",
            "persistence.dataSource.kind",
            "persistence.dataSource.name",
            "persistence.dataSourceRef.apiGroup",
            "persistence.dataSourceRef.kind",
            "persistence.dataSourceRef.name",
            "persistence.dataSourceRef.namespace",
            "persistence.enabled",
            "persistence.existingClaim",
            "persistence.resources.limits.*",
            "persistence.resources.requests.*",
            "persistence.selector.matchExpressions.key",
            "persistence.selector.matchExpressions.operator",
            "persistence.selector.matchExpressions.values",
            "persistence.selector.matchLabels.*",
            "persistence.storageClassName",
            "persistence.volumeAttributesClassName",
            "persistence.volumeMode",
            "persistence.volumeName",
            "prologScriptRefs.name",
            "prologSlurmctldScriptRefs.name",
            "reconfigure.*",
            "service.metadata.annotations.*",
            "service.metadata.labels.*",
            "service.nodePort",
            "service.port",
            "service.spec.*",
            "slurmKeyRef.key",
            "slurmKeyRef.name",
            "slurmKeyRef.optional",
            "slurmctld.*",
            "template.metadata.annotations.*",
            "template.metadata.labels.*",
            "template.spec.*",
        ),
        "LoginSet": (
            "controllerRef.name",
            "extraSshdConfig",
            "initconf.*",
            "login.*",
            "replicas",
            "rootSshAuthorizedKeys",
            "service.metadata.annotations.*",
            "service.metadata.labels.*",
            "service.nodePort",
            "service.port",
            "service.spec.*",
            "sssdConfRef.key",
            "sssdConfRef.name",
            "sssdConfRef.optional",
            "strategy.rollingUpdate.maxSurge",
            "strategy.rollingUpdate.maxUnavailable",
            "strategy.type",
            "template.metadata.annotations.*",
            "template.metadata.labels.*",
            "template.spec.*",
        ),
        "NodeSet": (
            "controllerRef.name",
            "extraConf",
            "logfile.*",
            "minReadySeconds",
            "ordinalPadding",
            "oversubscribeNode",
            "partition.config",
            "partition.enabled",
            "persistentVolumeClaimRetentionPolicy.whenDeleted",
            "persistentVolumeClaimRetentionPolicy.whenScaled",
            "pinToNode",
            "pruneSlurmNodeRecords",
            "replicas",
            "revisionHistoryLimit",
            "scalingMode",
            "slurmd.*",
            "ssh.enabled",
            "ssh.extraSshdConfig",
            "ssh.sssdConfRef.key",
            "ssh.sssdConfRef.name",
            "ssh.sssdConfRef.optional",
            "taintKubeNodes",
            "template.metadata.annotations.*",
            "template.metadata.labels.*",
            "template.spec.*",
            "updateStrategy.rollingUpdate.maxUnavailable",
            "updateStrategy.scheduledUpdate.duration",
            "updateStrategy.scheduledUpdate.flags",
            "updateStrategy.scheduledUpdate.startTime",
            "updateStrategy.type",
            "volumeClaimTemplates.*",
            "workloadDisruptionProtection",
        ),
        "RestApi": (
            "controllerRef.name",
            "replicas",
            "service.metadata.annotations.*",
            "service.metadata.labels.*",
            "service.nodePort",
            "service.port",
            "service.spec.*",
            "slurmrestd.*",
            "template.metadata.annotations.*",
            "template.metadata.labels.*",
            "template.spec.*",
        ),
        "Token": (
            "jwtHs256KeyRef.key",
            "jwtHs256KeyRef.name",
            "jwtHs256KeyRef.optional",
            "jwtKeyRef.key",
            "jwtKeyRef.name",
            "jwtKeyRef.optional",
            "lifetime",
            "refresh",
            "secretRef.key",
            "secretRef.name",
            "secretRef.optional",
            "username",
        ),
    }
)
"""The innermost fields of all releases, by kind. What stands above them in their paths are fields too.

A path that ends in ".*" stands for whatever Kubernetes has there: the CRD leaves it open."""

DEFAULTS: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "Accounting": MappingProxyType(
            {
                "external": False,
                "jwksKeyRef.name": "",
                "jwtHs256KeyRef.name": "",
                "jwtKeyRef.name": "",
                "slurmKeyRef.name": "",
                "storageConfig.database": "slurm_acct_db",
                "storageConfig.passwordKeyRef.name": "",
                "storageConfig.port": 3306,
            }
        ),
        "Controller": MappingProxyType(
            {
                "accountingRef.name": "",
                "external": False,
                "ha.backups": 1,
                "ha.enabled": False,
                "inplaceReconfigure": False,
                "jwksKeyRef.name": "",
                "jwtHs256KeyRef.name": "",
                "jwtKeyRef.name": "",
                "metrics.enabled": False,
                "metrics.serviceMonitor.enabled": False,
                "persistence.enabled": True,
                "slurmKeyRef.name": "",
            }
        ),
        "LoginSet": MappingProxyType(
            {
                "controllerRef.name": "",
                "replicas": 1,
                "sssdConfRef.name": "",
            }
        ),
        "NodeSet": MappingProxyType(
            {
                "controllerRef.name": "",
                "ordinalPadding": 0,
                "oversubscribeNode": False,
                "partition.enabled": False,
                "persistentVolumeClaimRetentionPolicy.whenDeleted": "Retain",
                "persistentVolumeClaimRetentionPolicy.whenScaled": "Retain",
                "pinToNode": False,
                "pruneSlurmNodeRecords": "Never",
                "replicas": 1,
                "revisionHistoryLimit": 0,
                "scalingMode": "StatefulSet",
                "ssh.enabled": False,
                "ssh.sssdConfRef.name": "",
                "taintKubeNodes": False,
                "updateStrategy.rollingUpdate.maxUnavailable": "25%",
                "updateStrategy.scheduledUpdate.duration": "30m",
                "updateStrategy.type": "RollingUpdate",
                "workloadDisruptionProtection": True,
            }
        ),
        "RestApi": MappingProxyType(
            {
                "controllerRef.name": "",
                "replicas": 1,
            }
        ),
        "Token": MappingProxyType(
            {
                "jwtHs256KeyRef.name": "",
                "jwtKeyRef.name": "",
                "refresh": True,
                "secretRef.name": "",
            }
        ),
    }
)
"""What the API server writes into fields that are left out, in the newest release that has a default."""
