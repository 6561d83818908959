"""Names of objects and files: those that ack-slurm-operator chooses, and those of this package."""

API = "kai.alibabacloud.com/v1"
GENERIC_NODE_API = "kai.alibabacloud.com/v1alpha1"
CLUSTER_LABEL = "kai.alibabacloud.com/slurm-cluster"
TYPE_LABEL = "kai.alibabacloud.com/slurm-node-type"
"""Labels of the operator's pods; the type is "head" or "worker"."""
WORKER = "worker"

MUNGE_FILE = "munge.key"
JWT_FILE = "jwt_hs256.key"
SLURM_ID = 1109
"""User and group of slurm in Alibaba's image."""


def slurmdbd_host(cluster: str) -> str:
    """Return the name of the Service that the operator creates for slurmdbd."""
    return f"{cluster}-slurmdbd"


def slurmrestd_host(cluster: str) -> str:
    """Return the name of the Service for slurmrestd, which the copilot derives in the same way."""
    return f"{cluster}-slurmrestd"


def config_map(cluster: str) -> str:
    """Return the name of the ConfigMap with the configuration files."""
    return f"{cluster}-config"


def slurmdbd_secret(cluster: str) -> str:
    """Return the name of the Secret with slurmdbd.conf."""
    return f"{cluster}-slurmdbd-conf"


def controller_secret(cluster: str) -> str:
    """Return the name of the Secret with the controllers' slurm.conf, if that contains a password."""
    return f"{cluster}-slurm-conf"


def ldap_secret(cluster: str) -> str:
    """Return the name of the Secret with the files of the LDAP client."""
    return f"{cluster}-ldap-client"


def keys_config_map(cluster: str) -> str:
    """Return the name of the ConfigMap with the public keys that may log in as root."""
    return f"{cluster}-authorized-keys"


def state_claim(cluster: str) -> str:
    """Return the name of the claim for the controllers' state."""
    return f"{cluster}-state"


def ssh_service(cluster: str) -> str:
    """Return the name of the Service for the controller's SSH server."""
    return f"{cluster}-ssh"
