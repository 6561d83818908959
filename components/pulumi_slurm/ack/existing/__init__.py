"""What exists at Alibaba Cloud, as its provider reads it: a cluster with its pools, a VPC; and whether it will do."""
