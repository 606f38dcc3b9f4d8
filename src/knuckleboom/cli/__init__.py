# SPDX-License-Identifier: BSD-3-Clause
"""The command `knuckleboom`: list, run, info, check, show, schema, version, bench.

One file per command in `commands/`; `app.py` collects them and turns every way to end into an exit code: 0 done, 1 the
run failed, 2 the input was wrong, 130 interrupted. Whatever computes is imported inside the command that needs it, so
that help and lists are instant. All commands and the keys of their JSON are described in docs/cli.md.
"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run this process's command line and exit with its code; given arguments, run those and return the code."""
    from knuckleboom.cli.app import run_command

    code = run_command(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        sys.exit(code)
    return code
