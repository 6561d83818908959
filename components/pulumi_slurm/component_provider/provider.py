"""Makes components on behalf of programs in other languages; what is refused is refused in the words of Pulumi."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.resources import files
from typing import Any

import pulumi
from pulumi.provider import ConstructResult, Provider
from pulumi.runtime.stack import wait_for_rpcs

from pulumi_slurm.component_provider.arguments import ArgumentReader
from pulumi_slurm.component_provider.components import PREFIX, missing_sdk, package_of
from pulumi_slurm.component_provider.refusal import refusal
from pulumi_slurm.errors import SpecError
from pulumi_slurm.kube.component import Component
from pulumi_slurm.kube.other_clusters import Clusters, of_another_program
from pulumi_slurm.spelling import Spelling, spelled
from pulumi_slurm.version import __version__


class SlurmProvider(Provider):
    """The plugin `slurm`."""

    def __init__(self) -> None:
        super().__init__(__version__, json.dumps(available_schema()))
        self._clusters: Clusters = defaultdict(dict)

    def construct(
        self,
        name: str,
        resource_type: str,
        inputs: Mapping[str, Any],
        options: pulumi.ResourceOptions | None = None,
    ) -> ConstructResult:
        """Create a component; Pulumi waits for its URN, and has the outputs then."""
        outputs: dict[str, Any] = {}

        async def urn() -> str:
            with spelled(Spelling.CAMEL_CASE), _pulumis_errors(inputs):
                component = await self._make(
                    _component(resource_type), name, inputs, options or pulumi.ResourceOptions()
                )
                # What goes wrong with its resources is to be said as well as possible, so that is waited for here.
                await wait_for_rpcs(await_all_outstanding_tasks=False)
            outputs.update(component.outputs())
            return str(await component.urn.future())

        return ConstructResult(urn(), outputs)

    async def _make(
        self, kind: type[Component[Any]], name: str, inputs: Mapping[str, Any], options: pulumi.ResourceOptions
    ) -> Component[Any]:
        """Create a component of what an engine has handed over."""
        model, reader = kind.args_model(), ArgumentReader()
        args = await reader.read(dict(inputs), model)
        if reader.errors:
            raise SpecError(reader.errors, model.__name__)
        after = pulumi.ResourceOptions(depends_on=[*reader.resources])
        make: Any = kind
        provider = _kubernetes(options)
        with of_another_program(self._clusters, provider, await provider.urn.future() if provider else None):
            component: Component[Any] = make(name, args, pulumi.ResourceOptions.merge(options, after))
        return component


def _kubernetes(options: pulumi.ResourceOptions) -> pulumi.ProviderResource | None:
    """Return the provider for Kubernetes that a component is to use."""
    providers = options.providers if isinstance(options.providers, Mapping) else {}
    return providers.get("kubernetes")


def _component(token: str) -> type[Component[Any]]:
    name = token.removeprefix(PREFIX)
    package = package_of(name)
    sdk = missing_sdk(package) if package else None
    if package and sdk:
        raise pulumi.RunError(
            f"{name} needs {sdk}, which this plugin is without. Run `pulumi package add` with the folder "
            f"provider/{package.rpartition('.')[2]} of the repository in place of provider."
        )
    component = getattr(import_module(package), name) if package else None
    if not (isinstance(component, type) and issubclass(component, Component)):
        raise pulumi.RunError(f"there is no component {token} in release {__version__} of pulumi-slurm")
    return component


@contextmanager
def _pulumis_errors(inputs: Mapping[str, Any]) -> Iterator[None]:
    """Raise what is wrong with a program as errors that the engine shows without a traceback."""
    try:
        yield
    except SpecError as error:
        refused = refusal(error, inputs)
    except pulumi.RunError as error:
        # A list without items, not none: the SDK can't send an error that has no list.
        refused = pulumi.InputPropertiesError(str(error), [])
    else:
        return
    raise refused


def available_schema() -> dict[str, Any]:
    """Return the schema of the components whose SDKs are there, and of what their arguments consist of."""
    whole: dict[str, Any] = json.loads(files(__package__).joinpath("schema.json").read_text(encoding="utf-8"))
    resources = {token: described for token, described in whole["resources"].items() if _is_available(token)}
    types: dict[str, Any] = {}
    to_see = list(_references([*resources.values()]))
    while to_see:
        token = to_see.pop()
        if token not in types:
            types[token] = whole["types"][token]
            to_see += _references(types[token])
    return {**whole, "types": {token: types[token] for token in sorted(types)}, "resources": resources}


def _is_available(token: str) -> bool:
    package = package_of(token.removeprefix(PREFIX))
    return package is not None and missing_sdk(package) is None


def _references(described: Any) -> Iterator[str]:
    if isinstance(described, dict):
        reference = described.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/types/"):
            yield reference.removeprefix("#/types/")
    if isinstance(described, dict | list):
        for part in described.values() if isinstance(described, dict) else described:
            yield from _references(part)
