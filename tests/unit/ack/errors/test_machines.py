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


def test_erdma_without_its_component_is_warned_about() -> None:
    pools = "pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 4, erdma: true}]"
    line = (
        "pools[0].erdma = true: without ACK's component ack-erdma-controller nodes have no aliyun/erdma, and workers "
        "wait for it. Write ack-erdma-controller in controlPlane.addons, which counts when the cluster is created; in "
        "one that exists install it in ACK's console as well."
    )
    for system, others in (("ContainerOS", 1), ("Ubuntu", 1), ("AliyunLinux3ContainerOptimized", 0)):
        with_system = pools.replace("erdma: true", f"erdma: true, imageType: {system}")
        told = [warning for warning in warnings_of(with_system) if warning != line]
        assert len(told) == others
        assert all(
            warning.startswith(f'pools[0].imageType = "{system}": ack-erdma-controller names') for warning in told
        )
    assert warnings_of(pools.replace("erdma: true", "erdma: true, imageType: Ubuntu, imageId: m-1")) == [line]
    addon = "{name: ack-erdma-controller, config: {preferDriver: ofed}}"
    assert warnings_of(pools) == [line]
    assert warnings_of(f"{pools}\ncontrolPlane: {{addons: [{addon}]}}") == []
