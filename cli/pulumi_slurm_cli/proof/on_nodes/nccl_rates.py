"""Measure how fast the GPUs of nodes send to each other, by NCCL.

Arguments: the collective, "all_reduce" or "all_gather"; how many GPUs each node has; a port; and the groups of nodes
that measure among themselves, separated by ";", each node with its address, as in
"gpu-0=10.0.0.1,gpu-1=10.0.0.2;gpu-2=10.0.0.3". The program runs once on each node, and prints

- the bus bandwidth in GB/s, such as "gpu-0 bus 187.2", as NVIDIA's tests do:
  https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md,
- whether all GPUs of the node reach each other by NVLink, as "gpu-0 linked yes",
- between nodes the network that NCCL's log names, as "gpu-0 network IB": `commAlloc` in src/init.cc of
  https://github.com/NVIDIA/nccl.

It ends with 72 where a job has no NCCL.
"""

import ctypes
import os
import struct
import sys
import threading
import time

from pulumi_slurm_cli.proof.on_nodes.cuda import Driver
from pulumi_slurm_cli.proof.on_nodes.first_node import shared_id
from pulumi_slurm_cli.proof.on_nodes.nccl_library import Log, Nccl

MIB = 1024 * 1024
SMALLEST, LARGEST = 64 * MIB, 8192 * MIB
"""The size of what is sent: links of GPUs reach their rate only with much, for which a slow network takes too long."""
PART = 8
"""Which part of a GPU's memory it may take."""
RUNS, SECONDS_OF_A_RUN = 3, 5.0
SECONDS = 100
FLOAT, SUM, MAX = 7, 0, 2
NATIVE_ATOMICS = 3
"""CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, which GPUs have by NVLink and not by PCIe."""
NO_NCCL = 72


