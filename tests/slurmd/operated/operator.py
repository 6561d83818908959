"""slurm-operator on the embedded control plane: our objects are applied, and the files that it writes are read back."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.database import password_secret
from pulumi_slurm.manifests.objects import manifest
from pulumi_slurm.manifests.slinky import token_secret
from pulumi_slurm.model import NodePoolSpec, SlurmSpec, TokenSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.e2e.objects import Object, Objects
from tests.slurmd.controller import KEYS
from tests.slurmd.database import PASSWORD
from tests.slurmd.operated.pod_files import pod_files
from tests.slurmd.rendered import JWKS
from tests.waiting import eventually, eventually_nothing

SpecAndPools = tuple[SlurmSpec, Sequence[NodePoolSpec]]
FOR_FILES = ("Secret", "ConfigMap", "Accounting", "Controller", "NodeSet")
"""Kinds of objects on which the files of slurmctld and slurmdbd depend."""
FOR_ALL = (*FOR_FILES, "RestApi", "Token")
"""Kinds on which daemons of Slurm depend at all; databases, volumes and logins are not among them."""


@dataclass(frozen=True)
class OperatorFiles:
    """The files that the operator has written for one specification."""

    spec: SlurmSpec
    pools: Sequence[NodePoolSpec]
    slurmctld: dict[str, str | bytes]
    """/etc/slurm of slurmctld's pod."""
    slurmdbd: dict[str, str | bytes]
    """/etc/slurm of slurmdbd's pod; empty without one."""
    slurmrestd: dict[str, str | bytes]
    """/etc/slurm of slurmrestd's pod."""
    workers: dict[str, list[str]]
    """The arguments of slurmd by host name."""
    tokens: dict[str, str]
    """The tokens by name."""


