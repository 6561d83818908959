"""SlurmCluster: a whole Slurm cluster from one specification."""

from dataclasses import replace
from typing import Any, Self

import pulumi
import pulumi_kubernetes as k8s
from pydantic import model_validator

from pulumi_slurm.configuration.accounts import accounts_script, qos_script
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube import Database, DatabaseArgs, Directory, DirectoryArgs, SharedVolume, SharedVolumeArgs
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, parse_args, secret
from pulumi_slurm.kube.root_key import root_key
from pulumi_slurm.manifests.directory import sssd_conf, sssd_secret
from pulumi_slurm.manifests.objects import JWT_KEY, SLURM_KEY, SSSD_CONF, ClusterRef, manifest
from pulumi_slurm.model import NodePoolSpec, NodeSetSpec, SecretKeyRef, SlurmSpec
from pulumi_slurm.model.names import key_secret
from pulumi_slurm.rules import check_cluster, check_pools, partitions_of
from pulumi_slurm.slinky.accounting import Accounting, AccountingArgs
from pulumi_slurm.slinky.controller import Controller, ControllerArgs
from pulumi_slurm.slinky.login_set import LoginSet, LoginSetArgs
from pulumi_slurm.slinky.node_set import NodeSet, NodeSetArgs
from pulumi_slurm.slinky.rest_api import RestApi, RestApiArgs
from pulumi_slurm.slinky.sacctmgr_job import SacctmgrJob, SacctmgrJobArgs
from pulumi_slurm.slinky.token import Token, TokenArgs
from pulumi_slurm.slurmconf.conf import render


