"""Files in /etc/slurm: scripts, configuration files, and the plugins that read them."""

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load
from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "plugins without their files": (
        """
        name: c
        slurmConf: {extra: {TopologyPlugin: topology/tree, JobSubmitPlugins: 'require_timelimit,lua'}}
        """,
        [
            (
                'slurmConf.extra.TopologyPlugin = "topology/tree": topology/tree reads topology.conf or topology.yaml, '
                'and slurmctld would not start without it. Add configFiles["topology.conf"], or leave this out.'
            ),
            (
                'slurmConf.extra.JobSubmitPlugins = "require_timelimit,lua": lua reads job_submit.lua, '
                'and slurmctld would not start without it. Add configFiles["job_submit.lua"], or leave this out.'
            ),
        ],
    ),
    "acct_gather.conf of another plugin": (
        """
        name: c
        slurmConf: {extra: {AcctGatherProfileType: acct_gather_profile/hdf5}}
        configFiles: {acct_gather.conf: "ProfileHDF5Dir=/d\\n# EnergyXCCFake=1\\nEnergyIPMIFrequency=30\\n"}
        """,
        [
            (
                'configFiles["acct_gather.conf"] = "EnergyIPMIFrequency=30": only the plugin acct_gather_energy/ipmi '
                "or acct_gather_energy/xcc reads EnergyIPMIFrequency, and without it slurmctld ends. Add "
                "AcctGatherEnergyType to slurmConf.extra, or leave the line out."
            ),
        ],
    ),
    "script without #!": (
        """
        name: c
        hooks: {prolog: {10-x.sh: echo, gres.conf: '#!/bin/sh'}}
        """,
        [
            (
                'hooks.prolog["10-x.sh"] = "echo": the script does not begin with #!, so it would not '
                'start and every node would be drained. Begin it with "#!/bin/bash".'
            ),
            (
                'hooks.prolog["gres.conf"] = "#!/bin/sh": this is the name of a configuration file. '
                'Name the script otherwise, for example "10-gpu.sh".'
            ),
        ],
    ),
    "one file twice": (
        """
        name: c
        hooks: {prolog: {x.sh: '#!/bin/sh'}, epilog: {x.sh: '#!/bin/sh'}}
        """,
        [
            (
                'hooks.epilog["x.sh"] = "...": hooks.prolog has a file of this name, and all of them '
                "lie in /etc/slurm. Name one of them otherwise."
            ),
        ],
    ),
    "file of the operator": (
        """
        name: c
        configFiles: {slurm.conf: '', a/b: ''}
        """,
        [
            (
                'configFiles["slurm.conf"] = "": the operator writes this file. Put lines into '
                "slurmConf or accounting.extraConf instead."
            ),
            (
                'configFiles["a/b"] = "": this can\'t be the name of a file in /etc/slurm. Use letters, '
                'digits, "_", "-" and ".".'
            ),
        ],
    ),
    "cgroup.conf without what pods need": (
        r"""
        name: c
        confine: {devices: false}
        configFiles: {cgroup.conf: "ConstrainDevices=yes\n"}
        """,
        [
            (
                'configFiles["cgroup.conf"] = "ConstrainDevices=yes\\n": slurmd would ask systemd for its cgroups, and '
                "there is none in a pod. Add the line IgnoreSystemd=yes, or leave the file out and set confine."
            ),
            (
                'confine = {"cores": true, "memory": true, "devices": false}: configFiles["cgroup.conf"] replaces it, '
                "so it has no effect. Keep one of the two."
            ),
        ],
    ),
    "files that Slurm does not read": (
        r"""
        name: c
        configFiles:
          gres.conf: "# GPUs\nName=gpu Fiel=/dev/nvidia0\nInclude more.conf\nInclude /etc/slurm/absent.conf\n"
          more.conf: "Nme=gpu\n"
          cgroup.conf: "ConstrainCores=maybe\nCgroupAutomount=yes\n"
          topology.yaml: "- topology: default\n"
        """,
        [
            (
                'configFiles["gres.conf"] = "Fiel": gres.conf:2: there is no such key on Name lines of gres.conf. '
                "Write File, if you mean that."
            ),
            (
                'configFiles["gres.conf"] = "Nme": more.conf:1: there is no such key in gres.conf. '
                "Write Name, if you mean that."
            ),
            (
                'configFiles["gres.conf"] = "Include /etc/slurm/absent.conf": gres.conf:4: the file cannot be read: '
                "it is not in configFiles. Correct the name, or put the file there."
            ),
            (
                'configFiles["cgroup.conf"] = "ConstrainCores=maybe": cgroup.conf:1: this is neither yes nor no. '
                'Write "YES" or "NO".'
            ),
            (
                'configFiles["cgroup.conf"] = "CgroupAutomount": cgroup.conf:2: Slurm 23.02 was the last to heed it, '
                "and this is 25.11. Leave it out; systemd or the kernel mounts the hierarchy."
            ),
            (
                'configFiles["topology.yaml"] = "[0]": topology.yaml:1: has no kind. '
                "Give exactly one of tree, block, flat, ring, torus3d."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_a_file_that_kubernetes_would_refuse() -> None:
    with pytest.raises(SpecError) as caught:
        load({"name": "c", "configFiles": {"site.conf": "#" * 2**20}})
    assert [str(error) for error in caught.value.errors] == [
        'configFiles = {"site.conf": "' + "#" * 62 + "...: these files are 1048585 bytes, and Kubernetes refuses more "
        "than 1 MiB. Put large files on a shared volume."
    ]


def test_a_slurm_conf_that_kubernetes_would_refuse() -> None:
    accounts = [f"account-{number:05}" for number in range(4000)]
    partitions = [{"name": f"p{number}", "nodeSets": ["ALL"], "allowAccounts": accounts} for number in range(20)]
    machine = {"cpus": 4, "memory": "8Gi"}
    cluster = {
        "name": "c",
        "nodeSets": [{"name": "a", "machine": machine}],
        "accounting": {"accounts": [{"name": name} for name in accounts]},
    }
    load({**cluster, "partitions": partitions[:15]})
    with pytest.raises(SpecError) as caught:
        load({**cluster, "partitions": partitions})
    (error,) = map(str, caught.value.errors)
    assert error.startswith('partitions = "...": slurm.conf would have more than 11')
