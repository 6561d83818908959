"""Random valid specifications, which `load` has to accept and every renderer has to support.

Everything is valid by construction, so hardly an example is thrown away. `specs` is the entry; the other strategies are
public for tests of single models. Values are such that Slurm and Kubernetes accept them too, not only our models.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm import model as s
from pulumi_slurm.model.operator_version import RELEASES, Feature
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.rules import checked
from tests.unit.account_strategies import with_accounts

GIB = 1024

# Names end in a letter: "gpu-8" beside "gpu" could be the name of a node of "gpu".
labels = st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z])?", fullmatch=True).filter(lambda x: x not in {"all", "default"})
words = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}", fullmatch=True)
slurm_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda x: x.lower() not in {"all", "default"}
)
label_values = st.from_regex(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,8}[A-Za-z0-9])?)?", fullmatch=True)
label_keys = st.builds(
    "".join,
    st.tuples(st.sampled_from(["", "example.org/"]), st.from_regex(r"[a-z]([a-z0-9.-]{0,6}[a-z])?", fullmatch=True)),
)
label_maps = st.dictionaries(label_keys, label_values, max_size=2)
env_names = st.from_regex(r"[A-Z_][A-Z0-9_]{0,8}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20)
paths = st.from_regex(r"(/[a-z][a-z0-9_]{0,6}){1,2}", fullmatch=True)
hosts = st.from_regex(r"[a-z][a-z0-9]{0,6}(\.[a-z]{2,5}){0,2}", fullmatch=True)
images = st.sampled_from(["registry.example.org:5000/slurm:1", "slurmd@sha256:" + "0" * 64, "example/image"])
quantities = st.builds("{}{}".format, st.integers(1, 999), st.sampled_from(["Gi", "G", "Ti", "T"]))
cpu_quantities = st.one_of(st.integers(1, 64).map(str), st.integers(100, 9999).map("{}m".format), st.just("1.5"))
durations = st.sampled_from(["15m", "1h", "24h", "1h30m", "90s", "8760h"])
slurm_memory = st.one_of(
    st.integers(1, 10**7).map(str), st.builds("{}{}".format, st.integers(1, 900), st.sampled_from("MGT"))
)
STORAGE_CLASSES = st.none() | st.sampled_from(["standard", "premium-rwx", "csi.example"])


@st.composite
def slurm_times(draw: DrawFn) -> str:
    """Draw a time in any of Slurm's forms."""
    days, hours = draw(st.integers(0, 99)), draw(st.integers(0, 23))
    minutes, seconds = draw(st.integers(0, 59)), draw(st.integers(0, 59))
    return draw(
        st.sampled_from(
            [
                str(1 + days * 100 + minutes),
                f"{1 + minutes}:{seconds:02}",
                f"{1 + hours}:{minutes:02}:{seconds:02}",
                f"{1 + days}-{hours}",
                f"{1 + days}-{hours:02}:{minutes:02}",
                f"{1 + days}-{hours:02}:{minutes:02}:{seconds:02}",
            ]
        )
    )


