"""A component package with one component, which needs no provider."""

from typing import TypedDict

import pulumi
from pulumi.provider.experimental import component_provider_host


class GreetingArgs(TypedDict):
    whom: pulumi.Input[str]


def name_in(urn: str) -> str:
    return urn.rpartition("::")[2]


class Greeting(pulumi.ComponentResource):
    text: pulumi.Output[str]
    providers: pulumi.Output[dict[str, str]]

    def __init__(self, name: str, args: GreetingArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("greetings:index:Greeting", name, {}, opts)
        self.text = pulumi.Output.concat("Hello, ", args["whom"])
        names = {name: provider.urn.apply(name_in) for name, provider in self._providers.items()}
        self.providers = pulumi.Output.all(**names)
        self.register_outputs({"text": self.text, "providers": self.providers})


component_provider_host([Greeting], "greetings", version="1.0.0")
