"""The program that the engine starts as pulumi-resource-alicloud; SIMULATED_CLOUD names the cloud's folder."""

import os
import sys
from pathlib import Path

from tests.clouds.alibaba.package import PACKAGE
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.serve import run

print("SIMULATED: no resource of this run is Alibaba Cloud's", file=sys.stderr)
run(PACKAGE, Cloud(Path(os.environ["SIMULATED_CLOUD"])))
