"""Lines of slurm.conf that need other lines or files, and forms of values."""

import pytest
import yaml

from pulumi_slurm.loading import load
from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "lines that need other lines": (
        """
        name: c
        slurmConf:
          selectTypeParameters: CR_Core,CR_Memory
          extra: {SelectType: select/linear, JobCompType: jobcomp/filetxt, NodeFeaturesPlugins: node_features/helpers}
        """,
        [
            (
                'slurmConf.extra.SelectType = "select/linear": slurmctld ends with it, since nodes that register by '
                "themselves need select/cons_tres. Leave it out."
            ),
            (
                'slurmConf.selectTypeParameters = "CR_Core,CR_Memory": slurmctld ends with more than one of cr_core, '
                "cr_memory. Keep one of them."
            ),
            (
                'slurmConf.extra.JobCompType = "jobcomp/filetxt": slurmctld ends when it can\'t create the file of '
                "jobcomp/filetxt. Set JobCompLoc to a file in /var/log/slurm/."
            ),
            (
                'slurmConf.extra.NodeFeaturesPlugins = "node_features/helpers": slurmctld ends without helpers.conf. '
                'Add configFiles["helpers.conf"], or leave this out.'
            ),
        ],
    ),
    "forms of values": (
        """
        name: c
        slurmConf:
          schedulerParameters: ["max_script_size=1000000000"]
          extra: {Licenses: "foo:bar", SlurmctldParameters: "enable_configless,conmgr_threads=1", MCSPlugin: mcs/users}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, slurmdOptions: {TRESWeights: CPU, State: DOWN}}]
        partitions: [{name: p, nodeSets: [a], topology: tree}]
        """,
        [
            (
                'nodeSets[0].slurmdOptions.State = "DOWN": this is derived and would be given twice. Leave it out; '
                "set nothing, and drain nodes with scontrol."
            ),
            (
                'slurmConf.extra.Licenses = "foo:bar": slurmctld ends with "foo:bar". Write name:count, for example '
                '"matlab:10,ansys:2".'
            ),
            (
                'slurmConf.extra.SlurmctldParameters = "enable_configless,conmgr_threads=1": with conmgr_threads=1 '
                "slurmctld does not start, or does not answer. Write conmgr_threads=2 or more, up to 1024."
            ),
            (
                'slurmConf.extra.MCSPlugin = "mcs/users": Slurm has no plugin "mcs/users". '
                "Write mcs/user, if you mean that."
            ),
            (
                'nodeSets[0].slurmdOptions.TRESWeights = "CPU": slurmctld ends with "CPU". '
                'Write for example "CPU=1.0,Mem=0.25G".'
            ),
            (
                'slurmConf.schedulerParameters = ["max_script_size=1000000000"]: slurmctld ends with more than '
                '536870912. Write at most "max_script_size=536870912".'
            ),
            (
                'partitions[0].topology = "tree": slurmctld ends unless topology.yaml has a topology tree. '
                "Write one of: default."
            ),
        ],
    ),
}


def test_an_image_of_ones_own_may_have_plugins_of_its_own() -> None:
    text = "{name: c, slurmConf: {extra: {JobSubmitPlugins: ours}}, controller: {image: example.com/slurmctld:1}}"
    assert load(yaml.safe_load(text))
    assert errors_of(text.replace("image: example.com/slurmctld:1", "")) != []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
