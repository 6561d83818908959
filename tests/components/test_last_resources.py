"""What comes after a component comes after all that it makes, though only its last resources are dependencies."""

from typing import Any

import pulumi
import pytest

from pulumi_slurm import Keda
from pulumi_slurm.kube.component import Component as OurComponent
from tests.component_examples import Component, components, run_example
from tests.components.conftest import recorded, registered
from tests.components.order import all_before, made_by
from tests.components.test_docs import SECRETS, CloudRecorder


@pytest.mark.parametrize("component", components(), ids=lambda component: component.__name__)
def test_what_comes_after_a_component_comes_after_all_that_it_makes(
    component: Component, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished: list[Any] = []
    finish = OurComponent.finish

    def noted(self: OurComponent[Any], *last: pulumi.Resource) -> None:
        finish(self, *last)
        finished.append(self)

    def program() -> None:
        run_example(component)
        (example,) = [made for made in finished if type(made) is component]
        Keda("next", opts=pulumi.ResourceOptions(depends_on=[example]))

    monkeypatch.setattr(OurComponent, "finish", noted)
    pulumi.runtime.set_all_config(SECRETS)
    resources = registered(recorded(program, CloudRecorder({})))
    made = made_by({component.__name__}, resources)
    assert made
    others = {
        urn for urn in made if "pulumi:providers" not in urn and not urn.endswith(("::next-chart", "::next-namespace"))
    }
    assert others <= all_before("next-chart", resources)
