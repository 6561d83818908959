import * as pulumi from "@pulumi/pulumi";

// What an SDK that is generated of the package's schema has.
class Greeting extends pulumi.ComponentResource {
    readonly text!: pulumi.Output<string>;

    constructor(name: string, args: { whom: pulumi.Input<string> }) {
        super("greetings:index:Greeting", name, { ...args, text: undefined }, {}, true);
    }
}

export const text = new Greeting("greeting", { whom: new pulumi.Config().require("whom") }).text;
