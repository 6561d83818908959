"""Kubernetes objects as plain dictionaries, generated from a specification by pure functions, without Pulumi."""
