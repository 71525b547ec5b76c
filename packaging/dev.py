"""Set up, start, test and check Chalkgrad from a checkout, with Python and its standard library alone.

This file is read by whatever Python starts it, so it keeps to syntax that Python 3.6 knows: one that is too old is
told so in a sentence, or replaced by a newer one that is on the PATH. Everything else is in ``tasks.py``.
"""

import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
NEWEST_TRIED = (3, 15)
PROBE = f"import sys; sys.exit(sys.version_info < {OLDEST})"


def newer_python() -> str:
    """The path of a Python on the PATH that is new enough, the newest first; empty when there is none."""
    for minor in range(NEWEST_TRIED[1], OLDEST[1] - 1, -1):
        path = shutil.which(f"python3.{minor}")
        # A version manager leaves names on the PATH that start nothing: only running one tells.
        if path and subprocess.call([path, "-c", PROBE], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return path
    return ""


def start_again_with_a_newer_python() -> int:
    """Run this command with a newer Python and return its exit status, or say what is missing and return 1."""
    path = newer_python()
    if path:
        return subprocess.call([path, os.path.abspath(__file__), *sys.argv[1:]])
    found = ".".join(map(str, sys.version_info[:3]))
    sys.stderr.write(
        f"Chalkgrad needs Python 3.{OLDEST[1]} or newer; this is Python {found} ({sys.executable}).\n"
        f"Install a newer one, then start this command with it: python3.{OLDEST[1]} packaging/dev.py\n"
    )
    return 1


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        sys.exit(start_again_with_a_newer_python())
    import tasks

    sys.exit(tasks.main(sys.argv[1:]))
