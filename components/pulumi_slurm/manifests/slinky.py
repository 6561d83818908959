"""The operator's objects other than NodeSets: Controller, Accounting, RestApi, LoginSet, Token."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pulumi_slurm.derived.operator_lines import slurmdbd_lines, slurmdbd_lines_operator_omits
from pulumi_slurm.keys import Purpose
from pulumi_slurm.manifests.default_requests import with_default_requests
from pulumi_slurm.manifests.files import FileMaps, files_annotation
from pulumi_slurm.manifests.objects import KEY_GENERATIONS, SLINKY_API, Manifest, content_hash, manifest, merged, pruned
from pulumi_slurm.manifests.pods import container, pod_template, shared_mounts, shared_volumes
from pulumi_slurm.model import (
    AccountingSpec,
    ControllerSpec,
    LoginSetSpec,
    LoginUpdateStrategySpec,
    MonitoringSpec,
    RestApiSpec,
    SecretKeyRef,
    SharedVolumeSpec,
    TokenSpec,
)
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.images import Daemon
from pulumi_slurm.model.names import login_set_object, token_object
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render

TOKEN_KEY = "SLURM_JWT"
"""The key of a token in its Secret, called like the variable in which Slurm's commands look for it."""
ROOT_KEYS = "slurm.pulumi.com/root-authorized-keys"
"""Annotation of login pods with a hash of the public keys that may log in as root."""


def controller(
    ref: ClusterRef,
    options: ControllerSpec,
    monitoring: MonitoringSpec,
    *,
    accounting: bool = False,
    extra_conf: str = "",
    config_maps: FileMaps = MappingProxyType({}),
) -> Manifest:
    """Return a Controller.

    ``config_maps`` are the ConfigMaps by the field that refers to them, such as ``configFileRefs``.
    """
    files = {
        field: [
            {
                "name": config_map["metadata"]["name"],
                **({"namespace": ref.namespace} if ref.operator.references_carry_namespace else {}),
            }
            for config_map in items
        ]
        for field, items in config_maps.items()
    }
    spec: Manifest = {
        **_key_references(ref),
        **pruned({"accountingRef": ref.reference() if accounting else None, **files}),
        "slurmctld": _container(ref, options, Daemon.SLURMCTLD, options.slurm_version),
        "reconfigure": container(ref, options.image or ref.image(Daemon.SLURMCTLD, options.slurm_version)),
        "logfile": container(ref, ref.images.logfile),
        "template": pod_template(
            ref, options.pod, annotations={**_both_keys(ref), **files_annotation(ref, options, config_maps)}
        ),
    }
    if options.external:
        spec |= {
            "clusterName": ref.slurm_name,
            "external": True,
            "externalConfig": {"host": options.external.host, "port": options.external.port},
            # The schema requires it, although it has no effect without a slurmctld.
            "persistence": {"enabled": False},
        }
    else:
        spec |= pruned(
            {
                "clusterName": ref.slurm_name,
                "extraConf": extra_conf,
                "ha": {"enabled": True, "backups": options.ha.backups} if options.ha else None,
                "persistence": _state_volume(options),
                "metrics": _metrics(monitoring),
                "inplaceReconfigure": options.inplace_reconfigure
                if ref.operator.has("Controller", "inplaceReconfigure")
                else None,
            }
        )
    return manifest(SLINKY_API, "Controller", ref, ref.name, spec=merged(spec, options.overrides))


def _key_references(ref: ClusterRef) -> Manifest:
    """Return the fields of a Controller or an Accounting that refer to keys."""
    jwks = ref.keys.jwks
    return pruned(
        {
            "slurmKeyRef": ref.slurm_key(),
            ref.operator.jwt_field: ref.jwt_key(),
            "jwksKeyRef": {"name": jwks.name, "key": jwks.key} if jwks else None,
        }
    )


def _both_keys(ref: ClusterRef) -> dict[str, str]:
    """Return the annotation of pods that read both keys.

    The operator mounts the JWT key in those of slurmctld and slurmdbd alone: `AuthJwtRef` in internal/builder of
    slurm-operator, v1.0.5 to v1.2.1.
    """
    return {} if ref.adopted else {KEY_GENERATIONS: ref.key_generations(Purpose.SLURM, Purpose.JWT)}


