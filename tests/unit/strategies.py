"""Random valid specifications, which `load` has to accept and every renderer has to support.

Everything is valid by construction, so hardly an example is thrown away. `specs` is the entry; the strategies of
parts of a specification are in the modules *_strategies.py beside this one. Values are such that Slurm and Kubernetes
accept them too, not only our models.
"""

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm import model as s
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.releases.operator_version import RELEASES, OperatorVersion
from pulumi_slurm.rules import checked
from tests.unit.account_strategies import accountings, with_accounts
from tests.unit.alert_strategies import alert_rules
from tests.unit.bridge_strategies import DrawnBridge, bridges
from tests.unit.machine_strategies import autoscalings, machines, node_pools
from tests.unit.partition_strategies import partition_options
from tests.unit.pod_strategies import (
    claims,
    endpoints,
    placements,
    pods,
    resources,
    secret_keys,
    services,
    shared_volumes,
    writable_modes,
)
from tests.unit.slurm_conf_strategies import files, slurm_confs
from tests.unit.value_strategies import (
    STORAGE_CLASSES,
    config_lines,
    durations,
    hosts,
    images,
    label_maps,
    labels,
    or_none,
    partial_model,
    paths,
    quantities,
    slurm_names,
    texts,
    words,
)

ldaps = partial_model(
    s.LdapSpec,
    {
        "uri": st.sampled_from(["ldaps://ldap.example.org", "ldaps://10.0.0.1:636"]),
        "base_dn": st.just("dc=example,dc=org"),
    },
    bind_dn=st.just("cn=reader,dc=example,dc=org"),
    user_search_base=st.just("ou=people,dc=example,dc=org"),
    group_search_base=st.just("ou=groups,dc=example,dc=org"),
    ca_secret=secret_keys,
    ldap_schema=st.sampled_from(s.LdapSchema),
    access_filter=st.just("(memberOf=cn=hpc)"),
)
identities = st.one_of(
    st.builds(s.IdentitySpec, ldap=ldaps),
    st.just(s.IdentitySpec(ldap=s.LdapSpec(uri="ldap://ldap.example.org", base_dn="dc=org", start_tls=True))),
    st.builds(
        s.IdentitySpec,
        directory=partial_model(
            s.DirectorySpec,
            domain=st.sampled_from(["slurm.local", "a.b-c.d"]),
            volume=claims,
            image=images,
            resources=resources,
            pod=placements,
        ),
    ),
    st.builds(s.IdentitySpec, sssd_conf_secret=secret_keys, generation=st.integers(1, 3)),
)
dashboards = partial_model(
    s.DashboardsSpec,
    {},
    labels=label_maps,
    annotations=label_maps,
    folder=texts.filter(str.strip).map(str.strip),
    folder_annotation=st.sampled_from(["grafana_folder", "example.org/folder_of_grafana"]),
)
confines = st.builds(s.ConfineSpec, cores=st.booleans(), memory=st.booleans(), devices=st.booleans())
monitorings = st.one_of(
    st.just(s.MonitoringSpec()),
    st.builds(
        s.MonitoringSpec,
        service_monitor=partial_model(
            s.ServiceMonitorSpec,
            labels=label_maps,
            interval=st.sampled_from(["30s", "1m"]),
            scrape_timeout=st.just("10s"),
            annotations=label_maps,
            endpoints=st.lists(st.sampled_from(s.MetricsEndpoint), max_size=2, unique=True),
        ),
    ),
    st.builds(
        s.MonitoringSpec,
        service_monitor=partial_model(s.ServiceMonitorSpec, endpoints=st.permutations([*s.MetricsEndpoint])),
        rules=alert_rules,
        dashboards=st.none() | dashboards,
    ),
)
node_set_options = st.fixed_dictionaries(
    {},
    optional={
        "extra_gres": st.lists(
            st.sampled_from(["tmpdisk:100G", "license:foo:2", "h100Mem2:2"]), max_size=2, unique=True
        ),
        # No name of a node set begins so.
        "features": st.lists(words.map("_{}".format), max_size=3, unique=True),
        "weight": st.integers(0, 1000),
        "slurmd_options": config_lines(
            {
                "TmpDisk": st.integers(1, 9),
                "Reason": words,
            }
        ),
        "claims_when_deleted": st.sampled_from(s.ClaimRetention),
        "claims_when_scaled": st.sampled_from(s.ClaimRetention),
        "update_strategy": st.one_of(
            st.just(s.UpdateStrategySpec(type=s.UpdateType.ON_DELETE)),
            partial_model(s.UpdateStrategySpec, max_unavailable=st.one_of(st.integers(1, 9), st.just("100%"))),
        ),
        "min_ready_seconds": st.integers(0, 60),
        "revision_history_limit": st.integers(0, 10),
        "pod": pods(host_network=True),
        "image": images,
        "wait": st.none() | st.booleans(),
    },
)
worker_ssh = partial_model(s.WorkerSshSpec, extra_sshd_config=st.just("X11Forwarding yes\n"))
shared_memory = st.none() | st.sampled_from(["16Mi", "40M"])
maybe_resources = or_none(resources)
up_to_two_labels = st.lists(labels, max_size=2, unique=True)


