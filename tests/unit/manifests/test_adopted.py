"""What a cluster keeps of Slinky's chart: names of ConfigMaps and texts that say the same, and pods without ours."""

from typing import Any

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.objects import Manifest

HOOKS = {"prolog": {"10-a.sh": "#!/bin/sh\n", "20-b.sh": "#!/bin/sh\n"}}
FILES = [{"name": "slurm-prolog-scripts", "files": ["10-a.sh"]}, {"name": "slurm-prolog-dcgm", "files": ["20-b.sh"]}]


def objects(adopted: dict[str, Any], **fields: Any) -> dict[str, Manifest]:
    data = {"name": "slurm", "operatorVersion": "1.1.2", "nodeSets": [{"name": "cpu"}], "adopted": adopted, **fields}
    spec, _ = load(data)
    return {f"{item['kind']}/{item['metadata']['name']}": item for item in render(spec)}


def test_pods_get_nothing_of_ours() -> None:
    made = objects({}, accounting={"database": {"user": "slurm"}})
    for item in made.values():
        if item["apiVersion"].startswith("slinky") and item["kind"] != "Token":
            assert item["spec"]["template"]["metadata"] == {}
            assert "nodeSelector" not in item["spec"]["template"]["spec"]
    assert made["Controller/slurm"]["spec"]["clusterName"] == "slurm_slurm", "the operator's own, if a chart gives none"


def test_a_name_that_the_chart_was_given_is_written() -> None:
    assert objects({}, clusterName="Aspen")["Controller/slurm"]["spec"]["clusterName"] == "Aspen"


def test_labels_of_slurmdbd_s_pod_are_those_of_the_chart() -> None:
    pod = {"labels": {"app.kubernetes.io/managed-by": "Helm"}}
    labels = objects({}, accounting={"pod": pod})["Accounting/slurm"]["metadata"]["labels"]
    assert labels == {"app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/part-of": "slurm"}


def test_files_stay_in_their_config_maps_while_there_are_no_others() -> None:
    made = objects({"files": {"prologScriptRefs": FILES}}, hooks=HOOKS)
    refs = made["Controller/slurm"]["spec"]["prologScriptRefs"]
    assert [ref["name"] for ref in refs] == ["slurm-prolog-scripts", "slurm-prolog-dcgm"]
    assert made["ConfigMap/slurm-prolog-dcgm"]["data"] == {"20-b.sh": "#!/bin/sh\n"}

    more = {"prolog": {**HOOKS["prolog"], "30-c.sh": "#!/bin/sh\n"}}
    (ref,) = objects({"files": {"prologScriptRefs": FILES}}, hooks=more)["Controller/slurm"]["spec"]["prologScriptRefs"]
    assert ref["name"] == "slurm-prolog-d5c50ed3"


@pytest.mark.parametrize("text", ["Weight=5 Feature=a,b", "Features=a,b weight=5"])
def test_options_of_slurmd_keep_their_order_while_they_are_the_same(text: str) -> None:
    def rendered(weight: int) -> str:
        node_set = {"name": "cpu", "weight": weight, "features": ["a", "b"]}
        made = objects({"slurmdOptions": {"cpu": text}}, nodeSets=[node_set])
        return str(made["NodeSet/slurm-worker-cpu"]["spec"]["extraConf"])

    assert rendered(5) == text
    assert rendered(6) == "Features=a,b Weight=6"


def test_slurmdbd_conf_keeps_its_text_while_it_says_the_same() -> None:
    text = "# Ours\nPurgeJobAfter = 12months\nDebugLevel=info\n"

    def rendered(level: str) -> str:
        accounting = {"extraConf": {"DebugLevel": level, "PurgeJobAfter": "12months"}}
        return str(objects({"slurmdbdConf": text}, accounting=accounting)["Accounting/slurm"]["spec"]["extraConf"])

    assert rendered("info") == text
    assert rendered("debug") == "DebugLevel=debug\nPurgeJobAfter=12months"


def test_gpus_may_come_without_a_machine() -> None:
    made = objects({}, nodeSets=[{"name": "gpu", "extraGres": ["gpu:a100:8"]}])
    assert made["NodeSet/slurm-worker-gpu"]["spec"]["extraConf"] == "Gres=gpu:a100:8"


def test_overrides_may_have_what_the_chart_wrote() -> None:
    container = {"securityContext": {"privileged": False}}
    login = {"name": "login", "overrides": {"service": {"spec": {"type": "LoadBalancer"}}, "login": container}}
    made = objects({}, loginSets=[login], identity={"sssdConfSecret": {"name": "sssd", "key": "sssd.conf"}})
    assert made["LoginSet/slurm-login-login"]["spec"]["service"] == {"spec": {"type": "LoadBalancer"}}
