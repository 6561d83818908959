"""Slurm clusters on any Kubernetes, as Pulumi components.

Models, which say what a user wants and end in `Spec`, and the components that build it are all here; `__init__.pyi`
says where each of them comes from. They are loaded when they are first named, so that reading a specification doesn't
load Pulumi and its Kubernetes package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