def config_lines(values: dict[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    """Draw up to three lines of a configuration file by key."""
    return st.lists(st.sampled_from(sorted(values)), max_size=3, unique=True).flatmap(
        lambda keys: st.fixed_dictionaries({key: values[key] for key in keys})
    )


FLAGS = st.sampled_from(["YES", "no", "True", True, False])


def or_none(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Draw None or a value."""
    return st.none() | strategy


def partial_model(
    model: type[Any], required: dict[str, Any] | None = None, **optional: SearchStrategy[Any]
) -> SearchStrategy[Any]:
    """Draw a model with the required fields and any subset of the optional ones."""
    return st.fixed_dictionaries(required or {}, optional=optional).map(lambda fields: model(**fields))


secret_keys = st.builds(
    s.SecretKeyRef, name=labels, key=st.sampled_from(["key", "slurm.key", "jwt_hs256.key", "tls-k"])
)
endpoints = st.builds(s.EndpointSpec, host=hosts, port=st.integers(1, 65535))
resources = st.builds(s.ResourcesSpec, cpu=cpu_quantities, memory=quantities)
effects = st.sampled_from(s.TaintEffect)
taints = partial_model(s.TaintSpec, {"key": label_keys}, value=label_values, effect=effects)
tolerations = st.one_of(
    partial_model(s.TolerationSpec, {"key": label_keys}, value=label_values, effect=effects),
    partial_model(s.TolerationSpec, {"operator": st.just("Exists")}, key=label_keys, effect=effects),
)
affinities = st.just(
    {
        "nodeAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "preference": {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}}
            ]
        }
    }
)


def pods(host_network: bool) -> SearchStrategy[s.PodSpec]:
    """Draw pod options; only workers, login and REST pods may use the node's network."""
    return partial_model(
        s.PodSpec,
        labels=label_maps,
        annotations=st.dictionaries(label_keys, texts, max_size=2),
        node_selector=label_maps,
        tolerations=st.lists(tolerations, max_size=2),
        affinity=affinities,
        priority_class_name=labels,
        service_account_name=labels,
        runtime_class_name=labels,
        image_pull_secrets=st.lists(labels, max_size=2, unique=True),
        host_network=st.booleans() if host_network else st.just(False),
        env=st.dictionaries(env_names, texts, max_size=2),
    )


@st.composite
def services(draw: DrawFn, node_port: int) -> s.ServiceSpec:
    """Draw a Service; ``node_port`` is the one port it may use, so that no two Services share one."""
    service_type = draw(st.sampled_from(s.ServiceType))
    fields: dict[str, Any] = {"type": service_type}
    if service_type is not s.ServiceType.CLUSTER_IP and draw(st.booleans()):
        fields["node_port"] = node_port
    if service_type is s.ServiceType.LOAD_BALANCER and draw(st.booleans()):
        fields["source_ranges"] = draw(
            st.lists(st.sampled_from(["10.0.0.0/8", "192.0.2.0/24", "2001:db8::/32"]), max_size=2)
        )
    if draw(st.booleans()):
        fields["annotations"] = draw(st.dictionaries(label_keys, texts, max_size=2))
    return s.ServiceSpec(**fields)


writable_modes = st.sampled_from(["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"])
claims = partial_model(s.ClaimSpec, size=quantities, storage_class=STORAGE_CLASSES, access_mode=writable_modes)


@st.composite
def shared_volumes(draw: DrawFn, name: str, mount_path: str) -> s.SharedVolumeSpec:
    """Draw a volume with one of the four sources."""
    source: dict[str, Any] = draw(
        st.one_of(
            st.fixed_dictionaries({"existing_claim": labels}),
            st.fixed_dictionaries({"storage_class": labels}),
            st.fixed_dictionaries(
                {
                    "nfs": partial_model(
                        s.NfsSpec, {"server": hosts, "path": paths}, mount_options=st.just(["vers=3", "soft"])
                    )
                }
            ),
            st.fixed_dictionaries(
                {
                    "csi": partial_model(
                        s.CsiSpec,
                        {"driver": hosts, "volume_handle": st.from_regex(r"[a-z0-9/._-]{1,12}", fullmatch=True)},
                        attributes=st.dictionaries(st.sampled_from(["ip", "volume"]), texts, max_size=2),
                    )
                }
            ),
        )
    )
    options = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "size": quantities,
                "access_mode": st.sampled_from(["ReadWriteMany", "ReadOnlyMany"]),
                "sub_path": st.sampled_from(["home", "a/b"]),
                "retain": st.booleans(),
            },
        )
    )
    return s.SharedVolumeSpec(name=name, mount_path=mount_path, **source, **options)


