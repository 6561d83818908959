"""The configuration files of a cluster's daemons, generated from a specification as `slurmconf` types.

`additions` has the lines that we add to the operator's own, `slinky` the complete files that daemons on Kubernetes
then read, and `static` the files for the same specification on machines that are listed one by one.
"""
