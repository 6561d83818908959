"""A stack's file, read as the engine reads it: all that is wrong with it, and how that is reported."""
