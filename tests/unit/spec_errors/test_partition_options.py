"""Options of partitions: times, memory, node counts, access, and sharing of nodes."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "time that Slurm doesn't read": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: 2 days}}]
        """,
        [
            (
                'nodeSets[0].partition.maxTime = "2 days": this is not a time that Slurm reads. Write '
                'minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or '
                '"UNLIMITED".'
            ),
        ],
    ),
    "time out of range": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: '99999-00:00:00'}}]
        """,
        [
            (
                'nodeSets[0].partition.maxTime = "99999-00:00:00": this is longer than Slurm can count. Write at most '
                '"24855-00:00:00", or "UNLIMITED".'
            ),
        ],
    ),
    "negative time": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: -5}}]
        """,
        [
            (
                "nodeSets[0].partition.maxTime = -5: this is not a time that Slurm reads. "
                'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".'
            ),
        ],
    ),
    "default time above the longest": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: 60, defaultTime: 1-0}}]
        """,
        [
            'nodeSets[0].partition.defaultTime = "1-0": it is longer than maxTime, 60. Write "60" or less.',
        ],
    ),
    "memory in words": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {defMemPerCpu: 4 gigs}}]
        """,
        [
            (
                'nodeSets[0].partition.defMemPerCpu = "4 gigs": this is not an amount of memory that '
                'Slurm reads. Write MiB ("4000"), a Slurm size ("4G") or a Kubernetes quantity '
                '("4Gi").'
            ),
        ],
    ),
    "two kinds of default memory": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {defMemPerCpu: 4G, defMemPerNode: 8G}
        """,
        [
            'nodeSets[0].partition.defMemPerCpu = "4096": Slurm ignores it when defMemPerNode is set. Keep one.',
        ],
    ),
    "min nodes above max nodes": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {minNodes: 4, maxNodes: 2}}]
        """,
        [
            "nodeSets[0].partition.minNodes = 4: it is above maxNodes, 2, so no job could run. Write 2 or less.",
        ],
    ),
    "state unknown": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {state: 'ON'}}]
        """,
        [
            (
                "nodeSets[0].partition.state = \"ON\": this is not one of the choices. Write one of: 'UP', "
                "'DOWN', 'DRAIN' or 'INACTIVE'."
            ),
        ],
    ),
    "allowed and denied accounts": (
        """
        name: c
        accounting: {}
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition:
            allowAccounts: [x]
            denyAccounts: [y]
        """,
        [
            'nodeSets[0].partition.denyAccounts = ["y"]: Slurm ignores it when allowAccounts is set. Keep one.',
        ],
    ),
    "QoS without accounting": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {qos: high}}]
        """,
        [
            (
                'nodeSets[0].partition.qos = "high": accounts and QoS live in the accounting database, '
                "and there is none. Add accounting, or leave this out."
            ),
        ],
    ),
    "numbers that Slurm would change": (
        """
        name: c
        slurmConf: {maxJobCount: 67043329, slurmdTimeout: 65536, slurmctldDebug: Debug6, slurmdDebug: INFO}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {priorityTier: 65536, defCpuPerGpu: -1}}]
        """,
        [
            "nodeSets[0].partition.defCpuPerGpu = -1: this is too small. Write 0 or more.",
            "nodeSets[0].partition.priorityTier = 65536: this is too large. Write 65535 or less.",
            "slurmConf.maxJobCount = 67043329: this is too large. Write 67043328 or less.",
            "slurmConf.slurmdTimeout = 65536: this is too large. Write 65535 or less.",
            (
                'slurmConf.slurmctldDebug = "Debug6": Slurm refuses "Debug6" here. Write one of: quiet, fatal, error,'
                " info, verbose, debug, debug2, debug3, debug4, debug5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9."
            ),
        ],
    ),
    "groups that are several": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {allowGroups: [domain users, 'a,b', '']}}]
        """,
        [
            (
                'nodeSets[0].partition.allowGroups[1] = "a,b": this is not the name of one group. Write each name as '
                "text of its own, without commas."
            ),
            (
                'nodeSets[0].partition.allowGroups[2] = "": this is not the name of one group. Write each name as '
                "text of its own, without commas."
            ),
        ],
    ),
    "numbers beyond Slurm's": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, weight: 4294967294}]
        partitions: [{name: p, nodeSets: [a], maxNodes: 4294967295, overSubscribe: 'YES', overSubscribeJobs: 32768}]
        """,
        [
            "nodeSets[0].weight = 4294967294: this is too large. Write 4294967293 or less.",
            "partitions[0].maxNodes = 4294967295: this is too large. Write 4294967293 or less.",
            "partitions[0].overSubscribeJobs = 32768: this is too large. Write 32767 or less.",
        ],
    ),
    "one job that shares": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions:
        - {name: p, nodeSets: [a], overSubscribe: 'YES', overSubscribeJobs: 1}
        - {name: q, nodeSets: [a], overSubscribe: FORCE, overSubscribeJobs: 1}
        """,
        [
            (
                "partitions[0].overSubscribeJobs = 1: one job shares nothing, and Slurm takes it for overSubscribe NO. "
                "Write 2 or more, or overSubscribe NO."
            ),
        ],
    ),
    "jobs without oversubscribe": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {overSubscribeJobs: 4}}]
        """,
        [
            (
                "nodeSets[0].partition.overSubscribeJobs = 4: only overSubscribe FORCE and YES take a "
                "number of jobs. Set overSubscribe, or leave this out."
            ),
        ],
    ),
    "typed option in extra": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition:
            extra: {MaxTime: 60, Nodes: ALL, Alternate: 'a "b"'}
        """,
        [
            'nodeSets[0].partition.extra.MaxTime = "60": this has a field of its own. Set maxTime instead.',
            (
                'nodeSets[0].partition.extra.Nodes = "ALL": this is derived and would be given twice. '
                "Leave it out; set name and nodeSets."
            ),
            (
                'nodeSets[0].partition.extra.Alternate = "a \\"b\\"": Slurm has no way to write a quote inside of a '
                "value. Leave the quotes out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
