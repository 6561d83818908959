"""NCCL, and what it says: https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html."""

import ctypes
import os
import re
import tempfile


class Id(ctypes.Structure):
    """By which the ranks of a group find each other."""

    _fields_ = (("internal", ctypes.c_char * 128),)


class Log:
    """What NCCL says, in a file that is gone with the program, however that ends."""

    def __init__(self) -> None:
        self.phase = "starting"
        """What goes on, for when it takes too long."""
        self._file = tempfile.TemporaryFile("r+")  # noqa: SIM115
        name = "/proc/self/fd/%d" % self._file.fileno()  # noqa: UP031
        # Its own file of settings may name other parts.
        os.environ.update(NCCL_DEBUG="INFO", NCCL_DEBUG_FILE=name, NCCL_DEBUG_SUBSYS="INIT")

    def _text(self) -> str:
        self._file.seek(0)
        return str(self._file.read())

    def warnings(self) -> "list[str]":
        """Return what went wrong."""
        return re.findall("NCCL WARN (.*)", self._text())

    def network(self) -> str:
        """Return what it goes over between nodes."""
        return str((re.findall("Using network (.*)", self._text()) or ["unknown"])[-1]).strip()


class Nccl:
    """libnccl, whose functions raise an error where they return one."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._library = ctypes.CDLL("libnccl.so.2")
        self._library.ncclGetErrorString.restype = ctypes.c_char_p
        self._library.ncclCommInitRank.argtypes = (ctypes.c_void_p, ctypes.c_int, Id, ctypes.c_int)

    def call(self, name: str, *arguments: object) -> None:
        """Call a function."""
        code = getattr(self._library, name)(*arguments)
        if code:
            why = self._library.ncclGetErrorString(code).decode()
            raise OSError("%s: %s" % (name, "; ".join([why, *self._log.warnings()[-1:]])))  # noqa: UP031
