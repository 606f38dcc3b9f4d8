# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom drive`: drive a machine in real time in a browser, or play a run again there.

The address is printed and the page is there before the machine is: describing, planning and compiling it go on
meanwhile, and the page says so. What may be mistyped, and an equilibrium to begin at, come before the address. The
browser opens as soon as it is clear that there is such a machine. Refusals of the server go to stderr, one line each.
"""

import logging
import os
import webbrowser
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cabin.access import LOOPBACK, PAGE_PORT
from knuckleboom.cabin.external_wire import EXCHANGE, EXTERNAL_PORT
from knuckleboom.cli import machines
from knuckleboom.cli.commands.run import seconds
from knuckleboom.cli.output import Json, Output, WrongInput
from knuckleboom.errors import offer
from knuckleboom.methods import EQUILIBRIUM
from knuckleboom.names import closest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from socket import socket

    from knuckleboom.cabin.access import Access
    from knuckleboom.cabin.external import External
    from knuckleboom.cabin.page_files import File
    from knuckleboom.cabin.source import Source
    from knuckleboom.machine.case import Case

NAME = "drive"
EXAMPLE = "knuckleboom drive excavator"
HELP_LINE = "In the page W A S D and I J K L move the levers, F1 shows all keys. Ctrl-C ends it."
REPLAY_LINE = "In the page the slider goes to any time, F1 shows all keys. Ctrl-C ends it."
DEFAULT_MACHINE = "excavator"
PLAYED = (".kbrec", ".nc")
"""Endings of files that are played."""
NOT_PLAYED = {
    "--record": "cannot be recorded", "--external": "has no inputs", "--start": "has its own start",
    "--case": "is of no other case", "--ground": "is on its own ground",
}  # fmt: skip
"""Options that are for driving only, and why."""


def command(
    machine: Annotated[
        str | None,
        typer.Argument(
            metavar="[MACHINE | FILE]",
            help="Name of the catalogue or YAML file; default excavator. Or what to play: a recording (.kbrec) or "
            "results (.nc).",
        ),
    ] = None,
    case: machines.CaseWord = None,
    ground: machines.GroundWord = None,
    start: Annotated[
        str | None,
        typer.Option(help="equilibrium: at rest, pressures and levers carry the load; machine: at the machine's own."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; others than this computer need a token.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any that is free.")] = PAGE_PORT,
    token: Annotated[str, typer.Option(help="What clients must know; made and printed where one is needed.")] = "",
    allow_origin: Annotated[
        list[str] | None, typer.Option(help="Page that may connect beside our own: https://name. Several are possible.")
    ] = None,
    of: Annotated[
        str | None, typer.Option(metavar="MACHINE", help="Machine of the results that are played, for their gauges.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Record the drive in this file from its start.")] = None,
    external: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port for a program of your own that reads and writes by TCP.")
    ] = None,
    lockstep: Annotated[bool, typer.Option("--lockstep", help="The machine waits for that program's answers.")] = False,
    exchange: Annotated[
        str | None, typer.Option(help=f"Time between two exchanges with that program; default {1e3 * EXCHANGE:g} ms.")
    ] = None,
    step: Annotated[str | None, typer.Option(help="Step of the simulation, such as 1ms.")] = None,
    no_priority: Annotated[bool, typer.Option("--no-priority", help="Do not ask for real-time priority.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    json: Json = False,
) -> None:
    """Drive a machine in real time, in a browser: levers, gauges, charts, sound; or play a run again."""
    output = Output(json)
    replay = played_file(machine)
    live_only = {"--record": record, "--external": external, "--start": start, "--case": case, "--ground": ground}
    refuse_for_replay(replay, live_only)
    if replay is None and of is not None:
        raise WrongInput("--of is the machine of results that are played: knuckleboom drive run.nc --of crane.yaml")
    machines.refuse_other_starts(start)
    if external is None and (lockstep or exchange is not None):
        fix = f"add its port, --external {EXTERNAL_PORT}"
        raise WrongInput(f"--lockstep and --exchange are for an external program: {fix}")
    step_size, exchange_time = seconds("--step", step), seconds("--exchange", exchange) or EXCHANGE
    refuse_without_packages()
    from knuckleboom.cabin.live import Live
    from knuckleboom.cabin.player import Player

    def find() -> "Case":
        found = at_rest(find_case(machine or DEFAULT_MACHINE, case, step_size, start, ground), output)
        if external is not None:
            refuse_other_exchange(exchange_time, found.step)
        return found

    # what may be mistyped is looked at before anything is promised; the catalogue's are made while the page loads
    plain = all(word is None for word in (external, case, start, ground)) and is_of_catalogue(machine)
    typed = None if replay is not None or plain else find()
    log_to_stderr()
    listeners = Listeners.open(host, port, external, token, allow_origin or ())

    def show() -> None:
        if not no_browser:
            webbrowser.open(listeners.own_address)

    source: Source
    if replay is not None:
        source = Player(lambda: play(replay, of, show))
    else:
        made = find if typed is None else lambda: typed
        programs = listeners.program_maker(lockstep, exchange_time)
        source = Live(made, record=record, priority=not no_priority, described=show, door=programs)
    facts = {
        "machine": of if replay is not None else machine or DEFAULT_MACHINE,
        "ground": ground,
        "replay": None if replay is None else str(replay),
        "record": None if record is None else str(record),
    }
    serve_source(source, listeners, output, facts)


def refuse_without_packages() -> None:
    """Say what to install where the packages of the cabin are missing."""
    try:
        from knuckleboom.cabin import external, live, player, serve, server  # noqa: F401
    except ImportError as error:
        raise WrongInput(
            f"The cabin needs packages of its own ({error.name}): pip install 'knuckleboom[cabin]'"
        ) from error


def refuse_other_exchange(time: float, step: float) -> None:
    """Say which times between two exchanges an external program can have, where this is none."""
    from knuckleboom.cabin.external import ExchangeError, steps_of

    try:
        steps_of(time, step)
    except ExchangeError as error:
        raise WrongInput(f"--exchange: {error}") from error


@dataclass(frozen=True)
class Listeners:
    """Where pages and, if there are any, external programs connect, and who may."""

    host: str
    pages: "socket"
    programs: "socket | None"
    access: "Access"

    @classmethod
    def open(cls, host: str, port: int, external: int | None, token: str, origins: "Sequence[str]") -> "Listeners":
        """Listen on the ports of the command line; one that cannot be had is the user's to change."""
        from knuckleboom.cabin import serve
        from knuckleboom.cabin.access import Access

        try:
            pages = serve.listen(host, port)
            programs = None if external is None else serve.listen(host, external, "--external")
        except serve.AddressError as error:
            raise WrongInput(str(error)) from error
        return cls(host, pages, programs, Access.choose(host, token, origins))

    @property
    def addresses(self) -> list[str]:
        """Addresses of the page, the one to print first."""
        from knuckleboom.cabin import serve

        return serve.addresses_of(self.pages, self.host, self.access.token)

    @property
    def own_address(self) -> str:
        """Address of the page for a browser of this computer."""
        from knuckleboom.cabin import serve

        host = LOOPBACK if self.host in serve.EVERYWHERE else self.host
        return serve.address_of(self.pages, host, self.access.token)

    def program_maker(self, lockstep: bool, exchange: float) -> "Callable[[Callable[[], str]], External] | None":
        """What makes the listener of external programs, given how a machine is starting; None without their port."""
        from knuckleboom.cabin.external import External
        from knuckleboom.cabin.shared import Mode

        if self.programs is None:
            return None
        mode = Mode.LOCKSTEP if lockstep else Mode.FREE
        return partial(External, self.programs, token=self.access.token, mode=mode, exchange=exchange)


