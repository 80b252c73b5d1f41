"""Waits for dev.py to end, then stops what it left: `python3 -m devtools.warden STATE_FILE PIPE`.

It holds the read end of a pipe whose only writer is dev.py. When dev.py ends in good order it has removed the state
file before; when it was killed, the file still lists what to stop and which folders to remove.
"""

import os
import signal
import sys
from pathlib import Path

from devtools.processes import State


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.read(int(sys.argv[2]), 1)  # returns at end of file
    state = State.read(Path(sys.argv[1]))
    if state is not None:
        state.end()


if __name__ == "__main__":
    main()
