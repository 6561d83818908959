"""For people who send work to Slurm Bridge: annotations of Slurm jobs, and workloads of Kubernetes that carry them.

`annotations` needs no Pulumi; `__init__.pyi` says where each name comes from, and they are loaded when first named.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