class Operator:
    """The operator of one embedded cluster."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects

    def files(self, specs: Iterable[SpecAndPools]) -> list[OperatorFiles]:
        """Apply specifications, each in a namespace of its own, and return the files of slurmctld and slurmdbd.

        Node sets get no pods: the files don't depend on how many there are.
        """
        pairs = list(specs)
        without_accounting = [pair for pair in pairs if pair[0].accounting is None]
        with_accounting = [pair for pair in pairs if pair[0].accounting is not None]
        # Release 1.1.0 ends when it comes upon an Accounting while any Controller refers to none.
        files = self._files_of(without_accounting)
        names = {files_of_cluster.spec.name for files_of_cluster in files}
        for files_of_cluster in files:
            self.objects.delete("Controller", files_of_cluster.spec.namespace, files_of_cluster.spec.name)
        eventually_nothing("Controllers", lambda: names & self.objects.names("Controller"))
        return files + self._files_of(with_accounting)

    def _files_of(self, pairs: list[SpecAndPools]) -> list[OperatorFiles]:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda pair: self._apply(pair[0], pair[1], FOR_FILES), pairs))
            return list(threads.map(lambda pair: self._files(*pair), pairs))

    def everything(self, spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> OperatorFiles:
        """Apply a specification and return what all daemons get."""
        self._apply(spec, pools, FOR_ALL)
        return replace(
            self._files(spec, pools),
            slurmrestd=self._of_pod(spec, "Deployment", "restapi", "slurmrestd"),
            workers=self._workers(spec),
            tokens={token.name: self._token(spec, token) for token in spec.tokens},
        )

    def _apply(self, spec: SlurmSpec, pools: Sequence[NodePoolSpec], kinds: Sequence[str]) -> None:
        self.objects.namespace(spec.namespace)
        for item in [*_other_objects(spec), *render(spec, pools)]:
            if item["kind"] == "NodeSet" and kinds is FOR_FILES and item["spec"]["scalingMode"] == "StatefulSet":
                item["spec"]["replicas"] = 0
            if item["kind"] in kinds:
                self.objects.apply(item)

    def _files(self, spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> OperatorFiles:
        # Ours stand in extraConf, from the beginning; the operator adds one for each NodeSet.
        controller = self.objects.get("Controller", spec.namespace, spec.name)
        ours = _node_set_lines(controller["spec"].get("extraConf", ""))
        eventually(
            f"slurm.conf of {spec.name} with all node sets",
            lambda: self._slurm_conf(spec),
            lambda text: _node_set_lines(text) >= ours + len(spec.node_sets),
        )
        inside = spec.accounting and not spec.accounting.external
        return OperatorFiles(
            spec,
            pools,
            slurmctld=self._of_pod(spec, "StatefulSet", "controller", "slurmctld"),
            slurmdbd=self._of_pod(spec, "StatefulSet", "accounting", "slurmdbd") if inside else {},
            slurmrestd={},
            workers={},
            tokens={},
        )

    def _slurm_conf(self, spec: SlurmSpec) -> str | None:
        config_map = self.objects.find("ConfigMap", spec.namespace, f"{spec.name}-config")
        if not config_map:
            return None
        text: str = config_map["data"]["slurm.conf"]
        return text

    def _of_pod(self, spec: SlurmSpec, kind: str, part: str, container: str) -> dict[str, str | bytes]:
        owner = self._object(spec, kind, f"{spec.name}-{part}")
        return pod_files(self.objects, spec.namespace, owner["spec"]["template"]["spec"], container)

    def _workers(self, spec: SlurmSpec) -> dict[str, list[str]]:
        replicas = sum(node_set.replicas or 0 for node_set in spec.node_sets)

        def pods() -> list[Object]:
            return self.objects.all("Pod", spec.namespace, {"app.kubernetes.io/name": "slurmd"})

        workers = eventually(f"{replicas} workers", pods, lambda found: len(found) == replicas)
        return {pod["spec"]["hostname"]: slurmd_words(pod["spec"]) for pod in workers}

    def _token(self, spec: SlurmSpec, token: TokenSpec) -> str:
        secret_key = token_secret(ClusterRef.of(spec), token)
        return base64.b64decode(self._object(spec, "Secret", secret_key.name)["data"][secret_key.key]).decode()

    def _object(self, spec: SlurmSpec, kind: str, name: str) -> Object:
        return eventually(f"{kind} {name}", lambda: self.objects.find(kind, spec.namespace, name))


def _node_set_lines(slurm_conf: str) -> int:
    return sum(line.startswith("NodeSet=") for line in slurm_conf.splitlines())


def slurmd_words(pod: Object) -> list[str]:
    """Return the arguments of slurmd in a worker's pod.

    The image's start script gives them to a shell as one line, which takes the operator's quotes off. It also adds
    CoreSpecCount and MemSpecLimit where the machine has more than the pod may use; here pods ask for more than the
    machine has, or slurmd may use all of it.
    """
    (slurmd,) = [item for item in pod["containers"] if item["name"] == "slurmd"]
    return shlex.split(" ".join(slurmd["args"]))


def _other_objects(spec: SlurmSpec) -> Iterator[Object]:
    """Yield what `SlurmCluster` or the user makes beside the rendered objects: keys, a password, JWKS."""
    ref = ClusterRef.of(spec)
    secrets = [(ref.slurm_key(), _text(KEYS["slurm.key"])), (ref.jwt_key(), _text(KEYS["jwt.key"]))]
    if spec.accounting and not spec.accounting.external:
        password = password_secret(ref, spec.accounting.database)
        secrets.append(({"name": password.name, "key": password.key}, PASSWORD))
    for name in {secret_key["name"] for secret_key, _ in secrets}:
        data = {secret_key["key"]: value for secret_key, value in secrets if secret_key["name"] == name}
        yield manifest("v1", "Secret", ref, name, stringData=data)
    if spec.keys.jwks:
        yield manifest("v1", "ConfigMap", ref, spec.keys.jwks.name, data={spec.keys.jwks.key: JWKS})


def _text(key: str | bytes) -> str:
    return key if isinstance(key, str) else key.decode()
