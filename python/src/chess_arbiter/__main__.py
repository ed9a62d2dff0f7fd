"""The command ``arbiter``, as ``python -m chess_arbiter``."""

import os
import subprocess
import sys

from chess_arbiter import find_binary


def main() -> int:
    """Runs the binary, in the place of this process if the system can."""
    words = [str(find_binary()), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(words[0], words)
    return subprocess.call(words)


if __name__ == "__main__":
    sys.exit(main())