def _state_volume(options: ControllerSpec) -> Manifest:
    state = options.state
    if not state.enabled:
        return {"enabled": False}
    return pruned(
        {
            "enabled": True,
            "existingClaim": state.existing_claim,
            "accessModes": [str(state.access_mode)],
            "resources": {"requests": {"storage": state.size}},
            "storageClassName": state.storage_class,
        }
    )


def _metrics(monitoring: MonitoringSpec) -> Manifest:
    monitor = monitoring.service_monitor
    return pruned(
        {
            "enabled": monitoring.metrics,
            "serviceMonitor": pruned(
                {
                    "enabled": True,
                    "labels": monitor.labels,
                    "annotations": monitor.annotations,
                    "endpoints": [{"path": f"/metrics/{endpoint}"} for endpoint in monitor.endpoints],
                    "interval": monitor.interval,
                    "scrapeTimeout": monitor.scrape_timeout,
                }
            )
            if monitor
            else None,
        }
    )


def _container(
    ref: ClusterRef,
    options: ControllerSpec | AccountingSpec | RestApiSpec | LoginSetSpec,
    daemon: Daemon,
    slurm_version: str | None = None,
    *,
    volume_mounts: Sequence[Manifest] = (),
) -> Manifest:
    """Return the container of a pod that runs no jobs, of the cluster's Slurm version or another."""
    image = options.image or ref.image(daemon, slurm_version)
    return with_default_requests(
        str(daemon),
        container(ref, image, options.pod.env, resources=options.resources, volume_mounts=volume_mounts),
        options.overrides,
        adopted=ref.adopted is not None,
    )


def accounting(ref: ClusterRef, options: AccountingSpec, *, host: str, password: SecretKeyRef | None) -> Manifest:
    """Return an Accounting; ``host`` and ``password`` are those of the database."""
    spec: Manifest = {
        **_key_references(ref),
        "slurmdbd": _container(ref, options, Daemon.SLURMDBD, options.slurm_version),
        "template": pod_template(ref, options.pod, annotations=_both_keys(ref)),
    }
    if options.external:
        spec |= {
            "external": True,
            "externalConfig": {"host": options.external.host, "port": options.external.port},
        }
    else:
        assert password is not None
        lines = slurmdbd_lines(ref.operator, ref.keys, options.extra_conf)
        spec |= pruned(
            {
                "storageConfig": {
                    "host": host,
                    "port": options.database.port,
                    "database": options.database.name,
                    "username": options.database.user,
                    "passwordKeyRef": {"name": password.name, "key": password.key},
                },
                "extraConf": _slurmdbd_conf(ref, lines, options.extra_conf),
            }
        )
    resource = manifest(SLINKY_API, "Accounting", ref, ref.name, spec=merged(spec, options.overrides))
    # Of slurmdbd's pod the operator ignores the template's metadata, and copies the Accounting's own: see
    # accountingPodTemplate in internal/builder of slurm-operator, v1.0.5 to v1.2.1. 1.0 copies neither.
    labels, annotations = options.pod.labels, options.pod.annotations
    resource["metadata"] |= pruned({"labels": {**resource["metadata"]["labels"], **labels}, "annotations": annotations})
    return resource


def _slurmdbd_conf(ref: ClusterRef, lines: Mapping[str, str], extra_conf: Mapping[str, str]) -> str:
    """Return the lines of slurmdbd.conf, or those of the chart while they say what is stated.

    Another text restarts slurmdbd: getAccountingHashes in internal/builder/accountingbuilder of slurm-operator, v1.1.0.
    So lines that newer operators leave to Slurm are added to those of the chart with another change only.
    """
    of_chart = ref.adopted.slurmdbd_conf if ref.adopted else None
    omitted = slurmdbd_lines_operator_omits(ref.operator).keys() - extra_conf.keys()
    wanted = {key.lower(): text for key, text in lines.items() if key not in omitted}
    if of_chart is not None and _lines(of_chart) == wanted:
        return of_chart
    return render(Conf(File.SLURMDBD, lines)).rstrip()


