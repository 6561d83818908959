"""AckSlurmCluster: a whole Slurm cluster by ack-slurm-operator, from the same specification as any other."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Self

import pulumi
import pulumi_kubernetes as k8s
from pydantic import model_validator

from pulumi_slurm.ack.copilot import sound
from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec
from pulumi_slurm.ack.slurm import given_secrets, names
from pulumi_slurm.ack.slurm.access import account
from pulumi_slurm.ack.slurm.accounting_job import accounting_job
from pulumi_slurm.ack.slurm.admin_page import admin_page
from pulumi_slurm.ack.slurm.chart_values import chart_values
from pulumi_slurm.ack.slurm.cluster_object import left_to_scaler, slurm_cluster
from pulumi_slurm.ack.slurm.ldap_files import ldap_files
from pulumi_slurm.ack.slurm.objects import config_maps, state
from pulumi_slurm.ack.slurm.other_confs import slurmdbd_conf
from pulumi_slurm.ack.slurm.rules import check_ack_slurm
from pulumi_slurm.ack.slurm.services import before_controller
from pulumi_slurm.ack.slurm.slurm_conf import slurm_conf, uses_tokens, with_password
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube import Database, DatabaseArgs, Directory, DirectoryArgs, SharedVolume, SharedVolumeArgs
from pulumi_slurm.kube.component import Args, Component, after_all, child_options, parse_args
from pulumi_slurm.kube.resources import create, create_all, create_secret, load_balancer_address
from pulumi_slurm.kube.root_key import root_key
from pulumi_slurm.manifests.objects import JWT_KEY, ClusterRef, manifest
from pulumi_slurm.manifests.parts import by_kind
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.names import key_secret
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.rules import check_cluster, check_pools
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import render

_SET = "pulumi config set --secret slurm:"
_REPLACED = [
    *(f"spec.{daemon}.template" for daemon in ("slurmctld", "slurmdbd", "slurmrestd")),
    "spec.slurmctld.initBash",
    "spec.workerGroupSpecs[*].template",
    "spec.workerGroupSpecs[*].initBash",
]
"""What the operator takes up only when the cluster is made anew, by Alibaba's own guide."""


class AckSlurmClusterArgs(Args):
    """Arguments of `AckSlurmCluster`."""

    spec: SlurmSpec
    """The specification, with what Alibaba Cloud runs for it (`with_alibaba_services`)."""
    pools: list[NodePoolSpec] = []
    """The node pools that its node sets refer to."""
    ack: AckSlurmSpec = AckSlurmSpec()
    """The options of this route."""
    region: str | None = None
    """The region, from whose registry Alibaba's image comes; cn-hangzhou's by default."""
    kubernetes_version: str | None = None
    """The version of the ACK cluster, for what depends on it."""
    cluster_domain: str = "cluster.local"
    """The domain of the ACK cluster's Services."""
    pools_from_zero: list[str] = []
    """Names of pools that may have no node at all, so that a node's start takes a machine's."""
    root_key: pulumi.Input[str] | None = None
    """The root key that keys are derived from; the stack secret `slurm:rootKey` by default."""
    database_password: pulumi.Input[str] | None = None
    """The password of an external database's user; the stack secret `slurm:databasePassword` by
    default. slurmdbd.conf holds it, so a Secret with it is not enough."""
    job_completion_password: pulumi.Input[str] | None = None
    """The password of `jobCompletion.user`; the stack secret `slurm:jobCompletionPassword` by
    default."""
    ldap_bind_password: pulumi.Input[str] | None = None
    """The password of `identity.ldap.bindDn`; the stack secret `slurm:ldapBindPassword` by default."""
    munge_key: pulumi.Input[str] | None = None
    """A munge key that exists already, 32 to 1024 bytes; it is derived by default."""
    create_namespace: bool = True
    """Make the namespace. Write false where it is there already."""

    @model_validator(mode="after")
    def _everything_fits(self) -> Self:
        found = [
            replace(error, path=("cluster", *error.path))
            for error in [*check_cluster(self.spec), *check_pools(self.spec, self.pools)]
        ]
        found += check_ack_slurm(
            self.spec,
            self.pools,
            self.ack,
            kubernetes_version=self.kubernetes_version,
            cluster_domain=self.cluster_domain,
            pools_from_zero=self.pools_from_zero,
        )
        raise_errors(found)
        return self


