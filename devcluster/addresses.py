"""The addresses of one embedded cluster. Real nodes have a network of their own, so every cluster has the same."""

GATEWAY = "10.254.0.1"
"""The control plane, in the network of real nodes."""
SERVICE_RANGE = "10.96.0.0/16"
API_SERVICE = "10.96.0.1"
DNS_SERVICE = "10.96.0.10"
POD_RANGE = "10.244.0.0/16"


def of_node(number: int) -> str:
    """Return a real node's address beside the control plane's."""
    return f"{GATEWAY.rpartition('.')[0]}.{number + 10}"


def pods_of_node(number: int) -> str:
    """Return the range of the pods on a real node."""
    return f"10.244.{number}.0/24"
