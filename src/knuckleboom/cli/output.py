# SPDX-License-Identifier: BSD-3-Clause
"""What a command prints: sentences and tables for people on stdout, or with `--json` one document and nothing else.

Notes and progress go to stderr, so that stdout can always be piped. A progress bar appears when something has taken
longer than a second and stderr is a terminal.
"""

import io
import json
import shutil
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.errors import KnuckleboomError

if TYPE_CHECKING:
    from rich.progress import Progress

JSON_HELP = "Print one JSON document and nothing else."
Json = Annotated[bool, typer.Option("--json", help=JSON_HELP)]

PIPE_WIDTH = 100
"""Columns of a table when stdout is not a terminal."""

PATIENCE_S = 1.0
"""How long something may take before a progress bar appears."""


class WrongInput(KnuckleboomError):
    """Something on the command line that cannot be used; its text says what to type instead."""


class Output:
    """Where one command's words go."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def document(self, data: Mapping[str, Any]) -> None:
        """Print the one document of `--json`; without it, nothing."""
        if self.as_json:
            sys.stdout.write(json.dumps(data, indent=2, allow_nan=False) + "\n")

    def say(self, text: str = "") -> None:
        """Print a text for people."""
        if not self.as_json:
            sys.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        """Print a text beside the output, on stderr."""
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    def table(
        self, title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[str] = ()
    ) -> None:
        """Print a table for people; the columns named in `right` are aligned to the right."""
        if self.as_json:
            return
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title or None, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
        for index, column in enumerate(columns):
            table.add_column(column, justify="right" if column in right else "left", no_wrap=index == 0)
        for row in rows:
            table.add_row(*(Text(str(cell)) for cell in row))

        # drawn aside and written by us: rich would answer a closed pipe with exit code 1
        terminal = sys.stdout.isatty()
        width = shutil.get_terminal_size().columns if terminal else PIPE_WIDTH
        aside = io.StringIO()
        Console(file=aside, width=width, highlight=False, force_terminal=terminal).print(table)
        lines = [line.rstrip() for line in aside.getvalue().rstrip().splitlines()]
        sys.stdout.write("\n".join(lines) + "\n\n")

    def error(self, code: int, message: str, **more: Any) -> int:
        """Print why the command ends here, and return its exit code."""
        self.note(message)
        self.document({"error": {"exit_code": code, "message": message, **more}})
        return code


class Bar:
    """A progress bar on stderr that appears only when the work takes longer than a second.

    Use it as a context; call it with the fraction done, 0 to 1, and `stage` when another kind of work begins.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._since = time.monotonic()
        self._progress: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def stage(self, title: str) -> None:
        """Begin another kind of work."""
        self._title = title
        if self._progress is not None:
            self._progress.update(self._task, description=title, completed=0.0)

    def __call__(self, fraction: float) -> None:
        """Show how much of the work is done."""
        if self._progress is None and self._wanted():
            self._appear()
        if self._progress is not None:
            self._progress.update(self._task, completed=fraction)

    def _wanted(self) -> bool:
        return time.monotonic() - self._since > PATIENCE_S and sys.stderr.isatty()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self._task = self._progress.add_task(self._title, total=1.0)
        self._progress.start()


def number(value: Any) -> str:
    """Write a number with four digits, everything else as it is."""
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
