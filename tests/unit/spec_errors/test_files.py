"""Files in /etc/slurm: scripts, configuration files, and the plugins that read them."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load


def test_a_file_that_kubernetes_would_refuse() -> None:
    with pytest.raises(SpecError) as caught:
        load({"name": "c", "configFiles": {"site.conf": "#" * 2**20}})
    assert [str(error) for error in caught.value.errors] == [
        'configFiles = {"site.conf": "' + "#" * 62 + "...: these files are 1048585 bytes, and Kubernetes refuses more "
        "than 1 MiB. Put large files on a shared volume."
    ]


def test_a_slurm_conf_that_kubernetes_would_refuse() -> None:
    accounts = [f"account-{number:05}" for number in range(4000)]
    partitions = [{"name": f"p{number}", "nodeSets": ["ALL"], "allowAccounts": accounts} for number in range(20)]
    machine = {"cpus": 4, "memory": "8Gi"}
    cluster = {
        "name": "c",
        "nodeSets": [{"name": "a", "machine": machine}],
        "accounting": {"accounts": [{"name": name} for name in accounts]},
    }
    load({**cluster, "partitions": partitions[:15]})
    with pytest.raises(SpecError) as caught:
        load({**cluster, "partitions": partitions})
    (error,) = map(str, caught.value.errors)
    assert error.startswith('partitions = "...": slurm.conf would have more than 11')


GPUS = {"nodeSets": [{"name": "gpu", "replicas": 1, "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 2}}}]}
FILES = "Name=gpu File=/dev/nvidia[0-1]\n"


@pytest.mark.parametrize(
    "more",
    [
        {"configFiles": {"gres.conf": f"{FILES}Name=mps Count=200 File=/dev/nvidia[0-1]\n"}},
        {"configFiles": {"gres.conf": f"NodeName=gpu-0 {FILES}NodeName=elsewhere Name=gpu Count=0\n"}},
        {
            "nodeSets": [{"name": "a", "machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 1, "type": "a100"}}}],
            "configFiles": {"gres.conf": "Name=gpu Type=A100 File=/dev/nvidia0\n"},
        },
        {"configFiles": {"gres.conf": "AutoDetect=full\n"}, "slurmVersion": "26.05"},
        {
            "configFiles": {"cli_filter.lua": "-- another is read"},
            "slurmConf": {
                "extra": {"CliFilterPlugins": "lua", "CliFilterParameters": "cli_filter_lua_path=/etc/slurm/site.lua"}
            },
        },
    ],
)
def test_files_that_daemons_start_with(more: dict[str, Any]) -> None:
    load({"name": "c", **GPUS, **more})
