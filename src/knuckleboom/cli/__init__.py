# SPDX-License-Identifier: BSD-3-Clause
"""The command `knuckleboom`: list, run, compare, report, info, modes, check, import, show, schema, version, bench.

One file per command in `commands/`; `app.py` collects them and turns every way to end into an exit code: 0 done, 1 the
run failed, 2 the input was wrong, 130 interrupted. Whatever computes is imported inside the command that needs it, so
that help and lists are instant. All commands and the keys of their JSON are described in docs/cli.md.
"""

import atexit
import contextlib
import os
import signal
import sys
from collections.abc import Sequence

from knuckleboom.cli.interruption import INTERRUPTED, NOTHING_KEPT, ctrl_c


def main(arguments: Sequence[str] | None = None) -> int:
    """Run this process's command line and exit with its code; given arguments, run those and return the code."""
    if arguments is None:
        sys.exit(_own_process())
    from knuckleboom.cli.app import run_command

    return run_command(arguments)


def _own_process() -> int:
    """Run this process's command line with Ctrl-C handled from the first import to the last letter."""
    try:
        ctrl_c.listen()
        from knuckleboom.cli.app import run_command

        code = run_command(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
        sys.stderr.write(f"{NOTHING_KEPT}\n")
        if "--json" in sys.argv:
            import json

            print(json.dumps({"error": {"exit_code": code, "message": NOTHING_KEPT}}))
    # what is left is the interpreter's own end
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if code == INTERRUPTED:
        # an interruption inside a module's own start makes Python end by the signal, whatever code it is given
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    return code
