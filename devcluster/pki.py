"""Keys and certificates of one cluster, made at its first start and thrown away with it.

One authority signs everything: the servers' certificates, the administrator's, and the webhook's. Elliptic keys, since
they are made in a millisecond. The authority's key stays in the cluster's folder, which only its owner can read.
"""

from __future__ import annotations

import base64
import datetime
import ipaddress
import json
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from devcluster.addresses import API_SERVICE, GATEWAY

VALID = datetime.timedelta(days=3650)


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, as files."""

    certificate: Path
    key: Path

    @property
    def exists(self) -> bool:
        """Whether both were made."""
        return self.certificate.exists() and self.key.exists()


class Pki:
    """The certificates of one cluster, by role."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.authority = self._pair("ca")
        self.server = self._pair("kube-apiserver")
        self.etcd = self._pair("etcd")
        self.admin = self._pair("admin")
        self.webhook = Pair(folder / "webhook" / "tls.crt", folder / "webhook" / "tls.key")
        self.service_account_key = folder / "service-account.key"

    def create(self) -> None:
        """Make whatever is missing."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.webhook.key.parent.mkdir(mode=0o700, exist_ok=True)
        if not self.authority.exists:
            self._issue(self.authority, "pulumi-slurm devcluster", [], None)
        names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"]
        wanted: tuple[tuple[Pair, str, list[str], str | None], ...] = (
            (self.server, "kube-apiserver", names, None),
            (self.etcd, "etcd", ["localhost"], None),
            (self.webhook, "slurm-operator-webhook", ["localhost"], None),
            # The group that Kubernetes' own roles give everything to.
            (self.admin, "admin", [], "system:masters"),
        )
        for pair, common_name, dns, group in wanted:
            if not pair.exists:
                self._issue(pair, common_name, dns, group)
        if not self.service_account_key.exists():
            _write_key(self.service_account_key, ec.generate_private_key(ec.SECP256R1()))

    def write_kubeconfig(self, file: Path, server: str, name: str) -> None:
        """Write the administrator's kubeconfig, with everything inside so that it can be copied."""
        user = {
            "client-certificate-data": _base64(self.admin.certificate),
            "client-key-data": _base64(self.admin.key),
        }
        authority = _base64(self.authority.certificate)
        # On the same machine, packing answers only costs time: each engine asks for all of OpenAPI.
        cluster = {"server": server, "certificate-authority-data": authority, "disable-compression": True}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": cluster}],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        }
        text = json.dumps(content, indent=1)
        if not file.exists() or file.read_text() != text:
            _write_private(file, text.encode())

    def _pair(self, name: str) -> Pair:
        return Pair(self._folder / f"{name}.crt", self._folder / f"{name}.key")

    def _issue(self, pair: Pair, common_name: str, dns: list[str], group: str | None) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        attributes = [x509.NameAttribute(NameOID.COMMON_NAME, common_name)]
        if group:
            attributes.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, group))
        subject = x509.Name(attributes)
        authority = pair is self.authority
        issuer, signer = (subject, key) if authority else self._signer()
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            # An hour back, because clocks of containers and hosts differ.
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + VALID)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        )
        if not authority:
            usages = [ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH]
            builder = builder.add_extension(x509.ExtendedKeyUsage(usages), critical=False)
        if dns:
            addresses = [x509.IPAddress(ipaddress.ip_address(text)) for text in ("127.0.0.1", API_SERVICE, GATEWAY)]
            names: list[x509.GeneralName] = [*(x509.DNSName(name) for name in dns), *addresses]
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        _write_key(pair.key, key)
        pair.certificate.write_bytes(builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def _signer(self) -> tuple[x509.Name, ec.EllipticCurvePrivateKey]:
        certificate = x509.load_pem_x509_certificate(self.authority.certificate.read_bytes())
        key = serialization.load_pem_private_key(self.authority.key.read_bytes(), password=None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return certificate.subject, key


def _write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    # The older of the two formats, because the API server reads a service account key in that one only.
    form = serialization.PrivateFormat.TraditionalOpenSSL
    pem = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    _write_private(file, pem)


def _write_private(file: Path, content: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)


def _base64(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()
