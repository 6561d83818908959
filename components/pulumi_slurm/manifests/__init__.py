"""Kubernetes objects as plain dictionaries, made from a specification; free of Pulumi and of any input or output."""
