# SPDX-License-Identifier: BSD-3-Clause
"""The linter for what no general linter knows: rules for kernels, laws and source files (CONTRIBUTING.md lists them).

    python tools/kernel_lint.py [root]         prints "file:line: rule: what to do"; exit code 1 if anything was found

A kernel is a function decorated with ``@kernel``, ``@shared_kernel``, ``@apart_kernel``, ``@entry_point`` or the
cabin's ``@part``. Each rule is a function that yields findings for one kernel or one file; ``KERNEL_RULES`` and
``FILE_RULES`` list them.
Validated by: tests/lint/test_kernel_lint.py
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SPDX = "# SPDX-License-Identifier: BSD-3-Clause"
LINE_LIMIT = 500
KERNEL_ROOMS = ("engine", "geometry", "laws", "solvers", "mechanics", "hydraulics", "interface")
PLAIN_NUMBERS = (0, 1, 2, 0.5)
SMALL_INTEGER = 12
ARRAY_MAKERS = (
    *("zeros", "empty", "ones", "full", "eye", "identity", "zeros_like", "empty_like", "ones_like", "full_like"),
    *("array", "asarray", "arange", "linspace", "copy", "where", "append", "repeat", "tile"),
    *("concatenate", "stack", "hstack", "vstack", "column_stack"),
    *("dot", "matmul", "cross", "outer", "inner", "kron"),
)
MAKING_METHODS = ("copy", "astype", "flatten", "tolist")
UNIT = re.compile(r"[\w·*/^()√°%µΩ⁰¹²³⁴⁵⁶⁷⁸⁹⁻½+\- ]+")
YEAR = re.compile(r"\b(1[89]|20)\d\d\b")

Finding = tuple[int, str, str]  # line, rule, what to do


@dataclass(frozen=True)
class Source:
    """One file, parsed, with the room it belongs to ('' outside src/knuckleboom)."""

    path: Path
    text: str
    room: str
    tree: ast.Module = field(init=False)
    comments: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        lines = frozenset(token.start[0] for token in tokens if token.type == tokenize.COMMENT)
        object.__setattr__(self, "tree", ast.parse(self.text))
        object.__setattr__(self, "comments", lines)

    def explained(self, line: int, kernel: ast.FunctionDef) -> bool:
        """Has this line a comment, or one above it in the kernel with no empty line between?"""
        lines = self.text.splitlines()
        while line >= kernel.lineno and lines[line - 1].strip():
            if line in self.comments:
                return True
            line -= 1
        return False


# --- rules for one kernel ---------------------------------------------------------------------------------------------


def plain_arguments(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """No default arguments, no *args, no **kwargs."""
    given = kernel.args
    if given.defaults or any(given.kw_defaults) or given.vararg or given.kwarg:
        yield kernel.lineno, "arguments", f"kernel '{kernel.name}' may not have defaults, *args or **kwargs"


def plain_statements(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """No exceptions, no print, no text: a kernel returns a status."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.Try | ast.TryStar | ast.Raise | ast.Assert | ast.With):
            name = type(node).__name__.lower()
            yield node.lineno, "exceptions", f"no '{name}' in kernel '{kernel.name}': return a status code"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            yield node.lineno, "print", f"no 'print' in kernel '{kernel.name}'"
        elif isinstance(node, ast.JoinedStr):
            yield node.lineno, "text", f"no text is made in kernel '{kernel.name}': return a status code"


