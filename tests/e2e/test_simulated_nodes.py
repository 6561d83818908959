"""What kwok does of its own where a kubelet would."""

from tests.e2e.objects import Object, Objects, ready
from tests.waiting import eventually


def test_a_pod_whose_node_was_not_ready_is_ready_again(objects: Objects) -> None:
    """kube-controller-manager sets that condition alone, MarkPodsNotReady in pkg/controller/util/node."""
    objects.namespace("again")
    spec = {"containers": [{"name": "main", "image": "x"}]}
    objects.create({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod", "namespace": "again"}, "spec": spec})

    def pod() -> Object:
        return objects.get("Pod", "again", "pod")

    try:
        eventually("the pod, ready", pod, ready)
        conditions = {"status": {"conditions": [{"type": "Ready", "status": "False"}]}}
        path = f"{objects.kind('Pod').path('again', 'pod')}/status"
        left = objects.api.request("PATCH", path, conditions, "application/strategic-merge-patch+json")
        assert not ready(left)
        eventually("the pod, ready again", pod, ready)
    finally:
        objects.delete("Namespace", None, "again")
