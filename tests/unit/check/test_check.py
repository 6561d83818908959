"""``pulumi-slurm check``: what it finds in stacks' files, where, and in which form it says so."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm import rules
from pulumi_slurm.ack_slurm import rules as ack_slurm_rules
from pulumi_slurm_cli.checking.check import Finding, Level, check
from pulumi_slurm_cli.checking.reports import Format, report
from pulumi_slurm_stacks.config import config_model, kinds
from tests.unit.importing.command_line import run
from tools.generate_reference import RULES

SECRET = "slurm:rootKey: {secure: v1:abcd}"
WRONG = f"""\
config:
  {SECRET}
  slurm:kind: gke
  slurm:gke:
    project: my-project
    region: europe-west4
    zones: &zones [europe-west4-b]
    pools:
    - name: cpu
      machineType: n2-standard-8x
      "maxNodes": 1e3
  slurm:cluster:
    name: hpc
    nodeSets:
    - {{name: a, pool: cpu, replicas: yes}}
    - name: b
      pol: cpu
    partitions: [{{name: main, nodeSets: [ALL]}}]
"""
GOOD = f"""\
config:
  {SECRET}
  slurm:kind: kubernetes
  slurm:pools: [{{name: cpu, nodeLabels: {{a: b}}, machine: {{cpus: 4, memory: 16Gi}}}}]
  slurm:cluster:
    name: hpc
    slurmConf: {{defMemPerCpu: 3Gi}}
    nodeSets: [{{name: a, pool: cpu, partition: {{}}, replicas: 2}}]
"""
WARNED = GOOD.replace("name: hpc\n", "name: hpc\n    operatorVersion: 1.1.0\n").replace(
    "replicas: 2", "replicas: 2, updateStrategy: {type: OnDelete}"
)
"""With one known error of the operator that concerns it."""


def findings(text: str) -> list[tuple[int, int, Level, str]]:
    return [(item.place.line, item.place.column, item.level, item.path) for item in check(text, "Pulumi.hpc.yaml")]


def test_all_mistakes_have_the_place_of_their_value() -> None:
    assert findings(WRONG) == [
        (10, 20, Level.ERROR, "slurm:gke.pools[0].machineType"),
        (15, 38, Level.ERROR, "slurm:cluster.nodeSets[0].replicas"),
        (16, 7, Level.ERROR, "slurm:cluster.nodeSets[1]"),
        (17, 12, Level.ERROR, "slurm:cluster.nodeSets[1].pol"),
    ]


def test_a_right_file_has_none_whatever_the_machine_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "missing"))
    assert check(GOOD, "Pulumi.hpc.yaml") == []


def test_what_stands_behind_an_alias_is_shown_there() -> None:
    text = GOOD.replace("machine: {cpus: 4", "machine: &m {cpus: four").replace(
        "replicas: 2}", "replicas: 2}, {name: b, machine: *m, replicas: 1}"
    )
    assert [item[:2] for item in findings(text)] == [(4, 68), (4, 68)]


def test_what_the_engine_reads_is_checked_and_not_what_python_reads() -> None:
    assert findings(GOOD.replace("{name: a,", "{name: on,")) == []
    assert [item[3] for item in findings(GOOD.replace("{name: a,", "{name: 010,"))] == [
        "slurm:cluster.nodeSets[0].name"
    ]


def test_what_is_encrypted_is_not_judged() -> None:
    text = GOOD.replace("[{name: cpu, nodeLabels: {a: b}, machine: {cpus: 4, memory: 16Gi}}]", "{secure: v1:x}")
    assert (4, 3, Level.NOTE, "slurm:pools") in findings(text)


def test_secrets_may_come_from_an_environment_of_pulumi_esc() -> None:
    text = GOOD.replace(f"  {SECRET}\n", "")
    assert [item[2:] for item in findings(text)] == [(Level.NOTE, "slurm:rootKey")]
    assert findings(f"environment: [hpc/keys]\n{text}") == []
    without_kind = "\n".join(line for line in text.splitlines() if "slurm:kind" not in line)
    assert findings(f"environment: [hpc/keys]\n{without_kind}\n") == []


def accepting(path: str, reason: str = "it comes with the cluster") -> str:
    rule = "operator-release-has-no-known-defects"
    return f"{WARNED}  slurm:accepted: [{{rule: {rule}, path: '{path}', reason: {reason}}}]\n"


def test_a_warning_is_a_note_where_the_file_says_why() -> None:
    (warning,) = check(WARNED, "Pulumi.hpc.yaml")
    assert (warning.level, warning.rule) == (Level.WARNING, "operator-release-has-no-known-defects")
    (note,) = check(accepting(warning.path), "Pulumi.hpc.yaml")
    assert note.level is Level.NOTE
    assert note.text.endswith("Accepted: it comes with the cluster")
    still_warned, unused = check(accepting("slurm:cluster.name"), "Pulumi.hpc.yaml")
    assert still_warned == warning
    assert (unused.level, unused.path) == (Level.WARNING, "slurm:accepted[0]")
    assert "it accepts nothing, as operator-release-has-no-known-defects doesn't warn there" in unused.text
    assert [item.path for item in check(accepting(warning.path, "''"), "Pulumi.hpc.yaml")] == [
        "slurm:accepted[0].reason",
        warning.path,
    ]


SHARING = """config:
  slurm:kind: kubernetes
  slurm:pools: [{name: p, nodeLabels: {a: b}, machine: {cpus: 64, memory: 256Gi, gpus: {count: 8}}}]
  slurm:cluster:
    name: c
    slurmConf: {defMemPerCpu: 1G}
    nodeSets:
    - {name: a, pool: p, gpus: 2, replicas: 1, partition: {}}
    - {name: b, pool: p, gpus: 4, replicas: 1, partition: {}}