def serve_source(source: "Source", listeners: Listeners, output: Output, facts: "Mapping[str, Any]") -> None:
    """Serve the page until Ctrl-C; the addresses are printed as soon as it can be loaded."""
    from knuckleboom.cabin import serve
    from knuckleboom.cabin.page_files import read_page
    from knuckleboom.cabin.server import Cabin

    files = read_page()
    cabin = Cabin(source, files, listeners.access)
    serve.run(cabin, listeners.pages, lambda: tell_ready(output, listeners, source, files, facts))
    output.say("Ended.")
    if cabin.is_opening:
        # all is closed; Python itself would wait for, or stumble over, a thread that is loading compiled modules
        flush()
        os._exit(0)


def tell_ready(
    output: Output, listeners: Listeners, source: "Source", files: "dict[str, File]", facts: "Mapping[str, Any]"
) -> None:
    """Print where the page is and how to use it; its keys are described in docs/cli.md."""
    from knuckleboom.cabin.page_files import NOT_BUILT, is_built

    address, *others = addresses = listeners.addresses
    programs = None if listeners.programs is None else listeners.programs.getsockname()[1]
    output.document(
        {
            "address": address,
            "addresses": addresses,
            "host": listeners.host,
            "port": listeners.pages.getsockname()[1],
            "token": listeners.access.token,
            "mode": source.mode,
            **facts,
            "external": programs,
            "page_built": is_built(files),
        }
    )
    output.say(address)
    if others:
        output.say(f"Where that name is not known: {'  '.join(others)}")
    output.say(HELP_LINE if facts["replay"] is None else REPLAY_LINE)
    if programs is not None:
        output.say(f"External programs connect to port {programs}.")
    if not is_built(files):
        output.note(NOT_BUILT)
    flush()


