"""topology.yaml as typed data (Slurm 25.05 and later), and its equal in topology.conf where there is one.

Source: https://slurm.schedmd.com/topology.yaml.html and https://slurm.schedmd.com/topology.conf.html.
"""

from pulumi_slurm.slurmconf.topology.from_conf import KEYWORDS, from_topology_conf, topology_conf_errors
from pulumi_slurm.slurmconf.topology.model import (
    Block,
    Blocks,
    Dims,
    Flat,
    Placement,
    Region,
    Ring,
    Rings,
    Switch,
    Topology,
    Torus,
    Toruses,
    Tree,
)
from pulumi_slurm.slurmconf.topology.text import from_text, to_text

__all__ = [
    "KEYWORDS",
    "Block",
    "Blocks",
    "Dims",
    "Flat",
    "Placement",
    "Region",
    "Ring",
    "Rings",
    "Switch",
    "Topology",
    "Torus",
    "Toruses",
    "Tree",
    "from_text",
    "from_topology_conf",
    "to_text",
    "topology_conf_errors",
]
