"""The program that signs the copilot's token, run once against a kubectl that stands in."""

from pulumi_slurm.ack_slurm.manifests.token_signer import token_signer
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model.cluster_ref import ClusterRef

STAND_INS = {
    "kubectl": '#!/bin/sh\necho "$*" >>"$HOME/calls"\ncat >"$HOME/patch"\n',
    "sleep": "#!/bin/sh\nkill $PPID\n",
}
"""Programs to put on the PATH: kubectl keeps what it is given in the home folder, and the first sleep is the end."""


def signer(outside: OutsideSlurmSpec) -> Manifest:
    """Return the container of the program."""
    objects = token_signer(ClusterRef(name=outside.name, namespace="operator"), outside)
    (container,) = objects["token-deployment"]["spec"]["template"]["spec"]["containers"]
    return dict(container)


def environment(container: Manifest, key_file: str) -> dict[str, str]:
    """Return the variables of the program, with the key at another path and without a home."""
    env = {variable["name"]: variable["value"] for variable in container["env"]}
    return {**env, "KEY_FILE": key_file}
