"""The roles that a stack on Google Cloud needs and doesn't give, as an output for those who do."""

from collections.abc import Mapping

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.gke.encryption_key import ENCRYPTER
from pulumi_slurm.gke.node_account import ROLES
from pulumi_slurm.gke.plan.encryption import KeyUser, key_users
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.slurm_spec import storage_account
from pulumi_slurm.gke.workload_identity import READ, READ_AND_WRITE
from pulumi_slurm.model.cluster_ref import ClusterRef


def needed_grants(
    plan: GkePlan,
    ref: ClusterRef,
    buckets: Mapping[bool, Mapping[str, pulumi.Input[str]]],
    number: pulumi.Output[str] | None,
    opts: pulumi.InvokeOutputOptions,
) -> list[dict[str, pulumi.Input[str]]]:
    """Return who needs which role on what: nodes, pods with buckets, and services with keys.

    ``buckets`` are the names of buckets by storage, first by whether pods only read them. ``number`` is that of a
    project that is made; Google says it of one that exists.
    """
    gke = plan.spec
    project = f"projects/{gke.project}"
    grants: list[dict[str, pulumi.Input[str]]] = []
    if gke.node_account:
        account = f"serviceAccount:{gke.node_account}"
        grants += [{"member": account, "role": f"roles/{role}", "on": project} for role in ROLES]
    if gke.manage.iam:
        return grants
    pods = f"serviceAccount:{gke.project}.svc.id.goog[{ref.namespace}/{storage_account(ref.name)}]"
    for read_only, named in buckets.items():
        role = READ if read_only else READ_AND_WRITE
        for bucket in named.values():
            grants.append({"member": pods, "role": role, "on": pulumi.Output.concat("gs://", bucket)})
    keys = dict.fromkeys(key_users(plan), gke.encryption_key or "")
    if gke.control_plane.secrets_encryption_key and gke.existing_cluster is None:
        keys[KeyUser.GKE] = gke.control_plane.secrets_encryption_key
    if keys:
        if number is None:
            number = gcp.organizations.get_project_output(project_id=gke.project, opts=opts).number
        grants += [{"member": number.apply(user.member), "role": ENCRYPTER, "on": key} for user, key in keys.items()]
    return grants
