"""The files that daemons get here differ from the given ones in what is written down, and in nothing else."""

import pytest

from tests.slurmd import differences
from tests.slurmd.differences import for_this_machine, with_device_files
from tests.slurmd.operator_files import files


def test_a_machine_with_cgroup_v1_changes_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differences, "only_cgroup_v2", lambda: False)
    assert for_this_machine(files()) == {**files(), "cgroup.conf": "CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n"}
    without = {**files(), "cgroup.conf": "CgroupPlugin=disabled\n"}
    assert for_this_machine(without) == without


def test_a_machine_with_cgroup_v2_alone_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differences, "only_cgroup_v2", lambda: True)
    assert for_this_machine(files()) == files()


def test_device_files_change_gres_conf_alone() -> None:
    changed = with_device_files(files(), {"gpu-[0-9]": 2}, "a100")
    assert changed == {**files(), "gres.conf": "NodeName=gpu-[0-9] Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"}
