"""What exists at Google, as its provider reads it: a cluster with its pools, a subnetwork; and whether it will do."""
