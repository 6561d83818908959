"""Imports of configurations in the style of real sites start on real slurmctld, and stay up for a reconfigure."""

from pathlib import Path

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.accounts import qos_script
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES, Series
from pulumi_slurm_cli.importing import Accounting, import_cluster
from tests.slurmd.cluster import Cluster
from tests.slurmd.daemon import DaemonError
from tests.slurmd.host import CommandError
from tests.slurmd.outcome import answered
from tests.slurmd.rendered import here, rendered_files, with_our_slurmdbd
from tests.slurmd.sacctmgr import SacctmgrPod, with_named_qos
from tests.slurmd.scontrol import show_partitions
from tests.unit.importing.sites import SITES, write_site

SINCE = {"superpod": Series.of("25.05")}
"""Sites whose files an older Slurm refuses: before, blocks of nodes that haven't registered ended slurmctld
(src/plugins/topology/block/block_record.c of SchedMD/slurm at slurm-24.11). The operator runs 25.11 and newer."""


def imported(name: str, folder: Path, series: Series) -> SlurmSpec:
    version = str(series if series in {Series.of(str(one)) for one in OS_BY_SERIES} else DEFAULT_SERIES)
    result = import_cluster(write_site(name, folder), version, Accounting.NEW)
    assert result.spec, result.errors
    return here(result.spec)


def start(cluster: Cluster, sacctmgr: SacctmgrPod, spec: SlurmSpec, series: Series) -> None:
    host = cluster.controller.host
    if spec.accounting:
        sacctmgr.run_job(spec, "qos", qos_script(with_named_qos(spec)))
    cluster.start_controller(with_our_slurmdbd(rendered_files(spec, series), spec))
    reconfigured = answered(host, ["scontrol", "reconfigure"])
    assert not reconfigured.returncode, reconfigured.stderr
    host.run(["sinfo"])
    assert show_partitions(host).keys() >= {partition.name for partition in spec.partitions}


def test_every_site_starts(accounted_cluster: Cluster, image: SlurmImage, tmp_path: Path) -> None:
    sacctmgr = SacctmgrPod(accounted_cluster.site)
    series = Series.of(image.version)
    ended = []
    for name in SITES:
        if series < SINCE.get(name, series):
            continue
        try:
            start(accounted_cluster, sacctmgr, imported(name, tmp_path / name, series), series)
        except (DaemonError, CommandError, AssertionError) as error:
            ended.append(f"{name}: {type(error).__name__}: {error}")
    assert not ended, "\n\n".join(ended)
