"""Each component alone, as a program that needs only one of them uses it."""

import json
from typing import Any

import pulumi
import pytest

import pulumi_slurm as slurm
from pulumi_slurm import kube, model as spec, slinky
from pulumi_slurm.keys import SET_ROOT_KEY, Purpose, derive
from pulumi_slurm.kube.resources import create
from pulumi_slurm.slinky.objects import options_in, replacement
from tests.components.conftest import Build, Recorder, Registered, recorded
from tests.components.loosely import loosely
from tests.stack_configuration import ROOT_KEY
from tests.unit.manifests.cloud_controllers import public_on

OPTIONS = pulumi.ResourceOptions()
REF = slurm.ClusterRef(name="hpc", operator_version="1.1.0")
SSSD = spec.SecretKeyRef(name="sssd", key="sssd.conf")


def kinds(registered: list[Registered]) -> list[str]:
    return sorted(resource.typ.rsplit(":", 1)[-1] for resource in registered)


def object_of(registered: list[Registered], kind: str) -> Registered:
    return next(
        resource for resource in registered if resource.typ.endswith(f":{kind}") and resource.inputs.get("kind")
    )


def test_controller(build: Build) -> None:
    args = slinky.ControllerArgs(cluster=REF, extra_conf="MpiDefault=pmix", config_files={"gres.conf": ""})
    made = build(lambda: slinky.Controller("hpc", args))
    assert kinds(made) == ["ConfigMap", "Controller", "Controller", "PodDisruptionBudget", "Service"]
    body = object_of(made, "Controller").inputs["spec"]
    assert body["extraConf"] == "MpiDefault=pmix"
    assert body["configFileRefs"][0]["namespace"] == "slurm"
    assert {body[name]["image"].rsplit("/", 1)[-1] for name in ("slurmctld", "reconfigure")} == {
        "slurmctld:25.11-ubuntu24.04"
    }


def test_references_carry_no_namespace_where_the_operator_refuses_it(build: Build) -> None:
    ref = slurm.ClusterRef(name="hpc", operator_version="1.1.2")
    made = build(lambda: slinky.RestApi("hpc", slinky.RestApiArgs(cluster=ref)))
    assert object_of(made, "RestApi").inputs["spec"]["controllerRef"] == {"name": "hpc"}


def test_the_oldest_operator_gets_the_names_it_knows(build: Build) -> None:
    ref = slurm.ClusterRef(name="hpc", operator_version="1.0.1")
    made = build(lambda: slinky.Controller("hpc", slinky.ControllerArgs(cluster=ref)))
    body = object_of(made, "Controller").inputs["spec"]
    assert "jwtHs256KeyRef" in body
    assert "jwtKeyRef" not in body


@pytest.mark.parametrize("kind", ["Controller", "Accounting", "Token"])
def test_a_preview_shows_what_the_webhook_would_refuse(kind: str) -> None:
    """It compares the name of the Secret with the JWT key, and from 1.1 on the key in it too."""
    paths = replacement(kind)["replace_on_changes"]
    assert {"spec.jwtKeyRef.key", "spec.jwtHs256KeyRef.name"} <= set(paths)


def test_a_restored_state_gets_a_new_controller() -> None:
    """The operator keeps slurmctld on its claim, and from 1.3 on its webhook refuses another."""
    assert "spec.persistence.existingClaim" in replacement("Controller")["replace_on_changes"]


@pytest.mark.parametrize("adopted", [None, spec.AdoptedSpec()])
def test_annotations_of_pulumi_stay_out_of_pods_that_a_chart_made(
    build: Build, adopted: spec.AdoptedSpec | None
) -> None:
    ref = slurm.ClusterRef(name="hpc", operator_version="1.1.0", adopted=adopted)
    parts = {
        "Controller": lambda: slinky.Controller("hpc", slinky.ControllerArgs(cluster=ref)),
        "RestApi": lambda: slinky.RestApi("hpc", slinky.RestApiArgs(cluster=ref)),
        "Accounting": lambda: slinky.Accounting("hpc", slinky.AccountingArgs(cluster=ref)),
        "LoginSet": lambda: slinky.LoginSet(
            "hpc", slinky.LoginSetArgs(cluster=ref, login_set=spec.LoginSetSpec(name="login"), sssd=SSSD)
        ),
    }
    for kind, make in parts.items():
        made = build(make)
        assert ("annotations" in object_of(made, kind).inputs["metadata"]) is (adopted is None), kind
        assert "annotations" in object_of(made, "Service").inputs["metadata"]