def no_new_arrays(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """All memory is in Work: no arrays, lists, sets or dictionaries are made."""
    if source.room not in KERNEL_ROOMS:
        return
    for node in _expressions(kernel):
        made = ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            numpy = ast.unparse(node.func.value) in ("np", "numpy")
            if node.func.attr in (ARRAY_MAKERS if numpy else MAKING_METHODS):
                made = ast.unparse(node.func)
        elif isinstance(node, ast.List | ast.Set | ast.Dict | ast.ListComp | ast.SetComp | ast.DictComp):
            made = type(node).__name__.lower()
        if made:
            yield node.lineno, "allocation", f"'{made}' makes an array or list in kernel '{kernel.name}': use Work"


def own_linear_algebra(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """No np.linalg and no @: both allocate and cannot be exported."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.Attribute) and node.attr == "linalg":
            yield node.lineno, "linalg", f"no np.linalg in kernel '{kernel.name}': use solvers/"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "matmul", f"no '@' in kernel '{kernel.name}': write the loop out"


def no_slice_arithmetic(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """A slice in a formula is a temporary array."""
    for node in _expressions(kernel):
        operands: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            operands = [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            operands = [node.operand]
        elif isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("np.", "numpy.")):
            operands = list(node.args)
        if any(_is_slice(operand) for operand in operands):
            text = ast.unparse(node)
            yield node.lineno, "slice", f"'{text}' makes a temporary in kernel '{kernel.name}': write the loop out"


def index_from_the_front(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """No negative index: compiled code does not count from the end (src/knuckleboom/compiling.py)."""
    for node in ast.walk(kernel):
        if not isinstance(node, ast.Subscript):
            continue
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
                text = ast.unparse(node)
                yield (
                    node.lineno,
                    "index",
                    f"'{text}' counts from the end in kernel '{kernel.name}': count from the front",
                )


def named_numbers(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """A number other than 0, 1, 2, ½ has a name or a comment; small integers may index and count."""
    indices = set(_indices(kernel))
    for node in ast.walk(kernel):
        if not isinstance(node, ast.Constant) or type(node.value) not in (int, float, complex):
            continue
        small = node in indices and isinstance(node.value, int) and node.value <= SMALL_INTEGER
        if node.value not in PLAIN_NUMBERS and not small and not source.explained(node.lineno, kernel):
            yield node.lineno, "number", f"{node.value!r} in kernel '{kernel.name}' needs a comment or a name"


def written_last(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """Arguments that are written come last and are named in the docstring; Work is known to be written."""
    arguments = [argument.arg for argument in kernel.args.args]
    written = {name for name in _written(kernel) if name in arguments and name != "work"}
    words = set(re.findall(r"\w+", ast.get_docstring(kernel) or ""))
    for name in sorted(written - words):
        yield kernel.lineno, "written", f"kernel '{kernel.name}' writes '{name}': say so in its docstring"
    if not written:
        return
    after = arguments[min(arguments.index(name) for name in written) :]
    passed_on = {
        argument.id
        for node in ast.walk(kernel)
        if isinstance(node, ast.Call)
        for argument in node.args
        if isinstance(argument, ast.Name)
    }
    used = {node.id for node in ast.walk(kernel) if isinstance(node, ast.Name)}
    for name in after:
        if name in used and name not in written and name not in passed_on:
            yield kernel.lineno, "order", f"kernel '{kernel.name}': read-only '{name}' must come before what is written"


def frozen_is_seen(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """Arguments that begin with `plan` are frozen, and a family of Plan is named so: `plan_oil` is plan.oil."""
    if source.room not in KERNEL_ROOMS:
        return
    arguments = [argument.arg for argument in kernel.args.args]
    for name in sorted(_written(kernel)):
        if name in arguments and name.startswith("plan"):
            yield kernel.lineno, "frozen", f"kernel '{kernel.name}' writes '{name}': what is computed goes to Work"
    families = {name: f"plan_{name}" for name in ("links", "forces")} | {"table": "plan_<family>"}
    for name in arguments:
        if name in families:
            yield kernel.lineno, "frozen", f"kernel '{kernel.name}': '{name}' is frozen, call it '{families[name]}'"


def at_module_level(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """Compiled functions live at module level, or they are never cached."""
    if source.room and kernel not in source.tree.body:
        yield kernel.lineno, "level", f"kernel '{kernel.name}' must stand at module level"


def units_of_a_law(kernel: ast.FunctionDef, source: Source) -> Iterator[Finding]:
    """A law's docstring has a unit in brackets for every argument."""
    if source.room != "laws":
        return
    text = ast.get_docstring(kernel) or ""
    for argument in kernel.args.args:
        # "dp, dp_tr [Pa]; kq = Cd·A·√(2/ρ) [m³/(s·√Pa)]": the next bracket before a semicolon is the unit
        found = re.findall(rf"(?<!\w){re.escape(argument.arg)}(?!\w)[^\[\];]*\[([^\]]+)\]", text)
        if not any(UNIT.fullmatch(unit) and not YEAR.search(unit) for unit in found):
            yield kernel.lineno, "unit", f"law '{kernel.name}': no unit in brackets for '{argument.arg}'"


KERNEL_RULES = (
    plain_arguments,
    plain_statements,
    no_new_arrays,
    own_linear_algebra,
    no_slice_arithmetic,
    index_from_the_front,
    named_numbers,
    written_last,
    frozen_is_seen,
    at_module_level,
    units_of_a_law,
)


def _expressions(kernel: ast.FunctionDef) -> Iterator[ast.expr]:
    return (node for node in ast.walk(kernel) if isinstance(node, ast.expr))


def _indices(kernel: ast.FunctionDef) -> Iterator[ast.AST]:
    """Where an integer is an index, a count or an exponent: x[3 * i + 1], range(6), x**3; f(at + 3) hands one on."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.Subscript):
            yield from ast.walk(node.slice)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            yield node.right
        elif isinstance(node, ast.Call):
            for argument in node.args:
                yield from ast.walk(argument) if ast.unparse(node.func) == "range" else [argument]
                if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
                    yield from (argument.left, argument.right)


def _is_slice(node: ast.expr) -> bool:
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.Slice) for part in parts)


def _written(kernel: ast.FunctionDef) -> Iterator[str]:
    """Names whose elements are assigned: ``A[i, j] = ...`` and ``state.q[i] = ...``, also in a tuple of targets."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            owner: ast.expr = node.value
            while isinstance(owner, ast.Attribute):
                owner = owner.value
            if isinstance(owner, ast.Name):
                yield owner.id


# --- rules for one file -----------------------------------------------------------------------------------------------


def licence_line(source: Source) -> Iterator[Finding]:
    """The first line names the licence."""
    if source.text.strip() and not source.text.startswith(SPDX):
        yield 1, "licence", f"the first line must be '{SPDX}'"


def card(source: Source) -> Iterator[Finding]:
    """A module says what it is."""
    if source.tree.body and not ast.get_docstring(source.tree):
        yield 1, "card", "the module needs a docstring that says what it is"


def file_length(source: Source) -> Iterator[Finding]:
    """A file of ours fits on a few screens."""
    lines = len(source.text.splitlines())
    if source.room and lines > LINE_LIMIT:
        yield LINE_LIMIT, "length", f"{lines} lines; the limit is {LINE_LIMIT}: split the file"


FILE_RULES = (licence_line, card, file_length)


# --- the program ------------------------------------------------------------------------------------------------------


def lint(source: Source) -> list[Finding]:
    """All findings in one file, in the order of its lines."""
    found = [finding for rule in FILE_RULES for finding in rule(source)]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef) and _is_kernel(node):
            found += [finding for rule in KERNEL_RULES for finding in rule(node, source)]
    return sorted(found)


def _is_kernel(function: ast.FunctionDef) -> bool:
    marks = {ast.unparse(mark).split(".")[-1] for mark in function.decorator_list}
    return bool(marks & {"kernel", "shared_kernel", "apart_kernel", "entry_point", "part"})


def sources(root: Path) -> Iterator[Source]:
    """Every Python file of the project under ``root``."""
    package = root / "src" / "knuckleboom"
    for folder in ("src", "tests", "validation", "tools"):
        for path in sorted((root / folder).rglob("*.py")):
            room = path.relative_to(package).parts[0].removesuffix(".py") if path.is_relative_to(package) else ""
            yield Source(path, path.read_text(encoding="utf-8"), room)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    count = files = 0
    for source in sources(root):
        files += 1
        for line, rule, text in lint(source):
            count += 1
            print(f"{source.path.relative_to(root)}:{line}: {rule}: {text}")
    print(f"kernel lint: {count} findings in {files} files")
    return 1 if count else 0


if __name__ == "__main__":
    raise SystemExit(main())
