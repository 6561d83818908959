"""A Controller that the operator's webhook refuses since it hasn't seen a ConfigMap yet, which is sent again.

The webhook reads the ConfigMaps with a Controller's files from a cache, which learns of them a moment after the API
server has made them, and says of one that it doesn't know that it is not found. Source: validateController in
internal/webhook/controller_webhook.go of slurm-operator, v1.0.0 to v1.2.1, whose client is that of its manager.
"""

import asyncio
import re

import pulumi

from pulumi_slurm.kube.hook_names import hook_name

SECONDS = 1
TIMES = 30
"""How often it is sent again; a ConfigMap that isn't found then is missing."""
_NOT_FOUND = re.compile(r'denied the request: \[?(ConfigMap "[^"]+" not found(, )?)+\]?\s*\Z')


def sent_again(resource_name: str) -> pulumi.ResourceHookBinding:
    """Return the hooks of a component's Controller."""
    hook = pulumi.ErrorHook(hook_name(f"ConfigMaps of {resource_name}"), is_sent_again)
    return pulumi.ResourceHookBinding(on_error=[hook])


async def is_sent_again(args: pulumi.ErrorHookArgs) -> bool:
    """Wait, and return True, where nothing but ConfigMaps was missing; ``args`` has the newest error first."""
    if len(args.errors) > TIMES or not _NOT_FOUND.search(args.errors[0]):
        return False
    await asyncio.sleep(SECONDS)
    return True
