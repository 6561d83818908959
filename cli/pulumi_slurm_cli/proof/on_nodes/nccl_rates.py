"""Measure how fast the GPUs of nodes send to each other, by NCCL.

Arguments: the collective, "all_reduce" or "all_gather"; a port; and the groups of nodes that measure among themselves,
separated by ";", each node with its address, as in "gpu-0=10.0.0.1,gpu-1=10.0.0.2;gpu-2=10.0.0.3". The program runs
once on each node, with all of the job's GPUs. Prints the bus bandwidth in GB/s, as NVIDIA's tests do
(https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md), such as "gpu-0 bus 187.2", and the network, as
"gpu-0 network IB", which NCCL's log names (`commAlloc` in src/init.cc of https://github.com/NVIDIA/nccl). Ends with 72
where a job has no NCCL. Functions of NCCL: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html.
"""

import ctypes
import os
import re
import signal
import socket
import struct
import sys
import tempfile
import time

from pulumi_slurm_cli.proof.on_nodes.cuda import Driver

GIB = 1024 * 1024 * 1024
MOST = 8 * GIB
"""The size of what is sent: with less, links of GPUs don't reach their rate."""
PART = 8
"""Which part of a GPU's memory it may take."""
RUNS = 3
SECONDS = 100
FLOAT, SUM = 7, 0
LOG = tempfile.TemporaryFile("r+")  # noqa: SIM115
"""It is gone with the program, however that ends."""
NO_NCCL = 72


class Id(ctypes.Structure):
    """By which the ranks of a group find each other."""

    _fields_ = (("internal", ctypes.c_char * 128),)


class Nccl:
    """libnccl, whose functions raise an error where they return one."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libnccl.so.2")
        self._library.ncclGetErrorString.restype = ctypes.c_char_p
        self._library.ncclCommInitRank.argtypes = (ctypes.c_void_p, ctypes.c_int, Id, ctypes.c_int)

    def call(self, name: str, *arguments: object) -> None:
        """Call a function."""
        code = getattr(self._library, name)(*arguments)
        if code:
            why = self._library.ncclGetErrorString(code).decode()
            warnings = re.findall("NCCL WARN (.*)", log())
            raise OSError("%s: %s" % (name, "; ".join([why] + warnings[-1:])))  # noqa: UP031, RUF005


def measure(collective: str, port: int, nodes: "list[str]", place: int) -> None:
    """Print the rate of a group of nodes, of which this one has a place."""
    driver, nccl = Driver(), Nccl()
    gpus = driver.count()
    ranks = len(nodes) * gpus
    group = shared_id(nccl, port, nodes, place)
    contexts = [driver.context(index) for index in range(gpus)]
    total = ctypes.c_size_t()
    driver.call("cuDeviceTotalMem_v2", ctypes.byref(total), contexts[0][0])
    # All ranks have parts of the same size, and those of floats.
    size = min(MOST, total.value // PART) // (ranks * 256) * ranks * 256
    communicators = [ctypes.c_void_p() for _ in range(gpus)]
    buffers = []
    nccl.call("ncclGroupStart")
    for index, (_, context) in enumerate(contexts):
        driver.call("cuCtxSetCurrent", context)
        buffers.append(driver.memory(size))
        nccl.call("ncclCommInitRank", ctypes.byref(communicators[index]), ranks, group, place * gpus + index)
    nccl.call("ncclGroupEnd")
    part = size // ranks if collective == "all_gather" else size
    best = 0.0
    for run in range(1 + RUNS):
        for index, (_, context) in enumerate(contexts):
            driver.call("cuCtxSetCurrent", context)
            rank = place * gpus + index
            if run == 0:
                offset = rank * part if collective == "all_gather" else 0
                driver.call("cuMemsetD32_v2", plus(buffers[index], offset), bits(rank + 1), ctypes.c_size_t(part // 4))
                driver.call("cuCtxSynchronize")
        started = time.time()
        nccl.call("ncclGroupStart")
        for index in range(gpus):
            send(nccl, collective, buffers[index], part, place * gpus + index, communicators[index])
        nccl.call("ncclGroupEnd")
        for _, context in contexts:
            driver.call("cuCtxSetCurrent", context)
            driver.call("cuCtxSynchronize")
        if run == 0:
            check(driver, collective, contexts, buffers, ranks, size)
        else:
            best = max(best, size / (time.time() - started) / 1e9)
    # Each link carries what the others have, all_reduce twice.
    times = (1 if collective == "all_gather" else 2) * (ranks - 1) / ranks
    tell("bus %.1f" % (best * times))
    if len(nodes) > 1:
        tell("network %s" % (re.findall("Using network (.*)", log()) or ["unknown"])[-1])  # noqa: UP031


def send(
    nccl: Nccl, collective: str, buffer: ctypes.c_uint64, part: int, rank: int, communicator: ctypes.c_void_p
) -> None:
    """Start a collective on one GPU, in place."""
    count = ctypes.c_size_t(part // 4)
    if collective == "all_gather":
        sent = plus(buffer, rank * part)
        nccl.call("ncclAllGather", sent, buffer, count, FLOAT, communicator, None)
    else:
        nccl.call("ncclAllReduce", buffer, buffer, count, FLOAT, SUM, communicator, None)


def check(driver: Driver, collective: str, contexts: list, buffers: list, ranks: int, size: int) -> None:  # type: ignore[type-arg]
    """Raise an error where a GPU hasn't what all others have sent, at the beginning and the end of each part."""
    part = size // ranks
    for (_, context), buffer in zip(contexts, buffers):  # noqa: B905
        driver.call("cuCtxSetCurrent", context)
        for rank in range(ranks):
            wanted = float(rank + 1) if collective == "all_gather" else ranks * (ranks + 1) / 2
            for offset in (rank * part, (rank + 1) * part - 4):
                value = ctypes.c_float()
                driver.call("cuMemcpyDtoH_v2", ctypes.byref(value), plus(buffer, offset), ctypes.c_size_t(4))
                if value.value != wanted:
                    raise OSError("%s came to %s in place of %s" % (collective, value.value, wanted))  # noqa: UP031