@st.composite
def node_sets(
    draw: DrawFn,
    name: str,
    pool: s.NodePoolSpec | None,
    scaling_mode: s.ScalingMode,
    operator: OperatorVersion,
    partition: dict[str, Any] | None,
    in_partitions: list[str],
    external: bool,
    ssh: bool,
    bridged: bool,
) -> s.NodeSetSpec:
    """Draw a node set on a pool, or on a machine of its own."""
    daemon = scaling_mode is s.ScalingMode.DAEMON_SET
    fields: dict[str, Any] = draw(node_set_options)
    if not daemon:
        if draw(st.integers(0, 3)) == 0:
            # On the node's network the names of workers aren't known to the query.
            keda = not ("pod" in fields and fields["pod"].host_network)
            fields["autoscaling"] = draw(autoscalings(in_partitions, keda=keda, partition_required=external))
        elif draw(st.booleans()):
            fields["replicas"] = draw(st.integers(0, 20))
        if operator.has("NodeSet", "ordinalPadding") and draw(st.booleans()):
            fields["ordinal_padding"] = draw(st.integers(0, 8))
        if draw(st.booleans()):
            fields["host_name_prefix"] = name + draw(st.sampled_from(["-", "x-", "x"]))
    if operator.has("NodeSet", "workloadDisruptionProtection") and draw(st.booleans()):
        fields["workload_disruption_protection"] = draw(st.booleans())
    if ssh and operator.has("NodeSet", "ssh") and draw(st.booleans()):
        fields["ssh"] = draw(worker_ssh)
    if pool is None or draw(st.booleans()):
        fields["machine"] = draw(machines(pool))
    machine = fields.get("machine") or (pool.machine if pool else None)
    if machine and machine.gpus and draw(st.booleans()):
        fields["gpus"] = draw(st.integers(0, machine.gpus.count))
    names = draw(up_to_two_labels)
    fields["volume_claims"] = [
        s.VolumeClaimTemplateSpec(
            name=f"own-{claim}",
            mount_path=f"/local/{claim}",
            size=draw(quantities),
            storage_class=draw(STORAGE_CLASSES),
            access_mode=draw(writable_modes),
        )
        for claim in names
    ]
    fields["host_paths"] = [
        s.HostPathSpec(
            name=f"node-{folder}",
            path=f"/mnt/{folder}",
            mount_path=f"/node/{folder}",
            type=draw(st.sampled_from(s.HostPathType)),
            read_only=draw(st.booleans()),
        )
        for folder in draw(up_to_two_labels)
    ]
    fields["shared_memory"] = draw(shared_memory)
    fields["sidecars"] = [
        s.SidecarSpec(
            name=f"beside-{number}",
            image="registry.example.org/daemon:1",
            command=draw(st.sampled_from([[], ["daemon", "--quiet"]])),
            env={"LEVEL": "1"},
            resources=draw(maybe_resources),
            privileged=draw(st.booleans()),
            capabilities=draw(st.sampled_from([[], ["NET_ADMIN"]])),
            host_paths=[s.HostPathSpec(name="sys", path="/sys", mount_path="/hostsysfs")],
            ready_command=draw(st.sampled_from([[], ["true"]])),
        )
        for number in range(draw(st.integers(0, 2)))
    ]
    return s.NodeSetSpec(
        name=name,
        pool=pool.name if pool else None,
        scaling_mode=scaling_mode,
        bridged=bridged,
        partition=s.PartitionOptionsSpec(**partition) if partition is not None else None,
        **fields,
    )


def referenced_qos(*options: dict[str, Any] | None) -> set[str]:
    """Return the QoS that partitions name."""
    set_options = [fields for fields in options if fields]
    partition_qos = {fields["qos"] for fields in set_options if fields.get("qos")}
    return partition_qos.union(*(fields.get(key, []) for fields in set_options for key in ("allow_qos", "deny_qos")))


