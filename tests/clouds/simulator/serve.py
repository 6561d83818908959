"""The process that the engine starts: it prints its port, answers, and ends with the engine."""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import grpc  # type: ignore[import-untyped]
from pulumi.runtime.proto import provider_pb2_grpc

from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.provider import Package, SimulatedProvider

LARGEST = 400 * 1024 * 1024
"""The engine's own limit for messages."""
AT_ONCE = 32


def serve(package: Package, cloud: Cloud) -> tuple[grpc.Server, int]:
    """Start to answer on the loopback, and return the server and its port."""
    limits = [("grpc.max_send_message_length", LARGEST), ("grpc.max_receive_message_length", LARGEST)]
    server = grpc.server(ThreadPoolExecutor(AT_ONCE), options=limits)
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(SimulatedProvider(package, cloud), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def run(package: Package, cloud: Cloud) -> None:
    """Answer the engine for as long as it lives."""
    engine = os.getppid()
    server, port = serve(package, cloud)
    print(port, flush=True)
    while os.getppid() == engine:
        time.sleep(0.5)
    server.stop(None)
    sys.exit(0)
