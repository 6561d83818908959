"""A rehearsal: files started by real daemons on a copy of a cluster's state, where nothing leads back to the cluster.

`files` says what the daemons read, `script` what they are asked, `objects` which pods they run in, and `result` what
the answers come to.
"""
