"""What a commit message has to have: a subject that fits on a line of a log, and a body that says why.

``python -m tools.commit_message FILE`` checks the message in a file, as git's hook commit-msg does.
"""

import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

SUBJECT_LENGTH = 72
"""Characters that `git log --oneline` and web pages of repositories show whole."""
WRITTEN_BY_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")
SCISSORS = ">8"
"""Below the line with it, `git commit --verbose` shows the change."""


def problems(message: str) -> Iterator[str]:
    """Yield what is wrong with a message, of which git leaves out the lines that begin with #."""
    written = takewhile(lambda line: not (line.startswith("#") and SCISSORS in line), message.splitlines())
    lines = [line for line in written if not line.startswith("#")]
    subject, *other_lines = lines or [""]
    if subject.startswith(WRITTEN_BY_GIT):
        return
    if not subject.strip():
        yield "The first line is empty: say in the imperative what changes."
    if len(subject) > SUBJECT_LENGTH:
        yield f"The first line has {len(subject)} characters: make it at most {SUBJECT_LENGTH}."
    if other_lines and other_lines[0].strip():
        yield "The second line is not empty: leave a line between subject and body."
    if not any(line.strip() for line in other_lines):
        yield "There is no body: say why, and what a user will notice."


def main(file: str) -> int:
    """Print what is wrong with the message in a file; return the exit code."""
    errors = list(problems(Path(file).read_text()))
    for problem in errors:
        sys.stderr.write(f"{problem}\n")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