def shared_id(nccl: Nccl, port: int, nodes: "list[str]", place: int) -> Id:
    """Return the id of a group, which its first node makes, and sends to the others."""
    group = Id()
    size = ctypes.sizeof(group)
    if place == 0:
        nccl.call("ncclGetUniqueId", ctypes.byref(group))
        if len(nodes) == 1:
            return group
        with socket.socket(socket.AF_INET6 if ":" in nodes[0] else socket.AF_INET) as server:
            server.bind(("", port))
            server.listen(len(nodes))
            for _ in nodes[1:]:
                connection, _ = server.accept()
                connection.sendall(bytes(group))
                connection.close()
        return group
    while True:
        try:
            with socket.create_connection((nodes[0], port), 5) as connection:
                received = b""
                while len(received) < size:
                    received += connection.recv(size - len(received)) or sys.exit("no rates: the first node has ended")
                return Id.from_buffer_copy(received)
        except OSError:
            # It isn't there yet; the alarm ends it where it never comes.
            time.sleep(0.2)


def bits(number: int) -> int:
    """Return a float as the number that has the same bits."""
    return int(struct.unpack("<I", struct.pack("<f", float(number)))[0])


def plus(address: ctypes.c_uint64, offset: int) -> ctypes.c_uint64:
    """Return an address further on."""
    return ctypes.c_uint64(address.value + offset)


def log() -> str:
    """Return what NCCL has said."""
    LOG.seek(0)
    return LOG.read()


def tell(text: str) -> None:
    """Print a line of this node."""
    sys.stdout.write("%s %s\n" % (os.environ.get("SLURMD_NODENAME", "?"), text))  # noqa: UP031
    sys.stdout.flush()


def main() -> None:
    """Find this node in the groups, and measure."""
    collective, port, groups = sys.argv[1:]
    here = os.environ.get("SLURMD_NODENAME", "?")
    for group in groups.split(";"):
        names, addresses = zip(*(node.split("=", 1) for node in group.split(",")))  # noqa: B905
        if here in names:
            # Another node may hang, and this one with it.
            signal.alarm(SECONDS)
            os.environ.update(NCCL_DEBUG="INFO", NCCL_DEBUG_FILE="/proc/self/fd/%d" % LOG.fileno())  # noqa: UP031
            os.environ.pop("NCCL_DEBUG_SUBSYS", None)
            measure(collective, int(port), list(addresses), names.index(here))


if __name__ == "__main__":
    try:
        ctypes.CDLL("libnccl.so.2")
    except OSError as error:
        sys.stderr.write("no rates: %s\n" % error)  # noqa: UP031
        sys.exit(NO_NCCL)
    try:
        main()
    except OSError as error:
        sys.exit("no rates: %s" % error)  # noqa: UP031
