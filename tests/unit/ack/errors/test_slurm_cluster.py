"""A Slurm cluster on ACK, whose specification has to match that of ACK."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckOperator, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules import check_slurm, checked_ack
from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from tests.unit.ack.errors.harness import slurm_spec, with_base

pytestmark = pytest.mark.usefixtures("spelled_as_in_files")


def test_sidecar_containers_in_pools_that_are_scaled_are_warned_about() -> None:
    """ACK calls both incompatible; slurm-operator gives each worker a sidecar container."""
    types = "instanceTypes: [ecs.g8i.xlarge]"
    pools = f"pools: [{{name: p, {types}, maxNodes: 2}}, {{name: q, {types}, nodes: 2}}]"
    ack = checked_ack(AckSpec.model_validate(with_base(pools)))
    slurm = slurm_spec("nodeSets: [{name: a, pool: p}, {name: b, pool: q}]")
    problem = (
        'ACK scales the pool "p", and its documentation says that this doesn\'t work for pods with sidecar containers'
    )
    fix = "Write nodes for a fixed number in the pool, or try with one node set whether nodes are added."
    (warning, _) = check_slurm(AckPlan.of(ack), slurm)
    assert str(warning) == f'nodeSets[0].pool = "p": {problem}: slurm-operator gives each worker one. {fix}'
    assert warning.severity is Severity.WARNING
    own = ack.model_copy(update={"slurm_operator": AckOperator.ACK_SLURM_OPERATOR})
    assert list(check_slurm(AckPlan.of(own), slurm)) == []
    sidecars = slurm_spec("nodeSets: [{name: a, pool: p, sidecars: [{name: logs, image: fluent-bit}]}]")
    (warning,) = check_slurm(AckPlan.of(own), sidecars)
    assert str(warning) == f'nodeSets[0].pool = "p": {problem}: a has some. {fix}'


ABROAD = """
    nodeSets: [{name: a, pool: p}]
    accounting: {database: {volume: {storageClass: slurm-disk}}}
    identity: {directory: {volume: {storageClass: slurm-disk}}}
    monitoring: {prometheus: {image: prometheus}}
