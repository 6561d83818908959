"""Access: users, Services and tokens."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "options of load balancers without one": (
        """
        name: c
        controller: {service: {type: NodePort, nodePort: 30000, loadBalancerClass: example.com/internal}}
        accounting: {service: {externalTrafficPolicy: Local}}
        restApi: {service: {type: NodePort, nodePort: 30000}}
        """,
        [
            (
                'controller.service.loadBalancerClass = "example.com/internal": a Service of type NodePort has no load '
                'balancer. Write type "LoadBalancer", or leave loadBalancerClass out.'
            ),
            "restApi.service.nodePort = 30000: another Service has this port. Choose another.",
            (
                'accounting.service.externalTrafficPolicy = "Local": no connection from outside reaches a Service of '
                'type ClusterIP. Write type "NodePort" or "LoadBalancer", or leave externalTrafficPolicy out.'
            ),
        ],
    ),
    "load balancers that let everyone in": (
        """
        name: c
        identity: {directory: {}}
        controller: {service: {internal: false}}
        accounting: {service: {type: LoadBalancer, internal: false}}
        restApi: {service: {type: LoadBalancer, internal: false, sourceRanges: [0.0.0.0/0]}}
        loginSets: [{name: l, service: {type: LoadBalancer, internal: false, sourceRanges: []}}]
        """,
        [
            (
                "controller.service.internal = false: a Service of type ClusterIP has no load balancer. Write type "
                '"LoadBalancer", or leave internal out.'
            ),
            (
                "accounting.service.internal = false: the load balancer is on the Internet and lets everyone in. Add "
                'sourceRanges with the networks that may connect, for example ["192.0.2.0/24"]; ["0.0.0.0/0"] is the '
                "whole Internet."
            ),
            (
                "loginSets[0].service.internal = false: the load balancer is on the Internet and lets everyone in. Add "
                'sourceRanges with the networks that may connect, for example ["192.0.2.0/24"]; ["0.0.0.0/0"] is the '
                "whole Internet."
            ),
        ],
    ),
    "load balancers in two places": (
        """
        name: c
        controller:
          service:
            type: LoadBalancer
            annotations:
              networking.gke.io/load-balancer-type: External
              service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type: internet
              service.beta.kubernetes.io/azure-load-balancer-internal: 'TRUE'
        accounting:
          service: {type: LoadBalancer, loadBalancerClass: networking.gke.io/l4-regional-external}
        restApi:
          service:
            type: LoadBalancer
            internal: false
            sourceRanges: [192.0.2.0/24]
            loadBalancerClass: networking.gke.io/l4-regional-internal
            annotations:
              service.beta.kubernetes.io/aws-load-balancer-scheme: internal
              service.beta.kubernetes.io/azure-load-balancer-internal: 'false'
        """,
        [
            (
                'controller.service.annotations["networking.gke.io/load-balancer-type"] = "External": with internal, '
                "true by default, the load balancer is kept off the Internet, and Google Cloud goes by this. Leave it "
                "out, or write internal: false and sourceRanges."
            ),
            (
                "controller.service.annotations["
                '"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type"] = "internet": with internal, '
                "true by default, the load balancer is kept off the Internet, and Alibaba Cloud goes by this. Leave it "
                "out, or write internal: false and sourceRanges."
            ),
            (
                'restApi.service.loadBalancerClass = "networking.gke.io/l4-regional-internal": with internal: false '
                "the load balancer is on the Internet, and Google Cloud goes by this. Leave it out, or leave internal "
                "out."
            ),
            (
                'restApi.service.annotations["service.beta.kubernetes.io/aws-load-balancer-scheme"] = "internal": with '
                "internal: false the load balancer is on the Internet, and AWS goes by this. Leave it out, or leave "
                "internal out."
            ),
            (
                'accounting.service.loadBalancerClass = "networking.gke.io/l4-regional-external": with internal, true '
                "by default, the load balancer is kept off the Internet, and Google Cloud goes by this. Leave it out, "
                "or write internal: false and sourceRanges."
            ),
        ],
    ),
    "load balancer of the operator's own Service": (
        """
        name: c
        identity: {directory: {}}
        restApi: {overrides: {service: {spec: {type: LoadBalancer}}}}
        loginSets: [{name: l, overrides: {service: {spec: {type: LoadBalancer}}}}]
        """,
        [
            (
                'restApi.overrides.service.spec.type = "LoadBalancer": nothing here says who may connect, and most '
                "clouds put the load balancer on the Internet. Leave it out, and set restApi.service.type."
            ),
            (
                'loginSets[0].overrides.service.spec.type = "LoadBalancer": nothing here says who may connect, and '
                "most clouds put the load balancer on the Internet. Leave it out, and set loginSets[0].service.type."
            ),
        ],
    ),
    "login set without identity": (
        """
        name: c
        loginSets: [{name: l}]
        """,
        [
            (
                'identity: login set "l" needs SSSD, and SSSD needs a source of users. Add identity, for '
                "example identity: {directory: {}} for a trial, or identity: {ldap: {...}}."
            ),
        ],
    ),
    "ssh without identity": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, ssh: {}}]
        """,
        [
            (
                'identity: SSH into node set "a" needs SSSD, and SSSD needs a source of users. Add '
                "identity, for example identity: {directory: {}} for a trial, or identity: {ldap: {...}}."
            ),
        ],
    ),
    "identity of two sources": (
        """
        name: c
        identity: {directory: {}, sssdConfSecret: {name: s, key: sssd.conf}}
        """,
        [
            "identity: 2 sources of users are given. Give exactly one of ldap, directory and sssdConfSecret.",
        ],
    ),
    "LDAP in clear": (
        """
        name: c
        identity: {ldap: {uri: 'ldap://x', baseDn: dc=x}}
        """,
        [
            (
                'identity.ldap.uri = "ldap://x": SSSD would refuse every login, because passwords would '
                "cross the network in clear. Write ldaps://, or add startTls: true."
            ),
        ],
    ),
    "private key": (
        """
        name: c
        identity: {directory: {}}
        loginSets: [{name: l, rootAuthorizedKeys: [ssh-rsa AAAA, '-----BEGIN PRIVATE KEY-----']}]
        """,
        [
            (
                "loginSets[0].rootAuthorizedKeys[1]: this is a private "
                "key. Write the public key, the content of the file that ends in .pub."
            ),
        ],
    ),
    "Service without the type for its port": (
        """
        name: c
        restApi: {service: {nodePort: 30000, sourceRanges: [10.0.0.1/8]}}
        """,
        [
            (
                'restApi.service.sourceRanges[0] = "10.0.0.1/8": this is not a network in CIDR form. '
                'Write for example "192.0.2.0/24".'
            ),
            (
                "restApi.service.nodePort = 30000: a Service of type ClusterIP has no port on nodes. Write "
                'type "NodePort" or "LoadBalancer", or leave nodePort out.'
            ),
        ],
    ),
    "port on nodes taken twice": (
        """
        name: c
        identity: {directory: {}}
        restApi: {service: {type: NodePort, nodePort: 30000}}
        loginSets: [{name: l, service: {type: NodePort, nodePort: 30000}}]
        """,
        [
            "loginSets[0].service.nodePort = 30000: another Service has this port. Choose another.",
        ],
    ),
    "port of the Service changed": (
        """
        name: c
        restApi: {overrides: {service: {port: 80}}}
        controller: {overrides: {service: {port: 7000}}}
        """,
        [
            (
                "controller.overrides.service.port = 7000: it changes the Service alone: daemons, clients "
                "and the operator keep 6817. Leave it out."
            ),
            (
                "restApi.overrides.service.port = 80: it changes the Service alone: daemons, clients and "
                "the operator keep 6820. Leave it out."
            ),
        ],
    ),
    "REST API left out": (
        """
        name: c
        restApi: {replicas: 0}
        """,
        [
            "restApi.replicas = 0: this is too small. Write 1 or more.",
        ],
    ),
    "token for ever": (
        """
        name: c
        tokens: [{name: t, username: root, lifetime: 20000h}]
        """,
        [
            (
                'tokens[0].lifetime = "20000h": a token of root that lasts more than a year is a key to '
                'the whole cluster. Write "8760h" or less.'
            ),
        ],
    ),
    "token in days": (
        """
        name: c
        tokens: [{name: t, username: me, lifetime: 30d}, {name: t, username: me}]
        """,
        [
            (
                'tokens[0].lifetime = "30d": this is not a duration. Write for example "15m", "24h" '
                'or "1h30m"; days are not a unit here.'
            ),
            'tokens[1].name = "t": this name is used before. Choose another name.',
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
