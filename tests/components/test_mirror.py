"""docs/mirror.md names every registry that a stack would ask by default."""

import re

from pulumi_slurm.model.base import Model
from pulumi_slurm_stacks.config import config_model
from tests.components.test_exports import reached
from tests.doc_blocks import blocks

REGISTRY = re.compile(r"(oci://)?[a-z0-9-]+(\.[a-z0-9-]+)+/")


def test_the_page_gives_each_field_that_names_a_registry() -> None:
    (block,) = [block for block in blocks("config") if block.file.name == "mirror.md"]
    models = [model for model in reached(config_model("kubernetes"), set()) if issubclass(model, Model)]
    naming = {
        (str(field.alias), field.default.rpartition("/")[2])
        for model in models
        for field in model.model_fields.values()
        if isinstance(field.default, str) and REGISTRY.match(field.default) and field.alias != "resource"
    }
    assert len(naming) >= 8
    assert not {(name, last) for name, last in naming if f"{name}: " not in block.text or last not in block.text}