maybe_accounting = or_none(accountings)
maybe_identity = or_none(identities)
maybe_jwks = or_none(
    st.builds(s.JwksSpec, name=labels, key=st.just("jwks.json"), user_claim=or_none(st.just("preferred_username")))
)
namespaces = labels.map("ns-{}".format)
partition_names = st.lists(slurm_names, max_size=3, unique_by=str.lower)
spare_nodes = or_none(st.integers(0, 3))
volume_names_and_paths = st.lists(st.tuples(labels, paths), max_size=2, unique_by=(lambda x: x[0], lambda x: x[1]))
login_set_options = st.sampled_from(
    [
        st.fixed_dictionaries(
            {},
            optional={
                count: counts,
                "root_authorized_keys": st.just(["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@example"]),
                "extra_sshd_config": st.just("X11Forwarding yes\n"),
                "resources": resources,
                "image": images,
                "pod": pods(host_network=True),
            },
        )
        for count, counts in (("replicas", st.integers(0, 3)), ("autoscaling", autoscalings([], keda=False)))
    ]
)
controllers = {
    outside: partial_model(
        s.ControllerSpec,
        {"external": external},
        state=partial_model(
            s.StateVolumeSpec,
            size=quantities,
            storage_class=STORAGE_CLASSES,
            access_mode=writable_modes,
            retain=st.booleans(),
        )
        | st.just(s.StateVolumeSpec(enabled=False))
        | st.builds(s.StateVolumeSpec, existing_claim=labels),
        resources=resources,
        image=images,
        pod=pods(host_network=False),
    )
    for outside, external in ((True, endpoints), (False, st.none()))
}
rest_apis = partial_model(
    s.RestApiSpec,
    {"service": services(30000)},
    replicas=st.integers(1, 3),
    resources=resources,
    image=images,
    pod=pods(host_network=True),
)
cluster_images = partial_model(
    s.ImagesSpec,
    registry=st.sampled_from(["registry.example.org:5000/a", "localhost"]),
    tag=st.just("1-x"),
    pull_policy=st.sampled_from(s.PullPolicy),
    pull_secrets=st.just(["pull"]),
)


@cache
def keys(purpose: str, hybrid: bool) -> SearchStrategy[s.KeySpec]:
    """Draw a key; that of a hybrid cluster exists already."""
    secrets = st.builds(s.SecretKeyRef, name=labels.map(f"{purpose}-{{}}".format), key=st.just("a.key"))
    existing = st.builds(s.KeySpec, existing=secrets)
    return existing if hybrid else existing | st.builds(s.KeySpec, generation=st.integers(1, 5))


