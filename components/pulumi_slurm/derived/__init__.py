"""What follows from a specification and is no choice any more: resources of slurmd, partitions, lines of slurm.conf.

Rules look at it, and files and objects are made from it.
"""
