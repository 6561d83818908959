"""Which nodes a partition has, whether its line names them, node sets, or ALL."""

from collections.abc import Iterable, Mapping

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.node_lines import NodeLine, node_lines
from pulumi_slurm.slurmconf.values import Value


class Nodes:
    """The nodes and node sets of one slurm.conf."""

    def __init__(self, conf: Conf, lines: Iterable[NodeLine] | None = None) -> None:
        self.names: dict[str, tuple[str, ...]] = {}
        """Every node that has a line, with its features."""
        for line in node_lines(conf) if lines is None else lines:
            features = line.options.get("Features", ())
            for host in line.hosts:
                self.names.setdefault(host, features if isinstance(features, tuple) else (str(features),))
        self.open_ended = bool(conf.options.get("MaxNodeCount"))
        """Whether nodes may register that have no line."""
        self._sets = {entry.name.upper(): entry.options for entry in conf.of("NodeSet")}

    def of(self, nodes: Value | None) -> frozenset[str]:
        """Return the names that the value of a partition's Nodes stands for.

        Where nodes may register that have no line, "ALL" and "Feature=..." of node sets stay in addition to the names:
        they hold more than what is there now.
        """
        names: set[str] = set()
        for name in hostlist.expand(str(nodes)) if nodes is not None else []:
            if name.upper() == "ALL":
                names |= self.names.keys() | ({"ALL"} if self.open_ended else set())
            elif name.upper() in self._sets:
                names |= self._of_set(self._sets[name.upper()])
            else:
                names.add(name)
        return frozenset(names)

    def _of_set(self, options: Mapping[str, Value]) -> set[str]:
        names = set(hostlist.expand(str(options.get("Nodes", ""))))
        feature = str(options.get("Feature", ""))
        if feature:
            names |= {name for name, features in self.names.items() if feature in features}
            names |= {f"Feature={feature}"} if self.open_ended else set()
        return names
