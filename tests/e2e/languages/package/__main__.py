"""A component package with one component, which needs no provider."""

from typing import TypedDict

import pulumi
from pulumi.provider.experimental import component_provider_host


class GreetingArgs(TypedDict):
    whom: pulumi.Input[str]


class Greeting(pulumi.ComponentResource):
    text: pulumi.Output[str]
    providers: pulumi.Output[list[str]]

    def __init__(self, name: str, args: GreetingArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("greetings:index:Greeting", name, {}, opts)
        self.text = pulumi.Output.concat("Hello, ", args["whom"])
        self.providers = pulumi.Output.from_input(sorted(self._providers))
        self.register_outputs({"text": self.text, "providers": self.providers})


component_provider_host([Greeting], "greetings", version="1.0.0")
