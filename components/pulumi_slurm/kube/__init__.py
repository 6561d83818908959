"""In-cluster parts that every cloud shares, and how plain objects become Pulumi resources."""

from .database import Database, DatabaseArgs
from .directory import Directory, DirectoryArgs
from .shared_volume import SharedVolume, SharedVolumeArgs

__all__ = ["Database", "DatabaseArgs", "Directory", "DirectoryArgs", "SharedVolume", "SharedVolumeArgs"]
