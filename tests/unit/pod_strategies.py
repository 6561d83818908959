"""Random options of pods, Services and volumes."""

from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm import model as s
from tests.unit.value_strategies import (
    STORAGE_CLASSES,
    cpu_quantities,
    env_names,
    hosts,
    label_keys,
    label_maps,
    label_values,
    labels,
    partial_model,
    paths,
    quantities,
    texts,
)

secret_keys = st.builds(
    s.SecretKeyRef, name=labels, key=st.sampled_from(["key", "slurm.key", "jwt_hs256.key", "tls-k"])
)
endpoints = st.builds(s.EndpointSpec, host=hosts, port=st.integers(1, 65535))
_limits = st.builds(s.ResourcesSpec, cpu=cpu_quantities, memory=quantities)
resources = _limits | _limits.map(
    lambda limits: s.ResourcesSpec(
        cpu=limits.cpu, memory=limits.memory, requests=s.RequestsSpec(cpu="1m", memory=limits.memory)
    )
)
effects = st.sampled_from(s.TaintEffect)
taints = partial_model(s.TaintSpec, {"key": label_keys}, value=label_values, effect=effects)
tolerations = st.one_of(
    partial_model(s.TolerationSpec, {"key": label_keys}, value=label_values, effect=effects),
    partial_model(
        s.TolerationSpec,
        {
            "key": label_keys,
            "operator": st.just("Exists"),
            "effect": st.just(s.TaintEffect.NO_EXECUTE),
            "toleration_seconds": st.integers(0, 900),
        },
    ),
    partial_model(s.TolerationSpec, {"operator": st.just("Exists")}, key=label_keys, effect=effects),
)
annotations = st.dictionaries(label_keys, texts, max_size=2)
source_ranges = st.lists(st.sampled_from(["10.0.0.0/8", "192.0.2.0/24", "2001:db8::/32"]), max_size=2)
affinities = st.just(
    {
        "nodeAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 1, "preference": {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}}
            ]
        }
    }
)


_SPREAD = {
    "maxSkew": 1,
    "topologyKey": "topology.kubernetes.io/zone",
    "whenUnsatisfiable": "ScheduleAnyway",
    "labelSelector": {"matchLabels": {"a": "b"}},
}
placements = partial_model(
    s.PlacementSpec,
    labels=label_maps,
    annotations=annotations,
    tolerations=st.lists(tolerations, max_size=2),
    affinity=affinities,
    priority_class_name=labels,
    image_pull_secrets=st.lists(labels, max_size=2, unique=True),
)


@cache
def pods(host_network: bool) -> SearchStrategy[s.PodSpec]:
    """Draw pod options; only workers, login and REST pods may use the node's network."""
    return partial_model(
        s.PodSpec,
        labels=label_maps,
        annotations=annotations,
        node_selector=label_maps,
        tolerations=st.lists(tolerations, max_size=2),
        affinity=affinities,
        priority_class_name=labels,
        service_account_name=labels,
        runtime_class_name=labels,
        image_pull_secrets=st.lists(labels, max_size=2, unique=True),
        topology_spread_constraints=st.just([_SPREAD]),
        termination_grace_period_seconds=st.integers(1, 600),
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
        fields["source_ranges"] = draw(source_ranges)
        fields["internal"] = not fields["source_ranges"] or draw(st.booleans())
    if draw(st.booleans()):
        fields["annotations"] = draw(annotations)
    return s.ServiceSpec(**fields)


writable_modes = st.sampled_from(["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"])
claims = partial_model(s.ClaimSpec, size=quantities, storage_class=STORAGE_CLASSES, access_mode=writable_modes)


volume_sources: SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries({"existing_claim": labels}),
    st.fixed_dictionaries({"storage_class": labels}),
    st.fixed_dictionaries(
        {"nfs": partial_model(s.NfsSpec, {"server": hosts, "path": paths}, mount_options=st.just(["vers=3", "soft"]))}
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
volume_options: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "size": quantities,
        "access_mode": st.sampled_from(["ReadWriteMany", "ReadOnlyMany"]),
        "sub_path": st.sampled_from(["home", "a/b"]),
        "retain": st.booleans(),
    },
)


@st.composite
def shared_volumes(draw: DrawFn, name: str, mount_path: str) -> s.SharedVolumeSpec:
    """Draw a volume with one of the four sources."""
    return s.SharedVolumeSpec(name=name, mount_path=mount_path, **draw(volume_sources), **draw(volume_options))
