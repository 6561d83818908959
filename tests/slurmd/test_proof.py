"""The steps of `pulumi-slurm prove` on daemons, as the tests of GPUs run them; in pods: tests/jobs/test_prove.py."""

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm_cli.proof import BAD, Verdict
from pulumi_slurm_cli.proof.mail import mail_has_a_program
from tests.slurmd.proof_bed import ProofBed
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST
CPU = {"name": "cpu", "replicas": 1, "machine": {"cpus": 1, "memory": "1Gi"}, "partition": {"default": True}}


def test_a_cluster_without_gpus_passes(site: Site, image: SlurmImage) -> None:
    bed = ProofBed.started(site, CPU)
    results = bed.results()
    assert [result for result in results if result.verdict in BAD] == [], image.version
    passed = {result.step for result in results if result.verdict is Verdict.PASS}
    assert passed - {"metrics"} == {"daemons", "nodes", "srun", "sbatch", "inside", "isolation", "limits", "record"}
    mail_is_sent_by_a_program_that_is_there(bed)


def mail_is_sent_by_a_program_that_is_there(bed: ProofBed) -> None:
    trial, program = bed.trial(), "/usr/local/bin/send mail"
    assert [result.verdict for result in mail_has_a_program(trial)] == [Verdict.SKIP]
    trial.spec = with_fields(trial.spec, slurm_conf=with_fields(trial.spec.slurm_conf, extra={"mailProg": program}))
    verdicts = []
    for mode in (None, 0o644, 0o755):
        if mode:
            bed.cluster.controller.host.write(program, "#!/bin/sh\n", mode=mode)
        verdicts += [result.verdict for result in mail_has_a_program(trial)]
    assert verdicts == [Verdict.FAIL, Verdict.FAIL, Verdict.PASS]
