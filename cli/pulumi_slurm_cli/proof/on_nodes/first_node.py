"""How the nodes of a group find each other: the first of them sends the others what NCCL needs for that."""

import ctypes
import os
import socket
import time

from pulumi_slurm_cli.proof.on_nodes.nccl_library import Id, Log, Nccl


def shared_id(nccl: Nccl, log: Log, port: int, addresses: "list[str]", place: int) -> Id:
    """Return the id of a group, which its first node makes, and sends to each other one that tells the job's number."""
    identity = Id()
    if place == 0:
        nccl.call("ncclGetUniqueId", ctypes.byref(identity))
        if len(addresses) == 1:
            return identity
        log.phase = "waiting for the other nodes"
        waiting = {greeting(other) for other in range(1, len(addresses))}
        with socket.socket(socket.AF_INET6 if ":" in addresses[0] else socket.AF_INET) as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(("", port))
            server.listen(64)
            while waiting:
                connection, _ = server.accept()
                with connection:
                    try:
                        connection.settimeout(5)
                        who = received(connection, len(greeting(0)))
                        if who in waiting:
                            connection.sendall(bytes(identity))
                            # It has all of it once it says so.
                            received(connection, 1)
                            waiting.discard(who)
                    except OSError:
                        # Somebody else, or one that comes again.
                        pass
        return identity
    while True:
        try:
            with socket.create_connection((addresses[0], port), 5) as connection:
                connection.sendall(greeting(place))
                answer = received(connection, ctypes.sizeof(identity))
                connection.sendall(b"+")
                return Id.from_buffer_copy(answer)
        except OSError as error:
            # It isn't there yet; the timer ends it where it never comes.
            log.phase = "finding the first node at %s, port %d: %s" % (addresses[0], port, error)  # noqa: UP031
            time.sleep(0.2)


def greeting(place: int) -> bytes:
    """Return what a node says to the first one: the job's number, and its place."""
    return ("%016d%08d" % (int(os.environ.get("SLURM_JOB_ID", "0")), place)).encode()  # noqa: UP031


def received(connection: socket.socket, size: int) -> bytes:
    """Return as many bytes."""
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise OSError("it has ended")
        data += more
    return data