class SlurmClusterArgs(Args):
    """Arguments of `SlurmCluster`."""

    spec: SlurmSpec
    """The specification."""
    pools: list[NodePoolSpec] = []
    """The node pools that its node sets refer to."""
    root_key: Any = None
    """The root key (str or Output) that keys are derived from; the stack secret `slurm:rootKey` by default."""
    ldap_bind_password: Any = None
    """The password (str or Output) of `identity.ldap.bindDn`; the stack secret `slurm:ldapBindPassword` by default."""
    create_namespace: bool = True
    """Make the namespace. Write false where it is there already, for example with the volumes of an earlier cluster."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        found = [*check_cluster(self.spec), *check_pools(self.spec, self.pools)]
        raise_errors(replace(error, path=("spec", *error.path)) for error in found)
        return self


class SlurmCluster(pulumi.ComponentResource):
    """A Slurm cluster: keys, volumes, database, slurmdbd, slurmctld, slurmrestd, workers, login nodes and tokens.

    Everything comes after what it needs and goes before it, so that the operator can end workers while slurmctld is
    still there. The provider comes from ``opts``; give it ``enable_secret_mutable=True``, so that a rotated key updates
    its Secret in place.
    """

    namespace: pulumi.Output[str]
    """The cluster's namespace."""
    rest_url: pulumi.Output[str]
    """Where slurmrestd is found from inside the Kubernetes cluster."""
    ssh_commands: pulumi.Output[dict[str, str]]
    """How to log in, by login set."""
    partitions: pulumi.Output[list[str]]
    """The names of the partitions."""
    token_secrets: pulumi.Output[dict[str, str]]
    """The Secrets with tokens, by token."""
    key_secrets: pulumi.Output[dict[str, str]]
    """The Secrets with keys, by key."""

    def __init__(self, name: str, args: SlurmClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(SlurmClusterArgs, args)
        super().__init__(
            "slurm:index:SlurmCluster", name, component_inputs(args, "root_key", "ldap_bind_password"), opts
        )
        self._name, self._args, self._opts = name, args, opts
        self._ref = ClusterRef.of(args.spec)
        self._root_key = root_key(args.root_key)
        what = args.spec

        ground = self._namespace()
        keys = self._keys(ground)
        sssd, identity = self._identity(ground)
        volumes = self._volumes(ground)
        # Each waits for what comes right before it, which has waited for all else; see `child_options`.
        accounting = self._accounting(keys)
        self.controller = Controller(
            name,
            ControllerArgs(
                cluster=self._ref,
                controller=what.controller,
                monitoring=what.monitoring,
                accounting=what.accounting is not None,
                extra_conf=render(additions(what)),
                config_files=config_files(what),
                hooks=what.hooks,
            ),
            self._child(self._sacctmgr("qos", qos_script(what), accounting) or accounting or keys),
        )
        self._sacctmgr("accounts", accounts_script(what), self.controller.ends)
        self.rest_api = RestApi(
            name, RestApiArgs(cluster=self._ref, rest_api=what.rest_api), self._child(self.controller.ends)
        )
        self.node_sets = {
            node_set.name: self._node_set(node_set, sssd, [*self.rest_api.ends, *volumes, *identity])
            for node_set in what.node_sets
        }
        self.login_sets = self._login_sets(sssd, [*self.controller.ends, *volumes, *identity])
        self.tokens = {
            token.name: Token(
                f"{name}-{token.name}", TokenArgs(cluster=self._ref, token=token), self._child(self.controller.ends)
            )
            for token in what.tokens
        }
        self._outputs()

    def _child(self, depends_on: list[pulumi.Resource]) -> pulumi.ResourceOptions:
        return child_options(self, self._opts, depends_on)

    def _namespace(self) -> list[pulumi.Resource]:
        if not self._args.create_namespace:
            return []
        what = self._args.spec
        # A namespace takes its claims along, so it stays whenever one of them is to stay.
        retain = what.controller.state.retain or any(volume.retain for volume in what.shared_volumes)
        return [
            k8s.core.v1.Namespace(
                f"{self._name}-namespace",
                metadata={"name": what.namespace},
                opts=child_options(self, self._opts, retain_on_delete=retain),
            )
        ]

    def _keys(self, depends_on: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Make the Secrets one after another; return what comes last."""
        last = depends_on
        keys = self._args.spec.keys
        for purpose, key, field in ((Purpose.SLURM, keys.slurm, SLURM_KEY), (Purpose.JWT, keys.jwt, JWT_KEY)):
            if key.existing:
                continue
            value = self._derived(purpose, key.generation)
            frame = manifest("v1", "Secret", self._ref, key_secret(self._ref.name, purpose))
            last = [secret(f"{self._name}-{purpose}-key", frame, {field: value}, self._child(last))]
        return last

    def _derived(self, purpose: Purpose, generation: int) -> pulumi.Output[str]:
        return self._root_key.apply(lambda key: derive(key, self._ref.name, purpose, generation))

    def _identity(self, depends_on: list[pulumi.Resource]) -> tuple[SecretKeyRef | None, list[pulumi.Resource]]:
        identity = self._args.spec.identity
        if identity is None:
            return None, []
        reference = sssd_secret(self._ref, identity)
        if identity.sssd_conf_secret:
            return reference, []
        made: list[pulumi.Resource] = []
        password: pulumi.Output[Any]
        if identity.directory:
            directory = Directory(
                f"{self._name}-directory",
                DirectoryArgs(cluster=self._ref, directory=identity.directory, root_key=self._root_key),
                self._child(depends_on),
            )
            made += directory.ends
            password = directory.password
        else:
            given = self._args.ldap_bind_password or pulumi.Config("slurm").get_secret("ldapBindPassword")
            if identity.ldap and identity.ldap.bind_dn and given is None:
                raise pulumi.RunError(
                    f"identity.ldap.bindDn = {identity.ldap.bind_dn!r}: its password is not set. "
                    "Set it: pulumi config set --secret slurm:ldapBindPassword"
                )
            password = pulumi.Output.from_input(given)
        text = password.apply(lambda value: sssd_conf(self._ref, identity, value))
        frame = manifest("v1", "Secret", self._ref, reference.name)
        made.append(secret(f"{self._name}-sssd", frame, {SSSD_CONF: text}, self._child(depends_on)))
        return reference, made

    def _volumes(self, depends_on: list[pulumi.Resource]) -> list[pulumi.Resource]:
        made = [
            SharedVolume(
                f"{self._name}-{volume.name}",
                SharedVolumeArgs(cluster=self._ref, volume=volume),
                self._child(depends_on),
            )
            for volume in self._args.spec.shared_volumes
        ]
        return [end for volume in made for end in volume.ends]

    def _accounting(self, depends_on: list[pulumi.Resource]) -> list[pulumi.Resource]:
        options = self._args.spec.accounting
        if options is None:
            return []
        before: list[pulumi.Resource] = []
        if not options.external:
            database = Database(
                f"{self._name}-database",
                DatabaseArgs(cluster=self._ref, database=options.database, root_key=self._root_key),
                self._child(depends_on),
            )
            # Of a database elsewhere nothing is made here that could be waited for.
            before = database.ends
        accounting = AccountingArgs(cluster=self._ref, accounting=options)
        return Accounting(self._name, accounting, self._child(before or depends_on)).ends

    def _sacctmgr(self, role: str, script: str | None, depends_on: list[pulumi.Resource]) -> list[pulumi.Resource]:
        options = self._args.spec.accounting
        if options is None or script is None:
            return []
        args = SacctmgrJobArgs(cluster=self._ref, accounting=options, role=role, script=script)
        return SacctmgrJob(f"{self._name}-{role}", args, self._child(depends_on)).ends

    def _node_set(self, node_set: NodeSetSpec, sssd: SecretKeyRef | None, depends_on: list[pulumi.Resource]) -> NodeSet:
        what = self._args.spec
        scaling = node_set.autoscaling
        return NodeSet(
            f"{self._name}-{node_set.name}",
            NodeSetArgs(
                cluster=self._ref,
                node_set=node_set,
                pool=next((pool for pool in self._args.pools if pool.name == node_set.pool), None),
                shared_volumes=what.shared_volumes,
                sssd=sssd,
                scaled_by=(scaling.partition or next(iter(partitions_of(what, node_set)), None)) if scaling else None,
            ),
            self._child(depends_on),
        )

    def _login_sets(self, sssd: SecretKeyRef | None, depends_on: list[pulumi.Resource]) -> dict[str, LoginSet]:
        if sssd is None:
            return {}
        return {
            login_set.name: LoginSet(
                f"{self._name}-{login_set.name}",
                LoginSetArgs(
                    cluster=self._ref,
                    login_set=login_set,
                    sssd=sssd,
                    shared_volumes=self._args.spec.shared_volumes,
                ),
                self._child(depends_on),
            )
            for login_set in self._args.spec.login_sets
        }

    def _outputs(self) -> None:
        what = self._args.spec
        own = [node_set.slurm_name for node_set in what.node_sets if node_set.partition]
        self.namespace = pulumi.Output.from_input(what.namespace)
        self.rest_url = self.rest_api.url
        self.ssh_commands = _by_name({key: made.ssh_command for key, made in self.login_sets.items()})
        self.partitions = pulumi.Output.from_input([*(partition.name for partition in what.partitions), *own])
        self.token_secrets = _by_name({key: made.secret_name for key, made in self.tokens.items()})
        self.key_secrets = pulumi.Output.from_input(
            {"slurm": self._ref.slurm_key()["name"], "jwt": self._ref.jwt_key()["name"]}
        )
        self.register_outputs(
            {
                "namespace": self.namespace,
                "restUrl": self.rest_url,
                "sshCommands": self.ssh_commands,
                "partitions": self.partitions,
                "tokenSecrets": self.token_secrets,
                "keySecrets": self.key_secrets,
            }
        )


def _by_name(outputs: dict[str, pulumi.Output[str]]) -> pulumi.Output[dict[str, str]]:
    # Of nothing, `Output.all` makes a list.
    return pulumi.Output.all(**outputs) if outputs else pulumi.Output.from_input({})
