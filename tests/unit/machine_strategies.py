"""Random machines, node pools and autoscalers."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm import model as s
from tests.unit.pod_strategies import taints
from tests.unit.value_strategies import GIB, label_maps, or_none, slurm_names

gpu_counts = or_none(st.integers(1, 16))
gpu_types = or_none(st.sampled_from(["h100", "a100_80", "mi300x"]))
pool_options = st.fixed_dictionaries(
    {},
    optional={
        "taints": st.lists(taints, max_size=2),
        "reserved_cpus": st.integers(0, 4),
        "reserved_memory": st.sampled_from(["0", "1Gi", "8Gi", "500M"]),
    },
)


@st.composite
def machines(draw: DrawFn, pool: s.NodePoolSpec | None = None) -> s.MachineSpec:
    """Draw a machine; if ``pool`` is passed, one that fits into its nodes."""
    max_cpus, max_gib, gpus = 128, 2048, draw(gpu_counts)
    gpu_type = draw(gpu_types)
    if pool:
        max_cpus = pool.machine.cpus - pool.reserved_cpus
        max_gib = pool.machine.memory_mib // GIB - 9
        pool_gpus = pool.machine.gpus
        gpus = draw(or_none(st.integers(1, pool_gpus.count))) if pool_gpus else None
        gpu_type = pool_gpus.type if pool_gpus else None
    return s.MachineSpec(
        cpus=draw(st.integers(1, max_cpus)),
        memory=f"{draw(st.integers(1, max_gib))}Gi",
        gpus=s.GpuSpec(count=gpus, type=gpu_type) if gpus else None,
        rdma=draw(st.sampled_from([None, None, True, False])),
        resources=draw(st.sampled_from([{}, {"rdma/hca": "1"}, {"hugepages-2Mi": "4Mi", "example.org/efa": "1"}])),
    )


@st.composite
def node_pools(draw: DrawFn, name: str) -> s.NodePoolSpec:
    """Draw a pool whose nodes keep at least one CPU and one GiB after the reserve, without a limit on nodes."""
    machine = draw(machines())
    fields = draw(pool_options)
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
            query=draw(or_none(st.just("sum(up)"))),
            polling_seconds=draw(st.integers(1, 60)),
            authentication=draw(or_none(st.just(s.AuthenticationSpec(name="prometheus")))),
            behavior=draw(st.sampled_from([{}, {"scaleDown": {"stabilizationWindowSeconds": 60}}])),
        )
    return s.AutoscalingSpec(
        kind=s.Autoscaler.HPA,
        min_replicas=draw(st.integers(1, max_replicas)),
        max_replicas=max_replicas,
        cpu_utilization=draw(st.integers(1, 100)),
    )
