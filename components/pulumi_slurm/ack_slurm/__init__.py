"""Slurm by ack-slurm-operator of Alibaba Cloud, as Pulumi components.

Its models and components are all here; `__init__.pyi` says where each comes from. They are loaded when they are first
named. They need Kubernetes alone: what Alibaba Cloud bills is made by `pulumi_slurm.ack`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