@st.composite
def partition_options(
    draw: DrawFn, accounting: bool, preempting: bool, suspending: bool, default: bool = False
) -> dict[str, Any]:
    """Draw the fields of a partition that agree with each other and with the cluster."""
    fields: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {"default": st.just(default)},
            optional={
                "state": st.sampled_from(s.PartitionState),
                "max_cpus_per_node": st.integers(1, 1000),
                "def_cpu_per_gpu": st.integers(1, 64),
                "priority_tier": st.integers(0, 65535),
                "priority_job_factor": st.integers(0, 65535),
                "grace_time": st.integers(0, 3600),
                "over_time_limit": st.integers(0, 65533),
                "allow_groups": st.lists(words, max_size=2, unique=True),
                "exclusive_user": st.booleans(),
                "hidden": st.booleans(),
                "lln": st.booleans(),
                "req_resv": st.booleans(),
                "root_only": st.booleans(),
                "disable_root_jobs": or_none(st.booleans()),
                "suspend_time": st.one_of(st.just("INFINITE"), st.integers(1, 99999), st.integers(1, 999).map(str)),
                "tres_billing_weights": st.dictionaries(
                    st.sampled_from(["CPU", "Mem", "Node", *(["GRES/gpu"] if accounting else [])]),
                    st.floats(0, 1000, width=16),
                    max_size=3,
                ),
                "extra": config_lines(
                    {"PowerDownOnIdle": FLAGS, "MaxCPUsPerSocket": st.integers(1, 64), "AllocNodes": st.just("ALL")}
                ),
            },
        )
    )
    if draw(st.booleans()):
        fields["max_time"] = draw(slurm_times())
        if draw(st.booleans()):
            fields["default_time"] = fields["max_time"]
    elif draw(st.booleans()):
        fields["default_time"] = draw(slurm_times())
    max_nodes = draw(st.integers(1, 100))
    fields |= draw(
        st.fixed_dictionaries({}, optional={"max_nodes": st.just(max_nodes), "min_nodes": st.integers(0, max_nodes)})
    )
    for choice in (("def_mem_per_node", "def_mem_per_cpu", "def_mem_per_gpu"), ("max_mem_per_node", "max_mem_per_cpu")):
        field = draw(or_none(st.sampled_from(choice)))
        if field:
            fields[field] = draw(slurm_memory)
    fields.update(
        draw(
            st.sampled_from(
                [{}, {"over_subscribe": "NO"}, {"over_subscribe": "EXCLUSIVE"}]
                + [{"over_subscribe": mode, "over_subscribe_jobs": 3} for mode in ("YES", "FORCE")]
            )
        )
    )
    if preempting and draw(st.booleans()):
        modes = [s.PreemptMode.OFF, s.PreemptMode.CANCEL, s.PreemptMode.REQUEUE]
        fields["preempt_mode"] = draw(st.sampled_from(modes + ([s.PreemptMode.SUSPEND] if suspending else [])))
    if accounting:
        for choice in (("allow_accounts", "deny_accounts"), ("allow_qos", "deny_qos")):
            if draw(st.booleans()):
                fields[draw(st.sampled_from(choice))] = draw(st.lists(words, min_size=1, max_size=2, unique=True))
        if draw(st.booleans()):
            fields["qos"] = draw(words)
    return fields


databases = st.one_of(
    partial_model(
        s.DatabaseSpec, volume=claims, port=st.integers(1, 65535), name=st.just("acct_db"), user=st.just("me")
    ),
    partial_model(
        s.DatabaseSpec,
        {"kind": st.just("mariadb-operator"), "replicas": st.sampled_from([1, 3])},
        volume=claims,
        image=images,
    ),
    partial_model(
        s.DatabaseSpec, {"kind": st.just("external"), "host": hosts, "password_secret": secret_keys}, port=st.just(3307)
    ),
)
slurmdbd_lines = config_lines(
    {
        **dict.fromkeys(["PurgeJobAfter", "PurgeEventAfter"], st.sampled_from(["12months", "1month"])),
        "ArchiveDir": st.just("/tmp"),
        "TrackWCKey": FLAGS,
        "MessageTimeout": st.integers(5, 300),
        "MaxQueryTimeRange": slurm_times(),
    }
)
accountings = st.one_of(
    partial_model(s.AccountingSpec, {"external": endpoints}),
    partial_model(
        s.AccountingSpec, database=databases, extra_conf=slurmdbd_lines, image=images, pod=pods(host_network=False)
    ),
    partial_model(s.AccountingSpec, database=databases),
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
)
identities = st.one_of(
    st.builds(s.IdentitySpec, ldap=ldaps),
    st.just(s.IdentitySpec(ldap=s.LdapSpec(uri="ldap://ldap.example.org", base_dn="dc=org", start_tls=True))),
    st.builds(
        s.IdentitySpec,
        directory=partial_model(
            s.DirectorySpec, domain=st.sampled_from(["slurm.local", "a.b-c.d"]), volume=claims, image=images
        ),
    ),
    st.builds(s.IdentitySpec, sssd_conf_secret=secret_keys),
)
monitorings = st.one_of(
    st.just(s.MonitoringSpec()),
    st.builds(
        s.MonitoringSpec,
        service_monitor=partial_model(
            s.ServiceMonitorSpec,
            labels=label_maps,
            interval=st.sampled_from(["30s", "1m"]),
            scrape_timeout=st.just("10s"),
        ),
    ),
)