class Group:
    """The GPUs of this node, and their communicators with those of the other nodes."""

    def __init__(self, log: Log, collective: str, count: int, addresses: "list[str]", place: int, port: int) -> None:
        self.log, self.driver, self.nccl = log, Driver(), Nccl(log)
        opened = self.driver.count()
        if opened != count:
            raise OSError("the job opens %d of %d GPUs" % (opened, count))  # noqa: UP031
        self.collective, self.ranks, self.first = collective, len(addresses) * count, place * count
        devices = [self.driver.context(index) for index in range(count)]
        self.contexts = [context for _, context in devices]
        total = ctypes.c_size_t()
        self.driver.call("cuDeviceTotalMem_v2", ctypes.byref(total), devices[0][0])
        # All ranks have parts of the same size, and those whole floats.
        self.unit = self.ranks * 256
        self.largest = min(LARGEST, total.value // PART) // self.unit * self.unit
        self.linked = all(self.is_linked(one, other) for one, _ in devices for other, _ in devices if one is not other)
        self.buffers = []
        self.communicators = [ctypes.c_void_p() for _ in range(count)]
        identity = shared_id(self.nccl, log, port, addresses, place)
        log.phase = "connecting"
        self.nccl.call("ncclGroupStart")
        for index, context in enumerate(self.contexts):
            self.driver.call("cuCtxSetCurrent", context)
            self.buffers.append(self.driver.memory(self.largest))
            communicator = ctypes.byref(self.communicators[index])
            self.nccl.call("ncclCommInitRank", communicator, self.ranks, identity, self.first + index)
        self.nccl.call("ncclGroupEnd")

    def is_linked(self, one: ctypes.c_int, other: ctypes.c_int) -> bool:
        """Return whether two GPUs reach each other by NVLink."""
        value = ctypes.c_int()
        self.driver.call("cuDeviceGetP2PAttribute", ctypes.byref(value), NATIVE_ATOMICS, one, other)
        return bool(value.value)

    def measure(self) -> float:
        """Return the bus bandwidth in GB/s."""
        size = max(min(SMALLEST, self.largest) // self.unit, 1) * self.unit
        self.fill(size)
        self.log.phase = "sending"
        self.send(size)
        self.check(size)
        seconds = self.agreed(self.send(size))
        # As much as goes through in a few seconds, and on all nodes the same.
        size = max(min(int(size * SECONDS_OF_A_RUN / seconds), self.largest), size) // self.unit * self.unit
        best = min(self.send(size) for _ in range(1 + RUNS))
        # Each link carries what the others have, all_reduce twice.
        times = (1 if self.collective == "all_gather" else 2) * (self.ranks - 1) / float(self.ranks)
        return times * size / best / 1e9

    def part(self, size: int) -> int:
        """Return how many bytes of its own each rank sends."""
        return size // self.ranks if self.collective == "all_gather" else size

    def fill(self, size: int) -> None:
        """Write what each rank sends: its number, from 1 on."""
        for index, context in enumerate(self.contexts):
            rank = self.first + index
            offset = rank * self.part(size) if self.collective == "all_gather" else 0
            self.driver.call("cuCtxSetCurrent", context)
            count = ctypes.c_size_t(self.part(size) // 4)
            self.driver.call("cuMemsetD32_v2", plus(self.buffers[index], offset), bits(rank + 1), count)
            self.driver.call("cuCtxSynchronize")

    def send(self, size: int) -> float:
        """Run the collective once, in place, and return its seconds."""
        count = ctypes.c_size_t(self.part(size) // 4)
        started = time.time()
        self.nccl.call("ncclGroupStart")
        for index, (buffer, communicator) in enumerate(zip(self.buffers, self.communicators)):  # noqa: B905
            if self.collective == "all_gather":
                sent = plus(buffer, (self.first + index) * self.part(size))
                self.nccl.call("ncclAllGather", sent, buffer, count, FLOAT, communicator, None)
            else:
                self.nccl.call("ncclAllReduce", buffer, buffer, count, FLOAT, SUM, communicator, None)
        self.nccl.call("ncclGroupEnd")
        self.wait()
        return time.time() - started

    def agreed(self, seconds: float) -> float:
        """Return the longest time that any rank has."""
        for context, buffer in zip(self.contexts, self.buffers):  # noqa: B905
            self.driver.call("cuCtxSetCurrent", context)
            self.driver.call("cuMemsetD32_v2", buffer, bits(seconds), ctypes.c_size_t(1))
            self.driver.call("cuCtxSynchronize")
        self.nccl.call("ncclGroupStart")
        for buffer, communicator in zip(self.buffers, self.communicators):  # noqa: B905
            self.nccl.call("ncclAllReduce", buffer, buffer, ctypes.c_size_t(1), FLOAT, MAX, communicator, None)
        self.nccl.call("ncclGroupEnd")
        self.wait()
        self.driver.call("cuCtxSetCurrent", self.contexts[0])
        return self.value(self.buffers[0])

    def wait(self) -> None:
        """Wait until all GPUs have done what they were told to."""
        for context in self.contexts:
            self.driver.call("cuCtxSetCurrent", context)
            self.driver.call("cuCtxSynchronize")

    def check(self, size: int) -> None:
        """Raise an error where a GPU hasn't what all others have sent, at the beginning and the end of each part."""
        part = size // self.ranks
        for context, buffer in zip(self.contexts, self.buffers):  # noqa: B905
            self.driver.call("cuCtxSetCurrent", context)
            for rank in range(self.ranks):
                wanted = rank + 1 if self.collective == "all_gather" else self.ranks * (self.ranks + 1) / 2
                for offset in (rank * part, (rank + 1) * part - 4):
                    value = self.value(plus(buffer, offset))
                    if value != wanted:
                        raise OSError("%s came to %s in place of %s" % (self.collective, value, wanted))  # noqa: UP031

    def value(self, address: ctypes.c_uint64) -> float:
        """Return a float in the current GPU's memory."""
        value = ctypes.c_float()
        self.driver.call("cuMemcpyDtoH_v2", ctypes.byref(value), address, ctypes.c_size_t(4))
        return value.value

    def end(self) -> None:
        """Leave the others, who may wait for the last of what was sent."""
        for communicator in self.communicators:
            self.nccl.call("ncclCommDestroy", communicator)


def bits(number: float) -> int:
    """Return a float as the number that has the same bits."""
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


def plus(address: ctypes.c_uint64, offset: int) -> ctypes.c_uint64:
    """Return an address further on."""
    return ctypes.c_uint64(address.value + offset)


def give_up(log: "Log") -> None:
    """End the program, also where a function of NCCL doesn't come back, and say where."""
    why = "; ".join(["it had no end in %d s while %s" % (SECONDS, log.phase), *log.warnings()[-1:]])  # noqa: UP031
    sys.stderr.write("no rates: %s\n" % why)  # noqa: UP031
    sys.stderr.flush()
    os._exit(1)


def tell(text: str) -> None:
    """Print a line of this node."""
    sys.stdout.write("%s %s\n" % (os.environ.get("SLURMD_NODENAME", "?"), text))  # noqa: UP031
    sys.stdout.flush()


def main() -> None:
    """Find this node in the groups, and measure."""
    collective, count, port, groups = sys.argv[1:]
    here = os.environ.get("SLURMD_NODENAME", "?")
    for text in groups.split(";"):
        names, addresses = zip(*(node.split("=", 1) for node in text.split(",")))  # noqa: B905
        if here not in names:
            continue
        log = Log()
        # Another node may hang, and this one with it.
        timer = threading.Timer(SECONDS, give_up, (log,))
        timer.daemon = True
        timer.start()
        group = Group(log, collective, int(count), list(addresses), names.index(here), int(port))
        tell("linked %s" % ("yes" if group.linked else "no"))
        if len(names) > 1:
            tell("network %s" % log.network())  # noqa: UP031
        tell("bus %.1f" % group.measure())  # noqa: UP031
        log.phase = "ending"
        group.end()


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
