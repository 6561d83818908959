"""What a changed script or file does to the pod of slurmctld."""

from typing import Any

import pytest

from pulumi_slurm.model.releases.operator_version import RELEASES, operator_version
from tests.unit.manifests.rendered import rendered_by_kind

SCRIPT, OTHER = "#!/bin/bash\ntrue\n", "#!/bin/bash\nfalse\n"
RESTARTS: dict[str, Any] = {"inplaceReconfigure": False}


def spec(release: str, controller: dict[str, Any] | None = None, **fields: Any) -> Any:
    resources = rendered_by_kind(operatorVersion=release, controller=controller or {}, **fields)
    return resources["Controller"]["spec"]


@pytest.mark.parametrize("release", RELEASES)
def test_changed_content_restarts_nothing(release: str) -> None:
    """Kubernetes brings it into the pod, where the operator's sidecar reconfigures slurmctld."""
    before = spec(release, hooks={"prolog": {"a.sh": SCRIPT}}, configFiles={"gres.conf": ""})
    after = spec(release, hooks={"prolog": {"a.sh": OTHER}}, configFiles={"gres.conf": "# none\n"})
    assert before == after
    assert before.get("inplaceReconfigure") == (True if operator_version(release).minor >= (1, 2) else None)


def test_without_reconfiguring_in_place_changed_content_restarts_slurmctld() -> None:
    before, after = (spec("1.2.1", RESTARTS, hooks={"prolog": {"a.sh": text}}) for text in (SCRIPT, OTHER))
    assert before["prologScriptRefs"] == after["prologScriptRefs"]
    assert before["template"] != after["template"]
    assert before["inplaceReconfigure"] is False


@pytest.mark.parametrize("release", RELEASES)
def test_a_new_name_is_read_by_the_operator(release: str) -> None:
    """It writes the names of scripts into slurm.conf, but does not watch the ConfigMaps."""
    before = spec(release, hooks={"prolog": {"a.sh": SCRIPT}})
    after = spec(release, hooks={"prolog": {"a.sh": SCRIPT, "b.sh": SCRIPT}})
    assert before["prologScriptRefs"] != after["prologScriptRefs"]


def test_disabled_cgroups_are_read_by_the_operator() -> None:
    files = ("CgroupPlugin=disabled\n", "IgnoreSystemd=yes\n")
    before, after = (spec("1.1.2", configFiles={"cgroup.conf": text}) for text in files)
    assert before["configFileRefs"] != after["configFileRefs"]
