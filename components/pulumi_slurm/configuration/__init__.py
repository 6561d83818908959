"""The files that a cluster's daemons read, as `slurmconf` types: from a specification to what slurmctld is told.

`additions` is what we add to the operator's own lines, `slinky` the whole that daemons on Kubernetes then read,
`static` what the same specification comes to on machines that are listed one by one.
"""