def test_nothing_that_a_chart_made_is_replaced() -> None:
    adopted = slurm.ClusterRef(name="hpc", adopted=spec.AdoptedSpec())
    assert options_in(adopted)("Controller")["replace_on_changes"] == []
    assert options_in(REF) is replacement


def test_external_controller_has_no_service(build: Build) -> None:
    outside = spec.ControllerSpec(external=spec.EndpointSpec(host="ctl.example.org", port=6817))
    made = build(lambda: slinky.Controller("hpc", slinky.ControllerArgs(cluster=REF, controller=outside)))
    assert kinds(made) == ["Controller", "Controller"]
    assert object_of(made, "Controller").inputs["spec"]["externalConfig"] == {"host": "ctl.example.org", "port": 6817}


def test_backups_of_slurmctld_are_ready_too_and_only_the_active_one_is_behind_the_service(build: Build) -> None:
    ref = slurm.ClusterRef(name="hpc", operator_version="1.3.0", slurm_version="26.05")
    controller = spec.ControllerSpec.model_validate({"ha": {"backups": 2}, "state": {"existingClaim": "statesave"}})
    made = build(lambda: slinky.Controller("hpc", slinky.ControllerArgs(cluster=ref, controller=controller)))
    assert object_of(made, "Controller").inputs["spec"]["ha"] == {"enabled": True, "backups": 2}
    annotations = object_of(made, "PodDisruptionBudget").inputs["metadata"]["annotations"]
    assert annotations["pulumi.com/waitFor"] == "jsonpath={.status.currentHealthy}=3"
    assert object_of(made, "Service").inputs["spec"]["selector"]["controller.slinky.slurm.net/active"] == "true"


def test_services_of_slurmctld_and_slurmdbd_can_be_reached_from_outside(build: Build) -> None:
    service = {
        "type": "LoadBalancer",
        "labels": {"team": "hpc"},
        "annotations": {"example.com/internal": "true"},
        "loadBalancerClass": "example.com/l4",
        "externalTrafficPolicy": "Local",
        "sessionAffinity": "ClientIP",
    }
    controller = spec.ControllerSpec.model_validate({"service": service})
    accounting = spec.AccountingSpec.model_validate({"service": service})
    objects = [
        *build(lambda: slinky.Controller("hpc", slinky.ControllerArgs(cluster=REF, controller=controller))),
        *build(lambda: slinky.Accounting("hpc", slinky.AccountingArgs(cluster=REF, accounting=accounting))),
    ]
    services = [item.inputs for item in objects if item.typ == "kubernetes:core/v1:Service"]
    assert {made["metadata"]["name"] for made in services} == {"hpc-slurmctld", "hpc-slurmdbd"}
    for made in services:
        assert made["spec"] | {"ports": []} == {
            "type": "LoadBalancer",
            "selector": made["spec"]["selector"],
            "ports": [],
            "loadBalancerClass": "example.com/l4",
            "externalTrafficPolicy": "Local",
            "sessionAffinity": "ClientIP",
        }
        assert made["metadata"]["labels"] == {
            "team": "hpc",
            "app.kubernetes.io/part-of": "hpc",
            "app.kubernetes.io/managed-by": "pulumi-slurm",
        }
        assert made["metadata"]["annotations"]["example.com/internal"] == "true"


