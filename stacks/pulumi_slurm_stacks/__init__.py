"""The stacks: each composes components from one typed configuration.

A stack's module, and with it a cloud's SDK, is loaded only when that stack is built; Pulumi only when a program runs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
