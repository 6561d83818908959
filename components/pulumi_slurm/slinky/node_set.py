"""NodeSet: workers of one kind."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, create, parse_args
from pulumi_slurm.manifests.autoscaling import autoscaler
from pulumi_slurm.manifests.node_set import node_set as node_set_manifest
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.rules import machine_of
from pulumi_slurm.slinky.objects import create_object


class NodeSetArgs(Args):
    """Arguments of `NodeSet`."""

    cluster: ClusterRef
    """The cluster that they work for."""
    node_set: spec.NodeSetSpec
    """The workers."""
    pool: spec.NodePoolSpec | None = None
    """The node pool that they run on: its machine, labels and taints are taken over."""
    shared_volumes: list[spec.SharedVolumeSpec] = []
    """Volumes that they mount."""
    sssd: spec.SecretKeyRef | None = None
    """The Secret with sssd.conf; required by SSH."""
    scaled_by: str | None = None
    """With autoscaling by KEDA: the partition whose pending jobs are counted."""


class NodeSet(pulumi.ComponentResource):
    """Workers of one kind, each a pod with a slurmd that registers itself with slurmctld."""

    resource: pulumi.CustomResource
    """The NodeSet object."""
    slurm_name: pulumi.Output[str]
    """How slurm.conf refers to it; also a feature of its nodes."""

    def __init__(self, name: str, args: NodeSetArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(NodeSetArgs, args)
        super().__init__("slurm:index:NodeSet", name, component_inputs(args), opts)
        ref, options = args.cluster, args.node_set
        made = node_set_manifest(
            ref,
            options,
            machine=machine_of(options, [args.pool] if args.pool else []),
            pool=args.pool,
            volumes=args.shared_volumes,
            sssd=args.sssd,
        )
        expected = options.most_replicas if options.replicas_owned else None
        if options.wait and expected:
            # Of the operator's kinds only this one reports how many of its pods are ready.
            wait = {"pulumi.com/waitFor": f"jsonpath={{.status.readyReplicas}}={expected}"}
            made["metadata"]["annotations"] = wait
        self.resource = create_object(f"{name}-nodeset", made, self, opts)
        if options.autoscaling:
            target = made["metadata"]["name"]
            scaler = autoscaler(ref, options.autoscaling, "NodeSet", target, args.scaled_by)
            create(f"{name}-autoscaler", scaler, child_options(self, opts, [self.resource]))
        self.slurm_name = pulumi.Output.from_input(options.slurm_name)
        self.register_outputs({"slurmName": self.slurm_name})
