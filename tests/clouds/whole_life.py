"""What the tests of a stack's whole life look at, whichever cloud it is on."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.secrecy import SECRET
from pulumi_slurm_cli.offline.recorded_file import record_file
from pulumi_slurm_stacks.whole_cluster import FORMER_NAMES
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.wire import Values
from tests.e2e.objects import Key, Object, Objects, daemons, ready
from tests.e2e.program import Program, Run

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


ADOPTED: Mapping[str, int] = {"create": 1, "update": 2}
"""What changes then: the component is new, and both objects that say whose the namespace is name their new URN."""


def up_from_before(program: Program, component: str) -> Run:
    """Give a stack the state in which its parts had no component around them, and run `pulumi up`.

    So were all stacks on clouds before `GkeSlurm` and `AckSlurm`; tests/components/urns_before.txt has what they made.
    """
    state = json.loads(program.run("stack", "export").output)
    (whole,) = [one for one in state["deployment"]["resources"] if one["type"] == f"slurm:index:{component}"]
    resources = [one for one in state["deployment"]["resources"] if one is not whole]
    text = json.dumps(resources).replace(f'"parent": "{whole["urn"]}"', f'"parent": "{whole["parent"]}"')
    text = text.replace(f"{whole['type']}$", "")
    name = whole["urn"].rpartition("::")[2]
    for kind, former in FORMER_NAMES.items():
        role = former.removeprefix("ack-").removeprefix("slurm-")
        text = re.sub(rf"({re.escape(kind)}[^\" ]*::){re.escape(name)}-{role}", rf"\g<1>{former}", text)
    state["deployment"]["resources"] = json.loads(text)
    file = program.state / "before.json"
    file.write_text(json.dumps(state))
    program.run("stack", "import", f"--file={file}")
    return program.up()


def unlike_recorded(program: Program, up: Run) -> list[str]:
    """Return how a cloud's resources in the first `pulumi up` differ from what is recorded without an engine.

    `pulumi-slurm render` and `review --offline` show the latter. What only a run knows is not compared.
    """
    text = json.dumps({"config": program.settings})
    _, recording = record_file(text, f"Pulumi.{program.stack}.yaml", project="slurm", stack=program.stack)
    recorded = {f"{one.type} {one.name}": one.inputs for one in recording.resources if one.type.startswith(_CLOUDS)}
    steps = [event["resourcePreEvent"]["metadata"] for event in up.events if "resourcePreEvent" in event]
    made = {
        f"{step['type']} {step['urn'].rpartition('::')[2]}": step["new"]["inputs"]
        for step in steps
        if step["op"] == "create" and step["type"].startswith(_CLOUDS)
    }
    return [*_differences(recorded, made)]


_CLOUDS = ("gcp:", "alicloud:")


def _differences(recorded: Any, made: Any, path: str = "") -> Iterator[str]:
    """Yield where two values differ; what the provider has filled in isn't recorded."""
    # The engine's text for a secret is in a mapping that says that it is one.
    if recorded in (UNKNOWN, made) or (recorded == SECRET and SECRET in (made or {}).values()):
        return
    if isinstance(recorded, dict) and isinstance(made, dict):
        filled_in = made.get("__defaults", [])
        for key in sorted({*recorded, *made} - {"__defaults", *filled_in}):
            yield from _differences(recorded.get(key), made.get(key), f"{path} {key}")
    elif isinstance(recorded, list) and isinstance(made, list) and len(recorded) == len(made):
        for index, (one, other) in enumerate(zip(recorded, made, strict=True)):
            yield from _differences(one, other, f"{path}[{index}]")
    elif not (isinstance(recorded, str) and UNKNOWN in recorded):
        yield f"{path.strip()}: {recorded!r} is recorded, {made!r} is made"
