"""`overrides`: fields that they can't set because they are derived or immutable, or crash the operator."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "overrides of what is derived": (
        """
        name: c
        controller:
          overrides:
            clusterName: x
            slurmKeyRef: {name: x}
            persistence: {enabled: false}
            template:
              spec: {hostNetwork: true}
        """,
        [
            (
                'controller.overrides.slurmKeyRef = {"name": "x"}: this is derived, and an override '
                "breaks the cluster. Instead set keys.slurm."
            ),
            (
                'controller.overrides.clusterName = "x": this is derived, and an override breaks the cluster. '
                "Instead set clusterName."
            ),
            (
                "controller.overrides.persistence.enabled = false: this is derived, and an override "
                "breaks the cluster. Instead set controller.state.enabled."
            ),
            (
                "controller.overrides.template.spec.hostNetwork = true: this is derived, and an override "
                "breaks the cluster. Instead leave it: slurmctld is found by the name of its pod."
            ),
        ],
    ),
    "overrides of node sets": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          overrides:
            controllerRef: {name: x}
            replicas: 3
            extraConf: A B
            slurmdd: {}
            pinToNode: true
        """,
        [
            (
                "nodeSets[0].overrides.slurmdd = {}: slurm-operator 1.1.3 knows no such field of a NodeSet. "
                'Did you mean "slurmd"?'
            ),
            (
                "nodeSets[0].overrides.pinToNode = true: slurm-operator 1.1.3 knows no such field of a "
                'NodeSet. Write operatorVersion "1.2.0" or later, or leave this out.'
            ),
            (
                'nodeSets[0].overrides.controllerRef = {"name": "x"}: this is derived, and an override '
                "breaks the cluster. Instead leave it: everything belongs to this cluster's controller."
            ),
            (
                "nodeSets[0].overrides.replicas = 3: this is derived, and an override breaks the cluster. "
                "Instead set replicas or autoscaling of the node set."
            ),
            (
                'nodeSets[0].overrides.extraConf = "A B": this is derived, and an override breaks the cluster. '
                "Instead set features, weight, extraGres or slurmdOptions of the node set."
            ),
        ],
    ),
    "probes that bring the operator down": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          overrides:
            logfile:
              livenessProbe: {}
            slurmd:
              securityContext: {privileged: false}
        """,
        [
            (
                "nodeSets[0].overrides.logfile.livenessProbe = {}: the operator's container logfile has no "
                "such probe, and merging one brings the operator down. Leave it out."
            ),
            (
                "nodeSets[0].overrides.slurmd.securityContext.privileged = false: the operator drops false, "
                '0 and "" from what it merges, so this has no effect. Leave it out.'
            ),
        ],
    ),
    "overrides that lose volumes": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /home, storageClass: s}]
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, overrides: {template: {spec: {volumes: []}}}}]
        """,
        [
            (
                "nodeSets[0].overrides.template.spec.volumes = []: a list in overrides replaces the whole "
                "list, and the volumes of this specification would be gone. Use extraVolumes "
                "and extraVolumeMounts, which are added to the others."
            ),
        ],
    ),
    "overrides that lose sidecars": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sidecars: [{name: s, image: x}]
          overrides: {template: {spec: {initContainers: []}}}
        """,
        [
            (
                "nodeSets[0].overrides.template.spec.initContainers = []: a list in overrides replaces the whole "
                "list, and the sidecars of this specification would be gone. Use sidecars of the node set."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