def _lines(text: str) -> dict[str, str]:
    """Return what the lines of a file say: without comments, in any order and with keys in any case."""
    pairs = (line.partition("#")[0].partition("=") for line in text.splitlines())
    return {key.strip().lower(): value.strip() for key, equals, value in pairs if equals}


def rest_api(ref: ClusterRef, options: RestApiSpec) -> Manifest:
    """Return a RestApi."""
    spec = {
        "controllerRef": ref.reference(),
        "replicas": options.replicas,
        "slurmrestd": _container(ref, options, Daemon.SLURMRESTD),
        "template": pod_template(ref, options.pod),
    }
    return manifest(SLINKY_API, "RestApi", ref, ref.name, spec=merged(spec, options.overrides))


def login_set(
    ref: ClusterRef, options: LoginSetSpec, *, sssd: SecretKeyRef, volumes: Sequence[SharedVolumeSpec] = ()
) -> Manifest:
    """Return a LoginSet."""
    spec = {
        "controllerRef": ref.reference(),
        **pruned(
            {
                "replicas": options.fixed_replicas,
                "rootSshAuthorizedKeys": "\n".join(options.root_authorized_keys),
                "extraSshdConfig": options.extra_sshd_config,
                "strategy": _login_strategy(options.update_strategy),
            }
        ),
        "sssdConfRef": {"name": sssd.name, "key": sssd.key},
        "login": _container(
            ref,
            options,
            Daemon.LOGIN,
            volume_mounts=[*shared_mounts(volumes), *options.extra_volume_mounts],
        ),
        "initconf": container(ref, ref.images.logfile),
        "template": pod_template(
            ref,
            options.pod,
            volumes=[*shared_volumes(ref, volumes), *options.extra_volumes],
            annotations=None if ref.adopted else _authorized_keys(options),
        ),
    }
    return manifest(
        SLINKY_API, "LoginSet", ref, login_set_object(ref.name, options.name), spec=merged(spec, options.overrides)
    )


def _login_strategy(strategy: LoginUpdateStrategySpec | None) -> Manifest | None:
    if strategy is None:
        return None
    rolling = pruned({"maxUnavailable": strategy.max_unavailable, "maxSurge": strategy.max_surge})
    return pruned({"type": str(strategy.type), "rollingUpdate": rolling})


def _authorized_keys(options: LoginSetSpec) -> dict[str, str]:
    """Return an annotation that changes with the keys of root.

    Their file is mounted by subPath, which Kubernetes never refreshes, and it isn't among the files whose hashes the
    operator annotates: getLoginHashes in internal/builder of slurm-operator, v1.0.5 to v1.2.1.
    """
    keys = options.root_authorized_keys
    return {ROOT_KEYS: content_hash(keys)} if keys else {}


def token_secret(ref: ClusterRef, options: TokenSpec, key: str = TOKEN_KEY) -> SecretKeyRef:
    """Return the Secret in which the operator stores a token, under ``key``.

    Its name contains the generation of the JWT key, because the operator neither renews nor replaces a token whose
    signature no longer matches the key.
    """
    generation = ref.keys.jwt.generation
    suffix = "" if generation == 1 else f"-{generation}"
    return SecretKeyRef(name=token_object(ref.name, options.name) + suffix, key=key)


def token(ref: ClusterRef, options: TokenSpec, key: str = TOKEN_KEY) -> Manifest:
    """Return a Token, which the operator writes into its Secret under ``key``."""
    secret = token_secret(ref, options, key)
    jwt_key = ref.jwt_key()
    if ref.operator.references_carry_namespace:
        jwt_key["namespace"] = ref.namespace
    return manifest(
        SLINKY_API,
        "Token",
        ref,
        token_object(ref.name, options.name),
        spec={
            ref.operator.jwt_field: jwt_key,
            "username": options.username,
            "lifetime": options.lifetime,
            "refresh": options.refresh,
            "secretRef": {"name": secret.name, "key": secret.key},
        },
    )
