"""AckSlurmCluster: a Slurm cluster that ack-slurm-operator runs, from the same specification as any other."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_kubernetes as k8s
from pydantic import field_validator, model_validator

from pulumi_slurm.ack_slurm.dicts import AckSlurmClusterArgsDict
from pulumi_slurm.ack_slurm.manifests import names, parts, secret_checks
from pulumi_slurm.ack_slurm.manifests.chart_values import chart_values
from pulumi_slurm.ack_slurm.manifests.cluster_object import REPLACED, autoscaled_fields
from pulumi_slurm.ack_slurm.manifests.ldap_files import ldap_files
from pulumi_slurm.ack_slurm.manifests.parts import PlannedAckPart, cluster_parts
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf, with_password
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm, check_ack_slurm_clusters
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.keys import Purpose
from pulumi_slurm.kube import Database, Directory, NetworkPolicies, SharedVolume
from pulumi_slurm.kube.checked_secret import checked_secret
from pulumi_slurm.kube.component import Args, Component, Options, are_checked
from pulumi_slurm.kube.other_clusters import check_with_others
from pulumi_slurm.kube.resources import KubernetesObject, load_balancer_address
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.kube.slurm_cluster import (
    bind_password,
    derived_key,
    make_namespace,
    make_parts,
    partition_names,
    password_of,
)
from pulumi_slurm.kube.ssh import ssh_command
from pulumi_slurm.manifests.parts.database import DatabasePart
from pulumi_slurm.manifests.parts.directory import DirectoryPart
from pulumi_slurm.manifests.parts.network_policies import NetworkPoliciesPart
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.parts.planned_part import PartKey
from pulumi_slurm.manifests.parts.shared_volume import SharedVolumePart
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import JWT_KEY, ClusterRef
from pulumi_slurm.model.names import key_secret
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.rules import check_cluster, check_clusters, check_pool_list, check_pools
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import render

_COMPONENTS: Mapping[type[Part], type[Component[Any]]] = MappingProxyType(
    {
        DatabasePart: Database,
        DirectoryPart: Directory,
        NetworkPoliciesPart: NetworkPolicies,
        SharedVolumePart: SharedVolume,
    }
)
_DERIVE_PASSWORDS = (DatabasePart, DirectoryPart)
"""Parts whose components take the root key."""


class AckSlurmClusterArgs(Args):
    """Arguments of `AckSlurmCluster`."""

    spec: SlurmSpec
    """The specification, including Alibaba Cloud's storage and database (`with_alibaba_services`)."""
    pools: list[NodePoolSpec] = []
    """The node pools to which its node sets refer."""
    ack: AckSlurmSpec = AckSlurmSpec()
    """The options of ack-slurm-operator."""
    region: str | None = None
    """The region from whose registry Alibaba's image comes; cn-hangzhou by default."""
    kubernetes_version: str | None = None
    """The Kubernetes version of the ACK cluster, for checks that depend on it."""
    cluster_domain: str = "cluster.local"
    """The domain of the ACK cluster's Services."""
    pools_from_zero: list[str] = []
    """Names of pools in which ACK may have to create the first node, so that a new machine has to start."""
    root_key: pulumi.Input[str] | None = None
    """The root key that keys are derived from; the stack secret `slurm:rootKey` by default."""
    database_password: pulumi.Input[str] | None = None
    """The password of an external database's user; the stack secret `slurm:databasePassword` by default. It is written
    to slurmdbd.conf, so a Secret with the password is not enough."""
    job_completion_password: pulumi.Input[str] | None = None
    """The password of `jobCompletion.user`; the stack secret `slurm:jobCompletionPassword` by default."""
    ldap_bind_password: pulumi.Input[str] | None = None
    """The password of `identity.ldap.bindDn`; the stack secret `slurm:ldapBindPassword` by default."""
    munge_key: pulumi.Input[str] | None = None
    """An existing munge key of 32 to 1024 bytes; by default it is derived from the root key."""
    create_namespace: bool = True
    """Create the namespace. Write false if it exists already."""

    _root_key = field_validator("root_key")(check_root_key)

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        if are_checked():
            return self
        release = self.ack.slurm_version
        of_slurm = [
            *check_cluster(self.spec, other_release=release),
            *check_pools(self.spec, self.pools, other_release=release),
        ]
        errors = [error.below("cluster") for error in of_slurm]
        errors += [error.below("pools") for error in check_pool_list(self.pools)]
        errors += check_ack_slurm(
            self.spec,
            self.pools,
            self.ack,
            kubernetes_version=self.kubernetes_version,
            cluster_domain=self.cluster_domain,
            pools_from_zero=self.pools_from_zero,
        )
        raise_errors(errors)
        return self


