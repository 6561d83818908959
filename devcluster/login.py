"""Using the Slurm cluster on real nodes as an ordinary user: a user in its directory, a shell by ssh, Slurm's commands.

The user is added as docs/ldap.md tells it, by ldapadd in the directory's pod, and logs in with a key of this checkout.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from devcluster import pods
from devcluster.cluster import Cluster
from devcluster.errors import DevclusterError
from devcluster.real_nodes import NETWORK

USER = "alice"
USER_ID = 10001
_NAME = "app.kubernetes.io/name"


class Login:
    """The way of an ordinary user into the cluster."""

    def __init__(self, cluster: Cluster, user: str = USER, user_id: int = USER_ID) -> None:
        self._cluster = cluster
        self.user = user
        self._id = user_id
        self.key = cluster.folder / "login" / f"{user}_ed25519"
        """The file of the user's private key."""

    def add_user(self) -> None:
        """Add the user to the directory and the key to the home directory, unless they are there."""
        domain = self._environment("openldap", "LDAP_DOMAIN")
        base = f"dc={domain.replace('.', ',dc=')}"
        entry = f"""\
dn: uid={self.user},{base}
objectClass: inetOrgPerson
objectClass: posixAccount
uid: {self.user}
cn: {self.user}
sn: {self.user}
uidNumber: {self._id}
gidNumber: {self._id}
homeDirectory: /home/{self.user}
loginShell: /bin/bash

dn: cn={self.user},{base}
objectClass: posixGroup
cn: {self.user}
gidNumber: {self._id}
"""
        # In a file: what stands in arguments can be read by every user of the machine.
        password = 'umask 077; file=$(mktemp); printf %s "$LDAP_ADMIN_PASSWORD" >"$file"'
        add = f'ldapadd -c -x -H ldap://localhost -D cn=admin,{base} -y "$file"'
        # 68 says that an entry is there already.
        script = f'{password}; {add}; code=$?; rm "$file"; [ $code = 68 ] || exit $code'
        self._run("openldap", ("sh", "-c", script), entry)
        home = f"""\
set -e
mkdir -p /home/{self.user}/.ssh
cat >/home/{self.user}/.ssh/authorized_keys
chmod 700 /home/{self.user} /home/{self.user}/.ssh
chown -R {self._id}:{self._id} /home/{self.user}
"""
        self._run("login", ("sh", "-c", home), self._public_key())

    def missing(self) -> str:
        """Return what the Slurm cluster has not and a user needs, "" if it has all."""
        for name, part in (("openldap", "identity.directory"), ("login", "loginSets")):
            if not self._cluster.api.get(f"/api/v1/pods?labelSelector={_NAME}%3D{name}")["items"]:
                return f"the settings have no {part}"
        return ""

    def known(self) -> bool:
        """Whether the login node knows the user, whom it gets from the directory."""
        return pods.run(self._cluster.processes, self._pod("login"), "login", ("id", self.user)).returncode == 0

    def slurm(self, argv: Sequence[str]) -> list[str]:
        """Return the command that runs a program as the user on the login node."""
        words = (
            "runuser",
            "--user",
            self.user,
            "--",
            "env",
            f"--chdir=/home/{self.user}",
            f"HOME=/home/{self.user}",
            *argv,
        )
        tty = sys.stdin.isatty() and sys.stdout.isatty()
        return pods.command(self._cluster.processes, self._pod("login"), "login", words, tty=tty)

    def ssh(self, argv: Sequence[str] = ()) -> list[str]:
        """Return the command that logs in through sshd, by the address of its Service."""
        if not shutil.which("ssh"):
            raise DevclusterError("there is no ssh: apt install openssh-client")
        services = self._cluster.api.get("/api/v1/services")["items"]
        addresses = [
            service["spec"]["clusterIP"]
            for service in services
            if any(port.get("name") == "ssh" or port["port"] == 22 for port in service["spec"].get("ports", []))
            and service["spec"].get("clusterIP") not in {None, "None"}
        ]
        if not addresses:
            raise DevclusterError("no login set has a Service: see loginSets in the settings")
        self._public_key()
        known_hosts = self.key.with_name("known_hosts")
        options = ("StrictHostKeyChecking=accept-new", f"UserKnownHostsFile={known_hosts}", "LogLevel=ERROR")
        network = self._cluster.processes.pid(NETWORK)
        return [
            *("nsenter", f"--net=/proc/{network}/ns/net", "ssh", "-i", str(self.key), "-o", "IdentitiesOnly=yes"),
            *(word for option in options for word in ("-o", option)),
            f"{self.user}@{addresses[0]}",
            *argv,
        ]

    def _pod(self, name: str) -> dict[str, Any]:
        running_pods = pods.running(self._cluster.api, f"{_NAME}={name}")
        if not running_pods:
            raise DevclusterError(f"no pod of {name} runs: `make up NODES=real` starts one")
        return running_pods[0]

    def _run(self, name: str, argv: Sequence[str], stdin: str) -> None:
        done = pods.run(self._cluster.processes, self._pod(name), name, argv, stdin)
        if done.returncode:
            raise DevclusterError(f"the user {self.user} can't be added: {(done.stderr or done.stdout).strip()[-300:]}")

    def _environment(self, container: str, name: str) -> str:
        containers = self._pod(container)["spec"]["containers"]
        variables = [item for one in containers if one["name"] == container for item in one.get("env", [])]
        return str(next(item["value"] for item in variables if item["name"] == name))

    def _public_key(self) -> str:
        if not self.key.exists():
            write_key(self.key)
        public = serialization.load_ssh_private_key(self.key.read_bytes(), None).public_key()
        form = (serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
        return f"{public.public_bytes(*form).decode()} {self.user}\n"


def run(argv: Sequence[str]) -> int:
    """Run a command on this terminal and return its exit code."""
    return subprocess.run(argv, check=False).returncode


def write_key(file: Path) -> None:
    """Write a new private key that only its owner can read."""
    key = ed25519.Ed25519PrivateKey.generate()
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption())
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(key.private_bytes(*form))
