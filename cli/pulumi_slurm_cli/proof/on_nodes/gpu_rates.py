"""Measure the GPUs of a job, by NVIDIA's driver alone.

Prints a line for each GPU and each rate in GB/s, such as "gpu-0 rate to-device 0 55.1", and for each pair of GPUs
such as "gpu-0 rate peer 0-1 230.0".
"""

import ctypes
import os
import sys
import time

from pulumi_slurm_cli.proof.on_nodes.cuda import Driver

MIB = 1024 * 1024
SIZE = 256 * MIB
COPIES = 20
ALLOWED = os.sched_getaffinity(0)


def measure() -> None:
    """Print the rates of all GPUs that the job opens."""
    driver = Driver()
    count, contexts, buffers = driver.count(), [], []
    for index in range(count):
        device, context = driver.context(index)
        stay_near(driver, device)
        first, second, host = driver.memory(SIZE), driver.memory(SIZE), ctypes.c_void_p()
        driver.call("cuMemAllocHost_v2", ctypes.byref(host), ctypes.c_size_t(SIZE))
        contexts.append(context)
        buffers.append(first)
        size = ctypes.c_size_t(SIZE)
        name = str(index)
        rate(driver, "to-device", name, 1, "cuMemcpyHtoDAsync_v2", first, host, size, None)
        rate(driver, "from-device", name, 1, "cuMemcpyDtoHAsync_v2", host, first, size, None)
        # Each byte is read and written.
        rate(driver, "memory", name, 2, "cuMemcpyDtoDAsync_v2", second, first, size, None)
        driver.call("cuMemFreeHost", host)
        driver.call("cuMemFree_v2", second)
    for here in range(count):
        for there in range(count):
            if here != there:
                peer(driver, contexts, buffers, here, there)


def stay_near(driver: Driver, device: ctypes.c_int) -> None:
    """Run on the CPUs next to a GPU, where the job has some: memory of others is reached by way of them.

    Source: local_cpulist in https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-bus-pci.
    """
    address = ctypes.create_string_buffer(64)
    driver.call("cuDeviceGetPCIBusId", address, 64, device)
    try:
        with open("/sys/bus/pci/devices/%s/local_cpulist" % address.value.decode().lower()) as file:  # noqa: UP031
            parts = [part.split("-") for part in file.read().split(",")]
        near = {cpu for part in parts for cpu in range(int(part[0]), int(part[-1]) + 1)}
        os.sched_setaffinity(0, near & ALLOWED or ALLOWED)
    except (OSError, ValueError):
        os.sched_setaffinity(0, ALLOWED)


def peer(driver: Driver, contexts: list, buffers: list, here: int, there: int) -> None:  # type: ignore[type-arg]
    """Print the rate from one GPU to another, with direct access where both can."""
    can = ctypes.c_int()
    driver.call("cuDeviceCanAccessPeer", ctypes.byref(can), here, there)
    driver.call("cuCtxSetCurrent", contexts[here])
    if can.value:
        driver.call("cuCtxEnablePeerAccess", contexts[there], 0)
    name = "%d-%d" % (here, there)  # noqa: UP031
    size = ctypes.c_size_t(SIZE)
    copied = (buffers[there], contexts[there], buffers[here], contexts[here], size, None)
    rate(driver, "peer", name, 1, "cuMemcpyPeerAsync", *copied)


def rate(driver: Driver, kind: str, name: str, times: int, function: str, *arguments: object) -> None:
    """Print how fast a copy is that moves each byte so many times; the first sets things up, and isn't counted."""
    driver.call(function, *arguments)
    driver.call("cuCtxSynchronize")
    started = time.time()
    for _ in range(COPIES):
        driver.call(function, *arguments)
    driver.call("cuCtxSynchronize")
    seconds = time.time() - started
    line = (os.environ.get("SLURMD_NODENAME", "?"), kind, name, times * COPIES * SIZE / seconds / 1e9)
    sys.stdout.write("%s rate %s %s %.1f\n" % line)  # noqa: UP031
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        measure()
    except OSError as error:
        sys.exit("no rates: %s" % error)  # noqa: UP031
