"""The Services that lead to the operator's pods, and GenericNodes of a Slurm outside."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import Case, errors_of

PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-"
ADDRESS_TYPE = f"{PREFIX}address-type"
RANGES = {"type": "LoadBalancer", "internal": False, "sourceRanges": ["192.0.2.0/24"]}

CASES: dict[str, Case] = {
    "5: own name or port of the REST Service": (
        {"ack": {"restService": {"name": "rest", "port": 8080}}},
        [
            (
                "ack.slurm.restService: there is no such field. Write one "
                "of: clusterChart, configPath, controller, controllerHosts, copilot, drainBeforeEnd, "
                "image, jobCompletion, jwtPath, ldap, mungePath, operator, overrides, powerSaving, "
                "prometheus, rest, slurmVersion, slurmdbd, slurmrestd, ssh, wait, workers."
            ),
        ],
    ),
    "5: own name of the Service before a Slurm outside": (
        {"outside": {"name": "old", "addresses": ["10.0.0.1"], "service": "rest"}},
        [
            ("service: there is no such field. Write one of: addresses, name, namespace, nodes, port, slurmNodes."),
        ],
    ),
    "5: REST Service of the specification": (
        {"cluster": {"restApi": {"service": {"type": "LoadBalancer"}}}},
        [
            'cluster.restApi.service = {"type": "LoadBalancer"}: ack-slurm-operator makes the Service of slurmrestd. '
            "Leave it out.",
        ],
    ),
    "23: SSH for everyone": (
        {"ack": {"ssh": {"internal": False}}},
        [
            (
                "ack.slurm.ssh.internal = false: the load balancer is on the Internet and lets everyone in. Add "
                "accessControlList, the id of an access control list of CLB with the networks that may connect."
            ),
        ],
    ),
    "23: SSH for the networks of a list": ({"ack": {"ssh": {"internal": False, "accessControlList": "acl-1"}}}, []),
    "23: SSH in two places": (
        {"ack": {"ssh": {"annotations": {ADDRESS_TYPE: "internet"}}}},
        [
            (
                f'ack.slurm.ssh.annotations["{ADDRESS_TYPE}"] = "internet": with internal, true by default, the load '
                "balancer is kept off the Internet, and Alibaba Cloud goes by this. Leave it out, or write internal: "
                "false and accessControlList."
            ),
        ],
    ),
    "23: SSH of a login set for everyone": (
        {"cluster": {"loginSets": [{"name": "login", "service": {"type": "LoadBalancer", "internal": False}}]}},
        [
            (
                "cluster.loginSets[0].service.internal = false: the load balancer is on the Internet and lets everyone "
                'in. Add sourceRanges with the networks that may connect, for example ["192.0.2.0/24"]; ["0.0.0.0/0"] '
                "is the whole Internet."
            ),
        ],
    ),
    "23: SSH of a login set with ranges that have no effect": (
        {"cluster": {"loginSets": [{"name": "login", "service": RANGES}]}},
        [
            (
                'cluster.loginSets[0].service.sourceRanges = ["192.0.2.0/24"]: Alibaba Cloud\'s load balancers (CLB), '
                "and those that exist already, ignore it and let everyone in. Make an access control list of CLB with "
                f'these networks, and add annotations: {PREFIX}acl-status: "on", {PREFIX}acl-type: white, and '
                f"{PREFIX}acl-id with its id; or write loadBalancerClass: alibabacloud.com/nlb for a new load balancer "
                "that reads it."
            ),
        ],
    ),
    "6: GenericNodes of one name and one alias": (
        {
            "outside": {
                "name": "old",
                "addresses": ["10.0.0.1"],
                "nodes": [
                    {"name": "cn.10.1.0.1", "alias": "n1"},
                    {"name": "cn.10.1.0.1", "alias": "n2"},
                    {"name": "cn.10.1.0.2", "alias": "n1"},
                ],
            }
        },
        [
            ('nodes[1].name = "cn.10.1.0.1": another GenericNode has it. Choose another one.'),
            ('nodes[2].alias = "n1": another GenericNode has it. Choose another one.'),
        ],
    ),
    "6: GenericNode of no Slurm node": (
        {
            "outside": {
                "name": "old",
                "addresses": ["10.0.0.1"],
                "slurmNodes": "n[1-2]",
                "nodes": [{"name": "cn.10.1.0.1", "alias": "n3"}],
            }
        },
        [
            (
                'nodes[0].alias = "n3": Slurm has no such node among n[1-2], so its GRES could not be '
                "changed. Write the node's name in Slurm."
            ),
        ],
    ),
    "6: GenericNode with more than alias and type": (
        {
            "outside": {
                "name": "old",
                "addresses": ["10.0.0.1"],
                "nodes": [{"name": "cn.10.1.0.1", "alias": "n1", "cluster": "old"}],
            }
        },
        [
            ("nodes[0].cluster: there is no such field. Write one of: alias, name."),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
