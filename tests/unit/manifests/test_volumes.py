"""Volumes of users beside those of the cluster, the certificate of an LDAP server, and the health check."""

from typing import Any

from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.catalogue import File
from tests.unit.manifests.rendered import MACHINE, WHOLE, rendered, rendered_by_kind

ENROOT: dict[str, Any] = {
    "extraVolumes": [{"name": "enroot", "configMap": {"name": "enroot"}}],
    "extraVolumeMounts": [{"name": "enroot", "mountPath": "/etc/enroot/enroot.conf", "subPath": "enroot.conf"}],
}
HOME = {"name": "home", "mountPath": "/home", "existingClaim": "home"}
CHECK = {"check.sh": "#!/bin/bash\nexit 0\n"}


def test_volumes_of_users_are_beside_shared_ones_in_workers_and_login_pods() -> None:
    objects = rendered_by_kind(
        **{
            **WHOLE,
            "sharedVolumes": [HOME],
            "nodeSets": [{"name": "cpu", "machine": MACHINE, "sharedMemory": "1Gi", **ENROOT}],
            "loginSets": [{"name": "login", **ENROOT}],
        }
    )
    for kind, container in (("NodeSet", "slurmd"), ("LoginSet", "login")):
        spec = objects[kind]["spec"]
        names = [volume["name"] for volume in spec["template"]["spec"]["volumes"]]
        assert names[0] == "shared-home"
        assert spec["template"]["spec"]["volumes"][-1] == ENROOT["extraVolumes"][0]
        assert spec[container]["volumeMounts"][0]["mountPath"] == "/home"
        assert spec[container]["volumeMounts"][-1] == ENROOT["extraVolumeMounts"][0]


def test_the_certificate_of_a_private_ldap_server_is_where_sssd_runs() -> None:
    ldap = {**WHOLE["identity"]["ldap"], "caSecret": {"name": "corporate-ca", "key": "tls.crt"}}
    node_sets = [{"name": "cpu", "machine": MACHINE}, {"name": "open", "machine": MACHINE, "ssh": {}}]
    objects = rendered(**{**WHOLE, "identity": {"ldap": ldap}, "nodeSets": node_sets})
    secret = {"secretName": "corporate-ca", "items": [{"key": "tls.crt", "path": "ca.crt"}]}
    with_ca = {
        item["metadata"]["name"]
        for item in objects
        if item["kind"] in {"NodeSet", "LoginSet"}
        and {"name": "ldap-ca", "secret": secret} in item["spec"]["template"]["spec"].get("volumes", [])
    }
    assert with_ca == {"hpc-worker-open", "hpc-login-login"}


def test_a_health_check_is_a_program_on_every_worker() -> None:
    """Slurm sends workers no other scripts than prolog and epilog."""
    cluster = {**WHOLE, "hooks": {"healthCheck": CHECK}}
    spec, _ = load({"name": "hpc", **cluster})
    options = slinky_files(spec)[File.SLURM].options
    assert options["HealthCheckProgram"] == "/etc/slurm-health-check/check.sh"
    assert options["HealthCheckInterval"] == 300
    objects = rendered(**cluster)
    (config_map,) = [item for item in objects if item["metadata"]["name"] == "hpc-health-check"]
    assert config_map["data"].keys() == {*CHECK, "node-verdict"}
    (node_set,) = [item["spec"] for item in objects if item["kind"] == "NodeSet"]
    assert node_set["template"]["spec"]["volumes"] == [
        {"name": "health-check", "configMap": {"name": "hpc-health-check", "defaultMode": 0o755}}
    ]
    (mount,) = node_set["slurmd"]["volumeMounts"]
    assert mount["mountPath"] == "/etc/slurm-health-check", "the folder, so that a changed script arrives"


def test_another_interval_of_health_checks_is_the_user_s() -> None:
    extra = {"HealthCheckInterval": 60}
    spec, _ = load({"name": "hpc", "hooks": {"healthCheck": CHECK}, "slurmConf": {"extra": extra}})
    assert slinky_files(spec)[File.SLURM].options["HealthCheckInterval"] == 60


def test_volumes_of_a_csi_driver_have_its_options_and_secret() -> None:
    csi = {"driver": "oss.csi.example.org", "volumeHandle": "data", "attributes": {"bucket": "b"}}
    volume = {"name": "data", "mountPath": "/data", "csi": {**csi, "mountOptions": ["ro"], "secret": "oss-key"}}
    for stated, more, options in (
        (volume, {"nodePublishSecretRef": {"name": "oss-key", "namespace": "slurm"}}, ["ro"]),
        ({**volume, "csi": csi}, {}, None),
    ):
        spec = rendered_by_kind(**{**WHOLE, "sharedVolumes": [stated]})["PersistentVolume"]["spec"]
        expected = {"driver": csi["driver"], "volumeHandle": "data", "volumeAttributes": {"bucket": "b"}, **more}
        assert spec["csi"] == expected
        assert spec.get("mountOptions") == options
