"""The configuration files of a cluster's daemons, generated from a specification as `slurmconf` types.

`additions` has the lines that are added to the operator's own. `slinky` predicts the complete files of daemons on
Kubernetes, and `static` those for the same specification on machines that are listed one by one; nothing deploys these.
"""
