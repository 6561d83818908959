"""Additional lines of configuration files: keys and values that Slurm reads and that aren't derived."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "passwords in a ConfigMap": (
        """
        name: c
        slurmConf: {extra: {jobcomppass: hunter2}}
        configFiles: {more.conf: "JobCompHost=db\\nStoragePass = hunter2"}
        """,
        [
            (
                "slurmConf.extra.jobcomppass: jobcomppass is a password, and configuration files are in a "
                "ConfigMap that workers mount too. Leave it out: from 25.11 on Slurm reads it from the program "
                "JobCompPassScript, and with ack-slurm-operator from ack.slurm.jobCompletion."
            ),
            (
                'configFiles["more.conf"] = "...": StoragePass is a password, and configuration files are in a '
                "ConfigMap that workers mount too. Leave it out: passwords come from Secrets."
            ),
        ],
    ),
    "what binds no tasks": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, slurmdOptions: {CpuBind: /nosuch}}]
        partitions:
          - {name: p, nodeSets: [a], extra: {CpuBind: "cores,threads"}}
          - {name: q, nodeSets: [a], extra: {CpuBind: "verbose,Cores"}}
        """,
        [
            (
                'partitions[0].extra.CpuBind = "cores,threads": Slurm ignores it, since it is not a way to bind tasks. '
                "Write one of: none, socket, ldom, core, thread, off."
            ),
            (
                'nodeSets[0].slurmdOptions.CpuBind = "/nosuch": Slurm ignores it, since it is not a way to bind tasks. '
                "Write one of: none, socket, ldom, core, thread, off."
            ),
        ],
    ),
    "ssh into workers without cgroups": (
        """
        name: c
        identity: {directory: {}}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, ssh: {}}]
        slurmConf: {extra: {ProctrackType: proctrack/pgid}}
        configFiles: {cgroup.conf: "CgroupPlugin = disabled"}
        """,
        [
            (
                'slurmConf.extra.ProctrackType = "proctrack/pgid": people could not log in to workers of "a", whose '
                "ssh joins them to a job by its cgroup. Leave it out, or leave ssh out of the node sets."
            ),
            (
                'configFiles["cgroup.conf"] = "CgroupPlugin=disabled": people could not log in to workers of "a", '
                "whose ssh joins them to a job by its cgroup. Leave it out, or leave ssh out of the node sets."
            ),
        ],
    ),
    "lines of the operator": (
        """
        name: c
        slurmConf:
          extra: {ClusterName: x, SlurmctldPort: 7000, PartitionName: y, SlurmctldParameters: idle_on_node_suspend,
            KillWait: 30, killwait: 40, MpiDefault: none}
        """,
        [
            'slurmConf.extra.killwait = "40": Slurm ignores case, and KillWait is set. Keep one of them.',
            (
                'slurmConf.extra.ClusterName = "x": this line is the operator\'s, and another would break '
                "the cluster. Instead set clusterName."
            ),
            (
                'slurmConf.extra.SlurmctldPort = "7000": this line is the operator\'s, and another would '
                "break the cluster. Instead leave it: the operator and all pods use 6817."
            ),
            (
                'slurmConf.extra.PartitionName = "y": this line is the operator\'s, and another would '
                "break the cluster. Instead set partitions."
            ),
            ('slurmConf.extra.MpiDefault = "none": this has a field of its own. Set slurmConf.mpiDefault instead.'),
        ],
    ),
    "keys that Slurm does not know": (
        """
        name: c
        slurmConf: {extra: {KilWait: 30, RealMemory: 1, FastSchedule: 1, HealthCheckTimeout: 9, PowerAction: x}}
        nodeSets:
        - {name: a, machine: {cpus: 4, memory: 8Gi}, partition: {extra: {PowerDownIdle: 'YES', Exclusive: USER}},
            slurmdOptions: {CoreSpecCont: 2}}
        partitions: [{name: p, nodeSets: [a], extra: {Sharing: 'NO'}}]
        accounting: {extraConf: {PurgeJobsAfter: 1month}}
        """,
        [
            (
                'accounting.extraConf.PurgeJobsAfter = "1month": there is no such key in slurmdbd.conf. '
                "Write PurgeJobAfter, if you mean that."
            ),
            ('slurmConf.extra.KilWait = "30": there is no such key in slurm.conf. Write KillWait, if you mean that.'),
            (
                'slurmConf.extra.RealMemory = "1": there is no such key in slurm.conf. '
                "Write it on NodeName lines of slurm.conf."
            ),
            (
                'slurmConf.extra.FastSchedule = "1": Slurm 19.05 was the last to heed it, and this is 25.11. '
                "Leave it out; for FastSchedule=2 write SlurmdParameters=config_overrides."
            ),
            (
                'slurmConf.extra.HealthCheckTimeout = "9": it is new in Slurm 26.05, and this is 25.11. '
                "Leave it out, or use Slurm 26.05."
            ),
            (
                'slurmConf.extra.PowerAction = "x": it is new in Slurm 26.05, and this is 25.11. '
                "Leave it out, or use Slurm 26.05."
            ),
            (
                'partitions[0].extra.Sharing = "NO": there is no such key on PartitionName lines of slurm.conf. '
                "Write Shared, if you mean that."
            ),
            (
                'nodeSets[0].partition.extra.PowerDownIdle = "YES": there is no such key on PartitionName lines of '
                "slurm.conf. Write PowerDownOnIdle, if you mean that."
            ),
            (
                'nodeSets[0].partition.extra.Exclusive = "USER": it is new in Slurm 26.05, and this is 25.11. '
                "Leave it out, or use Slurm 26.05."
            ),
            (
                'nodeSets[0].slurmdOptions.CoreSpecCont = "2": there is no such key on NodeName lines of slurm.conf. '
                "Write CoreSpecCount, if you mean that."
            ),
        ],
    ),
    "values that Slurm does not read": (
        """
        name: c
        slurmVersion: "26.05"
        operatorVersion: 1.2.1
        slurmConf:
          selectTypeParameters: CR_Core,CR_Memry
          accountingStorageEnforce: [limits, quality]
          extra: {EnforcePartLimits: some, KillWait: 70000, UsePAM: maybe, DefMemPerNode: 4G, PriorityMaxAge: 7d,
            PowerAction: x}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, slurmdOptions: {TmpDisk: 10G}}]
        partitions: [{name: p, nodeSets: [a], extra: {AllocNodes: 'n[1-', MaxCPUsPerSocket: few}}]
        accounting: {extraConf: {TrackWCKey: 2, ArchiveScript: '"/x"'}}
        """,
        [
            (
                'accounting.extraConf.ArchiveScript = "\\"/x\\"": Slurm has no way to write a quote inside of a '
                "value. Leave the quotes out."
            ),
            (
                'slurmConf.extra.EnforcePartLimits = "some": Slurm refuses "some" here. '
                "Write one of: ALL, ANY, NO, YES, UP, DOWN, TRUE, FALSE, 1, 0."
            ),
            ('slurmConf.extra.KillWait = "70000": this is more than Slurm can count here. Write at most "65535".'),
            'slurmConf.extra.UsePAM = "maybe": this is neither yes nor no. Write "YES" or "NO".',
            'slurmConf.extra.DefMemPerNode = "4G": Slurm takes no unit here. Write MiB: "4096".',
            (
                'slurmConf.extra.PriorityMaxAge = "7d": this is not a time that Slurm reads. '
                'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".'
            ),
            (
                'slurmConf.extra.PowerAction = "x": a line of this kind has several options, and here is room for '
                "one. Leave it out."
            ),
            (
                "partitions[0].extra.AllocNodes = \"n[1-\": Slurm does not read this hostlist: 'n[1-' has a bracket "
                'without its partner or in brackets. Write for example "gpu[001-128],cpu-0".'
            ),
            ('partitions[0].extra.MaxCPUsPerSocket = "few": this is not a whole number. Write digits, or "UNLIMITED".'),
            'nodeSets[0].slurmdOptions.TmpDisk = "10G": Slurm takes no unit here. Write MiB: "10240".',
            'accounting.extraConf.TrackWCKey = "2": this is neither yes nor no. Write "YES" or "NO".',
            (
                'slurmConf.selectTypeParameters = "CR_Core,CR_Memry": Slurm refuses "CR_Memry" here. Write one of: '
                "CR_Core, CR_Core_Memory, CR_CPU, CR_CPU_Memory, CR_Memory, CR_Socket, CR_Socket_Memory, "
                "CR_ONE_TASK_PER_CORE, CR_CORE_DEFAULT_DIST_BLOCK, CR_LLN, CR_PACK_NODES, CR_NO_DIST_TOPO_BLOCK, "
                "ENFORCE_BINDING_GRES, LL_SHARED_GRES, MULTIPLE_SHARING_GRES_PJ, ONE_TASK_PER_SHARING_GRES."
            ),
            (
                'slurmConf.accountingStorageEnforce = ["limits", "quality"]: Slurm refuses "quality" here. '
                "Write one of: all, associations, limits, nojobs, nosteps, qos, safe, wckeys, 1, 2."
            ),
        ],
    ),
    "lines of slurmdbd": (
        r"""
        name: c
        accounting: {extraConf: {StorageHost: x, PurgeJobAfter: "a\nb"}}
        """,
        [
            (
                'accounting.extraConf.StorageHost = "x": this line is the operator\'s, and another would '
                "break the cluster. Instead set accounting.database.host."
            ),
            (
                'accounting.extraConf.PurgeJobAfter = "a\\nb": this does not make one line of a '
                "configuration file. Write one line of text."
            ),
        ],
    ),
    "cgroups wanted and disabled": (
        """
        name: c
        configFiles: {cgroup.conf: 'CgroupPlugin = disabled'}
        slurmConf: {extra: {ProctrackType: proctrack/cgroup}}
        """,
        [
            (
                'slurmConf.extra.ProctrackType = "proctrack/cgroup": cgroup.conf disables cgroups. Leave '
                "ProctrackType out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
