"""The recipe of an image has what pods expect of one."""

import re

from devcluster.folders import CHECKOUT
from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.ldap_files import PATHS
from pulumi_slurm.ack_slurm.manifests.names import SLURM_ID
from pulumi_slurm.ack_slurm.manifests.slurm_conf import NODE_FEATURES_PLUGIN, STATE_PATH, SUBMIT_PLUGIN
from pulumi_slurm.ack_slurm.manifests.start_scripts import scripts, worker_script
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from tests.unit.ack_slurm.examples import EVERYTHING, ack, cluster

RECIPE = (CHECKOUT / "examples/ack-slurm-image/Dockerfile").read_text()
STAGES = re.split(r"(?m)^FROM ", RECIPE)[1:]
IMAGE = STAGES[-1]
PROVIDED_BY = {
    "munge": "munge",
    "nslcd": "nslcd",
    "ssh": "openssh-server",
    "sshd": "ln -s ssh /etc/init.d/sshd",
    "slurmctld": "/etc/init.d/slurmctld",
    "slurmdbd": "/etc/init.d/slurmdbd",
}
"""What of the recipe provides a service."""


def test_services_that_scripts_start_are_in_it() -> None:
    spec, pools = cluster()
    route = ack(**EVERYTHING)
    workers = [worker_script(spec, group, route) for group in groups_of(spec, pools, route)]
    texts = [*scripts(spec, route).values(), *workers]
    services = {name for text in texts for name in re.findall(r"service (\S+) (?:re)?start", text)}
    assert services == PROVIDED_BY.keys()
    for service in services:
        assert PROVIDED_BY[service] in IMAGE, service


def test_files_and_the_user_that_the_configuration_names_are_in_it() -> None:
    defaults = AckSlurmSpec()
    for program in (defaults.power_saving.resume_program, defaults.power_saving.suspend_program):
        assert re.search(rf"(?m)^COPY .* {program}$", IMAGE), program
    assert f"--gid {SLURM_ID} slurm" in IMAGE
    assert f"useradd --uid {SLURM_ID} " in IMAGE
    assert f"SLURM_VERSION={defaults.slurm_version}\n" in RECIPE
    for package in ("libnss-ldapd", "libpam-ldapd", "nslcd"):
        assert f" {package} " in IMAGE
    assert {path.rpartition("/")[0] for path in PATHS.values()} == {"/etc", "/etc/ldap"}
    for folder in ("/etc/slurm", "/etc/ldap", STATE_PATH):
        assert f" {folder} " in IMAGE, folder
    assert "/usr/local/bin/kubectl" in IMAGE


def test_both_plugins_are_compiled_under_the_names_by_which_slurm_loads_them() -> None:
    (build,) = (stage for stage in STAGES if "gcc -shared" in stage)
    for plugin in (NODE_FEATURES_PLUGIN, f"job_submit/{SUBMIT_PLUGIN}"):
        assert f"/{plugin.replace('/', '_')}" in build, plugin


def test_stages_copy_from_stages_before_them() -> None:
    names: list[str] = []
    for stage in STAGES:
        assert set(re.findall(r"--from=(\S+)", stage)) <= set(names)
        names += re.findall(r"^\S+ AS (\S+)", stage)


def test_nobody_else_has_its_ssh_host_keys() -> None:
    (install,) = (step for step in re.split(r"(?m)^RUN ", IMAGE) if "openssh-server" in step)
    assert "/etc/ssh/ssh_host_*" in install, "otherwise an earlier layer has them"


def test_what_is_fetched_is_held_to_a_checksum_before_it_is_used() -> None:
    fetching = [step for step in re.split(r"(?m)^RUN ", RECIPE) if "curl --" in step]
    assert len(fetching) == 2
    for step in fetching:
        use = "chmod" if "kubectl" in step else "tar --extract"
        assert re.search(rf"curl --fail --location --output .*sha256sum --check && {use}", step, re.S), step
    stated = re.findall(r"(?m)^ARG (\w+_SHA256\w*)=([0-9a-f]{64})$", RECIPE)
    assert {name for name, _ in stated} == {"SLURM_SHA256", "KUBECTL_SHA256_AMD64", "KUBECTL_SHA256_ARM64"}
    for name, _ in stated:
        (stage,) = (stage for stage in STAGES if f"\nARG {name}\n" in stage)
        assert f"${name}" in stage


def test_users_who_log_in_write_no_log_of_slurmctld() -> None:
    assert not re.search(r"chmod[^&]*(0?777|a\+|o\+w)", RECIPE)
    for program in ("slurm-resume", "slurm-suspend"):
        assert f"install --mode 0640 --owner slurm --group slurm /dev/null /var/log/{program}.log" in IMAGE


def test_mpi_by_pmix_is_in_it() -> None:
    (build,) = (stage for stage in STAGES if "./configure" in stage)
    assert " libpmix-dev " in build
    assert "--with-pmix=" in build
    assert " libpmix2 " in IMAGE
    assert " openmpi-bin " in IMAGE


def test_daemons_can_be_started_by_alibabas_scripts() -> None:
    for daemon in ("slurmctld", "slurmd", "slurmdbd", "slurmrestd"):
        assert re.search(rf"building-slurm-image/sh/{daemon}\b", IMAGE), daemon
        assert f"/etc/init.d/{daemon}\n" in IMAGE, daemon
