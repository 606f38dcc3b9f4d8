# SPDX-License-Identifier: BSD-3-Clause
"""Which machine a word on the command line means: a name of the catalogue or a YAML file, and which of its cases.

The first case of a machine is meant unless another is named; a file without cases is run with inputs at their defaults.
Anything else is refused with the closest names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knuckleboom.cli.file_types import MACHINE, TABLE, refuse_other_types
from knuckleboom.cli.output import WrongInput
from knuckleboom.errors import offer
from knuckleboom.methods import EQUILIBRIUM, OWN_START, STARTS
from knuckleboom.names import closest

if TYPE_CHECKING:
    from knuckleboom.machine import Machine
    from knuckleboom.machine.case import Case

SUFFIXES = (".yaml", ".yml")

LONGEST = 80
"""Letters of a folder's name; every file system takes as many, also with an ending."""

GroundWord = Annotated[
    str | None,
    typer.Option(
        metavar="GROUND", help="Ground it stands on: level, slope:10%, rough:30cm, ridge:30cm or hill.csv:0.5m."
    ),
]

CaseWord = Annotated[str | None, typer.Option("--case", help="Case of the machine, by name; default its first.")]


@dataclass(frozen=True)
class Task:
    """A machine, what is done with it, and what the command line says beside."""

    name: str
    machine: "Machine"
    case: "Case"
    """One without a name where the machine has none."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """Inputs that go before those of the case."""
    stop: tuple[str, ...] = ()

    @property
    def duration(self) -> float:
        """How long it is run, s."""
        return self.case.duration

    @property
    def step(self) -> float:
        """Step of the integrator, s."""
        return self.case.step

    @property
    def method(self) -> Mapping[str, Any]:
        """Words of the method."""
        return self.case.method

    @property
    def inputs(self) -> dict[str, Any]:
        """All inputs; a CSV file is opened for them."""
        from knuckleboom.simulation.cases import all_inputs

        return {**all_inputs(self.case), **self.given}


def find_task(word: str, case: str | None = None) -> Task:
    """Return the machine that a word names and one of its cases, or say which words would."""
    from knuckleboom import catalogue
    from knuckleboom.machine.case import Case

    if word in catalogue.NAMES:
        own = catalogue.NAMES[word]()
        return Task(word, own.machine, own if case is None else own.machine.find_case(case))
    path = Path(word)
    refuse_other_types(word, (MACHINE,))
    if is_file(word):
        from knuckleboom.machine import read

        machine = read(path)
        first = next(iter(machine.cases.values()), None) or Case.read(machine, "", {}, Path())
        return Task(file_name(machine.name or path.stem), machine, first if case is None else machine.find_case(case))
    here = sorted(path.name for suffix in SUFFIXES for path in Path().glob(f"*{suffix}"))
    raise WrongInput(_unknown(word, [*catalogue.NAMES, *here]))


def on_ground(task: Task, ground: str | None) -> Task:
    """Return a task whose machine stands on the ground of --ground, where one is given."""
    if ground is None:
        return task
    import knuckleboom as kb

    machine = kb.on_ground(task.machine, ground)
    return replace(task, machine=machine, case=task.case.of(machine))


def refuse_other_starts(start: str | None) -> None:
    """Say what can be written for --start where a word is no start."""
    if start is not None and start not in STARTS:
        fix = f"write --start {EQUILIBRIUM}, or --start {OWN_START} for the machine's own start"
        raise WrongInput(f"--start: '{start}' is no start; {fix}.")


def is_file(word: str) -> bool:
    """Whether a word means a file, there or not, and no machine of the catalogue."""
    from knuckleboom import catalogue

    return word not in catalogue.NAMES and (Path(word).suffix.lower() in SUFFIXES or Path(word).is_file())


def changed(task: Task, settings: Sequence[str], stop: Sequence[str]) -> Task:
    """Return a task with parameters such as lift.bore=90mm changed, a bare number being in SI, and stop conditions."""
    waiting: dict[str, Any] = {}
    for setting in settings:
        name, given, text = setting.partition("=")
        values = [_value(item) for item in text.split(",")]
        if not given or not text.strip():
            raise WrongInput(f"--set: '{setting}' is not a name and a value, such as lift.bore=90mm.")
        waiting[name.strip()] = values[0] if len(values) == 1 else tuple(values)
    return replace(task, machine=with_parameters(task.machine, waiting), stop=tuple(stop))


def with_parameters(machine: "Machine", waiting: Mapping[str, Any]) -> "Machine":
    """A machine with parameters changed, in whatever order they go together: a thinner rod before a smaller bore."""
    from knuckleboom.errors import MachineError
    from knuckleboom.plan.retune import with_parameter

    left = dict(waiting)
    while left:
        problems = []
        for name, value in list(left.items()):
            try:
                machine = with_parameter(machine, name, value)
                del left[name]
            except MachineError as error:
                problems.append(error)
        if len(problems) == len(waiting):
            raise problems[0]
        waiting = dict(left)
    return machine


def refuse_faulty_case(task: Task) -> None:
    """Raise MachineError with what `check` says of the case of a task, if that is where its problems are."""
    from knuckleboom.errors import MachineError
    from knuckleboom.plan import build
    from knuckleboom.simulation.case_check import case_problems

    problems = case_problems(build(task.machine), [task.case]) if task.case.name else []
    if problems:
        raise MachineError(problems, task.machine.where)


def with_inputs(task: Task, settings: Sequence[str], file: Path | None) -> Task:
    """Return a task with inputs of the command line, boom=0.5 or in steps boom=0:0,2s:0.5, and those of a CSV file."""
    from knuckleboom.machine.csv_file import all_columns

    if file is not None:
        refuse_other_types(file, (TABLE,), "--inputs")
    given: dict[str, Any] = {} if file is None else dict(all_columns(str(file)))
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals or not text.strip():
            example = "such as boom=0.5, or boom=0:0,2s:0.5 for steps"
            raise WrongInput(f"--input: '{setting}' is not a name and a value, {example}.")
        pairs = [item.partition(":") for item in text.split(",")]
        if len(pairs) == 1 and not pairs[0][1]:
            given[name.strip()] = _value(text)
        elif all(colon for _, colon, _ in pairs):
            if len({_seconds(time) for time, _, _ in pairs}) < len(pairs):
                raise WrongInput(f"--input: '{setting}' has a time twice; times must rise.")
            given[name.strip()] = {_value(time): _value(value) for time, _, value in pairs}
        else:
            raise WrongInput(f"--input: '{setting}' is neither a value nor steps, such as boom=0:0,2s:0.5.")
    return replace(task, given={**task.given, **given})


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text.strip()


def _seconds(text: str) -> float | str:
    """A time in s; what is none is kept, as it is refused with the name of its input later."""
    from knuckleboom import units

    value = _value(text)
    try:
        return units.parse(value, "s") if isinstance(value, str) else value
    except units.UnitError:
        return value


def file_name(name: str) -> str:
    """Return a machine's name as a folder name: letters, digits, dots, dashes and underscores of any language."""
    return re.sub(r"[^\w.-]+", "-", name)[:LONGEST].strip("-.") or "machine"


def _unknown(word: str, known: list[str]) -> str:
    offered = offer(closest(word, known))
    return f"There is no machine '{word}'.{offered}\n`knuckleboom list` shows them all; a file's name ends in .yaml."
