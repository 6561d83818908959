"""Slurm on Alibaba Cloud Container Service for Kubernetes, as Pulumi components.

Its models and components are all here, but for the models of machine types, which are in `pulumi_slurm`, and those of
ack-slurm-operator, which are in `pulumi_slurm.ack_slurm`; `__init__.pyi` says where each comes from. They are loaded
when they are first named, and the models need neither Pulumi nor the cloud's SDK.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