@st.composite
def slurm_confs(draw: DrawFn, accounting: bool) -> s.SlurmConfSpec:
    """Draw lines of slurm.conf."""
    fields: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "scheduler_parameters": st.lists(
                    st.sampled_from(["bf_continue", "bf_max_job_test=1000", "defer"]), max_size=3, unique=True
                ),
                "select_type_parameters": st.sampled_from(["CR_Core", "CR_CPU_Memory", "CR_Core_Memory,CR_LLN"]),
                "priority_type": st.sampled_from(["priority/basic", "priority/multifactor"]),
                "priority_weights": st.dictionaries(
                    st.sampled_from(["JobSize", "QOS", *(["Fairshare", "Age"] if accounting else [])]),
                    st.integers(0, 10**6),
                    max_size=3,
                ),
                "mpi_default": st.sampled_from(["pmix", "none"]),
                "max_array_size": st.integers(2, 100000),
                "max_job_count": st.integers(2, 10**6),
                "def_mem_per_cpu": slurm_memory,
                "slurmd_timeout": st.integers(0, 65535),
                "slurmctld_debug": st.sampled_from(["info", "debug", "debug2", "debug5", "error"]),
                "slurmd_debug": st.sampled_from(["info", "verbose"]),
                "extra": config_lines(
                    {
                        **dict.fromkeys(["KillWait", "MessageTimeout", "MinJobAge"], st.integers(30, 300)),
                        "InactiveLimit": st.integers(30, 300) | st.just("UNLIMITED"),
                        "JobRequeue": st.integers(0, 1),
                        "TrackWCKey": FLAGS,
                        "PriorityMaxAge": slurm_times(),
                        "MaxMemPerNode": st.integers(10**6, 10**7) | st.just("UNLIMITED"),
                        "PrivateData": st.sampled_from(["jobs", "usage,jobs", ["jobs", "nodes"]]),
                        "DebugFlags": st.sampled_from(["NO_CONF_HASH", "Steps,no_conf_hash"]),
                        "RequeueExit": st.sampled_from(["1", "10-20,30"]),
                        "MailDomain": hosts,
                    }
                ),
            },
        )
    )
    preemption: list[dict[str, Any]] = [{}, {}, {"preempt_type": "preempt/none"}]
    for plugin in ("partition_prio", "qos") if accounting else ("partition_prio",):
        preemption += [
            {"preempt_type": f"preempt/{plugin}", "preempt_mode": mode}
            for mode in ("CANCEL", "REQUEUE", "SUSPEND,GANG")
        ]
    fields.update(draw(st.sampled_from(preemption)))
    if accounting and draw(st.booleans()):
        fields["accounting_storage_enforce"] = draw(
            st.lists(st.sampled_from(["associations", "limits", "qos"]), max_size=3, unique=True)
        )
    return s.SlurmConfSpec(**fields)


@st.composite
def files(draw: DrawFn) -> tuple[s.HooksSpec, dict[str, str]]:
    """Draw scripts and configuration files with unique names."""
    comments = texts.map("# {}\n".format)
    config = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "gres.conf": comments,
                "cgroup.conf": comments | st.sampled_from(["ConstrainCores=yes\n", "AllowedRAMSpace = 95.5 # %\n"]),
                "topology.yaml": st.just("- topology: default\n  cluster_default: true\n  flat: true\n"),
                "job_submit.lua": comments,
                "site.conf": comments,
            },
        )
    )
    hooks = {
        hook: draw(
            st.dictionaries(
                st.sampled_from([f"10-{hook}.sh", f"20.{hook}", f"{hook}_x"]),
                texts.map("#!/bin/bash\n# {}\nexit 0\n".format),
                max_size=2,
            )
        )
        for hook in s.HooksSpec.model_fields
        if draw(st.booleans())
    }
    return s.HooksSpec(**hooks), config


