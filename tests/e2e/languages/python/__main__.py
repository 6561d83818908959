"""Makes a component of a package, and hands two providers to it."""

import pulumi
import pulumi_kubernetes as k8s


class Greeting(pulumi.ComponentResource):
    """What an SDK that is generated of the package's schema has."""

    text: pulumi.Output[str]
    providers: pulumi.Output[list[str]]

    def __init__(self, name: str, whom: str, opts: pulumi.ResourceOptions) -> None:
        inputs = {"whom": whom, "text": None, "providers": None}
        super().__init__("greetings:index:Greeting", name, inputs, opts, remote=True)


providers = [
    k8s.Provider("files", render_yaml_to_directory="rendered"),
    pulumi.ProviderResource("greetings", "own", {}),
]
greeting = Greeting("greeting", pulumi.Config().require("whom"), pulumi.ResourceOptions(providers=providers))
pulumi.export("text", greeting.text)
pulumi.export("providers", greeting.providers)
