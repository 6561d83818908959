"""Makes servers in a network namespace reachable on this machine's loopback, port by port.

A process belongs to one network, but a socket stays in that in which it was made: one thread enters the namespace and
makes the sockets that lead to the servers there.
"""

import argparse
import asyncio
import ctypes
import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

CLONE_NEWNET = 0x40000000


def entering(pid: int) -> Callable[[], None]:
    """Return what moves a thread into the network namespace of a process."""

    def enter() -> None:
        descriptor = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(descriptor, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        os.close(descriptor)

    return enter


async def serve(pid: int, ports: list[int]) -> None:
    """Relay until ended."""
    inside = ThreadPoolExecutor(1, initializer=entering(pid))
    for port in ports:
        await asyncio.start_server(partial(_relay, inside, port), "127.0.0.1", port)
    await asyncio.Event().wait()


async def _relay(
    inside: ThreadPoolExecutor, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.run_in_executor(inside, socket.socket)
    server.setblocking(False)
    try:
        await loop.sock_connect(server, ("127.0.0.1", port))
        server_reader, server_writer = await asyncio.open_connection(sock=server)
    except OSError:
        server.close()
        writer.close()
        return
    try:
        await asyncio.gather(_copy(reader, server_writer), _copy(server_reader, writer))
    finally:
        server_writer.close()
        writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 18):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        # Who is on the other side is not left waiting for an answer.
        writer.close()


def main() -> None:
    """Serve the named ports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pid", type=int, required=True, help="a process in the namespace")
    parser.add_argument("ports", type=int, nargs="+")
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.pid, arguments.ports))


if __name__ == "__main__":
    main()
