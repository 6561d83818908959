"""Names and paths of what pods mount in addition to the operator's volumes."""

LDAP_CA, LDAP_CA_FOLDER, LDAP_CA_FILE = "ldap-ca", "/etc/ldap-ca", "ca.crt"
"""Volume, folder and file of the certificate by which SSSD checks the LDAP server's."""

HEALTH_CHECK, HEALTH_CHECK_FOLDER = "health-check", "/etc/slurm-health-check"
"""Volume and folder of the script that slurmd runs as HealthCheckProgram. Slurm itself sends workers only prolog and
epilog scripts: https://slurm.schedmd.com/configless_slurm.html."""
NODE_VERDICT = "node-verdict"
"""A program of ours beside it, for scripts that drain their node."""
EXECUTABLE = 0o755

SHARED_MEMORY, SHARED_MEMORY_PATH = "shared-memory", "/dev/shm"
"""Name and mount path of the volume for `shared_memory` of a node set."""


def health_check_config_map(cluster: str) -> str:
    """Return the name of the ConfigMap with the health check. It stays, so that workers read a changed script."""
    return f"{cluster}-health-check"
