# SPDX-License-Identifier: BSD-3-Clause
"""The list of commands, and how each way to end becomes an exit code and a sentence.

A user's mistake never shows a traceback: errors that this package raises on purpose print their text on stderr, and
with `--json` also as one document `{"error": …}` on stdout. A traceback means a fault of ours. A reader that has closed
the pipe (`knuckleboom list | head -1`) is no error.
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from knuckleboom import __version__
from knuckleboom.cli.commands import (
    bench,
    check,
    compare,
    drive,
    importing,
    info,
    modes,
    replay,
    report,
    run,
    schema,
    show,
    version,
)
from knuckleboom.cli.commands import list as listing
from knuckleboom.cli.file_types import command_for, kind_of
from knuckleboom.cli.interruption import INTERRUPTED, NOTHING_KEPT, ctrl_c
from knuckleboom.cli.output import Output, WrongInput
from knuckleboom.cli.words import join_quantities

PROGRAM = "knuckleboom"
DONE, FAILED, WRONG_INPUT = 0, 1, 2

# typer carries its own copy of click or uses the installed one, by version; its public error knows which
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name=PROGRAM,
    help="Simulate working machines: bodies and joints in closed loops, moved by oil.",
    epilog="Example: knuckleboom run excavator --for 5s",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for module in (listing, run, drive, compare, report, replay, info, modes, check, importing, schema, version):
    app.command(module.NAME, epilog=f"Example: {module.EXAMPLE}")(module.command)

app.add_typer(show.app, name="show")
app.add_typer(bench.app, name="bench")


def _say_version(asked: bool) -> None:
    if asked:
        print(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    """Options of the program itself."""


def run_command(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing but a fault of ours is raised."""
    words = join_quantities(arguments)
    output = Output("--json" in words)
    for stream in (sys.stdout, sys.stderr):
        # an old terminal may lack a letter such as ü; show a ? for it and go on
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: output.note(f"Note: {message}")
            code = _invoke(words, output)
        sys.stdout.flush()
    except BrokenPipeError:
        _print_nothing_more()
        return DONE
    except OSError:
        if _can_print():
            raise
        _print_nothing_more()
        output.note("Could not print everything: the disk is full.")
        return FAILED
    return code


def _can_print() -> bool:
    """Return whether what was printed went through; a disk that is full says so each time."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def _print_nothing_more() -> None:
    """Point stdout at nothing, or the interpreter complains again when it flushes at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _invoke(words: list[str], output: Output) -> int:
    from knuckleboom.errors import KnuckleboomError, MachineError, UnitError
    from knuckleboom.names import UnknownName

    try:
        # not app(): typer would hide an interruption and a closed pipe behind codes of its own
        program = typer.main.get_command(app)
        with program.make_context(PROGRAM, words) as context:
            code: Any = program.invoke(context)
        return int(code or DONE)
    except typer.Exit as ended:
        return ended.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return output.error(INTERRUPTED, NOTHING_KEPT)
    except USAGE_ERROR as error:
        return output.error(WRONG_INPUT, _usage(error, words))
    except CLICK_ERROR as error:
        return output.error(WRONG_INPUT, str(error))
    except MachineError as error:
        return output.error(WRONG_INPUT, str(error), problems=[problem.to_dict() for problem in error.problems])
    except (UnitError, UnknownName, WrongInput) as error:
        return output.error(WRONG_INPUT, str(error))
    except KnuckleboomError as error:
        return output.error(FAILED, str(error))
    except MemoryError:
        return output.error(FAILED, "There is not enough memory. Record less often (--record), or run for less long.")
    except Exception:
        if ctrl_c.pressed:  # what it interrupted may answer with an error of its own
            return output.error(INTERRUPTED, NOTHING_KEPT)
        raise


def _usage(error: Any, words: Sequence[str]) -> str:
    """Return what was typed wrongly, the possible words and where to read more; for a bare file what takes it."""
    if words and kind_of(words[0]):
        return f"'{words[0]}' is {kind_of(words[0])}; the command goes before it.\n{command_for(words[0])}"
    command = error.ctx.command_path if error.ctx is not None else PROGRAM
    return f"{error.format_message()}\nSee: {command} --help".lstrip()