@st.composite
def machines(draw: DrawFn, pool: s.NodePoolSpec | None = None) -> s.MachineSpec:
    """Draw a machine; if ``pool`` is passed, one that fits into its nodes."""
    max_cpus, max_gib, gpus = 128, 2048, draw(or_none(st.integers(1, 16)))
    gpu_type, resource = (
        draw(or_none(st.sampled_from(["h100", "a100_80", "mi300x"]))),
        draw(st.sampled_from(["nvidia.com/gpu", "amd.com/gpu"])),
    )
    if pool:
        max_cpus = pool.machine.cpus - pool.reserved_cpus
        max_gib = pool.machine.memory_mib // GIB - 9
        pool_gpus = pool.machine.gpus
        gpus = draw(or_none(st.integers(1, pool_gpus.count))) if pool_gpus else None
        gpu_type, resource = (pool_gpus.type, pool_gpus.resource) if pool_gpus else (None, "nvidia.com/gpu")
    return s.MachineSpec(
        cpus=draw(st.integers(1, max_cpus)),
        memory=f"{draw(st.integers(1, max_gib))}Gi",
        gpus=s.GpuSpec(count=gpus, type=gpu_type, resource=resource) if gpus else None,
    )


@st.composite
def node_pools(draw: DrawFn, name: str) -> s.NodePoolSpec:
    """Draw a pool whose nodes keep at least one CPU and one GiB after the reserve, without a limit on nodes."""
    machine = draw(machines())
    fields = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "taints": st.lists(taints, max_size=2),
                "reserved_cpus": st.integers(0, 4),
                "reserved_memory": st.sampled_from(["0", "1Gi", "8Gi", "500M"]),
            },
        )
    )
    machine = machine.model_copy(update={"cpus": machine.cpus + 5, "memory": f"{machine.memory_mib // GIB + 10}Gi"})
    return s.NodePoolSpec(name=name, machine=machine, node_labels={"pool": name, **draw(label_maps)}, **fields)


@st.composite
def autoscalings(
    draw: DrawFn, partitions: list[str], keda: bool, partition_required: bool = False
) -> s.AutoscalingSpec:
    """Draw an autoscaler; KEDA only where there are pending jobs to count."""
    max_replicas = draw(st.integers(1, 50))
    if keda and (partitions or partition_required) and draw(st.booleans()):
        partition_names = st.sampled_from(partitions) if partitions else slurm_names
        return s.AutoscalingSpec(
            min_replicas=draw(st.integers(0, max_replicas)),
            max_replicas=max_replicas,
            prometheus_address="http://prometheus.monitoring:9090",
            partition=draw(partition_names if partition_required else or_none(partition_names)),
            jobs_per_replica=draw(st.integers(1, 5)),
            cooldown_seconds=draw(st.integers(0, 900)),
        )
    return s.AutoscalingSpec(
        kind=s.Autoscaler.HPA,
        min_replicas=draw(st.integers(1, max_replicas)),
        max_replicas=max_replicas,
        cpu_utilization=draw(st.integers(1, 100)),
    )


