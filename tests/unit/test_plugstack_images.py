"""Warnings of plugstack.conf: plugins and files that images don't have, where they may be there, and files unread."""

from typing import Any

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster

TAG = "25.11-ubuntu24.04"
PYXIS = f"ghcr.io/slinkyproject/slurmd-pyxis:{TAG}"
LOGIN_PYXIS = f"ghcr.io/slinkyproject/login-pyxis:{TAG}"
CPU = {"name": "cpu", "machine": {"cpus": 1, "memory": "8Gi"}}
LOGIN = {"name": "login", "pod": {}}


def told(plugstack: str | None, *, files: dict[str, str] | None = None, **fields: Any) -> list[str]:
    """Return what is told of a cluster with a plugstack.conf, each error with its severity."""
    config_files = {**({"plugstack.conf": plugstack} if plugstack else {}), **(files or {})}
    cluster = {"name": "c", "nodeSets": [CPU], "identity": {"directory": {}}, "configFiles": config_files, **fields}
    found = check_cluster(SlurmSpec.model_validate(cluster))
    rules = ("plugin", "plugstack", "slurm-knows-the-files")
    return [
        f"{error.severity}: {error.problem}"
        for error in found
        if error.code and any(rule in error.code for rule in rules)
    ]


def test_patterns_of_files_that_images_do_not_have() -> None:
    include = "include /usr/share/pyxis/*\n"
    problem = "have no file of this name, so Slurm loads no plugin there"
    assert told(include) == [f"warning: plugstack.conf:1: Slinky's images (cpu) {problem}"]
    assert told(include, nodeSets=[{**CPU, "image": PYXIS}]) == []
    with_login: dict[str, Any] = {"nodeSets": [{**CPU, "image": PYXIS}], "loginSets": [LOGIN]}
    assert told(include, **with_login) == [f"warning: plugstack.conf:1: Slinky's images (login) {problem}"]
    assert told(include, **{**with_login, "loginSets": [{**LOGIN, "image": LOGIN_PYXIS}]}) == []
    # What the image has in /etc/slurm is out of sight.
    (warning,) = told("include /etc/slurm/plugstack.conf.d/*\n", nodeSets=[{**CPU, "image": PYXIS}])
    assert problem in warning


def test_optional_plugins_that_no_image_has() -> None:
    optional = "optional spank_pyxis.so\n"
    problem = "Slinky's images (cpu) don't have it, so Slurm passes over it"
    assert told(optional) == [f"warning: plugstack.conf:1: {problem}"]
    assert told(optional, nodeSets=[CPU, {**CPU, "name": "gpu", "image": PYXIS}]) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"nodeSets": [{**CPU, "image": "registry.example.org/slurmd:1"}]},
        {"nodeSets": [{**CPU, "overrides": {"slurmd": {"image": "registry.example.org/slurmd@sha256:" + "0" * 64}}}]},
        {"nodeSets": [{**CPU, "image": PYXIS}]},
        {"nodeSets": [{**CPU, "image": PYXIS + "@sha256:" + "0" * 64}]},
        {"nodeSets": [{**CPU, "hostPaths": [{"name": "plugins", "path": "/opt", "mountPath": "/usr/lib/slurm"}]}]},
        {"sharedVolumes": [{"name": "plugins", "mountPath": "/usr/lib/slurm", "existingClaim": "plugins"}]},
        {"controller": {"external": {"host": "slurmctld.example.org", "port": 6817}}},
    ],
)
def test_required_plugins_that_may_be_there(fields: dict[str, Any]) -> None:
    for path in ("spank_pyxis.so", "/usr/lib/slurm/spank_pyxis.so"):
        assert told(f"required {path}\n", **fields) == []


def test_required_plugins_on_a_volume_of_a_cloud() -> None:
    """The cloud's part adds it after the cluster was checked."""
    assert told("required /shared/spank_own.so\n") == []
    (error,) = told("required /usr/lib/spank_own.so\n")
    assert error.startswith("error: plugstack.conf:1: slurmd exits without it")


def test_required_plugins_of_a_mirror() -> None:
    (warning,) = told("required spank_pyxis.so\n", images={"registry": "registry.example.org/slinky"})
    assert warning == (
        "warning: plugstack.conf:1: slurmd exits without it, and Slinky's images (cpu) don't have it, nor has a mirror "
        "of them"
    )


def test_a_path_of_plugstack_conf_that_nobody_has() -> None:
    nobody = "warning: workers and login nodes have no such file, so Slurm loads no plugin"
    for path in ("plugstack.conf", "/etc/slurm/plugstack.conf"):
        slurm_conf = {"extra": {"PlugStackConfig": path}}
        assert told(None, slurmConf=slurm_conf) == [nobody]
        # Nothing is required then.
        assert told("required spank_none.so\n", slurmConf=slurm_conf) == [nobody]
    of_image = {"extra": {"plugstackconfig": "/usr/share/pyxis/pyxis.conf"}}
    assert told(None, slurmConf=of_image) == []
    (warning,) = told("required spank_none.so\n", slurmConf=of_image)
    assert warning == "warning: Slurm reads it in place of the plugstack.conf of config_files"


def test_files_that_nobody_reads() -> None:
    unread = "warning: Slurm looks for no file of this name, and nothing else names it, so nobody reads it"
    assert told(None, files={"enroot.conf": "x\n"}) == [unread]
    assert told(None, files={"enroot.conf": "x\n"}, hooks={"prolog": {"a": "#!/bin/sh\ncp enroot.conf /run\n"}}) == []
    assert told(None, files={"task.sh": "#!/bin/sh\n"}, slurmConf={"extra": {"TaskProlog": "task.sh"}}) == []
    assert told(None, files={"gres.conf": "Include more.conf\n", "more.conf": "# none\n", "scrun.lua": ""}) == []
    (error,) = check_cluster(SlurmSpec.model_validate({"name": "c", "configFiles": {"cgroups.conf": ""}}))
    assert (error.severity, error.fix) == (Severity.WARNING, 'Did you mean "cgroup"?')
