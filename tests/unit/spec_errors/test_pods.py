"""Pods: sidecars, images, labels, environment variables, tolerations, and the pod network."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "requests without a unit": (
        """
        name: c
        restApi: {resources: {cpu: 1, memory: 1Gi, requests: {memory: 500}}}
        """,
        [
            (
                "restApi.resources.requests.memory = 500: this is less than 1 MiB, since a size without a unit is in "
                'bytes. Write "500Gi".'
            ),
        ],
    ),
    "sidecars": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sidecars:
          - {name: slurmd, image: "http://x/y", capabilities: [NET_ADMIN, cap-sys-nice]}
          - {name: a-name-longer-than-22-chars, image: x, readySeconds: 1}
        """,
        [
            'nodeSets[0].sidecars[0].name = "slurmd": the operator\'s pods have a container of this name. Choose '
            "another name.",
            'nodeSets[0].sidecars[0].image = "http://x/y": no image has a name like this. Write registry/path:tag, for '
            'example "ghcr.io/slinkyproject/slurmd:25.11".',
            'nodeSets[0].sidecars[0].capabilities[1] = "cap-sys-nice": Kubernetes knows no capability of this name. '
            'Write for example "SYS_NICE".',
            'nodeSets[0].sidecars[1].name = "a-name-longer-than-22-chars": this name has 27 characters. '
            "Use 22 at most.",
            "nodeSets[0].sidecars[1].readySeconds = 1: this is too small. Write 5 or more.",
        ],
    ),
    "sidecars of one name and place": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          hostPaths: [{name: s-sys, path: /sys, mountPath: /hostsys}]
          sidecars:
          - name: s
            image: x
            hostPaths:
            - {name: sys, path: /sys, mountPath: /hostsys}
            - {name: proc, path: /proc, mountPath: /hostsys/}
          - {name: s, image: x}
        """,
        [
            'nodeSets[0].sidecars[0].hostPaths[0].name = "sys": the pod has a volume "s-sys" already. Choose another '
            "name.",
            'nodeSets[0].sidecars[0].hostPaths[1].mountPath = "/hostsys/": "sys" is mounted there. Choose '
            "another path.",
            'nodeSets[0].sidecars[1].name = "s": the pod has a sidecar of this name. Choose another name.',
        ],
    ),
    "node's network for daemons": (
        """
        name: c
        controller: {pod: {hostNetwork: true}}
        accounting: {pod: {hostNetwork: true}}
        """,
        [
            (
                "controller.pod.hostNetwork = true: the operator's names for this daemon lead to its pod, "
                "not to a node. Write false; to reach it from outside, put a Service of type LoadBalancer "
                "in front of it."
            ),
            (
                "accounting.pod.hostNetwork = true: the operator's names for this daemon lead to its pod, "
                "not to a node. Write false; to reach it from outside, put a Service of type LoadBalancer "
                "in front of it."
            ),
        ],
    ),
    "requests above limits, and seconds of another effect": (
        """
        name: c
        controller:
          resources: {cpu: 1, memory: 2Gi, requests: {cpu: "1.5", memory: 3Gi}}
          pod: {tolerations: [{key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 5}]}
        accounting:
          database: {kind: external, host: db, passwordSecret: {name: a, key: b}, resources: {cpu: 1, memory: 1Gi}}
        """,
        [
            'controller.resources.requests.cpu = "1.5": Kubernetes refuses a request above the limit, 1. Write "1" or '
            "less, or raise the limit.",
            'controller.resources.requests.memory = "3Gi": Kubernetes refuses a request above the limit, 2Gi. Write '
            '"2Gi" or less, or raise the limit.',
            "controller.pod.tolerations[0].tolerationSeconds = 5: no pod is evicted for another effect. Write effect "
            '"NoExecute", or leave it out.',
            'accounting.database.resources = {"cpu": "1", "memory": "1Gi"}: the database runs outside the cluster, so '
            'this has no effect. Leave it out, or write another kind than "external".',
        ],
    ),
    "toleration of nothing": (
        """
        name: c
        controller: {pod: {tolerations: [{value: x}, {key: a, operator: Exists, value: x}]}}
        """,
        [
            (
                "controller.pod.tolerations[0].key: without a key only operator Exists is possible. Add "
                'key, or write operator "Exists".'
            ),
            'controller.pod.tolerations[1].value = "x": operator Exists compares no value. Leave value out.',
        ],
    ),
    "labels, names and variables": (
        """
        name: c
        controller: {pod: {labels: {'a b': c, d: 'e f'}, env: {A-B: x}, priorityClassName: High}}
        """,
        [
            (
                'controller.pod.labels["a b"] = "c": Kubernetes would refuse this key. Write a word, or '
                'a domain and a word, such as "example.org/kind".'
            ),
            (
                'controller.pod.labels.d = "e f": Kubernetes would refuse this value. Use up to 63 '
                'letters, digits, "_", "-" and ".".'
            ),
            (
                'controller.pod.priorityClassName = "High": no object in Kubernetes has a name like this. '
                'Use lower-case letters, digits, "-" and ".".'
            ),
            (
                'controller.pod.env["A-B"] = "x": this is not the name of an environment variable. Use '
                'letters, digits and "_".'
            ),
        ],
    ),
    "registry with a scheme": (
        """
        name: c
        images: {registry: 'https://ghcr.io/x', tag: ''}
        """,
        [
            'images.registry = "https://ghcr.io/x": an image\'s name has no scheme. Write "ghcr.io/x".',
            (
                'images.tag = "": this is not a tag. Use letters, digits, "_", "-" and ".", for '
                'example "25.11-ubuntu24.04".'
            ),
        ],
    ),
    "image empty": (
        """
        name: c
        controller: {image: ''}
        restApi: {image: 'https://x/y'}
        """,
        [
            (
                'controller.image = "": no image has a name like this. Write registry/path:tag, for '
                'example "ghcr.io/slinkyproject/slurmd:25.11".'
            ),
            (
                'restApi.image = "https://x/y": no image has a name like this. Write registry/path:tag, '
                'for example "ghcr.io/slinkyproject/slurmd:25.11".'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
