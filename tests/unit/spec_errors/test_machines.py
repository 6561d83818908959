"""Machines of node sets: CPUs, memory, GPUs, GRES, features and slurmd's options."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "other resources": (
        """
        name: c
        pools:
        - {name: p, machine: {cpus: 8, memory: 32Gi, resources: {rdma/hca: 4}}, nodeLabels: {a: b}}
        nodeSets:
        - {name: a, machine: {cpus: 8, memory: 32Gi, resources: {cpu: 2, hca: 1, rdma/hca: 500m}}}
        - {name: b, pool: p, machine: {cpus: 1, memory: 1Gi, resources: {rdma/hca: 8}}}
        - {name: d, machine: {cpus: 1, memory: 1Gi, gpus: {count: 1}, resources: {nvidia.com/gpu: 1}}}
        """,
        [
            'nodeSets[0].machine.resources.cpu = "2": this is the field cpus. Write cpus, beside resources.',
            'nodeSets[0].machine.resources.hca = "1": this is not a resource of Kubernetes. Write for example '
            '"rdma/hca", "hugepages-2Mi" or "ephemeral-storage".',
            'nodeSets[0].machine.resources["rdma/hca"] = "500m": Kubernetes gives out such a resource only whole. '
            'Write a whole number, for example "1".',
            'nodeSets[2].machine.resources["nvidia.com/gpu"] = "1": this is the resource of machine.gpus. Leave it '
            "out.",
            'nodeSets[1].machine.resources["rdma/hca"] = "8": a node of the pool "p" has 4, so the pods would stay '
            'Pending. Write "4" or less.',
        ],
    ),
    "GPUs that slurmd does not detect": (
        """
        name: c
        pools:
        - {name: p, machine: {cpus: 8, memory: 32Gi, gpus: {count: 2, resource: amd.com/gpu}}, nodeLabels: {a: b}}
        - {name: q, machine: {cpus: 8, memory: 32Gi, gpus: {count: 2, resource: amd.com/gpu}}, nodeLabels: {a: c}}
        nodeSets:
        - {name: pooled, pool: p}
        - {name: fine, machine: {cpus: 8, memory: 32Gi, gpus: {count: 2}}}
        - {name: shared, machine: {cpus: 8, memory: 32Gi, gpus: {count: 2, resource: nvidia.com/gpu.shared}}}
        - name: daemons
          image: registry.example.org/slurmd:1
          pool: q
          scalingMode: DaemonSet
        """,
        [
            (
                'nodeSets[0].pool = "p": its nodes offer amd.com/gpu, and Slinky\'s image of slurmd is built without '
                'rsmi, so it would detect none and the nodes be invalid. Add configFiles["gres.conf"] with their '
                'device files, for example "NodeName=gpu-[0-3] Name=gpu File=/dev/dri/renderD[128-135]".'
            ),
            (
                'nodeSets[2].machine.gpus.resource = "nvidia.com/gpu.shared": slurmd can\'t detect such devices by '
                'itself, so the nodes would be invalid. Add configFiles["gres.conf"] with their device files, for '
                'example "NodeName=gpu-[0-3] Name=gpu File=/dev/dri/renderD[128-135]".'
            ),
            (
                'nodeSets[3].pool = "q": its nodes offer amd.com/gpu, and where node sets have GPUs of several vendors'
                ', gres.conf needs names of nodes, which a DaemonSet lacks. Add configFiles["gres.conf"] with their '
                'device files, for example "NodeName=gpu-[0-3] Name=gpu File=/dev/dri/renderD[128-135]".'
            ),
        ],
    ),
    "node set without machine": (
        """
        name: c
        nodeSets: [{name: a}]
        """,
        [
            (
                'nodeSets[0] = "a": neither pool nor machine is given, so CPUs, memory and GRES can\'t be '
                "derived. Add pool: <name of a node pool>, or machine: {cpus: ..., memory: ...}."
            ),
        ],
    ),
    "feature with a comma": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, features: ['a,b', ok, ok]}]
        """,
        [
            (
                'nodeSets[0].features[0] = "a,b": Slurm would not read this name as one word. Use '
                'letters, digits, "_", "-" and ".", for example "a-b".'
            ),
        ],
    ),
    "slurmd option with a space": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          slurmdOptions: {Topology: a b, Gres: 'gpu:1', CoreSpecCount: 2, corespeccount: 3}
        """,
        [
            (
                'nodeSets[0].slurmdOptions.corespeccount = "3": Slurm ignores case, and CoreSpecCount is '
                "set. Keep one of them."
            ),
            (
                'nodeSets[0].slurmdOptions.Topology = "a b": slurm-operator splits Topology=a b at white '
                "space, and stops on what is left. Write a key of letters and a value without white space "
                "and quotes."
            ),
            (
                'nodeSets[0].slurmdOptions.Gres = "gpu:1": this is derived and would be given twice. '
                "Leave it out; set gpus or extraGres."
            ),
        ],
    ),
    "GRES malformed": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, extraGres: [tmpdisk, 'tmpdisk:100X', 'gpu:2']}]
        """,
        [
            (
                'nodeSets[0].extraGres[1] = "tmpdisk:100X": this is not a GRES. Write name:count or '
                'name:type:count, for example "tmpdisk:100G".'
            ),
            (
                'nodeSets[0].extraGres[2] = "gpu:2": GPUs come from the machine and would be counted '
                "twice. Leave it out; machine.gpus and gpus say how many there are."
            ),
        ],
    ),
    "more GPUs than the machine has": (
        """
        name: c
        nodeSets: [{name: a, gpus: 3, machine: {cpus: 4, memory: 8Gi, gpus: {count: 2, type: h100}}}]
        """,
        [
            (
                "nodeSets[0].gpus = 3: the machine has 2 GPUs, so slurmd would be invalid. Write 2 or less, "
                "or add machine.gpus."
            ),
        ],
    ),
    "memory without a unit": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8}}]
        """,
        [
            (
                "nodeSets[0].machine.memory = 8: no slurmd starts in less than 64 MiB. Write a unit, for "
                'example "120Gi".'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
