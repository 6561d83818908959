"""What a command's exit code says, as diff(1) has it."""

SAME, DIFFERENT, WRONG = 0, 1, 2
"""Nothing to tell; something to tell; the command could not do what it is for."""
