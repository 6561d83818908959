"""NVIDIA's driver: https://docs.nvidia.com/cuda/cuda-driver-api/."""

import ctypes


class Driver:
    """libcuda, whose functions raise an error where they return one."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)

    def call(self, name: str, *arguments: object) -> None:
        """Call a function."""
        code = getattr(self._library, name)(*arguments)
        if code:
            raise OSError("%s returned %d" % (name, code))  # noqa: UP031

    def count(self) -> int:
        """Return how many GPUs the job opens."""
        count = ctypes.c_int()
        self.call("cuDeviceGetCount", ctypes.byref(count))
        return count.value

    def context(self, index: int) -> "tuple[ctypes.c_int, ctypes.c_void_p]":
        """Return a GPU and its context, which is the current one from then on."""
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), index)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        return device, context

    def memory(self, size: int) -> ctypes.c_uint64:
        """Return memory of the current GPU."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address
