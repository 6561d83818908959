from .program import (
    build as build,
    run as run,
)