def test_accounting_and_database(build: Build) -> None:
    def program() -> None:
        database = kube.Database("hpc", kube.DatabaseArgs(cluster=REF, root_key=ROOT_KEY))
        options = pulumi.ResourceOptions(depends_on=[database])
        slinky.Accounting("hpc", slinky.AccountingArgs(cluster=REF), options)

    made = build(program)
    storage = object_of(made, "Accounting").inputs["spec"]["storageConfig"]
    assert storage["host"] == "hpc-mariadb"
    assert storage["passwordKeyRef"] == {"name": "hpc-mariadb", "key": "password"}
    assert any("StatefulSet" in urn for urn in object_of(made, "Accounting").depends_on)


def test_database_by_mariadb_operator(build: Build) -> None:
    args = kube.DatabaseArgs(
        cluster=REF, database=spec.DatabaseSpec(kind=spec.DatabaseKind.MARIADB_OPERATOR, replicas=3), root_key=ROOT_KEY
    )
    made = build(lambda: kube.Database("hpc", args))
    assert kinds(made) == ["Database", "Grant", "MariaDB", "Secret"]
    assert object_of(made, "MariaDB").inputs["spec"]["galera"] == {"enabled": True}


def test_node_set_with_ssh_volumes_and_waiting(build: Build) -> None:
    node_set = spec.NodeSetSpec(
        name="cpu",
        machine=spec.MachineSpec(cpus=4, memory="8Gi"),
        replicas=3,
        wait=True,
        ssh=spec.WorkerSshSpec(),
        volume_claims=[spec.VolumeClaimTemplateSpec(name="scratch", mount_path="/scratch")],
        host_paths=[spec.HostPathSpec(name="disk", path="/mnt/disks/ssd0", mount_path="/local", read_only=True)],
        shared_memory="2Gi",
    )
    home = spec.SharedVolumeSpec(name="home", mount_path="/home", existing_claim="home")
    args = slurm.NodeSetArgs(cluster=REF, node_set=node_set, shared_volumes=[home], sssd=SSSD)
    made = object_of(build(lambda: slurm.NodeSet("hpc-cpu", args)), "NodeSet")
    assert json.loads(made.inputs["metadata"]["annotations"]["pulumi.com/waitFor"]) == [
        "jsonpath={.status.readyReplicas}=3",
        "jsonpath={.status.updatedReplicas}=3",
    ]
    body = made.inputs["spec"]
    assert body["ssh"]["sssdConfRef"] == {"name": "sssd", "key": "sssd.conf"}
    assert body["slurmd"]["volumeMounts"] == [
        {"name": "shared-home", "mountPath": "/home"},
        {"name": "scratch", "mountPath": "/scratch"},
        {"name": "disk", "mountPath": "/local", "readOnly": True},
        {"name": "shared-memory", "mountPath": "/dev/shm"},
    ]
    assert body["template"]["spec"]["volumes"] == [
        {"name": "shared-home", "persistentVolumeClaim": {"claimName": "home"}},
        {"name": "disk", "hostPath": {"path": "/mnt/disks/ssd0", "type": "Directory"}},
        {"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": "2Gi"}},
    ]


@pytest.mark.parametrize(
    ("fields", "awaited"),
    [
        ({"wait": False}, None),
        ({"wait": None}, ["jsonpath={.status.readyReplicas}"]),
        ({"wait": None, "replicas": 0}, None),
        ({"wait": None, "scaling_mode": "DaemonSet"}, None),
        ({"wait": None, "autoscaling": {"kind": "hpa", "min_replicas": 1, "max_replicas": 2}}, None),
        ({"replicas": 0}, None),
        ({"update_strategy": {"type": "OnDelete"}}, ["jsonpath={.status.readyReplicas}=1"]),
        ({"overrides": {"updateStrategy": {"type": "OnDelete"}}}, ["jsonpath={.status.readyReplicas}=1"]),
    ],
)
def test_what_a_node_set_waits_for(build: Build, fields: dict[str, Any], awaited: list[str] | None) -> None:
    node_set = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}, "wait": True, **fields}
    args = slurm.NodeSetArgs.model_validate({"cluster": REF, "node_set": node_set})
    made = object_of(build(lambda: slurm.NodeSet("hpc-cpu", args)), "NodeSet")
    annotation = made.inputs["metadata"].get("annotations", {}).get("pulumi.com/waitFor")
    assert (annotation and json.loads(annotation)) == awaited


