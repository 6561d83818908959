"""Users from LDAP, for which the image needs a client that Alibaba's doesn't contain."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule


def image_looks_up_users(context: RuleContext) -> Iterator[FieldError]:
    """Refuse users from LDAP with Alibaba's image, which has no nslcd.

    Its packages are in framework/slurm/building-slurm-image/dockerfile of
    https://github.com/AliyunContainerService/ai-models-on-ack at 3af8a5e.
    """
    spec, ack = context.spec, context.ack
    if spec.identity is None or ack.image:
        return
    images = {
        "the controller": ack.controller.image or spec.controller.image,
        **{
            f'the workers of "{node_set.name}"': ack.worker(node_set.name).image or node_set.image
            for node_set in spec.node_sets
        },
    }
    pods = [name for name, image in images.items() if image is None]
    if pods:
        problem = f"Alibaba's image, which {pods[0]} would have, contains no nslcd, so Slurm would know no user of LDAP"
        fix = "Write an image with nslcd (docs/ack-image.md), or leave cluster.identity out."
        identity = (*CLUSTER, "identity")
        yield FieldError((*ACK, "image"), FieldError.ABSENT, problem, fix, depends_on_fields=(identity,))


RULES: tuple[Rule, ...] = (image_looks_up_users,)
