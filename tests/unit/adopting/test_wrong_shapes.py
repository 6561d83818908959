"""Objects of another shape than the API server's, as in a List that somebody edited: told by path, and no traceback."""

import contextlib
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from pulumi_slurm.model.releases.operator_fields import FIELDS
from pulumi_slurm_cli.adopting import (
    AdoptionError,
    LiveObjects,
    adopt,
    commands,
    read_release,
    stack_file,
    wrong_shapes,
)
from pulumi_slurm_cli.adopting.draft import MAIN
from tests.unit.adopting.chart import Object, adopted, objects, record, record_of
from tests.unit.adopting.test_command import RESOURCES, listed
from tests.unit.adopting.test_live_objects import CONTROLLER, LOGIN_SET, NODE_SET, changed
from tests.unit.adopting.test_unknown_fields import LIVE, RELEASE
from tests.unit.importing.command_line import run
from tests.unit.wrong_shapes import WRONG, Steps, paths, put

NOT_A_MAPPING = "this is not a mapping. Write a mapping of"


@pytest.mark.parametrize(
    ("kind", "name", "spec", "told"),
    [
        ("NodeSet", NODE_SET, {"template": 3}, f"spec.template = 3: {NOT_A_MAPPING} field names to values."),
        ("NodeSet", NODE_SET, {"template": {"spec": [1]}}, f"spec.template.spec: {NOT_A_MAPPING} field names to"),
        ("NodeSet", NODE_SET, {"ssh": "yes"}, f"spec.ssh: {NOT_A_MAPPING} field names to values."),
        ("NodeSet", NODE_SET, {"slurmd": {"env": {"A": "b"}}}, "spec.slurmd.env: this is not a list. Write a list."),
        ("Controller", CONTROLLER, {"extraConf": 3}, "spec.extraConf = 3: this is not text. Write text;"),
        ("Controller", CONTROLLER, {"prologScriptRefs": [{"key": "a"}]}, "spec.prologScriptRefs[0].name: this field"),
        ("RestApi", CONTROLLER, {"slurmrestd": {"image": ["a"]}}, 'spec.slurmrestd.image = ["a"]: this is not text.'),
    ],
)
def test_a_wrong_shape_is_refused_by_path_and_value(kind: str, name: str, spec: Object, told: str) -> None:
    (refused,) = adopted({}, changed(kind, name, **spec)).refused
    assert str(refused).startswith(f"{kind}/{name}: {told}")
    assert str(refused).endswith(" Change it by `helm upgrade` first.")


def test_text_in_place_of_a_mapping_is_not_repeated() -> None:
    values = {"loginsets": {"slinky": {"enabled": True}}}
    (refused,) = adopted(values, changed("LoginSet", LOGIN_SET, values, login="x9")).refused
    assert "x9" not in str(refused)


def fields(kind: str) -> Iterator[Steps]:
    """Yield the paths of all fields of a kind, also of those that no object here has."""
    for path in FIELDS.get(kind, ()):
        steps = ("spec", *path.removesuffix(".*").split("."))
        yield from (steps[:length] for length in range(1, len(steps) + 1))


OWNED = ("metadata", "managedFields")
MANAGED: list[Object] = [{"manager": "helm", "fieldsV1": {"f:spec": {"f:replicas": {}}}}]
PLACES = [
    (index, steps)
    for index, item in enumerate(LIVE)
    for steps in dict.fromkeys(
        [
            *paths(item),
            *fields(item["kind"]),
            *((*OWNED, *steps) for steps in paths(MANAGED)),
            *(
                ("spec", "template", "spec", name)
                for name in ("tolerations", "imagePullSecrets", "hostname", "dnsPolicy")
            ),
            *(("spec", MAIN.get(item["kind"], ""), name) for name in ("env", "imagePullPolicy", "volumeMounts")),
        ]
    )
    if steps and steps[0] not in ("apiVersion", "kind") and steps not in (("metadata",), ("metadata", "name"))
]


@pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
@pytest.mark.timeout(300)
@given(st.sampled_from(PLACES), WRONG)
@settings(deadline=None, max_examples=60)
def test_no_shape_at_any_path_ends_in_a_traceback(place: tuple[int, Steps], value: Any) -> None:
    live = copy.deepcopy(LIVE)
    index, steps = place
    for item in live:
        item["metadata"]["managedFields"] = copy.deepcopy(MANAGED)
    put(live[index], steps, value)
    adoption = adopt(RELEASE, LiveObjects(live))
    assert all(str(refusal).isprintable() for refusal in adoption.refused)
    if not adoption.refused:
        assert stack_file(adoption, {})
    if not wrong_shapes(LiveObjects(live)):
        assert commands(RELEASE, LiveObjects(live), {})


@pytest.mark.parametrize("kind", ["Controller", "Accounting"])
@pytest.mark.parametrize("config", [None, {}, {"host": ""}, {"port": 6819}])
def test_an_external_daemon_without_a_host_is_refused(kind: str, config: Any) -> None:
    live = copy.deepcopy(LIVE)
    item = next(item for item in live if item["kind"] == kind)
    item["spec"] |= {"external": True, "externalConfig": config}
    refused = adopt(RELEASE, LiveObjects(live)).refused
    assert [str(refusal).partition(": the daemon")[0] for refusal in refused] == [
        f"{kind}/{item['metadata']['name']}: spec.externalConfig.host"
    ]


RECORD = {
    "chart": {"metadata": {"name": "slurm", "version": "1.1.0", "appVersion": "25.11"}},
    "manifest": objects({}, helm=False),
}


@given(st.sampled_from([steps for steps in paths(RECORD) if len(steps) < 6]), WRONG)
@settings(deadline=None, max_examples=60)
def test_no_shape_in_a_record_ends_in_a_traceback(steps: Steps, value: Any) -> None:
    content: Any = {"record": copy.deepcopy(RECORD)}
    put(content, ("record", *steps), value)
    made = content["record"]
    if isinstance(made, dict) and isinstance(made.get("manifest"), list):
        made["manifest"] = yaml.safe_dump_all(made["manifest"])
    with contextlib.suppress(AdoptionError):
        adopt(read_release([record_of(made)], RELEASE.name), LiveObjects(objects({})))


def test_the_commands_that_take_from_helm_are_printed_of_no_wrong_shape(tmp_path: Path) -> None:
    imports = tmp_path / "import.json"
    imports.write_text(json.dumps({"resources": RESOURCES}))
    made = objects({})
    node_set = next(item for item in made if item["kind"] == "NodeSet")
    node_set["metadata"]["managedFields"] = [3]
    done = run("adopt", listed(tmp_path, *made, record(objects({}, helm=False))), "--import-file", imports)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("NodeSet/slurm-worker-slinky: metadata.managedFields[0] = 3: this is not a mapping.")
