"""Values that the provider checks by itself, where the SDK's docstrings don't list them.

Read from the "StringInSlice" rules of the files that `replacing` names.
"""

_NODES = {
    "guestAccelerators.gpuDriverInstallationConfig.gpuDriverVersion": (
        "GPU_DRIVER_VERSION_UNSPECIFIED INSTALLATION_DISABLED DEFAULT LATEST"
    ),
    "hostMaintenancePolicy.maintenanceInterval": "MAINTENANCE_INTERVAL_UNSPECIFIED AS_NEEDED PERIODIC",
    "kubeletConfig.cpuManagerPolicy": "static none",
    "kubeletConfig.insecureKubeletReadonlyPortEnabled": "FALSE TRUE",
    "localSsdEncryptionMode": "STANDARD_ENCRYPTION EPHEMERAL_KEY_ENCRYPTION",
    "loggingVariant": "DEFAULT MAX_THROUGHPUT",
    "reservationAffinity.consumeReservationType": "UNSPECIFIED NO_RESERVATION ANY_RESERVATION SPECIFIC_RESERVATION",
    "taints.effect": "NO_SCHEDULE PREFER_NO_SCHEDULE NO_EXECUTE",
    "workloadMetadataConfig.mode": "MODE_UNSPECIFIED GCE_METADATA GKE_METADATA",
}
NODE_POOL = {
    "autoscaling.locationPolicy": "BALANCED ANY",
    "placementPolicy.type": "COMPACT TYPE_UNSPECIFIED",
    "upgradeSettings.strategy": "SURGE BLUE_GREEN",
    **{f"nodeConfig.{place}": values for place, values in _NODES.items()},
}
CLUSTER = {
    "databaseEncryption.state": "ENCRYPTED DECRYPTED",
    "datapathProvider": "DATAPATH_PROVIDER_UNSPECIFIED LEGACY_DATAPATH ADVANCED_DATAPATH",
    "dnsConfig.clusterDns": "PROVIDER_UNSPECIFIED PLATFORM_DEFAULT CLOUD_DNS KUBE_DNS",
    "dnsConfig.clusterDnsScope": "DNS_SCOPE_UNSPECIFIED CLUSTER_SCOPE VPC_SCOPE",
    "gatewayApiConfig.channel": "CHANNEL_DISABLED CHANNEL_EXPERIMENTAL CHANNEL_STANDARD",
    "ipAllocationPolicy.stackType": "IPV4 IPV4_IPV6",
    "loggingConfig.enableComponents": (
        "SYSTEM_COMPONENTS APISERVER CONTROLLER_MANAGER KCP_CONNECTION KCP_SSHD KCP_HPA SCHEDULER WORKLOADS"
    ),
    "maintenancePolicy.maintenanceExclusions.exclusionOptions.scope": (
        "NO_UPGRADES NO_MINOR_UPGRADES NO_MINOR_OR_NODE_UPGRADES"
    ),
    "monitoringConfig.enableComponents": (
        "SYSTEM_COMPONENTS APISERVER SCHEDULER CONTROLLER_MANAGER STORAGE HPA POD DAEMONSET DEPLOYMENT STATEFULSET "
        "KUBELET CADVISOR DCGM JOBSET WORKLOADS"
    ),
    "networkingMode": "VPC_NATIVE ROUTES",
    "releaseChannel.channel": "UNSPECIFIED RAPID REGULAR STABLE EXTENDED",
    "securityPostureConfig.mode": "DISABLED BASIC ENTERPRISE MODE_UNSPECIFIED",
    "securityPostureConfig.vulnerabilityMode": (
        "VULNERABILITY_DISABLED VULNERABILITY_BASIC VULNERABILITY_ENTERPRISE VULNERABILITY_MODE_UNSPECIFIED"
    ),
    **{f"nodeConfig.{place}": values for place, values in _NODES.items()},
}