"""


def accepting_of(path: str) -> list[tuple[Level, str]]:
    rule = "workers-have-all-gpus-of-their-nodes"
    text = f"{SHARING}  slurm:accepted: [{{rule: {rule}, path: '{path}', reason: it has its node for itself}}]\n"
    findings = check(text, "Pulumi.hpc.yaml")
    return [(item.level, item.path) for item in findings if item.rule == rule or "accepted" in item.path]


def test_an_acceptance_is_of_the_node_set_that_it_names() -> None:
    warned = (Level.WARNING, "slurm:cluster.nodeSets[0].gpus")
    assert accepting_of("slurm:cluster.nodeSets[b].gpus") == [warned, (Level.NOTE, "slurm:cluster.nodeSets[1].gpus")]
    for path in ("slurm:cluster.nodeSets[1].gpus", "slurm:cluster.nodeSets[d].gpus"):
        assert (Level.ERROR, "slurm:accepted[0].path") in accepting_of(path)


@pytest.mark.parametrize(
    ("rule", "fix"),
    [
        ("workers-have-all-gpus-of-their-node", 'Did you mean "workers-have-all-gpus-of-their-nodes"?'),
        ("gke-labels-are-the-users", "Write what stands in brackets at the end of the warning."),
        ("*", "Write what stands in brackets at the end of the warning."),
    ],
    ids=["misspelt", "of another cloud", "all"],
)
def test_an_acceptance_is_of_a_rule_that_there_is(rule: str, fix: str) -> None:
    path = "slurm:cluster.nodeSets[a].gpus"
    text = f"{SHARING}  slurm:accepted: [{{rule: '{rule}', path: '{path}', reason: as wanted}}]\n"
    (refused, *others) = check(f"{text}  {SECRET}\n", "Pulumi.hpc.yaml")
    assert (refused.level, refused.path) == (Level.ERROR, "slurm:accepted[0].rule")
    assert "no rule of a stack of this kind has this name" in refused.text
    assert fix in refused.text
    assert [item.path for item in others] == ["slurm:cluster.nodeSets[0].gpus", "slurm:cluster.nodeSets[1].gpus"]


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [
        ("nodeLabels: {a: b}", "nodeLabels: {secure: v1:x}", "slurm:pools[p].machine"),
        ("config:", "environment: [hpc/keys]\nconfig:", "slurm:provider[x]"),
    ],
    ids=["encrypted", "from Pulumi ESC"],
)
def test_of_what_cannot_be_read_no_acceptance_is_told(before: str, after: str, path: str) -> None:
    rule = "workers-have-all-gpus-of-their-nodes"
    text = f"{SHARING}  slurm:accepted: [{{rule: {rule}, path: '{path}', reason: as wanted}}]\n"
    assert "accepted" in str([item.path for item in check(text, "Pulumi.hpc.yaml")])
    findings = check(text.replace(before, after), "Pulumi.hpc.yaml")
    assert "accepted" not in str([item.path for item in findings])


def test_every_rule_of_the_reference_is_one_of_some_stack() -> None:
    of_stacks = {rule for kind in kinds() for rule in config_model(kind).rules()}
    # What is wrong between clusters is an error, which nobody accepts.
    between = {*rules.RULES_OF_CLUSTERS, *ack_slurm_rules.RULES_OF_CLUSTERS}
    assert {rule for listed in RULES.values() for rule in listed} == of_stacks | between


@pytest.mark.parametrize("text", ["config: [\n", "- a\n", "config: {a: 1, a: 2}\n", "config: 3\n", "hello\n"])
def test_what_is_no_stack_s_file_is_told_in_one_line(text: str) -> None:
    (finding,) = check(text, "Pulumi.hpc.yaml")
    assert finding.level is Level.ERROR
    assert "\n" not in report([finding], Format.TEXT)


def test_exit_codes(tmp_path: Path) -> None:
    for name, text in {"good": GOOD, "wrong": WRONG, "warned": WARNED}.items():
        (tmp_path / f"Pulumi.{name}.yaml").write_text(text)
    good, wrong, warned, none = (tmp_path / f"Pulumi.{name}.yaml" for name in ("good", "wrong", "warned", "none"))
    assert run("check", good).returncode == 0
    of_both = run("check", good, wrong)
    assert of_both.returncode == 1
    assert of_both.stdout.splitlines()[0].startswith(f"{wrong}:10:20: error: slurm:gke.pools[0].machineType = ")
    assert run("check", warned).returncode == 1
    assert run("check", none).returncode == 2
    both = run("check", none, wrong)
    assert (both.returncode, len(both.stdout.splitlines())) == (2, 4)
    assert both.stderr.startswith(f"{none}: ")
    conf = tmp_path / "slurm.conf"
    conf.write_text("ClusterName=c\n")
    old = run("check", conf, good)
    assert (old.returncode, old.stdout) == (2, "")
    assert f"Run pulumi-slurm check-outside {conf} {good}" in old.stderr


def many(count: int, level: Level) -> list[Finding]:
    (finding,) = check("config: [\n", "Pulumi.a,b%.yaml")
    return [Finding(finding.file, finding.place, level, "", f"::{number}: 100 %\nmore") for number in range(count)]


def test_annotations_are_cut_at_nine_of_a_kind_and_the_rest_is_counted() -> None:
    text = report([*many(12, Level.ERROR), *many(10, Level.WARNING), *many(1, Level.NOTE)], Format.GITHUB)
    commands = [line for line in text.splitlines() if line.startswith("::")]
    kinds = [re.split("[ :]", line[2:])[0] for line in commands]
    assert [kinds.count(kind) for kind in ("error", "warning", "notice")] == [10, 10, 1]
    assert (
        commands[0]
        == "::error file=Pulumi.a%2Cb%25.yaml,line=2,col=1,title=pulumi-slurm check::: :0: 100 %25\\u000amore"
    )
    assert commands[9] == "::error ::3 more errors: see the log, or run pulumi-slurm check"
    # Every one of them is in the log.
    assert len(text.splitlines()) == len(commands) + 23


def test_sarif_keeps_to_its_schema() -> None:
    schema = json.loads((CHECKOUT / "tests/unit/check/sarif-2.1.0.json").read_text())
    findings = [*check(WRONG, "a folder/Pulumi.ä.yaml"), *check(WARNED, "Pulumi.hpc.yaml")]
    for some in ([], findings):
        log: dict[str, Any] = json.loads(report(some, Format.SARIF))
        jsonschema.validate(log, schema)
        assert len(log["runs"][0]["results"]) == len(some)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**log, "version": "2.0.0"}, schema)
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, schema)


def test_json_has_all_that_a_program_needs() -> None:
    (first, *_) = json.loads(report(check(WRONG, "Pulumi.hpc.yaml"), Format.JSON))
    assert first.pop("message").startswith('slurm:gke.pools[0].machineType = "n2-standard-8x"')
    assert first == {
        "file": "Pulumi.hpc.yaml",
        "line": 10,
        "column": 20,
        "level": "error",
        "path": "slurm:gke.pools[0].machineType",
        "rule": "gke-machine-types-exist",
    }


TO_REPLACE = {"ack-slurm-image-is-not-the-example", "ack-nodes-reach-the-registries"}
"""Rules that warn of an address in a shipped file in whose place a user writes that of a registry."""


@pytest.mark.parametrize("file", sorted(CHECKOUT.glob("Pulumi.*.yaml")), ids=lambda file: file.name)
def test_shipped_files_are_warned_of_nothing_but_addresses_to_replace(file: Path) -> None:
    findings = check(file.read_text(), file.name)
    assert {finding.rule for finding in findings if finding.level is Level.WARNING} <= TO_REPLACE


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ("slurm:operator: {namespace: slurm}", "slurm:operator.namespace"),
        ("slurm:keda: {namespace: slurm}", "slurm:keda.namespace"),
        ("slurm:keda: {namespace: slinky}", "slurm:keda.namespace"),
    ],
)
def test_each_namespace_is_made_once(settings: str, error: str) -> None:
    file = f"config:\n  slurm:kind: kubernetes\n  {settings}\n  slurm:cluster: {{name: hpc}}\n"
    assert error in [item.path for item in check(file, "Pulumi.hpc.yaml") if item.level is Level.ERROR]
    apart = file.replace("namespace: sl", "namespace: other-sl")
    assert error not in [item.path for item in check(apart, "Pulumi.hpc.yaml")]


def test_a_prefix_may_end_with_a_number() -> None:
    """Its digits are none of a node's number."""
    nodes = "{name: gpu, hostNamePrefix: rack1, replicas: 2, machine: {cpus: 4, memory: 8Gi, gpus: {count: 1}}}"
    conf = '{gres.conf: "NodeName=rack1[0-1] Name=gpu File=/dev/nvidia0\\n"}'
    file = (
        "config:\n  slurm:kind: kubernetes\n  slurm:cluster:\n    name: hpc\n"
        f"    nodeSets: [{nodes}]\n    configFiles: {conf}\n"
    )
    assert [item.text for item in check(file, "Pulumi.hpc.yaml") if "gres.conf" in item.path] == []