class AckSlurmCluster(Component[AckSlurmClusterArgs]):
    """A Slurm cluster by ack-slurm-operator: keys, files, volumes, database, users, access, and the SlurmCluster
    itself.

    It comes after the operator: give that as `depends_on`. With the copilot it needs a `SlurmCopilot`, which holds the
    Secret that its controller writes the copilot's token to. The provider comes from ``opts``; give it
    ``enable_secret_mutable=True``, so that a rotated key updates its Secret in place.

    Changed configuration files reach running pods by themselves, and slurmctld is then started anew; jobs go on. A
    changed pod (image, resources, volumes, a rotated key) replaces the SlurmCluster: all its pods end first, and jobs
    with them.

    The number of workers in groups that Slurm scales belongs to Slurm, and an update of anything else leaves it alone.
    Where the SlurmCluster itself changes in place (the number of other workers or of slurmrestd's pods, one more node
    set), run `pulumi up --refresh`: Kubernetes takes the list of groups as a whole, and without a refresh Pulumi would
    send the number that it has seen last.

    Not checked on a real ACK cluster, whose operator isn't public: everything that the operator itself does.
    """

    namespace: pulumi.Output[str]
    """The cluster's namespace."""
    rest_url: pulumi.Output[str | None]
    """Where slurmrestd is found from inside the Kubernetes cluster; None without slurmrestd."""
    ssh_command: pulumi.Output[str | None]
    """How to log in to the controller; None where nobody is to."""
    partitions: pulumi.Output[list[str]]
    """The names of the partitions."""
    key_secrets: pulumi.Output[dict[str, str]]
    """The Secrets with keys, by key."""

    def __init__(
        self, name: str, args: AckSlurmClusterArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckSlurmClusterArgs, args)
        super().__init__(name, args, opts)
        self._name, self._args, self._opts = name, args, opts
        self._ref = ClusterRef.of(args.spec)
        self._root_key = root_key(args.root_key)
        self._image = args.ack.image_in(args.region)
        ground = self._namespace()
        before = [
            *self._keys(ground),
            *self._identity(ground),
            *self._volumes(ground),
            *self._database(ground),
            *self._files(ground),
            *create_all(f"{name}-access", _own(account(args.spec, args.ack), args.spec), self._child(ground)),
            *self._operators_role(ground),
        ]
        cluster = self._cluster(before)
        self.create_in_turn(by_kind("accounts", accounting_job(args.spec, self._image)), cluster)
        self._outputs(cluster)

    def _child(self, depends_on: list[pulumi.Resource], **more: Any) -> pulumi.ResourceOptions:
        return child_options(self, self._opts, depends_on, **more)

    def _namespace(self) -> list[pulumi.Resource]:
        if not self._args.create_namespace:
            return []
        what = self._args.spec
        # A namespace takes its claims along, so it stays whenever one of them is to stay.
        retain = what.controller.state.retain or any(volume.retain for volume in what.shared_volumes)
        made = k8s.core.v1.Namespace(
            f"{self._name}-namespace",
            metadata={"name": what.namespace},
            opts=self._child([], retain_on_delete=retain),
        )
        return [made]

    def _keys(self, ground: list[pulumi.Resource]) -> list[pulumi.Resource]:
        spec, given = self._args.spec, self._args.munge_key
        made: list[pulumi.Resource] = []
        if not spec.keys.slurm.existing:
            munge = (
                self._derived(Purpose.MUNGE, spec.keys.slurm.generation)
                if given is None
                else sound(given, given_secrets.munge_key)
            )
            made.append(
                self._secret("munge-key", key_secret(spec.name, Purpose.MUNGE), {names.MUNGE_FILE: munge}, ground)
            )
        if not spec.keys.jwt.existing and uses_tokens(self._args.ack):
            jwt = self._derived(Purpose.JWT, spec.keys.jwt.generation)
            made.append(self._secret("jwt-key", key_secret(spec.name, Purpose.JWT), {JWT_KEY: jwt}, ground))
        return made

    def _identity(self, ground: list[pulumi.Resource]) -> list[pulumi.Resource]:
        spec, ack = self._args.spec, self._args.ack
        identity = spec.identity
        if identity is None:
            return []
        made: list[pulumi.Resource] = []
        password: pulumi.Output[Any]
        if identity.directory:
            directory = Directory(
                f"{self._name}-directory",
                DirectoryArgs(cluster=self._ref, directory=identity.directory, root_key=self._root_key),
                self._child(ground),
            )
            password = directory.password
            made += after_all(directory)
            made += create_all(f"{self._name}-ldap-admin", admin_page(spec, ack), self._child(ground))
        elif identity.ldap and identity.ldap.bind_dn:
            what = f"identity.ldap.bindDn = {identity.ldap.bind_dn!r}"
            password = _password(self._args.ldap_bind_password, "ldapBindPassword", what)
        else:
            password = pulumi.Output.from_input(None)
        text = password.apply(lambda value: ldap_files(spec, ack, value))
        data = {file: text[file] for file in ldap_files(spec, ack, None)}
        return [*made, self._secret("ldap-client", names.ldap_secret(spec.name), data, ground)]

    def _volumes(self, ground: list[pulumi.Resource]) -> list[pulumi.Resource]:
        spec = self._args.spec
        volumes = [
            SharedVolume(
                f"{self._name}-{volume.name}", SharedVolumeArgs(cluster=self._ref, volume=volume), self._child(ground)
            )
            for volume in spec.shared_volumes
        ]
        made = [end for volume in volumes for end in after_all(volume)]
        retain = spec.controller.state.retain
        return [*made, *create_all(f"{self._name}-state", state(spec), self._child(ground, retain_on_delete=retain))]

    def _database(self, ground: list[pulumi.Resource]) -> list[pulumi.Resource]:
        spec, ack = self._args.spec, self._args.ack
        options = spec.accounting
        if options is None or options.external:
            return []
        database = Database(
            f"{self._name}-database",
            DatabaseArgs(cluster=self._ref, database=options.database, root_key=self._root_key),
            self._child(ground),
        )
        if options.database.password_secret is None:
            password = self._derived(Purpose.DATABASE, 1)
        else:
            at = "accounting.database.passwordSecret"
            password = _password(self._args.database_password, "databasePassword", at, given_secrets.database_password)
        conf = password.apply(lambda text: render(slurmdbd_conf(spec, ack, text)))
        data = {File.SLURMDBD.value: conf}
        return [*after_all(database), self._secret("slurmdbd-conf", names.slurmdbd_secret(spec.name), data, ground)]

    def _files(self, ground: list[pulumi.Resource]) -> list[pulumi.Resource]:
        spec, pools, ack = self._args.spec, self._args.pools, self._args.ack
        made: list[pulumi.Resource] = [
            create(f"{self._name}-{item['metadata']['name'].removeprefix(f'{spec.name}-')}", item, self._child(ground))
            for item in config_maps(spec, pools, ack)
        ]
        if ack.job_completion:
            given = self._args.job_completion_password
            at = "ack.slurm.jobCompletion.user"
            password = _password(given, "jobCompletionPassword", at, given_secrets.database_password)
            conf = password.apply(lambda text: render(with_password(slurm_conf(spec, pools, ack), text)))
            data = {File.SLURM.value: conf}
            made.append(self._secret("slurm-conf", names.controller_secret(spec.name), data, ground))
        return made

    def _operators_role(self, ground: list[pulumi.Resource]) -> list[pulumi.Resource]:
        spec, ack = self._args.spec, self._args.ack
        own = _own(account(spec, ack), spec)
        others = [item for item in account(spec, ack) if item not in own]
        return list(create_all(f"{self._name}-copilot-access", others, self._child(ground)))

    def _cluster(self, before: list[pulumi.Resource]) -> pulumi.Resource:
        spec, pools, ack = self._args.spec, self._args.pools, self._args.ack
        if ack.cluster_chart:
            chart = ack.cluster_chart
            return k8s.helm.v3.Release(
                f"{self._name}-chart",
                name=spec.name,
                namespace=spec.namespace,
                chart=chart.chart,
                version=chart.version,
                repository_opts={"repo": chart.repository} if chart.repository else None,
                values=chart_values(spec, pools, ack, self._image),
                opts=self._child(before),
            )
        options = self._child(
            before,
            ignore_changes=left_to_scaler(spec, pools, ack),
            replace_on_changes=_REPLACED,
            delete_before_replace=True,
        )
        return create(f"{self._name}-slurmcluster", slurm_cluster(spec, pools, ack, self._image), options)

    def _outputs(self, cluster: pulumi.Resource) -> None:
        spec, ack = self._args.spec, self._args.ack
        own = [node_set.slurm_name for node_set in spec.node_sets if node_set.partition]
        host = f"{names.slurmrestd_host(spec.name)}.{spec.namespace}"
        self.namespace = pulumi.Output.from_input(spec.namespace)
        self.rest_url = pulumi.Output.from_input(f"http://{host}:{SLURMRESTD_PORT}" if ack.slurmrestd else None)
        self.partitions = pulumi.Output.from_input([*(partition.name for partition in spec.partitions), *own])
        existing = spec.keys.slurm.existing, spec.keys.jwt.existing
        purposes = (Purpose.MUNGE, Purpose.JWT)
        secrets = [
            key.name if key else key_secret(spec.name, each) for key, each in zip(existing, purposes, strict=True)
        ]
        self.key_secrets = pulumi.Output.from_input(dict(zip(("munge", "jwt"), secrets, strict=True)))
        self.ssh_command = pulumi.Output.from_input(None)
        fronts = create_all(f"{self._name}-ssh", before_controller(spec, ack), self._child([cluster]))
        if fronts:
            inside = f"{names.ssh_service(spec.name)}.{spec.namespace}"
            user = "root@" if any(login_set.root_authorized_keys for login_set in spec.login_sets) else ""
            address = load_balancer_address(fronts[0])
            self.ssh_command = address.apply(lambda outside: f"ssh {user}{outside or inside}")
        self.finish(*self._last)

    def _secret(
        self, role: str, kubernetes_name: str, data: dict[str, pulumi.Output[str]], ground: list[pulumi.Resource]
    ) -> pulumi.Resource:
        frame = manifest("v1", "Secret", self._ref, kubernetes_name)
        return create_secret(f"{self._name}-{role}", frame, data, self._child(ground))

    def _derived(self, purpose: Purpose, generation: int) -> pulumi.Output[str]:
        return self._root_key.apply(lambda key: derive(key, self._ref.name, purpose, generation))


def _own(objects: list[dict[str, Any]], spec: SlurmSpec) -> list[dict[str, Any]]:
    return [item for item in objects if item["metadata"]["namespace"] == spec.namespace]


def _password(
    given: Any, setting: str, what: str, check: Callable[[str], given_secrets.Objection | None] | None = None
) -> pulumi.Output[str]:
    """Return a password that was handed in, or the stack's secret of that name."""
    value = given if given is not None else pulumi.Config("slurm").get_secret(setting)
    if value is None:
        raise pulumi.RunError(f"{what}: its password is not set. Set it: {_SET}{setting}")
    return sound(value, check or (lambda _: None))
