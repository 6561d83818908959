"""Fields in the form of the Kubernetes API."""

from importlib.metadata import version
from typing import Any

import pytest

from pulumi_slurm.model.kubernetes_fields import FILE, form_errors, types
from tools.kubernetes_fields import text


def test_the_table_is_that_of_the_package_in_the_lock() -> None:
    head = FILE.read_text(encoding="utf-8").splitlines()[0]
    if f"pulumi_kubernetes {version('pulumi_kubernetes')}." not in head:
        pytest.skip("another release of pulumi_kubernetes is installed than the one in the lock")
    assert FILE.read_text(encoding="utf-8") == text(), "run: python -m tools.kubernetes_fields"


def test_every_type_in_the_table_is_there() -> None:
    scalars = {"any", "string", "integer", "number", "boolean"}
    used = {of_field.strip("[]{}") for fields in types().values() for of_field in fields.values()}
    assert used - scalars <= types().keys()
    assert types()["Volume"]["hostPath"] == "HostPathVolumeSource"


@pytest.mark.parametrize(
    ("of_type", "value"),
    [
        ("Volume", {"name": "a", "emptyDir": {}}),
        ("Volume", {"name": "a", "emptyDir": {"sizeLimit": 5}}),
        ("Volume", {"name": "a", "csi": {"driver": "d", "volumeAttributes": {"anything": "at all"}}}),
        ("Container", {"resources": {"limits": {"cpu": 0.5, "memory": "1Gi", "nvidia.com/gpu": 1}}}),
        ("Container", {"livenessProbe": {"httpGet": {"port": 80}}}),
        ("Container", {"livenessProbe": {"httpGet": {"port": "http"}}}),
        ("Toleration", {"operator": "Exists", "effect": ""}),
        ("Toleration", {"effect": None}),
        ("PodSpec", {"overhead": {"cpu": 1}}),
        ("HPAScalingRules", {"tolerance": 0.05}),
        ("PodSpec", None),
    ],
)
def test_what_kubernetes_takes_is_accepted(of_type: str, value: Any) -> None:
    assert list(form_errors(of_type, value)) == []


@pytest.mark.parametrize(
    ("of_type", "value", "path"),
    [
        ("Volume", "x", ()),
        ("Volume", {"hostPath": []}, ("hostPath",)),
        ("[Volume]", {"name": "a"}, ()),
        ("[Volume]", [{"name": 5}], (0, "name")),
        ("EmptyDirVolumeSource", {"sizeLimit": True}, ("sizeLimit",)),
        ("SecurityContext", {"runAsUser": "root"}, ("runAsUser",)),
        ("SecurityContext", {"runAsUser": True}, ("runAsUser",)),
        ("LabelSelector", {"matchLabels": {"a": 5}}, ("matchLabels", "a")),
        ("Toleration", {"effect": "NoStart"}, ("effect",)),
        ("Container", {None: 2}, ("None",)),
        ("Container", {1.5: 2}, ("1.5",)),
    ],
)
def test_what_kubernetes_refuses_or_drops_is_refused(of_type: str, value: Any, path: tuple[str | int, ...]) -> None:
    (error,) = form_errors(of_type, value)
    assert error.path == path
