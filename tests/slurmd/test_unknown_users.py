"""Users and groups that slurmctld's host doesn't know, as Slinky's image knows none of a directory."""

import time

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import configure
from tests.slurmd.differences import for_this_machine
from tests.slurmd.operator_files import CPU_AND_GPU, files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rest import token
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST

ONE_GROUP = f"{CPU_AND_GPU}EnforcePartLimits=ALL\nPartitionName=lab Nodes=cpu AllowGroups=lab\n"


def test_a_group_that_slurmctld_does_not_know_lets_nobody_in(site: Site) -> None:
    cluster = Cluster(site)
    cluster.start_controller(files(ONE_GROUP))
    cluster.start_workers({"cpu-0": "Features=cpu"})
    host = cluster.controller.host
    srun = ["srun", "--quiet", "--immediate=600", "--partition=lab", "hostname"]
    refused = host.attempt(srun, user=JOB_USER)
    assert "User's group not permitted to use this partition" in refused.stderr
    host.write("/etc/group", f"{host.read('/etc/group')}lab:x:5000:{JOB_USER}\n")
    cluster.reconfigure(files(ONE_GROUP))
    assert host.run(srun, user=JOB_USER) == "cpu-0\n"


def test_jobs_with_the_token_of_a_user_that_slurmctld_does_not_know_never_start(site: Site) -> None:
    cluster = Cluster(site)
    login = site.host("login")
    configure(login, for_this_machine(files()))
    users = cluster.controller.host.read("/etc/passwd").splitlines(keepends=True)
    cluster.controller.host.write("/etc/passwd", "".join(user for user in users if not user.startswith(JOB_USER)))
    cluster.start_controller(files())
    cluster.start_workers({"cpu-0": "Features=cpu"})
    command = ["sbatch", "--parsable", "--chdir=/tmp", "--output=/dev/null", "--wrap=true"]
    submitted = login.attempt(command, user=JOB_USER, env={"SLURM_JWT": token(b"j" * 64, JOB_USER)})
    if Series.of(site.image.version) >= Series(26, 5):
        assert "Rejecting authentication of user" in submitted.stderr
        return
    assert not submitted.returncode, submitted.stderr
    daemon = cluster.controller.daemon
    assert daemon
    daemon.eventually_says(f"slurm_cred_create failure for JobId={submitted.stdout.strip()}")
    time.sleep(0.5)
    assert cluster.run("squeue", "--noheader", "--format=%T %u") in ("PENDING 99\n", "PENDING nobody\n")
