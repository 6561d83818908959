"""What the daemons of a rehearsal read: files as the cluster has or will have them, made harmless."""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pulumi_slurm.configuration.accounts import UNDO_FILE, accounts_script, qos_script, undo_file
from pulumi_slurm.configuration.files import all_files
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.derived.operator_lines import JWKS_FILE, key_lines, slurmdbd_lines
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse, render
from pulumi_slurm.slurmconf.conf_error import LineError
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.rehearsal.harmless import harmless, harmless_slurmdbd
from pulumi_slurm_cli.rehearsal.places import DATABASE, DATABASE_USER, SCRIPT
from pulumi_slurm_cli.rehearsal.script import ACCOUNTS, PERMISSIONS, QOS, REHEARSE, TOKEN

SLURM_KEY, JWT_KEY = "slurm.key", "jwt.key"
_NO_KEYS = '{"keys": []}\n'
"""jwks.json without a key, in place of those of an identity provider."""


@dataclass(frozen=True)
class NewKeys:
    """Keys and a password that no daemon of the cluster knows, drawn for one rehearsal."""

    slurm: str = field(default_factory=secrets.token_urlsafe, repr=False)
    jwt: str = field(default_factory=secrets.token_urlsafe, repr=False)
    password: str = field(default_factory=secrets.token_hex, repr=False)

    @property
    def token(self) -> str:
        """A token of SlurmUser, with which the script asks: https://slurm.schedmd.com/jwt.html."""
        parts = ({"alg": "HS256", "typ": "JWT"}, {"exp": _NO_END, "iat": 0, "sun": "slurm"})
        signed = ".".join(_encoded(json.dumps(part).encode()) for part in parts)
        return f"{signed}.{_encoded(hmac.digest(self.jwt.encode(), signed.encode(), hashlib.sha256))}"


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


_NO_END = 2**31 - 1


@dataclass(frozen=True)
class Files:
    """What the daemons of one start read, by name."""

    configuration: dict[str, str]
    """For /etc/slurm, without secrets."""
    scripts: dict[str, str]
    """The script of the rehearsal, and those of the specification that it runs."""
    secrets: dict[str, str] = field(repr=False)
    """For /etc/slurm too: keys, and slurmdbd.conf, which is missing where the database isn't copied."""
    differences: list[str]
    """Where they differ from those of the cluster, and why, for people."""


def files_of_spec(spec: SlurmSpec, pools: Sequence[NodePoolSpec], keys: NewKeys, *, with_database: bool) -> Files:
    """Return the files that a specification comes to.

    Without a copy of the database slurmctld starts from what its state knows of it.
    """
    slurm_conf, differences = harmless(slinky_files(spec, pools)[File.SLURM])
    configuration = {**all_files(spec, pools), File.SLURM.value: render(slurm_conf)}
    for scripts in (spec.hooks.prolog, spec.hooks.epilog):
        configuration |= scripts
    if spec.keys.jwks:
        configuration[JWKS_FILE] = _NO_KEYS
    scripts = {SCRIPT: REHEARSE}
    slurmdbd_conf = None
    if with_database and spec.accounting:
        slurmdbd_conf, more = harmless_slurmdbd(_slurmdbd_conf(spec), keys.password)
        differences += [f"slurmdbd: {line}" for line in more]
        configuration[UNDO_FILE.rpartition("/")[2]] = undo_file(spec)
        wanted = {QOS: qos_script(spec), ACCOUNTS: accounts_script(spec)}
        scripts |= {name: text for name, text in wanted.items() if text is not None}
    return Files(configuration, scripts, _secret_files(keys, slurmdbd_conf), differences)


def files_that_run(slurm_files: Mapping[str, str], slurmdbd_text: str | None, series: Series, keys: NewKeys) -> Files:
    """Return the files that a cluster has now: those of /etc/slurm without keys, and slurmdbd.conf without password.

    Raises:
        ConfError: if slurm.conf or slurmdbd.conf has what Slurm of that series doesn't read.
    """
    passed_over: list[LineError] = []
    parsed = parse(
        slurm_files[File.SLURM.value],
        File.SLURM,
        series,
        include=lambda name: slurm_files[name.rpartition("/")[2]],
        passed_over=passed_over,
    )
    slurm_conf, differences = harmless(parsed)
    differences += [f"left out: {line}" for line in passed_over]
    configuration = {**slurm_files, File.SLURM.value: render(slurm_conf)}
    if JWKS_FILE in configuration:
        configuration[JWKS_FILE] = _NO_KEYS
    slurmdbd_conf = None
    if slurmdbd_text is not None:
        parsed = parse(slurmdbd_text, File.SLURMDBD, series, passed_over=[])
        slurmdbd_conf, _ = harmless_slurmdbd(parsed, keys.password)
    return Files(configuration, {SCRIPT: REHEARSE}, _secret_files(keys, slurmdbd_conf), differences)


def _slurmdbd_conf(spec: SlurmSpec) -> Conf:
    assert spec.accounting
    options = {
        "SlurmUser": "slurm",
        **key_lines(spec),
        "StorageType": "accounting_storage/mysql",
        **slurmdbd_lines(spec.operator, spec.keys, spec.accounting.extra_conf),
    }
    return Conf(File.SLURMDBD, parse_options(File.SLURMDBD, options))


def _secret_files(keys: NewKeys, slurmdbd_conf: Conf | None) -> dict[str, str]:
    files = {SLURM_KEY: keys.slurm, JWT_KEY: keys.jwt, TOKEN: keys.token}
    if slurmdbd_conf is None:
        return files
    permissions = (
        f"CREATE DATABASE {DATABASE};\n"
        f"CREATE USER '{DATABASE_USER}'@'%' IDENTIFIED BY '{keys.password}';\n"
        f"GRANT ALL ON {DATABASE}.* TO '{DATABASE_USER}'@'%';\n"
    )
    return {**files, File.SLURMDBD.value: render(slurmdbd_conf), PERMISSIONS: permissions}
