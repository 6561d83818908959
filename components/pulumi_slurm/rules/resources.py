"""Rules on trackable resources (TRES): those with a weight or a limit have to be tracked."""

from collections.abc import Iterator

from pulumi_slurm.derived.operator_lines import OptionTexts
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.tres import (
    ACCOUNTING_STORAGE_TRES,
    ALWAYS_TRACKED,
    NODE_WEIGHTS,
    PRIORITY_WEIGHT_TRES,
    tres_names,
)
from pulumi_slurm.rules.run import Rule


def named_resources_are_tracked(spec: SlurmSpec, lines: OptionTexts) -> Iterator[FieldError]:
    """Refuse weights and limits for TRES that Slurm doesn't track: slurmctld and sacctmgr exit with an error."""
    texts = {name: str(text) for name, text in lines.items() if text is not None}
    configured = tres_names(texts, ACCOUNTING_STORAGE_TRES)
    tracked = {ALWAYS_TRACKED, *(name.lower() for name in configured or ())}
    if "gres/gpu" in tracked:
        tracked |= {"gres/gpumem", "gres/gpuutil"}
    for path, value, name in _tres_in_use(spec):
        if "/" not in name or name.lower() == ALWAYS_TRACKED:
            continue
        if not spec.accounting:
            problem = f"without accounting {name} is not counted, and slurmctld would not start"
            yield FieldError(
                path, value, problem, "Add accounting, or leave this out.", depends_on_fields=(("accounting",),)
            )
        elif tres_names(spec.slurm_conf.extra, ACCOUNTING_STORAGE_TRES) and name.lower() not in tracked:
            problem = f"slurmConf.extra.{ACCOUNTING_STORAGE_TRES} is without {name}, so it is not counted"
            fix = f"Add it there, or leave {ACCOUNTING_STORAGE_TRES} out: it is derived."
            yield FieldError(path, value, problem, fix, depends_on_fields=(("slurm_conf", "extra"),))


def _tres_in_use(spec: SlurmSpec) -> Iterator[tuple[Path, object, str]]:
    for at, _, options in all_partitions(spec):
        yield from (
            ((*at, "tres_billing_weights", name), weight, name) for name, weight in options.tres_billing_weights.items()
        )
    for index, node_set in enumerate(spec.node_sets):
        for key, text in node_set.slurmd_options.items():
            if key.lower() == NODE_WEIGHTS.lower():
                at = ("node_sets", index, "slurmd_options", key)
                yield from ((at, text, name) for name in tres_names({key: text}, key) or ())
    for key, text in spec.slurm_conf.extra.items():
        if key.lower() in {ACCOUNTING_STORAGE_TRES.lower(), PRIORITY_WEIGHT_TRES.lower()}:
            yield from ((("slurm_conf", "extra", key), text, name) for name in tres_names({key: text}, key) or ())
    for index, qos in enumerate(spec.accounting.qos if spec.accounting else ()):
        at = ("accounting", "qos", index)
        yield from (((*at, "grp_tres", name), amount, name) for name, amount in qos.grp_tres.items())
        yield from (((*at, "max_tres_per_user", name), amount, name) for name, amount in qos.max_tres_per_user.items())
    for index, account in enumerate(spec.accounting.accounts if spec.accounting else ()):
        at = ("accounting", "accounts", index)
        yield from (((*at, "grp_tres", name), amount, name) for name, amount in account.grp_tres.items())


RULES_ON_LINES: tuple[Rule, ...] = (named_resources_are_tracked,)
