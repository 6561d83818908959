"""The version of this package, from which the wheel takes its own."""

__version__ = "0.1.0"
