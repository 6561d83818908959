"""Another ClusterName than that of slurmctld's state, which is refused before anything changes.

No program sees its last inputs. A hook of Pulumi does, in previews too:
https://www.pulumi.com/docs/iac/concepts/resources/options/hooks/.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pulumi
from pydantic import ValidationError

from pulumi_slurm.derived.state_volume import Side, finds_state_of_another
from pulumi_slurm.errors import FieldError
from pulumi_slurm.kube.hook_names import hook_name
from pulumi_slurm.model import ControllerSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.spelling import Spelling, current_spelling, spelled

PAGE = "Rename a cluster"
"""The title of the page that says how a cluster gets another name."""


def with_kept_name(resource_name: str, opts: pulumi.ResourceOptions | None) -> pulumi.ResourceOptions:
    """Return the options of a Controller's component, whose update fails where slurmctld would not start after it."""
    options = pulumi.ResourceHookOptions(on_dry_run=True)
    name = hook_name(f"ClusterName of {resource_name}")
    hook = pulumi.ResourceHook(name, _refusing(current_spelling()), options)
    hooks = pulumi.ResourceHookBinding(before_update=[hook])
    return pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(hooks=hooks))


def _refusing(spelling: Spelling) -> Callable[[pulumi.ResourceHookArgs], None]:
    """Return the hook, which the engine calls apart from the program that has said how fields are spelled."""

    def refuse_another_name(args: pulumi.ResourceHookArgs) -> None:
        with spelled(spelling):
            error = name_error(args.old_inputs or {}, args.new_inputs or {})
        if error:
            raise pulumi.RunError(str(error))

    return refuse_another_name


def name_error(old: Mapping[str, Any], new: Mapping[str, Any]) -> FieldError | None:
    """Return what is wrong with the new inputs of a Controller's component; None where slurmctld would start."""
    before, after = _side(old), _side(new)
    if before is None or after is None or not finds_state_of_another(before, after):
        return None
    (cluster, _), (renamed, _) = before, after
    return FieldError(
        ("cluster_name",) if renamed.cluster_name else ("name",),
        renamed.slurm_name,
        f'the volume has the state of "{cluster.slurm_name}", with which slurmctld does not start under another name',
        f'Write "{cluster.slurm_name}", or follow the steps on the page "{PAGE}".',
    )


def _side(inputs: Mapping[str, Any]) -> Side | None:
    """Return what inputs say of names and volume, and None where they are secret, or as another release wrote them."""
    try:
        return (
            ClusterRef.model_validate(_part(inputs.get("cluster"), "name", "clusterName", "namespace", "adopted")),
            ControllerSpec.model_validate(_part(inputs.get("controller", {}), "external", "state")),
        )
    except ValidationError:
        return None


def _part(data: Any, *fields: str) -> Any:
    return {field: data[field] for field in fields if field in data} if isinstance(data, Mapping) else data
