"""Makes a component of a package, and hands three providers to it, two of them of one package."""

import pulumi
import pulumi_kubernetes as k8s


class Greeting(pulumi.ComponentResource):
    """What an SDK that is generated of the package's schema has."""

    text: pulumi.Output[str]
    providers: pulumi.Output[dict[str, str]]

    def __init__(self, name: str, whom: str, opts: pulumi.ResourceOptions) -> None:
        inputs = {"whom": whom, "text": None, "providers": None}
        super().__init__("greetings:index:Greeting", name, inputs, opts, remote=True)


providers = {
    "kubernetes": k8s.Provider("files", render_yaml_to_directory="rendered"),
    "standby": k8s.Provider("other-files", render_yaml_to_directory="rendered"),
    "greetings": pulumi.ProviderResource("greetings", "own", {}),
}
greeting = Greeting("greeting", pulumi.Config().require("whom"), pulumi.ResourceOptions(providers=providers))
pulumi.export("text", greeting.text)
pulumi.export("providers", greeting.providers)