@pytest.mark.parametrize(
    ("wait", "ready_within", "time"),
    [(True, "20m", "1h"), (None, "20m", "20m"), (None, "90s", "90s"), (None, None, ""), (False, "20m", "")],
)
def test_awaited_workers_have_their_time(*, wait: bool | None, ready_within: str | None, time: str) -> None:
    node_set = spec.NodeSetSpec(name="cpu", pool="cpu", wait=wait)
    pool = spec.NodePoolSpec(
        name="cpu",
        machine=spec.MachineSpec(cpus=4, memory="8Gi"),
        node_labels={"pool": "cpu"},
        ready_within=ready_within,
    )
    args = slurm.NodeSetArgs(cluster=REF, node_set=node_set, pool=pool)
    requests = recorded(lambda: slurm.NodeSet("hpc-cpu", args), Recorder()).requests
    (timeouts,) = (request.customTimeouts for request in requests if request.name == "hpc-cpu-nodeset")
    assert (timeouts.create, timeouts.update, timeouts.delete) == (time, time, "")


def test_one_object_is_one_resource(build: Build) -> None:
    """Each would be applied over the other, and whichever goes first would take it along."""
    same = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hpc-config", "namespace": "slurm"}}
    build(lambda: [create("first", {**same, "kind": kind}, OPTIONS) for kind in ("ConfigMap", "Secret")])
    with pytest.raises(pulumi.RunError, match="first and second are one object, ConfigMap slurm/hpc-config"):
        build(lambda: [create(name, same, OPTIONS) for name in ("first", "second")])


def test_node_set_with_a_sidecar(build: Build) -> None:
    sidecar = spec.SidecarSpec(
        name="fabric",
        image="registry.example.org/fabric:1",
        args=["--hops=2"],
        env={"LEVEL": "1"},
        capabilities=["NET_ADMIN"],
        host_paths=[spec.HostPathSpec(name="sys", path="/sys", mount_path="/hostsysfs")],
        ready_command=["cat", "/run/ready"],
        ready_seconds=62,
    )
    node_set = spec.NodeSetSpec(name="gpu", machine=spec.MachineSpec(cpus=4, memory="8Gi"), sidecars=[sidecar])
    made = object_of(
        build(lambda: slurm.NodeSet("hpc-gpu", slurm.NodeSetArgs(cluster=REF, node_set=node_set))), "NodeSet"
    )
    pod = made.inputs["spec"]["template"]["spec"]
    assert pod["volumes"] == [{"name": "fabric-sys", "hostPath": {"path": "/sys", "type": "Directory"}}]
    assert pod["initContainers"] == [
        {
            "name": "fabric",
            "image": "registry.example.org/fabric:1",
            "args": ["--hops=2"],
            "env": [{"name": "LEVEL", "value": "1"}],
            "restartPolicy": "Always",
            "securityContext": {"capabilities": {"add": ["NET_ADMIN"]}},
            "startupProbe": {"exec": {"command": ["cat", "/run/ready"]}, "periodSeconds": 5, "failureThreshold": 13},
            "volumeMounts": [{"name": "fabric-sys", "mountPath": "/hostsysfs"}],
        }
    ]


def login(**fields: Any) -> slurm.LoginSetArgs:
    return slurm.LoginSetArgs(
        cluster=REF, login_set=spec.LoginSetSpec.model_validate({"name": "login", **fields}), sssd=SSSD
    )


@pytest.mark.parametrize(
    ("fields", "status", "expected"),
    [
        (
            {},
            {},
            "(kubectl -n slurm port-forward service/hpc-login-login-ssh 2222:22 & sleep 3; "
            "ssh -o HostKeyAlias=hpc-login-login-ssh.slurm -p 2222 127.0.0.1; kill $!)",
        ),
        ({"service": {"type": "NodePort", "nodePort": 30022}}, {}, "ssh -p 30022 <any node>"),
        (
            {"service": {"type": "LoadBalancer"}, "rootAuthorizedKeys": ["ssh-ed25519 AAAA"]},
            {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}},
            "ssh -p 22 root@192.0.2.7",
        ),
    ],
)
def test_login_set_says_how_to_log_in(
    build: Build, fields: dict[str, Any], status: dict[str, Any], expected: str
) -> None:
    said: list[str] = []

    def program() -> None:
        slurm.LoginSet("hpc-login", login(**fields)).ssh_command.apply(said.append)

    build(program, {"hpc-login-ssh-service": {"status": status}})
    assert said == [expected]


