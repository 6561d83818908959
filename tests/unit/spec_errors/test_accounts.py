"""QoS and accounts: whatever is referred to exists, and limits fit in the accounting database."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "administrators and coordinators without an account": (
        """
        name: c
        accounting:
          admins: [alice, eve]
          accounts: [{name: a, users: [alice]}, {name: b, coordinators: [alice, bob]}]
        """,
        [
            'accounting.admins[1] = "eve": no account has this user. Add the user to the users of one.',
            (
                'accounting.accounts[1].coordinators[1] = "bob": no account has this user. Add the user to the users '
                "of one."
            ),
        ],
    ),
    "QoS that do not exist": (
        """
        name: c
        accounting:
          qos: [{name: high, preempt: [lo]}, {name: low}]
          accounts: [{name: a, qos: [HIGH, hi], defaultQos: high}, {name: b, defaultQos: nope}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {qos: Low, allowQos: [normal, hig]}
        partitions: [{name: p, nodeSets: [a], denyQos: [x]}]
        """,
        [
            (
                'partitions[0].denyQos[0] = "x": there is no such QoS, and slurmctld would not start. Write one of: '
                "high, low, normal. Or add it: accounting.qos: [{name: x}]."
            ),
            (
                'nodeSets[0].partition.allowQos[1] = "hig": there is no such QoS, and slurmctld would not start. Did '
                'you mean "high"? Or add it: accounting.qos: [{name: hig}].'
            ),
            (
                'accounting.qos[0].preempt[0] = "lo": there is no such QoS. Did you mean "low"? Or add it: '
                "accounting.qos: [{name: lo}]."
            ),
            (
                'accounting.accounts[0].qos[1] = "hi": there is no such QoS. Write one of: high, low, normal. '
                "Or add it: accounting.qos: [{name: hi}]."
            ),
            (
                'accounting.accounts[1].defaultQos = "nope": there is no such QoS. Write one of: high, low, normal. '
                "Or add it: accounting.qos: [{name: nope}]."
            ),
            (
                'accounting.accounts[1].defaultQos = "nope": the QoS of jobs that ask for none is not among those '
                "that the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
        ],
    ),
    "names of QoS and accounts": (
        """
        name: c
        accounting:
          qos: [{name: High}, {name: a b}, {name: low}]
          accounts: [{name: Physics}, {name: z, description: the "best"}]
        """,
        [
            'accounting.qos[0].name = "High": Slurm keeps this name in lower case. Write "high".',
            (
                'accounting.qos[1].name = "a b": Slurm would not read this name as one word. Use letters, digits, '
                '"_", "-" and ".", for example "a-b".'
            ),
            'accounting.accounts[0].name = "Physics": Slurm keeps this name in lower case. Write "physics".',
            (
                'accounting.accounts[1].description = "the \\"best\\"": sacctmgr would not keep this text as it is. '
                "Write one line of text, without quotes."
            ),
        ],
    ),
    "options by which what is ours is marked": (
        """
        name: c
        accounting:
          qos: [{name: a, options: {description: mine}}]
          accounts: [{name: b, options: {Comment: mine}}]
        """,
        [
            'accounting.qos[0].options.description = "mine": pulumi-slurm marks its own entries in the database '
            "with it. Leave description out.",
            'accounting.accounts[0].options.Comment = "mine": pulumi-slurm marks its own entries in the database '
            "with it. Leave Comment out.",
        ],
    ),
    "a tree of accounts": (
        """
        name: c
        accounting:
          qos: [{name: low}, {name: low}]
          accounts:
          - {name: root}
          - {name: chem, parent: chemi}
          - {name: chem}
          - {name: x, parent: y}
          - {name: y, parent: x}
          - {name: z, parent: y, defaultQos: normal}
        """,
        [
            'accounting.qos[1].name = "low": it stands here twice. Keep one of them.',
            'accounting.accounts[2].name = "chem": it stands here twice. Keep one of them.',
            'accounting.accounts[0].name = "root": slurmdbd makes it by itself. Choose another name.',
            'accounting.accounts[1].parent = "chemi": there is no such account. Did you mean "chem"?',
            'accounting.accounts[3].parent = "y": following the parents leads back to this account. Write "root".',
            'accounting.accounts[4].parent = "x": following the parents leads back to this account. Write "root".',
        ],
    ),
    "a default QoS that is not allowed": (
        """
        name: c
        accounting:
          qos: [{name: high}]
          accounts:
          - {name: a, qos: [high], defaultQos: normal}
          - {name: b, qos: [normal, high], defaultQos: high}
          - {name: c, parent: b, qos: [normal]}
          - {name: d, defaultQos: high}
        """,
        [
            (
                'accounting.accounts[0].defaultQos = "normal": the QoS of jobs that ask for none is not among those '
                "that the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
            (
                'accounting.accounts[2].qos = ["normal"]: the QoS of jobs that ask for none is not among those that '
                "the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
            (
                'accounting.accounts[3].defaultQos = "high": the QoS of jobs that ask for none is not among those '
                "that the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
        ],
    ),
    "limits beyond the database's": (
        """
        name: c
        accounting:
          qos: [{name: a, priority: 2147483648, maxJobsPerUser: 2147483648, grpTres: {cpu: 18446744073709551614}}]
          accounts: [{name: b, fairshare: 2147483647, grpJobs: 2147483648, options: {GrpSubmitJobs: 1 2}}]
        """,
        [
            (
                "accounting.qos[0].grpTres.cpu = 18446744073709551614: this is too large. Write 18446744073709551613 "
                "or less."
            ),
            "accounting.qos[0].priority = 2147483648: this is too large. Write 2147483647 or less.",
            "accounting.qos[0].maxJobsPerUser = 2147483648: this is too large. Write 2147483647 or less.",
            "accounting.accounts[0].grpJobs = 2147483648: this is too large. Write 2147483647 or less.",
            (
                'accounting.accounts[0].options.GrpSubmitJobs = "1 2": sacctmgr would not take GrpSubmitJobs=1 2 as '
                "one option. Write a key of letters and one word."
            ),
            "accounting.accounts[0].fairshare = 2147483647: this is too large. Write 2147483646 or less.",
        ],
    ),
    "limits without accounting": (
        """
        name: c
        slurmConf: {accountingStorageEnforce: [limits]}
        """,
        [
            (
                'slurmConf.accountingStorageEnforce = ["limits"]: it needs the accounting database, and '
                "there is none. Add accounting, or leave this out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
