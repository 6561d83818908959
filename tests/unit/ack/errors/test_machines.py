"""Instance types, images and drivers of node pools."""

from tests.unit.ack.errors.harness import warnings_of


def test_types_of_several_sizes_are_warned_about_in_a_pool_that_is_scaled() -> None:
    types = "instanceTypes: [ecs.g8i.xlarge, ecs.g8i.2xlarge]"
    assert warnings_of(f"pools: [{{name: p, {types}, maxNodes: 4}}]") == [
        'pools[0].instanceTypes[1] = "ecs.g8i.2xlarge": its size is 8 vCPUs, 32 GiB, that of ecs.g8i.xlarge is 4 '
        "vCPUs, 16 GiB: ACK's autoscaler takes whichever costs less per vCPU, and Slurm uses as much of it as the "
        "smallest has. Write types of one size, or put it into another pool."
    ]
    assert warnings_of(f"pools: [{{name: p, {types}, nodes: 4}}]") == []