def test_load_balancers_of_parts_are_internal_unless_they_say_who_may_connect(build: Build) -> None:
    made = build(lambda: slurm.LoginSet("hpc-login", login(service={"type": "LoadBalancer"})))
    service = next(resource for resource in made if resource.typ.endswith(":Service"))
    assert public_on(service.inputs) == set()
    with pytest.raises(ValueError, match=r"login_set\.service\.internal = false: the load balancer is on the Internet"):
        login(service={"type": "LoadBalancer", "internal": False})
    opened = {"type": "LoadBalancer", "internal": False, "sourceRanges": ["192.0.2.0/24"]}
    made = build(lambda: slurm.LoginSet("hpc-login", login(service=opened)))
    service = next(resource for resource in made if resource.typ.endswith(":Service"))
    assert service.inputs["spec"]["loadBalancerSourceRanges"] == ["192.0.2.0/24"]
    assert "AWS Load Balancer Controller" in public_on(service.inputs)


def test_an_empty_login_set_is_not_waited_for(build: Build) -> None:
    made = build(lambda: slurm.LoginSet("hpc-login", login(replicas=0, service={"type": "LoadBalancer"})))
    service = next(resource for resource in made if resource.typ.endswith(":Service"))
    assert service.inputs["metadata"]["annotations"]["pulumi.com/skipAwait"] == "true"


def test_token_secret_is_named_after_the_key_s_generation(build: Build) -> None:
    ref = REF.model_copy(update={"keys": spec.KeysSpec(jwt=spec.KeySpec(generation=3))})
    args = slurm.TokenArgs(cluster=ref, token=spec.TokenSpec(name="admin", username="slurm"))
    made = object_of(build(lambda: slurm.Token("hpc-admin", args)), "Token")
    assert made.inputs["spec"]["secretRef"]["name"] == "hpc-token-admin-3"


def test_directory_and_shared_volume(build: Build) -> None:
    def program() -> None:
        kube.Directory("hpc-directory", kube.DirectoryArgs(cluster=REF, root_key=ROOT_KEY))
        nfs = spec.SharedVolumeSpec(name="home", mount_path="/home", nfs=spec.NfsSpec(server="nfs", path="/home"))
        kube.SharedVolume("hpc-home", kube.SharedVolumeArgs(cluster=REF, volume=nfs))

    made = build(program)
    assert {"Deployment", "Secret", "PersistentVolume"} <= set(kinds(made))
    assert next(resource for resource in made if resource.name == "hpc-home-claim").retained


def test_operator_installs_crds_apart_and_keeps_them(build: Build) -> None:
    made = build(lambda: slurm.SlinkyOperator("slinky", slurm.SlinkyOperatorArgs(version="1.1.0")))
    charts = {resource.name: resource for resource in made if resource.typ.endswith(":Chart")}
    assert charts["slinky-crds"].retained
    assert not charts["slinky-operator"].retained
    assert charts["slinky-operator"].inputs["version"] == "1.1.0"
    values = charts["slinky-operator"].inputs["values"]
    assert values["crds"] == {"enabled": False}
    assert values["webhook"]["replicas"] == 2
    assert any("slinky-crds" in urn for urn in charts["slinky-operator"].depends_on)


