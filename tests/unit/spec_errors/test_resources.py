"""Trackable resources (TRES): those with a weight or a limit exist and are tracked."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "resources that nobody counts": (
        """
        name: c
        slurmConf:
          priorityWeights: {Age: 1000, QOS: 5}
          extra: {AccountingStorageTRES: 'fs/disk,gres/gpu', PriorityWeightTRES: 'CPU=1,GRES/gpu=5'}
        """,
        [
            (
                "slurmConf.priorityWeights.Age = 1000: Slurm ignores it without the accounting database. "
                "Add accounting, or leave this out."
            ),
            (
                'slurmConf.extra.AccountingStorageTRES = "fs/disk,gres/gpu": without accounting gres/gpu is not '
                "counted, and slurmctld would not start. Add accounting, or leave this out."
            ),
            (
                'slurmConf.extra.PriorityWeightTRES = "CPU=1,GRES/gpu=5": without accounting GRES/gpu is not '
                "counted, and slurmctld would not start. Add accounting, or leave this out."
            ),
        ],
    ),
    "resources that the stated list is without": (
        """
        name: c
        slurmConf: {extra: {AccountingStorageTRES: license/matlab}}
        accounting: {qos: [{name: high, grpTres: {license/matlab: 3, license/ansys: 2}}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {tresBillingWeights: {GRES/gpu: 12}}}]
        """,
        [
            (
                'nodeSets[0].partition.tresBillingWeights["GRES/gpu"] = 12.0: slurmConf.extra.AccountingStorageTRES '
                "is without GRES/gpu, so it is not counted. Add it there, or leave AccountingStorageTRES out: it is "
                "derived."
            ),
            (
                'accounting.qos[0].grpTres["license/ansys"] = 2: slurmConf.extra.AccountingStorageTRES is without '
                "license/ansys, so it is not counted. Add it there, or leave AccountingStorageTRES out: it is "
                "derived."
            ),
        ],
    ),
    "resources that Slurm does not know": (
        """
        name: c
        slurmConf: {extra: {PriorityWeightTRES: 'gpu=5'}}
        accounting: {qos: [{name: high, grpTres: {gpus: 3}}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {tresBillingWeights: {gpu: 12, gres/: 3}}}]
        """,
        [
            (
                "nodeSets[0].partition.tresBillingWeights.gpu = 12.0: this is not a trackable resource. Write for "
                'example "CPU", "Mem" or "GRES/gpu".'
            ),
            (
                'nodeSets[0].partition.tresBillingWeights["gres/"] = 3.0: this is not a trackable resource. Write for'
                ' example "CPU", "Mem" or "GRES/gpu".'
            ),
            (
                'accounting.qos[0].grpTres.gpus = 3: this is not a trackable resource. Write for example "CPU", "Mem"'
                ' or "GRES/gpu".'
            ),
            (
                'slurmConf.extra.PriorityWeightTRES = "gpu=5": this is not a trackable resource. Write for example '
                '"CPU", "Mem" or "GRES/gpu".'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
