"""Preemption: the options of partitions, of QoS and of slurm.conf agree."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "preemption that is not set up": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {preemptMode: REQUEUE}}]
        """,
        [
            (
                'nodeSets[0].partition.preemptMode = "REQUEUE": nothing is preempted as long as '
                "slurmConf.preemptType is not set. Set slurmConf.preemptType, for example "
                '"preempt/partition_prio".'
            ),
        ],
    ),
    "suspend without gang": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: REQUEUE}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {preemptMode: SUSPEND}}]
        """,
        [
            (
                'nodeSets[0].partition.preemptMode = "SUSPEND": suspended jobs are resumed by the gang '
                'scheduler, and it is off. Set slurmConf.preemptMode to "SUSPEND,GANG".'
            ),
        ],
    ),
    "preempt type without mode": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio}
        """,
        [
            (
                "slurmConf.preemptMode: slurmctld does not start with preemptType preempt/partition_prio "
                'and no way to preempt. Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
            ),
        ],
    ),
    "ways to preempt without a type": (
        """
        name: c
        slurmConf: {preemptMode: 'gang, suspend'}
        """,
        [
            (
                'slurmConf.preemptMode = "GANG,SUSPEND": slurmctld does not start with a way to preempt and no '
                'preemptType. Set preemptType, for example "preempt/partition_prio", or leave this out.'
            ),
        ],
    ),
    "gang scheduling for preemption": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: GANG}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {preemptMode: GANG}}]
        """,
        [
            (
                "nodeSets[0].partition.preemptMode = \"GANG\": this is not one of the choices. Write one of: 'OFF', "
                "'CANCEL', 'REQUEUE' or 'SUSPEND'."
            ),
            (
                'slurmConf.preemptMode = "GANG": slurmctld does not start with preemptType preempt/partition_prio '
                'and no way to preempt. Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
            ),
        ],
    ),
    "two ways to preempt": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: 'REQUEUE,CANCEL'}
        """,
        [
            (
                'slurmConf.preemptMode = "REQUEUE,CANCEL": Slurm knows no such PreemptMode. '
                'Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
            ),
        ],
    ),
    "suspending without the gang scheduler": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: suspend}
        """,
        [
            (
                'slurmConf.preemptMode = "suspend": suspended jobs are resumed by the gang scheduler, and it is off. '
                'Write "SUSPEND,GANG".'
            ),
        ],
    ),
    "QoS that preempt each other": (
        """
        name: c
        accounting: {qos: [{name: a, preempt: [b]}, {name: b, preempt: [A]}, {name: c, preempt: [a]}]}
        """,
        [
            (
                'accounting.qos[0].preempt = ["b"]: following what it preempts leads back to this QoS, and sacctmgr '
                "refuses that. Leave one of them out."
            ),
            (
                'accounting.qos[1].preempt = ["A"]: following what it preempts leads back to this QoS, and sacctmgr '
                "refuses that. Leave one of them out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
