"""``pulumi-slurm rehearse``: start what a change comes to on a copy of the cluster, and tell what came of it."""

import argparse
import contextlib
import io
import json
import secrets
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pulumi_slurm.clouds.on_cloud import OnCloud
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.visible import visible_json
from pulumi_slurm_cli.commands.arguments import INPUT, number_from
from pulumi_slurm_cli.commands.cluster import add_cluster, cluster_of
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_line, print_lines, print_text
from pulumi_slurm_cli.commands.signals import sigterm_as_ctrl_c
from pulumi_slurm_cli.commands.stack_configuration import stack_configuration
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError
from pulumi_slurm_cli.rehearsal.files import Files, NewKeys, files_of_spec, files_that_run
from pulumi_slurm_cli.rehearsal.live import Copies, copy_cluster, has_own_database
from pulumi_slurm_cli.rehearsal.objects import Images, fence, pull_secrets, start_objects
from pulumi_slurm_cli.rehearsal.places import ANSWERS, BEGIN, DONE, DUMP, STATE
from pulumi_slurm_cli.rehearsal.report import report
from pulumi_slurm_cli.rehearsal.result import Rehearsal, Start, compared, read_start

_MINUTES = 60
_SECONDS_TO_DELETE = 300
_SECONDS_TO_CLOSE = 30
"""How long a NetworkPolicy may take until it holds for a new pod."""
_REACHES_KUBERNETES = 'timeout 3 bash -c ": </dev/tcp/$KUBERNETES_SERVICE_HOST/$KUBERNETES_SERVICE_PORT" 2>/dev/null'
_OPEN = (
    "the pods of namespace {namespace} reach others in spite of its NetworkPolicy, which nothing in this cluster "
    "enforces. Install a network plugin that does, or write --open-network: the rehearsal's keys are new, so no daemon "
    "of the cluster would listen to it"
)
_ELSEWHERE = (
    "the database is in no pod of the cluster, so slurmctld starts from what its state knows of accounts, and slurmdbd "
    "doesn't start. Write --dump with a dump of it"
)
_NEVER_STARTS = frozenset(
    {"ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CreateContainerConfigError", "CreateContainerError"}
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("settings", type=Path, metavar="Pulumi.<stack>.yaml", help=INPUT)
    add_cluster(command)
    command.add_argument("--json", action="store_true", help="print all that was found as JSON")
    command.add_argument(
        "--minutes",
        type=number_from(1),
        default=_MINUTES,
        help=f"how long a start may take at most; {_MINUTES} by default",
    )
    command.add_argument(
        "--dump",
        type=Path,
        metavar="FILE",
        help="the database as mariadb-dump writes it, where it is in no pod to be dumped",
    )
    command.add_argument(
        "--open-network", action="store_true", help="go on where no network plugin enforces NetworkPolicies"
    )


def run(options: argparse.Namespace) -> int:
    """Rehearse and print the result; return whether the daemons come up and no job is lost."""
    source = Source(options.settings)
    config, spec, pools = _specification(source)
    if options.dump:
        _check_dump(options.dump, spec)
    rehearsal = rehearse(
        cluster_of(options, source, config, writes=True),
        spec,
        pools,
        minutes=options.minutes,
        open_network=options.open_network,
        dump=options.dump,
    )
    if options.json:
        print_text(visible_json(rehearsal.model_dump_json(indent=2)) + "\n")
    else:
        print_lines(report(rehearsal))
    return SAME if rehearsal.is_fine else DIFFERENT


def rehearse(
    kubectl: Kubectl,
    spec: SlurmSpec,
    pools: list[NodePoolSpec],
    *,
    minutes: int,
    open_network: bool,
    dump: Path | None = None,
) -> Rehearsal:
    """Start the files that run and those of a specification, one after the other, on the same copies.

    ``dump`` is one of the database, for where it is in no pod of the cluster.

    Raises:
        KubectlError: if the cluster can't be copied, or the pods of the rehearsal don't run.
    """
    ref = ClusterRef.of(spec)
    with_database = dump is not None or has_own_database(spec)
    with tempfile.TemporaryDirectory() as folder:
        _say("copying the state and the database")
        copies = copy_cluster(kubectl, spec, Path(folder), dump, seconds=minutes * 60)
        notes = []
        if spec.accounting and not with_database:
            notes.append(_ELSEWHERE)
        keys = NewKeys()
        after = files_of_spec(spec, pools, keys, with_database=with_database)
        try:
            before = files_that_run(copies.files, copies.slurmdbd_conf, copies.series, keys)
        except ConfError as error:
            before = None
            notes.append(f"the files that run can't be read here: {error}")
        namespace = f"{spec.namespace[:40]}-rehearsal-{secrets.token_hex(3)}"
        with _fenced(kubectl, ref, namespace, spec):
            stage = _Stage(kubectl, spec, namespace, copies, minutes * 60, open_network)
            first = stage.start("before", before, copies.images) if before else None
            second = stage.start("after", after, _images(spec, ref, with_database=with_database), copies.last_undo)
    return compared(first, second, copies.jobs, after.differences, notes)


def _specification(source: Source) -> tuple[Any, SlurmSpec, list[NodePoolSpec]]:
    config = stack_configuration(source.text(), source.name)
    spec = getattr(config, "cluster", None)
    of_slinky = not isinstance(config, OnCloud) or config.cloud().other_release(config.plan) is None
    if not isinstance(spec, SlurmSpec) or spec.controller.external or not of_slinky:
        problem = "this stack has no slurmctld that slurm-operator runs, so there is none to rehearse"
        raise UnreadableFileError(f"{source.name}: {problem}. Name the file of a stack that has")
    return config, spec, list(config.pools)


def _check_dump(dump: Path, spec: SlurmSpec) -> None:
    if spec.accounting is None or spec.accounting.external:
        raise UnreadableFileError(f"{dump}: this stack runs no slurmdbd that would read it. Leave out --dump")
    if not dump.is_file():
        problem = "this is no file" if dump.exists() else "there is no such file"
        raise UnreadableFileError(f"{dump}: {problem}. Make it by mariadb-dump")


def _images(spec: SlurmSpec, ref: ClusterRef, *, with_database: bool) -> Images:
    controller, accounting = spec.controller, spec.accounting
    slurmctld = controller.image or ref.image(Daemon.SLURMCTLD, controller.slurm_version)
    if accounting is None or not with_database:
        return Images(slurmctld)
    slurmdbd = accounting.image or ref.image(Daemon.SLURMDBD, accounting.slurm_version)
    return Images(slurmctld, slurmdbd, accounting.database.image)


@contextlib.contextmanager
def _fenced(kubectl: Kubectl, ref: ClusterRef, namespace: str, spec: SlurmSpec) -> Iterator[None]:
    """Create the namespace, and delete it whatever happens; the first error is the one that is told last."""

    with sigterm_as_ctrl_c():
        try:
            for item in fence(ref, namespace):
                _create(kubectl, item)
            for name in pull_secrets(ref, spec.controller.pod):
                secret = kubectl.get("secret", name, ref.namespace)
                metadata = {"name": name, "namespace": namespace}
                _create(kubectl, {**secret, "metadata": metadata})
            yield
        except BaseException:
            with contextlib.suppress(KubectlError):
                _remove(kubectl, namespace)
            raise
        else:
            _remove(kubectl, namespace)


def _remove(kubectl: Kubectl, namespace: str) -> None:
    """Delete the namespace of a rehearsal, and say how where that fails."""
    _say("removing the rehearsal")
    try:
        _delete(kubectl, "namespace", namespace, "--ignore-not-found")
    except KubectlError as error:
        command = " ".join([*kubectl.command(), "delete", "namespace", namespace])
        _say(f"{error}. The namespace may still be there, with copies of pull Secrets: {command}")
        raise


class _Stage:
    """Where starts happen."""

    def __init__(
        self, kubectl: Kubectl, spec: SlurmSpec, namespace: str, copies: Copies, seconds: int, open_network: bool
    ) -> None:
        self._kubectl = kubectl
        self._spec = spec
        self._namespace = namespace
        self._copies = copies
        self._seconds = seconds
        self._open_network = open_network

    def start(self, name: str, files: Files, images: Images, last_undo: str | None = None) -> Start:
        """Start files on the copies and return what came of it."""
        ref, pod = ClusterRef.of(self._spec), self._spec.controller.pod
        deadline = time.monotonic() + self._seconds
        _say({"before": "starting what runs", "after": "starting the change"}[name])
        for item in start_objects(
            ref, self._namespace, name, files, images, pod, seconds=self._seconds, last_undo=last_undo
        ):
            _create(self._kubectl, item)
        running = self._running(name, deadline)
        if not self._open_network:
            self._check_fence(running)
        self._inside(running, f"mkdir -p {STATE} && tar -x -C {STATE} --no-same-owner", stdin=self._copies.state)
        if self._copies.dump:
            self._inside(running, f"cat >{DUMP}", stdin=self._copies.dump)
        self._inside(running, f"touch {BEGIN}")
        while self._inside(running, f"[ -e {DONE} ] && echo done || true").strip() != b"done":
            self._check_pod(running)
            if time.monotonic() > deadline:
                raise KubectlError(f"{name}: no end after {self._seconds // 60} minutes. Write a larger --minutes")
            time.sleep(1)
        answers = _untarred(self._inside(running, f"tar -c -C {ANSWERS} ."))
        _delete(self._kubectl, "job", name, f"--namespace={self._namespace}")
        return read_start(answers)

    def _running(self, name: str, deadline: float) -> str:
        """Wait for the pod of a Job, and return its name."""
        while True:
            where = (f"--namespace={self._namespace}", f"--selector=job-name={name}")
            for pod in self._kubectl.objects(["pods"], *where):
                states = pod["status"].get("containerStatuses", [])
                if states and all("running" in state["state"] for state in states):
                    return str(pod["metadata"]["name"])
                _raise_if_it_never_starts(pod)
            if time.monotonic() > deadline:
                raise KubectlError(f"{name}: its pod doesn't run: {_why(self._kubectl, self._namespace)}")
            time.sleep(1)

    def _check_fence(self, pod: str) -> None:
        """Refuse to go on where the pod reaches others: before it has anything of the cluster."""
        end = time.monotonic() + _SECONDS_TO_CLOSE
        while self._inside(pod, f"{_REACHES_KUBERNETES} && echo open || echo closed").strip() != b"closed":
            if time.monotonic() > end:
                raise KubectlError(_OPEN.format(namespace=self._namespace))
            time.sleep(1)

    def _check_pod(self, name: str) -> None:
        pod = self._kubectl.get("pod", name, self._namespace)
        if pod["status"].get("phase") == "Failed":
            raise KubectlError(f"pod {name}: {pod['status'].get('message') or pod['status'].get('reason') or 'failed'}")

    def _inside(self, pod: str, script: str, stdin: Path | None = None) -> bytes:
        where = (f"--namespace={self._namespace}", pod, "--container=slurmctld")
        words = ("exec", *(["--stdin"] if stdin else []), *where, "--", "sh", "-c", script)
        return self._kubectl.run(*words, stdin=stdin or b"", seconds=self._seconds)


def _raise_if_it_never_starts(pod: Mapping[str, Any]) -> None:
    for state in pod["status"].get("containerStatuses", []):
        waiting = state["state"].get("waiting", {})
        if waiting.get("reason") in _NEVER_STARTS:
            raise KubectlError(f"container {state['name']}: {waiting['reason']}: {waiting.get('message', '')}".strip())


def _why(kubectl: Kubectl, namespace: str) -> str:
    events = kubectl.objects(["events"], f"--namespace={namespace}")
    warnings = [item["message"] for item in events if item.get("type") == "Warning"]
    return warnings[-1] if warnings else "nothing says why"


def _create(kubectl: Kubectl, item: Manifest) -> None:
    kubectl.run("create", "--filename=-", stdin=json.dumps(item).encode())


def _delete(kubectl: Kubectl, *targets: str) -> None:
    kubectl.run("delete", *targets, f"--timeout={_SECONDS_TO_DELETE}s", seconds=_SECONDS_TO_DELETE)


def _untarred(data: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        contents = {member.name.removeprefix("./"): archive.extractfile(member) for member in archive}
    return {name: file.read().decode(errors="replace") for name, file in contents.items() if file}


def _say(text: str) -> None:
    print_line(text, sys.stderr)