"""


@pytest.mark.parametrize(
    ("fields", "registries"),
    [
        ("", "ghcr.io and docker.io and quay.io"),
        ("registryMirrors: {ghcr.io: ['https://m.example.com']}", "docker.io and quay.io"),
        ("registryMirrors: {ghcr.io: ['https://m.example.com'], docker.io: ['https://m.example.com']}", "quay.io"),
        ("slurmOperator: ack-slurm-operator", "docker.io"),
        ("region: cn-hongkong, zones: [cn-hongkong-b]", None),
        ("region: ap-southeast-1, zones: [ap-southeast-1a]", None),
    ],
)
def test_registries_abroad_are_warned_about_on_the_mainland(fields: str, registries: str | None) -> None:
    pools = "pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2}]"
    ack = checked_ack(AckSpec.model_validate(with_base(f"{{{pools}{fields and ', ' + fields}}}")))
    warnings = list(check_slurm(AckPlan.of(ack), slurm_spec(ABROAD)))
    assert [warning.severity for warning in warnings] == ([Severity.WARNING] if registries else [])
    assert all(f"would pull images from {registries} abroad" in str(warning) for warning in warnings)


def test_alibabas_image_is_for_x86() -> None:
    text = "slurmOperator: ack-slurm-operator\npools: [{name: p, instanceTypes: [ecs.g8y.4xlarge], nodes: 2}]"
    slurm = slurm_spec("nodeSets: [{name: a, pool: p}]")
    (warning,) = check_slurm(AckPlan.of(load_ack(with_base(text))), slurm)
    assert warning.severity is Severity.WARNING
    assert str(warning) == (
        'nodeSets[0].pool = "p": ecs.g8y.4xlarge is an Arm machine, and Alibaba\'s image of Slurm is for x86. Write an '
        "image of yours for Arm in ack.slurm.image (docs/ack-image.md), or choose another pool."
    )
    own = load_ack(with_base(f"{text}\nslurm: {{image: registry.example.org/slurm:arm}}"))
    assert list(check_slurm(AckPlan.of(own), slurm)) == []


def test_images_can_be_copied_or_mirrored() -> None:
    ack = checked_ack(
        AckSpec.model_validate(with_base("pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2}]"))
    )
    (warning,) = check_slurm(AckPlan.of(ack), slurm_spec("nodeSets: [{name: a, pool: p}]"))
    assert str(warning) == (
        'images.registry = "ghcr.io/slinkyproject": nodes in cn-hangzhou would pull images from ghcr.io and docker.io '
        "and quay.io abroad, which is slow or fails, and `pulumi up` then waits in vain. Name copies in a registry of "
        "yours, or mirrors in ack.registryMirrors."
    )


def test_ranges_of_load_balancers_that_would_be_ignored_are_refused() -> None:
    ack = checked_ack(
        AckSpec.model_validate(with_base("pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2}]"))
    )
    slurm = slurm_spec(
        """
        nodeSets: [{name: a, pool: p}]
        controller: {service: {type: LoadBalancer, sourceRanges: [10.0.0.0/8]}}
        accounting: {service: {type: LoadBalancer, sourceRanges: [10.0.0.0/8]}}
        loginSets: [{name: login, service: {type: LoadBalancer, sourceRanges: [10.0.0.0/8]}}]
        identity: {directory: {}}
        """
    )
    assert errors_of(ack, slurm) == [
        f'{path}.sourceRanges = ["10.0.0.0/8"]: Alibaba Cloud\'s load balancers (CLB), and those that exist already, '
        "ignore it and let everyone in. Make an access control list of CLB with these networks, and add annotations: "
        f'{PREFIX}acl-status: "on", {PREFIX}acl-type: white, and {PREFIX}acl-id with its id; or write '
        "loadBalancerClass: alibabacloud.com/nlb for a new load balancer that reads it."
        for path in ("controller.service", "accounting.service", "loginSets[0].service")
    ]


PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-"


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        (f"loadBalancerClass: alibabacloud.com/nlb, annotations: {{{PREFIX}zone-maps: 'h:vsw-1,i:vsw-2'}}", []),
        (f"loadBalancerClass: alibabacloud.com/nlb, annotations: {{{PREFIX}id: nlb-1}}", ["sourceRanges"]),
        (f"annotations: {{{PREFIX}acl-id: acl-1, {PREFIX}acl-status: 'on', {PREFIX}acl-type: white}}", []),
        (
            f"annotations: {{{PREFIX}acl-id: acl-1, {PREFIX}acl-status: 'on', {PREFIX}acl-type: black}}",
            ["sourceRanges"],
        ),
        ("loadBalancerClass: alibabacloud.com/nlb", ["loadBalancerClass"]),
    ],
)
def test_only_access_control_lists_and_new_nlbs_keep_others_out(fields: str, refused: list[str]) -> None:
    errors = errors_of_login_service(f"{{type: LoadBalancer, sourceRanges: [10.0.0.0/8], {fields}}}")
    assert [error.removeprefix("loginSets[0].service.").split()[0] for error in errors] == refused


def test_that_everyone_may_connect_needs_no_access_control_list() -> None:
    assert errors_of_login_service("{type: LoadBalancer, internal: false, sourceRanges: [0.0.0.0/0]}") == []


def test_an_nlb_has_zones() -> None:
    """Without them the Service would never get a load balancer, and the update would wait for it."""
    assert errors_of_login_service("{type: LoadBalancer, loadBalancerClass: alibabacloud.com/nlb}") == [
        'loginSets[0].service.loadBalancerClass = "alibabacloud.com/nlb": Alibaba Cloud makes no NLB without two zones '
        "and a vSwitch in each, and the update would wait in vain. "
        f"Add the annotation {PREFIX}zone-maps with vSwitches "
        'of the VPC, for example "cn-hangzhou-h:vsw-1,cn-hangzhou-i:vsw-2"; or leave the class out, for a CLB.'
    ]


def errors_of_login_service(service: str) -> list[str]:
    ack = checked_ack(
        AckSpec.model_validate(with_base("pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2}]"))
    )
    slurm = slurm_spec(
        f"""
        nodeSets: [{{name: a, pool: p}}]
        loginSets: [{{name: login, service: {service}}}]
        identity: {{directory: {{}}}}
        """
    )
    return errors_of(ack, slurm)


def errors_of(ack: AckSpec, slurm: SlurmSpec) -> list[str]:
    return [str(error) for error in check_slurm(AckPlan.of(ack), slurm) if error.severity is Severity.ERROR]


def test_the_other_operator_has_other_rules_for_nodes_that_start() -> None:
    text = "pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2}]\nslurmOperator: ack-slurm-operator"
    slurm = slurm_spec("nodeSets: [{name: a, pool: p, replicas: 1}]\nslurmConf: {extra: {ResumeTimeout: 300}}")
    assert list(check_slurm(AckPlan.of(load_ack(with_base(text))), slurm)) == []


@pytest.mark.parametrize(
    ("ack_fields", "slurm_fields", "claims"),
    [
        ("", "controller: {}", ["controller.state"]),
        ("", "controller: {state: {storageClass: mine}}", []),
        ("", "controller: {state: {enabled: false}}", []),
        ("diskClass: {name: disks}", "controller: {}", ["controller.state"]),
        ("", "accounting: {}", ["accounting.database.volume"]),
        ("database: {}", "accounting: {}", []),
        ("slurmOperator: ack-slurm-operator", "identity: {directory: {}}", ["identity.directory.volume"]),
    ],
)
def test_claims_without_a_class_are_warned_of(ack_fields: str, slurm_fields: str, claims: list[str]) -> None:
    text = f"pools: [{{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2}}]\n{ack_fields}"
    slurm = slurm_spec(f"nodeSets: [{{name: a, pool: p}}]\n{slurm_fields}")
    ack = load_ack(with_base(text))
    warnings = [one for one in check_slurm(AckPlan.of(ack), slurm) if one.code == "ack-claims-have-a-class"]
    assert [str(warning) for warning in warnings] == [
        f"{claim}.storageClass: in an ACK cluster no StorageClass is the default until somebody makes it so, and "
        f'without one the pod waits for its volume. Write "{ack.disk_class.name}", the class of ack.diskClass, or '
        "another one."
        for claim in claims
    ]
