"""The resources of its SDK, as reviews and policies know them."""

from pulumi_slurm.clouds.resources import CloudResources, NodePoolResource, bounds
from pulumi_slurm.clouds.unread import known_at

RESOURCES = CloudResources(
    cluster="toy:index:Box",
    node_pool=NodePoolResource(
        type="toy:index:Blocks",
        name="label",
        names_are_unique=True,
        machine=("shape",),
        spot=lambda inputs: ("lent",) if known_at(inputs, "lent") is True else None,
        taints=("taints",),
        nodes=lambda inputs: bounds(inputs.get("count"), None),
        fixed_nodes="count",
        nodes_stay=frozenset(),
        not_judged=frozenset(),
    ),
    databases=frozenset(),
    file_systems=frozenset({"toy:index:Drawer"}),
    buckets=frozenset(),
    grows={},
    store_zones={},
    unnoticed={"*": frozenset({"colour"})},
    protected_by_default=True,
)