def is_of_catalogue(machine: str | None) -> bool:
    """Whether a word names a machine of the catalogue; none is our own."""
    from knuckleboom import catalogue

    return machine is None or machine in catalogue.NAMES


def played_file(word: str | None) -> Path | None:
    """The file to play where a word names one by its ending; it must be there."""
    if word is None or Path(word).suffix not in PLAYED:
        return None
    if not Path(word).is_file():
        near = closest(word, [str(path) for ending in PLAYED for path in Path(word).parent.glob(f"*{ending}")])
        raise WrongInput(f"There is no file '{word}'.{offer(near)}")
    return Path(word)


def refuse_for_replay(replay: Path | None, given: "Mapping[str, Any]") -> None:
    """Say which options make no sense for a run that is played again."""
    for option, value in given.items():
        if replay is not None and value is not None:
            raise WrongInput(f"{option}: a run that is played again {NOT_PLAYED[option]}. Leave it out.")


def find_case(
    word: str, name: str | None, step: float | None, start: str | None = None, ground: str | None = None
) -> "Case":
    """The machine of a word with the case that is meant; steps, start and ground are those of the command line."""
    case = machines.on_ground(machines.find_task(word, name), ground).case
    given = {"step": step, "start": start}
    return case.model_copy(update={key: value for key, value in given.items() if value is not None})


def at_rest(case: "Case", output: Output) -> "Case":
    """A case with the state that it begins at, where that is its equilibrium; if there is none, the reason."""
    if case.start != EQUILIBRIUM:
        return case
    import knuckleboom as kb
    from knuckleboom.analysis.mechanism import AnalysisError

    try:
        state = kb.equilibrium(case.machine, creeping=True)
    except AnalysisError as error:
        raise WrongInput(str(error)) from error
    for note in state.notes:
        output.note(f"Note: {note}")
    return case.model_copy(update={"start": state})


def play(path: Path, machine: str | None, show: Any) -> Any:
    """Read what is to be played; a file that cannot be read is the user's to change."""
    from knuckleboom.cabin.played import load_played
    from knuckleboom.results.files import FileError

    show()
    try:
        return load_played(path, None if machine is None else lambda: find_case(machine, None, None))
    except FileError as error:
        raise WrongInput(str(error)) from error


def flush() -> None:
    """What was said is read now, also through a pipe: who started us waits for the address."""
    import sys

    sys.stdout.flush()


def log_to_stderr() -> None:
    """Print what the server refuses, one line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    log = logging.getLogger("knuckleboom.cabin")
    log.addHandler(handler)
    log.setLevel(logging.WARNING)
