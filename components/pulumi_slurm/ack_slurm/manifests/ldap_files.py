"""The LDAP client's files in controllers and workers: jobs fail on a node that can't look up the submitting user.

The image has to contain nslcd and its name service module (packages libnss-ldapd, libpam-ldapd, nslcd).
"""

from types import MappingProxyType

from pulumi_slurm.ack_slurm.manifests.names import ldap_secret
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.directory import directory_name
from pulumi_slurm.manifests.objects import ONLY_OWNER, READABLE_BY_ALL, Manifest
from pulumi_slurm.model import IdentitySpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

PATHS = MappingProxyType(
    {"nslcd.conf": "/etc/nslcd.conf", "ldap.conf": "/etc/ldap/ldap.conf", "nsswitch.conf": "/etc/nsswitch.conf"}
)
"""The path of each file in a pod."""
_MODES = MappingProxyType(
    {
        # It has the password.
        "nslcd.conf": ONLY_OWNER,
        # Every user's programs read them.
        "ldap.conf": READABLE_BY_ALL,
        "nsswitch.conf": READABLE_BY_ALL,
    }
)

_NSSWITCH = """passwd: files ldap
group: files ldap
shadow: files ldap
gshadow: files
hosts: files dns
networks: files
protocols: db files
services: db files
ethers: db files
rpc: db files
netgroup: nis
"""


def ldap_files(spec: SlurmSpec, ack: AckSlurmSpec, password: str | None) -> dict[str, str]:
    """Return the files by name; nslcd.conf contains ``password``, so they belong in a Secret."""
    assert spec.identity is not None
    ref, identity = ClusterRef.of(spec), spec.identity
    uri, base, bind_dn = _server(ref, identity)
    lines = ["uid nslcd", "gid nslcd", f"uri {uri}", f"base {base}"]
    if bind_dn:
        lines += [f"binddn {bind_dn}", *([f"bindpw {password}"] if password else [])]
    if identity.directory:
        # The trial directory has a self-signed certificate, which clients can't verify.
        lines += ["ssl start_tls", "tls_reqcert never"]
    else:
        ldap = identity.ldap
        lines += [f"tls_cacertfile {ack.ldap.ca_file}"]
        lines += ["ssl start_tls"] if ldap and ldap.start_tls else []
        lines += [f"base passwd {ldap.user_search_base}"] if ldap and ldap.user_search_base else []
        lines += [f"base group {ldap.group_search_base}"] if ldap and ldap.group_search_base else []
    return {
        "nslcd.conf": "".join(f"{line}\n" for line in lines),
        "ldap.conf": f"BASE {base}\nURI {uri}\nTLS_CACERT {ack.ldap.ca_file}\n",
        "nsswitch.conf": _NSSWITCH,
    }


def ldap_volume(spec: SlurmSpec) -> list[Manifest]:
    """Return the pod's volume with the files; empty without users from LDAP."""
    if not spec.identity:
        return []
    items = [{"key": name, "path": name, "mode": _MODES[name]} for name in sorted(PATHS)]
    return [{"name": "ldap", "secret": {"secretName": ldap_secret(spec.name), "items": items}}]


def ldap_mounts(spec: SlurmSpec) -> list[Manifest]:
    """Return the container's mounts: every file at its path in `PATHS`."""
    if not spec.identity:
        return []
    return [
        {"name": "ldap", "mountPath": path, "subPath": name, "readOnly": True} for name, path in sorted(PATHS.items())
    ]


def _server(ref: ClusterRef, identity: IdentitySpec) -> tuple[str, str, str | None]:
    if identity.ldap:
        return identity.ldap.uri, identity.ldap.base_dn, identity.ldap.bind_dn
    assert identity.directory is not None
    base = identity.directory.base_dn
    return f"ldap://{directory_name(ref)}.{ref.namespace}", base, f"cn=admin,{base}"
