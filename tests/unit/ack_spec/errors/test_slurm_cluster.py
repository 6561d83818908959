"""A Slurm cluster on ACK, whose specification has to match that of ACK."""

import pytest

from pulumi_slurm.ack.load import load_ack
from pulumi_slurm.ack.model import AckOperator, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.rules import check_slurm, checked_ack
from pulumi_slurm.errors import Severity
from tests.unit.ack_spec.errors.harness import slurm_spec, with_base

# Each case: the ACK specification, the Slurm cluster on it, and the errors of that cluster, in this order.
CASES: dict[str, tuple[str, str, list[str]]] = {
    "15: ResumeTimeout too short for a pool that begins with no node": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2}]
        """,
        """
        nodeSets: [{name: a, pool: p, replicas: 1}]
        slurmConf: {extra: {resumeTimeout: 300}}
        """,
        [
            (
                'slurmConf.extra.resumeTimeout = "300": the pool "p" starts without nodes, and a new node '
                "takes longer to start: Slurm would set it DOWN and requeue its jobs. Write 600 or more, "
                "or leave it out."
            ),
        ],
    ),
    "DaemonSet, whose workers would all have one name": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], nodes: 2}]
        """,
        """
        nodeSets: [{name: a, pool: p, scalingMode: DaemonSet}]
        """,
        [
            (
                'nodeSets[0].scalingMode = "DaemonSet": Slurm would know all workers by one name, since names of '
                "ACK's nodes, such as cn-hangzhou.10.0.0.1, are cut at the first dot. Write StatefulSet and replicas."
            ),
        ],
    ),
    "spot jobs that are lost": (
        """
        pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], capacity: spot, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: a, pool: p, replicas: 1}]
        slurmConf: {slurmdTimeout: 0, extra: {JobRequeue: 0}}
        """,
        [
            (
                'slurmConf.extra.JobRequeue = "0": the nodes of "a" are of capacity spot, and jobs there '
                "would be lost whenever Alibaba Cloud reclaims a node. Leave it out; a job that must not "
                "run twice is submitted with --no-requeue."
            ),
            (
                'slurmConf.slurmdTimeout = 0: the nodes of "a" are of capacity spot, and with this Slurm '
                "would regard a reclaimed node and its jobs as running. Leave it out, or write seconds."
            ),
        ],
    ),
    "volumes of two owners": (
        """
        storage: [{name: home, mountPath: /home}]
        """,
        """
        nodeSets: [{name: a, pool: p}, {name: b, pool: p, volumeClaims: [{name: s, mountPath: /home}]}]
        sharedVolumes: [{name: home, mountPath: /h, storageClass: x}]
        """,
        [
            (
                'sharedVolumes[0].name = "home": the storage of this name in the ACK specification becomes a '
                "shared volume by itself. Leave this volume out, or choose another name."
            ),
            (
                'nodeSets[1].volumeClaims[0].mountPath = "/home": the storage "home" of the ACK '
                "specification is mounted there. Choose another path."
            ),
        ],
    ),
    "database of two owners": (
        """
        database: {}
        """,
        """
        nodeSets: [{name: a, pool: p}]
        accounting: {database: {kind: external, host: db, passwordSecret: {name: x, key: y}}}
        """,
        [
            (
                'accounting.database = {"kind": "external", "host": "db", "passwordSecret": {"name": "x", '
                '"key": "y"}}: the ACK specification makes the database and says how slurmdbd reaches it. '
                "Leave it out, or leave database out in the ACK specification."
            ),
        ],
    ),
    "database without slurmdbd": (
        """
        database: {}
        """,
        """
        nodeSets: [{name: a, pool: p}]
        """,
        [
            (
                "accounting: the ACK specification has a database for slurmdbd, and there is no slurmdbd. "
                "Add accounting: {}, or leave database out there."
            ),
        ],
    ),
    "database beside a slurmdbd elsewhere": (
        """
        database: {}
        """,
        """
        nodeSets: [{name: a, pool: p}]
        accounting: {external: {host: dbd.example.org, port: 6819}}
        keys: {slurm: {existing: {name: x, key: y}}, jwt: {existing: {name: x, key: z}}}
        """,
        [
            (
                'accounting.external = {"host": "dbd.example.org", "port": 6819}: a slurmdbd outside the '
                "cluster has a database of its own, and the ACK specification makes another. Leave it out, "
                "or leave database out in the ACK specification."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_of_a_slurm_cluster_on_ack(case: tuple[str, str, list[str]]) -> None:
    ack, slurm, expected = case
    errors = check_slurm(AckPlan.of(checked_ack(AckSpec.model_validate(with_base(ack)))), slurm_spec(slurm))
    assert [str(error) for error in errors if error.severity is Severity.ERROR] == expected


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
    (warning,) = check_slurm(AckPlan.of(ack), slurm)
    assert str(warning) == f'nodeSets[0].pool = "p": {problem}: slurm-operator gives each worker one. {fix}'
    assert warning.severity is Severity.WARNING
    own = ack.model_copy(update={"slurm_operator": AckOperator.ACK_SLURM_OPERATOR})
    assert list(check_slurm(AckPlan.of(own), slurm)) == []
    sidecars = slurm_spec("nodeSets: [{name: a, pool: p, sidecars: [{name: logs, image: fluent-bit}]}]")
    (warning,) = check_slurm(AckPlan.of(own), sidecars)
    assert str(warning) == f'nodeSets[0].pool = "p": {problem}: a has some. {fix}'


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
    assert [str(error) for error in check_slurm(AckPlan.of(ack), slurm)] == [
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
    return [str(error) for error in check_slurm(AckPlan.of(ack), slurm)]


def test_the_other_operator_has_other_rules_for_nodes_that_start() -> None:
    text = "pools: [{name: p, instanceTypes: [ecs.g8i.xlarge], maxNodes: 2}]\nslurmOperator: ack-slurm-operator"
    slurm = slurm_spec("nodeSets: [{name: a, pool: p, replicas: 1}]\nslurmConf: {extra: {ResumeTimeout: 300}}")
    assert list(check_slurm(AckPlan.of(load_ack(with_base(text))), slurm)) == []