class AckSlurmCluster(Component[AckSlurmClusterArgs]):
    """A Slurm cluster that ack-slurm-operator runs: keys, files, volumes, database, users, access, and the
    SlurmCluster itself.

    It needs the operator: pass that as `depends_on`. With the copilot it also needs a `SlurmCopilot`, whose Secret is
    where the controller writes the copilot's token. The provider comes from ``opts``; create it with
    ``enable_secret_mutable=True``, so that a rotated key updates its Secret in place.

    Changed configuration files reach running pods, which then restart slurmctld; jobs continue. A changed pod template
    (image, resources, volumes, a rotated key) replaces the SlurmCluster: all its pods are deleted first, and jobs with
    them.

    Slurm controls the number of workers in groups that it scales, and updates of other resources don't change it. For
    changes of the SlurmCluster in place (the number of other workers or of slurmrestd's pods, an additional node set),
    run `pulumi up --refresh`: Kubernetes replaces the list of groups as a whole, and without a refresh Pulumi would
    send the numbers that it last read.

    The operator isn't public.

    Example::

        pool = NodePoolSpec(name="cpu", machine=MachineSpec(cpus=15, memory="57Gi"), node_labels={"pool": "cpu"})
        workers = NodeSetSpec(name="cpu", pool="cpu", replicas=4)
        main = PartitionSpec(name="main", node_sets=["ALL"], default=True, def_mem_per_cpu="3800M")
        spec = SlurmSpec(name="hpc", node_sets=[workers], partitions=[main])
        args = AckSlurmClusterArgs(spec=spec, pools=[pool], region="cn-hangzhou")
        AckSlurmCluster("hpc", args, pulumi.ResourceOptions(provider=kubernetes, depends_on=[operator]))
    """

    namespace: pulumi.Output[str]
    """The cluster's namespace."""
    rest_url: pulumi.Output[str | None]
    """The URL of slurmrestd within the Kubernetes cluster; None without slurmrestd."""
    ssh_commands: pulumi.Output[dict[str, str]]
    """The command for logging in, of "controller"; nothing if logins aren't configured."""
    partitions: pulumi.Output[list[str]]
    """The names of the partitions."""
    key_secrets: pulumi.Output[dict[str, str]]
    """The names of the Secrets with keys, by key."""

    @overload
    def __init__(
        self, resource_name: str, args: AckSlurmClusterArgs | AckSlurmClusterArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckSlurmClusterArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        spec, ack = self._args.spec, self._args.ack
        checks = ("Cluster", check_clusters), ("AckSlurmCluster", check_ack_slurm_clusters)
        check_with_others(self, resource_name, spec, *checks)
        self._cluster = ClusterRef.of(spec)
        self._root_key = root_key(self._args.root_key)
        self._image = ack.image_in(self._args.region)
        self._components: dict[PartKey, Any] = {}
        self.ssh_commands = pulumi.Output.from_input({})
        last_resources = make_parts(cluster_parts(spec, self._args.pools, ack, self._image), self._create_part)
        self._set_outputs()
        self.finish(*last_resources)

    def _create_part(self, planned: PlannedAckPart, after: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create a part of the cluster; return its last resources."""
        if planned.part:
            component = self._component(planned.name, planned.part, after)
            self._components[planned.key] = component
            return component.last_children()
        if planned.secret:
            return [self.create_secret(planned.name, planned.secret, self._secret_data(planned.name), *after)]
        if planned.name == parts.NAMESPACE:
            return self._namespace()
        if planned.name == parts.CLUSTER and self._args.ack.cluster_chart:
            return [self._chart(after)]
        if planned.in_turn:
            return list(self.create_in_turn(planned.manifests, *after))
        options = self._options(planned.name)
        objects = [self.create(role, manifest, *after, **options) for role, manifest in planned.manifests.items()]
        if planned.name == parts.SSH and objects:
            self.ssh_commands = self._ssh_commands(objects[0])
        return list(objects)

    def _component(self, name: str, part: Part, after: list[pulumi.Resource]) -> Component[Any]:
        secrets = {"root_key": self._root_key} if isinstance(part, _DERIVE_PASSWORDS) else {}
        return _COMPONENTS[type(part)](f"{self._name}-{name}", {**dict(part), **secrets}, self.child(*after))

    def _namespace(self) -> list[pulumi.Resource]:
        args = self._args
        return make_namespace(self._name, self.child, args.spec, self._root_key, create=args.create_namespace)

    def _chart(self, after: list[pulumi.Resource]) -> pulumi.Resource:
        """Create the SlurmCluster by the chart ack-slurm-cluster."""
        spec, ack = self._args.spec, self._args.ack
        chart = ack.cluster_chart
        assert chart is not None
        return k8s.helm.v3.Release(
            f"{self._name}-chart",
            name=spec.name,
            namespace=spec.namespace,
            chart=chart.chart,
            version=chart.version,
            repository_opts={"repo": chart.repository} if chart.repository else None,
            values=chart_values(spec, self._args.pools, ack, self._image),
            opts=self.child(*after),
        )

    def _options(self, part: str) -> dict[str, Any]:
        """Return the resource options of a part's objects, without their dependencies."""
        spec, ack = self._args.spec, self._args.ack
        if part == parts.STATE:
            return {"retain_on_delete": spec.controller.state.retain}
        if part == parts.CLUSTER:
            return {
                "ignore_changes": autoscaled_fields(spec, self._args.pools, ack),
                "replace_on_changes": list(REPLACED),
                "delete_before_replace": True,
                # Machines may have to be created first, and to pull an image of several GB.
                "custom_timeouts": pulumi.CustomTimeouts(create="30m", update="30m"),
            }
        return {}

    def _secret_data(self, part: str) -> dict[str, pulumi.Output[str]]:
        """Return the data of a part that is a Secret."""
        match part:
            case parts.MUNGE_KEY:
                return {names.MUNGE_FILE: self._munge_key()}
            case parts.JWT_KEY:
                return {JWT_KEY: self._derived(Purpose.JWT, self._args.spec.keys.jwt.generation)}
            case parts.LDAP_CLIENT:
                return self._ldap_files()
            case parts.SLURMDBD_CONF:
                return {File.SLURMDBD.value: self._slurmdbd_conf()}
            case parts.SLURM_CONF:
                return {File.SLURM.value: self._slurm_conf()}
        raise AssertionError(f"{part} is no Secret")

    def _munge_key(self) -> pulumi.Output[str]:
        if self._args.munge_key is not None:
            return checked_secret(self._args.munge_key, secret_checks.munge_key)
        return self._derived(Purpose.MUNGE, self._args.spec.keys.slurm.generation)

    def _ldap_files(self) -> dict[str, pulumi.Output[str]]:
        spec, ack = self._args.spec, self._args.ack
        assert spec.identity is not None
        directory = self._components.get((DirectoryPart, parts.DIRECTORY))
        password: pulumi.Output[Any] = (
            directory.password if directory else bind_password(spec.identity, self._args.ldap_bind_password)
        )
        files = password.apply(lambda text: ldap_files(spec, ack, text))
        return {file: files[file] for file in ldap_files(spec, ack, None)}

    def _slurmdbd_conf(self) -> pulumi.Output[str]:
        spec, ack = self._args.spec, self._args.ack
        assert spec.accounting is not None
        if spec.accounting.database.password_secret is None:
            password = self._derived(Purpose.DATABASE)
        else:
            field = "accounting.database.passwordSecret"
            password = _database_password(field, self._args.database_password, "databasePassword")
        return password.apply(lambda text: render(slurmdbd_conf(spec, ack, text)))

    def _slurm_conf(self) -> pulumi.Output[str]:
        spec, pools, ack = self._args.spec, self._args.pools, self._args.ack
        field = "ack.slurm.jobCompletion.user"
        password = _database_password(field, self._args.job_completion_password, "jobCompletionPassword")
        return password.apply(lambda text: render(with_password(slurm_conf(spec, pools, ack), text)))

    def _derived(self, purpose: Purpose, generation: int = 1) -> pulumi.Output[str]:
        return derived_key(self._root_key, self._cluster.name, purpose, generation)

    def _ssh_commands(self, service: KubernetesObject) -> pulumi.Output[dict[str, str]]:
        spec = self._args.spec
        as_root = any(login_set.root_authorized_keys for login_set in spec.login_sets)
        service_name = names.ssh_service(spec.name)
        return load_balancer_address(service).apply(
            lambda outside: {"controller": ssh_command(outside, service_name, spec.namespace, as_root=as_root)}
        )

    def _set_outputs(self) -> None:
        spec = self._args.spec
        rest_host = f"{names.slurmrestd_host(spec.name)}.{spec.namespace}"
        rest_url = f"http://{rest_host}:{SLURMRESTD_PORT}" if self._args.ack.slurmrestd else None
        key_secrets = {
            purpose.value: key.existing.name if key.existing else key_secret(spec.name, purpose)
            for purpose, key in ((Purpose.MUNGE, spec.keys.slurm), (Purpose.JWT, spec.keys.jwt))
        }
        self.namespace = pulumi.Output.from_input(spec.namespace)
        self.rest_url = pulumi.Output.from_input(rest_url)
        self.partitions = pulumi.Output.from_input(partition_names(spec))
        self.key_secrets = pulumi.Output.from_input(key_secrets)


def _database_password(field: str, password: pulumi.Input[str] | None, setting: str) -> pulumi.Output[str]:
    return checked_secret(password_of(field, password, setting), secret_checks.database_password)
