"""A component package with one component, which needs no provider."""

from typing import TypedDict

import pulumi
from pulumi.provider.experimental import component_provider_host


class GreetingArgs(TypedDict):
    whom: pulumi.Input[str]


class Greeting(pulumi.ComponentResource):
    text: pulumi.Output[str]

    def __init__(self, name: str, args: GreetingArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("greetings:index:Greeting", name, {}, opts)
        self.text = pulumi.Output.concat("Hello, ", args["whom"])
        self.register_outputs({"text": self.text})


component_provider_host([Greeting], "greetings", version="1.0.0")
