"""What the tests of a stack's whole life look at, whichever cloud it is on."""

from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.wire import Values
from tests.e2e.objects import Key, Object, Objects, daemons, ready
from tests.e2e.program import Run

Made = dict[tuple[str, str], Values]
"""Properties by token and id."""


def made_in(cloud: Cloud) -> Made:
    """Return what there is in a cloud."""
    return {(each.token, each.id): each.state for each in cloud.all()}


def untouched(cloud: Cloud, before: Made) -> None:
    """Expect that all that existed is as it was, and that nobody tried to change it."""
    after = made_in(cloud)
    assert {key: after.get(key) for key in before} == before
    names = {(each.token, each.name) for each in cloud.all() if (each.token, each.id) in before}
    done = [(one["type"], one["name"], one["operation"]) for one in cloud.done()]
    of_theirs = [one for one in done if one[:2] in names and one[2] != "read"]
    # It was created by whom it belongs to, and that was all.
    assert {one[2] for one in of_theirs} <= {"create"}


def running(objects: Objects) -> list[Object]:
    """Return the pods that stay."""
    return daemons(objects.all("Pod"))


def not_ready(objects: Objects) -> list[Object]:
    """Return those of the pods that stay which are not ready."""
    return [pod for pod in running(objects) if not ready(pod)]


def steady(objects: Objects) -> dict[Key, str]:
    """Return all but the nodes that nobody uses, which a cloud removes at any time, and the pods of old Jobs."""
    staying = {pod["metadata"]["name"] for pod in running(objects)}
    return {
        (kind, namespace, name): uid
        for (kind, namespace, name), uid in objects.uids().items()
        if kind not in {"Node", "CSINode.storage.k8s.io"} and (kind != "Pod" or name in staying)
    }


def began_and_ended(run: Run) -> tuple[dict[str, int], dict[str, int]]:
    """Return the positions in a run at which it began and ended with each resource, by the resource's type and name."""
    began: dict[str, int] = {}
    ended: dict[str, int] = {}
    for event in run.events:
        for kind, positions in (("resourcePreEvent", began), ("resOutputsEvent", ended)):
            if kind in event:
                positions[event[kind]["metadata"]["urn"].rpartition("$")[2]] = event["sequence"]
    return began, ended