@st.composite
def node_sets(
    draw: DrawFn,
    name: str,
    pool: s.NodePoolSpec | None,
    scaling_mode: s.ScalingMode,
    features: frozenset[Feature],
    partition: dict[str, Any] | None,
    in_partitions: list[str],
    external: bool,
    ssh: bool,
) -> s.NodeSetSpec:
    """Draw a node set on a pool, or on a machine of its own."""
    daemon = scaling_mode is s.ScalingMode.DAEMON_SET
    fields: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "extra_gres": st.lists(st.sampled_from(["tmpdisk:100G", "license:foo:2"]), max_size=2, unique=True),
                "features": st.lists(words, max_size=3, unique=True),
                "weight": st.integers(0, 1000),
                "slurmd_options": config_lines(
                    {
                        **dict.fromkeys(["CoreSpecCount", "MemSpecLimit", "TmpDisk"], st.integers(1, 9)),
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
                "wait": st.booleans(),
            },
        )
    )
    if not daemon:
        if draw(st.integers(0, 3)) == 0:
            fields["autoscaling"] = draw(autoscalings(in_partitions, keda=True, partition_required=external))
        elif draw(st.booleans()):
            fields["replicas"] = draw(st.integers(0, 20))
        if Feature.ORDINAL_PADDING in features and draw(st.booleans()):
            fields["ordinal_padding"] = draw(st.integers(0, 8))
        if draw(st.booleans()):
            fields["host_name_prefix"] = name + draw(st.sampled_from(["-", "x-", "x"]))
    if Feature.DISRUPTION_PROTECTION in features and draw(st.booleans()):
        fields["workload_disruption_protection"] = draw(st.booleans())
    if ssh and Feature.SSH in features and draw(st.booleans()):
        fields["ssh"] = draw(partial_model(s.WorkerSshSpec, extra_sshd_config=st.just("X11Forwarding yes\n")))
    if pool is None or draw(st.booleans()):
        fields["machine"] = draw(machines(pool))
    machine = fields.get("machine") or (pool.machine if pool else None)
    if machine and machine.gpus and draw(st.booleans()):
        fields["gpus"] = draw(st.integers(0, machine.gpus.count))
    names = draw(st.lists(labels, max_size=2, unique=True))
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
        for folder in draw(st.lists(labels, max_size=2, unique=True))
    ]
    fields["shared_memory"] = draw(st.none() | st.sampled_from(["16Mi", "40M"]))
    fields["sidecars"] = [
        s.SidecarSpec(
            name=f"beside-{number}",
            image="registry.example.org/daemon:1",
            command=draw(st.sampled_from([[], ["daemon", "--quiet"]])),
            env={"LEVEL": "1"},
            resources=draw(st.none() | resources),
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
        partition=s.PartitionOptionsSpec(**partition) if partition is not None else None,
        **fields,
    )


def _referenced_qos(*options: dict[str, Any] | None) -> set[str]:
    set_options = [fields for fields in options if fields]
    partition_qos = {fields["qos"] for fields in set_options if fields.get("qos")}
    return partition_qos.union(*(fields.get(key, []) for fields in set_options for key in ("allow_qos", "deny_qos")))


@st.composite
def specs(
    draw: DrawFn, operator_version: str | None = None, max_node_sets: int = 3
) -> tuple[s.SlurmSpec, list[s.NodePoolSpec]]:
    """Draw a valid specification and its node pools, for one release of the operator or any."""
    version = s.operator_version(operator_version or draw(st.sampled_from(RELEASES)))
    series = draw(st.sampled_from(version.slurm_series))
    accounting = draw(or_none(accountings))
    controller_outside = draw(st.integers(0, 4)) == 0
    hybrid = controller_outside or (accounting is not None and accounting.external is not None)
    identity = draw(or_none(identities))
    conf = draw(slurm_confs(accounting is not None))
    hooks, config_files = draw(files())

    names = draw(st.lists(labels, max_size=max_node_sets, unique=True))
    daemons = [Feature.SCALING_MODE in version.features and draw(st.integers(0, 3)) == 0 for _ in names]
    # A node set in DaemonSet mode has its pool for itself; the others share.
    pools = [draw(node_pools(f"pool-{name}")) for name in names]
    shared = [pool for pool, daemon in zip(pools, daemons, strict=True) if not daemon]
    preempting = conf.preempt_type not in (None, "preempt/none")
    options = partition_options(accounting is not None, preempting, conf.preempt_mode == "SUSPEND,GANG")

    partitions: list[dict[str, Any]] = []
    own_partitions: list[dict[str, Any] | None] = [None for _ in names]
    if not controller_outside:
        own_partitions = [draw(or_none(options)) for _ in names]
        choices: SearchStrategy[list[str]] = st.just([ALL_NODE_SETS])
        if names:
            choices |= st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True)
        for name in draw(st.lists(slurm_names, max_size=3, unique_by=str.lower)):
            # A node set's own partition has the node set's name, in lower case.
            partitions.append({"name": f"P_{name}", "node_sets": draw(choices), **draw(options)})
        defaults = [*partitions, *(item for item in own_partitions if item is not None)]
        if draw(st.booleans()) and defaults:
            defaults[draw(st.integers(0, len(defaults) - 1))]["default"] = True

    if accounting and not accounting.external:
        accounting = draw(with_accounts(accounting, _referenced_qos(*partitions, *own_partitions)))

    workers = []
    for index, name in enumerate(names):
        pool = pools[index] if daemons[index] else draw(or_none(st.sampled_from(shared)))
        partition_names = [p["name"] for p in partitions if name in p["node_sets"] or ALL_NODE_SETS in p["node_sets"]]
        workers.append(
            draw(
                node_sets(
                    name,
                    pool,
                    s.ScalingMode.DAEMON_SET if daemons[index] else s.ScalingMode.STATEFUL_SET,
                    version.features,
                    own_partitions[index],
                    partition_names,
                    controller_outside,
                    identity is not None,
                )
            )
        )
    pools = [_with_node_limit(pool, workers, draw(or_none(st.integers(0, 3)))) for pool in pools]

    counts: list[dict[str, SearchStrategy[Any]]] = [
        {"replicas": st.integers(0, 3)},
        {"autoscaling": autoscalings([], keda=False)},
    ]
    login_sets = []
    for index, name in enumerate(draw(st.lists(labels, max_size=2, unique=True)) if identity else []):
        login_sets.append(
            draw(
                partial_model(
                    s.LoginSetSpec,
                    {"name": st.just(name), "service": services(30100 + index)},
                    **draw(st.sampled_from(counts)),
                    root_authorized_keys=st.just(["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@example"]),
                    extra_sshd_config=st.just("X11Forwarding yes\n"),
                    resources=resources,
                    image=images,
                    pod=pods(host_network=True),
                )
            )
        )
    volumes = draw(st.lists(st.tuples(labels, paths), max_size=2, unique_by=(lambda x: x[0], lambda x: x[1])))

    def keys(purpose: str) -> SearchStrategy[s.KeySpec]:
        secrets = st.builds(s.SecretKeyRef, name=labels.map(f"{purpose}-{{}}".format), key=st.just("a.key"))
        existing = st.builds(s.KeySpec, existing=secrets)
        return existing if hybrid else existing | st.builds(s.KeySpec, generation=st.integers(1, 5))

    jwks = st.builds(s.ConfigMapKeyRef, name=labels, key=st.just("jwks.json"))
    spec = checked(
        s.SlurmSpec(
            name=draw(labels),
            namespace=draw(labels.map("ns-{}".format)),
            slurm_version=draw(st.sampled_from([series, f"{series}.0", f"{series}.12"])),
            operator_version=version.version,
            node_sets=workers,
            partitions=[s.PartitionSpec(**fields) for fields in partitions],
            controller=draw(
                partial_model(
                    s.ControllerSpec,
                    {"external": endpoints if controller_outside else st.none()},
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
            ),
            accounting=accounting,
            rest_api=draw(
                partial_model(
                    s.RestApiSpec,
                    {"service": services(30000)},
                    replicas=st.integers(1, 3),
                    resources=resources,
                    image=images,
                    pod=pods(host_network=True),
                )
            ),
            login_sets=login_sets,
            identity=identity,
            shared_volumes=[draw(shared_volumes(name, f"/shared{path}")) for name, path in volumes],
            hooks=hooks,
            config_files=config_files,
            slurm_conf=conf,
            keys=s.KeysSpec(
                slurm=draw(keys("slurm")),
                jwt=draw(keys("jwt")),
                jwks=draw(or_none(jwks)) if Feature.JWKS in version.features else None,
            ),
            tokens=[
                s.TokenSpec(
                    name=name, username=draw(slurm_names), lifetime=draw(durations), refresh=draw(st.booleans())
                )
                for name in draw(st.lists(labels, max_size=2, unique=True))
            ],
            monitoring=draw(monitorings),
            images=draw(
                partial_model(
                    s.ImagesSpec,
                    registry=st.sampled_from(["registry.example.org:5000/a", "localhost"]),
                    tag=st.just("1-x"),
                )
            ),
        )
    )
    return spec, pools


def _with_node_limit(pool: s.NodePoolSpec, workers: list[s.NodeSetSpec], spare: int | None) -> s.NodePoolSpec:
    """Return the pool with a maximum number of nodes that is sufficient for its node sets."""
    if spare is None:
        return pool
    needed = sum(worker.max_replicas or 0 for worker in workers if worker.pool == pool.name)
    return pool.model_copy(update={"max_nodes": needed + spare})