@st.composite
def specs(
    draw: DrawFn, operator_version: str | None = None, max_node_sets: int = 3
) -> tuple[s.SlurmSpec, list[s.NodePoolSpec]]:
    """Draw a valid specification and its node pools, for one release of the operator or any."""
    version = s.operator_version(operator_version or draw(st.sampled_from(RELEASES)))
    series = draw(st.sampled_from(version.slurm_series))
    accounting = draw(maybe_accounting)
    controller_outside = draw(st.integers(0, 4)) == 0
    if accounting and not version.passes_on_metadata:
        pod = accounting.pod.model_copy(update={"labels": {}, "annotations": {}})
        accounting = accounting.model_copy(update={"pod": pod})
    hybrid = controller_outside or (accounting is not None and accounting.external is not None)
    identity = draw(maybe_identity)
    conf = draw(slurm_confs(accounting is not None))
    if controller_outside and accounting and not accounting.external:
        conf = conf.model_copy(update={"extra": {**conf.extra, "AccountingStorageHost": draw(hosts)}})
    hooks, config_files = draw(files())

    # A prefix of host names may be the name and an x, which no other node set may have for its name.
    names = draw(st.lists(labels, max_size=max_node_sets, unique_by=lambda name: name.rstrip("x")))
    daemons = [version.has("NodeSet", "scalingMode") and draw(st.integers(0, 3)) == 0 for _ in names]
    # A node set in DaemonSet mode has its pool for itself; the others share.
    pools = [draw(node_pools(f"pool-{name}")) for name in names]
    shared = [pool for pool, daemon in zip(pools, daemons, strict=True) if not daemon]
    bridged = [name for name, daemon in zip(names, daemons, strict=True) if daemon and draw(st.booleans())]
    with_bridge = not controller_outside and draw(st.integers(0, 3)) == 0
    drawn_bridge = draw(bridges(version, bridged)) if with_bridge else None
    preempting = conf.preempt_type not in (None, "preempt/none")
    options = partition_options(accounting is not None, preempting, conf.preempt_mode == "SUSPEND,GANG")

    partitions: list[dict[str, Any]] = []
    own_partitions: list[dict[str, Any] | None] = [None for _ in names]
    if not controller_outside:
        maybe_options = or_none(options)
        own_partitions = [draw(maybe_options) for _ in names]
        choices: SearchStrategy[list[str]] = st.just([ALL_NODE_SETS])
        if names:
            choices |= st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)
        for name in draw(partition_names):
            # A node set's own partition has the node set's name, in lower case.
            partitions.append({"name": f"P_{name}", "node_sets": draw(choices), **draw(options)})
        defaults = [*partitions, *(item for item in own_partitions if item is not None)]
        if draw(st.booleans()) and defaults:
            defaults[draw(st.integers(0, len(defaults) - 1))]["default"] = True

    if drawn_bridge:
        # Without node sets ALL would be nothing.
        kept = partitions if names or not drawn_bridge.bridge.external_nodes else []
        partitions = [*kept, {**drawn_bridge.partition, **draw(options)}]

    if accounting and not accounting.external:
        accounting = draw(with_accounts(accounting, referenced_qos(*partitions, *own_partitions)))

    workers = []
    for index, name in enumerate(names):
        pool = pools[index] if daemons[index] else draw(or_none(st.sampled_from(shared)))
        in_partitions = [p["name"] for p in partitions if name in p["node_sets"] or ALL_NODE_SETS in p["node_sets"]]
        workers.append(
            draw(
                node_sets(
                    name,
                    pool,
                    s.ScalingMode.DAEMON_SET if daemons[index] else s.ScalingMode.STATEFUL_SET,
                    version,
                    own_partitions[index],
                    in_partitions,
                    controller_outside,
                    identity is not None,
                    drawn_bridge is not None and name in bridged,
                )
            )
        )
    pools = [_with_node_limit(pool, workers, draw(spare_nodes)) for pool in pools]
    pools += drawn_bridge.pools if drawn_bridge else []

    login_sets = [
        s.LoginSetSpec(name=name, service=draw(services(30100 + index)), **draw(draw(login_set_options)))
        for index, name in enumerate(draw(up_to_two_labels) if identity else [])
    ]
    volumes = draw(volume_names_and_paths)
    spec = checked(
        s.SlurmSpec(
            name=draw(labels),
            namespace=draw(namespaces),
            slurm_version=draw(st.sampled_from([series, *_releases(series, drawn_bridge)])),
            operator_version=version.version,
            node_sets=workers,
            partitions=[s.PartitionSpec(**fields) for fields in partitions],
            bridge=drawn_bridge.bridge if drawn_bridge else None,
            controller=draw(controllers[controller_outside]),
            accounting=accounting,
            rest_api=draw(rest_apis),
            login_sets=login_sets,
            identity=identity,
            shared_volumes=[draw(shared_volumes(name, f"/shared{path}")) for name, path in volumes],
            hooks=hooks,
            config_files=config_files,
            confine=s.ConfineSpec() if "cgroup.conf" in config_files else draw(confines),
            slurm_conf=conf,
            keys=s.KeysSpec(
                slurm=draw(keys("slurm", hybrid)),
                jwt=draw(keys("jwt", hybrid)),
                jwks=draw(maybe_jwks) if version.has("Controller", "jwksKeyRef") else None,
            ),
            tokens=[
                s.TokenSpec(
                    name=name, username=draw(slurm_names), lifetime=draw(durations), refresh=draw(st.booleans())
                )
                for name in draw(up_to_two_labels)
                if name != "bridge"
            ],
            monitoring=s.MonitoringSpec() if controller_outside else draw(monitorings),
            images=draw(cluster_images),
            labels=draw(label_maps),
            namespace_labels=draw(label_maps),
            priority_class_name=draw(or_none(labels)),
        )
    )
    return spec, pools


def _releases(series: str, drawn_bridge: DrawnBridge | None) -> list[str]:
    """Return releases of Slurm; those before 25.11.3 lose external nodes."""
    oldest = 3 if drawn_bridge and drawn_bridge.bridge.external_nodes else 0
    return [f"{series}.{oldest}", f"{series}.12"]


def _with_node_limit(pool: s.NodePoolSpec, workers: list[s.NodeSetSpec], spare: int | None) -> s.NodePoolSpec:
    """Return the pool with a maximum number of nodes that is sufficient for its node sets."""
    if spare is None:
        return pool
    needed = sum(worker.max_replicas or 0 for worker in workers if worker.pool == pool.name)
    return pool.model_copy(update={"max_nodes": needed + spare})
