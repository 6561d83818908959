import * as pulumi from "@pulumi/pulumi";

import { Greeting } from "./sdk/index";

export const text = new Greeting("greeting", { whom: new pulumi.Config().require("whom") }).text;
