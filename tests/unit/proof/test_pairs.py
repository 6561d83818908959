"""Pairs of nodes: whoever is slow is told, and nobody for a partner's fault."""

from collections.abc import Mapping, Sequence

from hypothesis import given, strategies as st

from pulumi_slurm_cli.proof.pairs import Pair, first_pass, rates_in_pairs

names = st.integers(2, 33).map(lambda count: [f"gpu-{number}" for number in range(count)])
GOOD, PART = 100.0, 0.9


class Fabric:
    """Nodes of which some are slow, or don't work at all; a pair is as fast as its slower node."""

    def __init__(self, speeds: Mapping[str, float]) -> None:
        self.speeds = speeds

    def measure(self, pairs: Sequence[Pair]) -> Mapping[str, float]:
        nodes = [name for pair in pairs for name in pair]
        assert len(nodes) == len({*nodes}), "a node is in two pairs at once"
        rates = {pair: min(self.speeds[name] for name in pair) for pair in pairs}
        return {name: rate for pair, rate in rates.items() if rate for name in pair}


@st.composite
def fabrics(draw: st.DrawFn) -> tuple[list[str], Fabric]:
    nodes = draw(names)
    slow = draw(st.dictionaries(st.sampled_from(nodes), st.sampled_from([0.0, 1.0, 60.0, 89.0])))
    return nodes, Fabric(dict.fromkeys(nodes, GOOD) | slow)


@given(fabrics())
def test_each_node_has_its_own_rate_where_a_pair_is_good(drawn: tuple[list[str], Fabric]) -> None:
    nodes, fabric = drawn
    rates = rates_in_pairs(nodes, fabric.measure, lambda _: PART * GOOD)
    assert rates.keys() <= {*nodes}
    paired = [name for pair in first_pass(nodes) for name in pair]
    # Who has no partner gets one, where any node works.
    assert all(name in rates for name in nodes if fabric.speeds[name] and name not in paired and rates)
    paired = [name for pair in first_pass(nodes) for name in pair]
    # Only who fails, or has no partner that works, has no rate.
    assert all(name in rates for name in nodes if fabric.speeds[name] and (name not in paired) and rates)
    if any(fabric.speeds[one] == fabric.speeds[other] == GOOD for one, other in first_pass(nodes)):
        assert rates == {name: speed for name, speed in fabric.speeds.items() if speed}
    else:
        # Without one, a node may have the rate of its partner, and none has a better one than its own.
        assert all(rate <= fabric.speeds[name] for name, rate in rates.items())


@given(fabrics())
def test_without_a_floor_the_fastest_pair_is_the_measure(drawn: tuple[list[str], Fabric]) -> None:
    nodes, fabric = drawn
    rates = rates_in_pairs(nodes, fabric.measure, lambda best: PART * best)
    fastest = max([0.0, *(min(fabric.speeds[name] for name in pair) for pair in first_pass(nodes))])
    assert all(rates[name] >= min(fastest, fabric.speeds[name]) for name in nodes if fabric.speeds[name] and fastest)


@given(names)
def test_the_first_pass_has_all_but_an_odd_one(nodes: list[str]) -> None:
    paired = [name for pair in first_pass(nodes) for name in pair]
    assert paired == nodes[: len(nodes) // 2 * 2]