def test_operator_from_a_folder_on_request(build: Build) -> None:
    args = slurm.SlinkyOperatorArgs(operator_chart="./charts/operator", install_crds=False, install_cert_manager=False)
    made = build(lambda: slurm.SlinkyOperator("slinky", args))
    assert [resource.name for resource in made if resource.typ.endswith(":Chart")] == ["slinky-operator"]
    assert "version" not in next(r for r in made if r.name == "slinky-operator").inputs


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: slurm.SlinkyOperator("s", {"version": "9.9.9"}), 'version = "9.9.9": this release'),
        (lambda: loosely(slurm.Token)("t", {"cluster": {"name": "hpc"}}), "token: this field is required"),
        (lambda: slurm.SlinkyOperatorArgs(webhook_replicas=0), "webhook_replicas = 0: "),
        (lambda: loosely(slurm.Token)("t", {"clusterr": 1}), 'Did you mean "cluster"?'),
    ],
)
def test_wrong_arguments_are_one_error_without_a_traceback(build: Build, make: Any, expected: str) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        build(make)
    assert expected in str(raised.value)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("name", "HPC_x", 'cluster.name = "HPC_x": Kubernetes would refuse this name'),
        ("name", "h" * 41, "this name has 41 characters"),
        ("namespace", "No Way", 'cluster.namespace = "No Way": Kubernetes would refuse this name'),
        ("namespace", "kube-system", 'cluster.namespace = "kube-system": this namespace belongs to Kubernetes'),
        ("slurm_version", "abc", 'cluster.slurm_version = "abc": this Slurm version is not known here'),
        ("slurm_version", "20.11", 'cluster.slurm_version = "20.11": this Slurm version is not known here'),
        (
            "operator_version",
            "9.9.9",
            'cluster.operator_version = "9.9.9": this release of slurm-operator is not known',
        ),
    ],
)
def test_the_reference_to_a_cluster_is_validated_like_its_specification(
    build: Build, field: str, value: str, expected: str
) -> None:
    with pytest.raises(pulumi.RunError) as raised:
        build(lambda: loosely(slinky.RestApi)("hpc", {"cluster": {"name": "hpc", field: value}}))
    assert expected in str(raised.value)


def test_a_slurm_series_can_be_a_number(build: Build) -> None:
    made = build(lambda: loosely(slinky.RestApi)("hpc", {"cluster": {"name": "hpc", "slurm_version": 25.11}}))
    assert object_of(made, "RestApi").inputs["spec"]["slurmrestd"]["image"].endswith(":25.11-ubuntu24.04")


@pytest.mark.parametrize("as_output", [False, True])
def test_a_database_derives_passwords_from_the_stack_s_root_key_by_default(build: Build, as_output: bool) -> None:
    args = {"cluster": {"name": "hpc"}, **({"root_key": pulumi.Output.from_input(ROOT_KEY)} if as_output else {})}
    made = build(lambda: loosely(kube.Database)("db", args))
    data = object_of(made, "Secret").inputs["stringData"]
    assert pulumi.runtime.rpc.unwrap_rpc_secret(data)["password"] == derive(ROOT_KEY, "hpc", Purpose.DATABASE)


def test_a_database_without_any_root_key_is_an_error_that_prints_the_command(build: Build) -> None:
    pulumi.runtime.set_all_config({})
    with pytest.raises(pulumi.RunError, match="slurm:rootKey is not set") as raised:
        build(lambda: kube.Database("db", {"cluster": {"name": "hpc"}}))
    assert SET_ROOT_KEY in str(raised.value)


@pytest.mark.parametrize("database", [{}, {"kind": "external", "host": "db.example.org"}])
def test_a_database_whose_password_is_the_user_s_needs_no_root_key(build: Build, database: dict[str, Any]) -> None:
    pulumi.runtime.set_all_config({})
    database = {**database, "passwordSecret": {"name": "db", "key": "password"}}
    made = build(lambda: loosely(kube.Database)("db", {"cluster": {"name": "hpc"}, "database": database}))
    assert "Secret" not in kinds(made)


def test_an_output_of_no_root_key_is_an_error_without_a_traceback(build: Build) -> None:
    with pytest.raises(pulumi.RunError, match="root_key: this is not the base64 form of 32 bytes"):
        build(
            lambda: loosely(kube.Database)(
                "db", {"cluster": {"name": "hpc"}, "root_key": pulumi.Output.from_input(None)}
            )
        )
