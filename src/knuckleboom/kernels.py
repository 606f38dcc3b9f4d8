# SPDX-License-Identifier: BSD-3-Clause
"""How functions are compiled: ``@kernel``, ``@entry_point``, and a disk cache that can be trusted.

A *kernel* is called by other kernels only: it has no Python wrapper and no cache of its own, and its code waits to be
linked, which keeps compilation short. An *entry point* is one of the few functions that Python calls (``run_explicit``,
...): it is optimised with all its kernels in it, and its machine code is kept on disk.

Numba's cache does not notice an edit in an imported file. So ours lies in a folder named by a hash of everything that
shapes the code: our kernels, installed plug-ins, the versions of Python, numba, llvmlite and numpy, the CPU
and Numba's own switches. Another hash is another folder; the newest few are kept. Only our entry points are moved
there: other packages' caches stay where they are.

Under ``NUMBA_DISABLE_JIT=1`` both decorators return the plain Python function: the oracle for tests.
Validated by: tests/kernels/test_kernels.py
"""

from __future__ import annotations

import atexit
import contextlib
import dis
import functools
import gc
import hashlib
import importlib.metadata
import importlib.util
import linecache
import os
import platform
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import AnnotateTypes

from knuckleboom.compiling import use_our_rules, use_their_rules

F = TypeVar("F", bound=Callable[..., Any])

PLUGIN_GROUP = "knuckleboom.parts"
CACHE_VARIABLE = "KNUCKLEBOOM_CACHE_DIR"
KEPT_FOLDERS = 5
KEPT_SECONDS = 3600.0  # a folder used less than an hour ago may belong to a process that is still compiling
EXPECTED_SECONDS = 60  # what the first message promises at most on an idle machine; `bench compile` measures it

# Numba's switches that change machine code without being part of its own cache key
CODE_SWITCHES = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "DEBUGINFO_DEFAULT")

# Folders and files of ours without kernels or a constant that one uses: editing them leaves the machine code as it is
WITHOUT_KERNELS = frozenset(
    {"analysis", "bench", "cabin", "catalogue", "cli", "drawing", "exchange", "halves", "machine", "parts"}
    | {"plan", "plots", "report", "results", "simulation"}
    | {"describe.py", "errors.py", "methods.py", "names.py", "net.py", "quantities.py", "symbol.py"}
    | {"units.py", "wire.py", "__main__.py", "__init__.py"}
)

# No reference counting: kernels only use arrays that Python holds, so nothing is allocated (Numba refuses to compile
# what would), and neither compiling nor running pays for counting the members of Plan and Work at every call.
# Numba's rewrites of array expressions find nothing to do here and take an eighth of the compile time.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False, "no_rewrites": True}

INLINED_INSTRUCTIONS = 240
"""Of Python's bytecode. docs/decisions/families.md has what other numbers cost in compiling and in steps."""

compile_times: dict[str, float] = {}
"""Seconds spent compiling each entry point in this process; empty when all came from the cache."""


def print_compilation(name: str, seconds: float | None) -> None:
    """Tell a person at a terminal why nothing moves: one line before (``seconds`` is None), one after."""
    if seconds is None:
        print(
            f"compiling {name} (once for this version; up to {EXPECTED_SECONDS} s on an idle machine) ...",
            file=sys.stderr,
            flush=True,
        )
    else:
        print(f"compiled {name} in {seconds:.1f} s", file=sys.stderr, flush=True)


on_compile: Callable[[str, float | None], None] = print_compilation
"""Called with an entry point's name and None before it is compiled, and with the seconds taken after. Replace it to
show compilation elsewhere: ``kernels.on_compile = my_function``. Code from the cache is loaded in silence."""


# --- decorators -------------------------------------------------------------------------------------------------------


class _KernelLibrary(JITCodeLibrary):
    """The code of a kernel, which waits to be linked: the entry point optimises it and makes it runnable, once.

    Numba would do both for every kernel with all that it calls, and again for its caller.
    """

    def _optimize_final_module(self) -> None:
        return

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _KernelLibrary:
        return self  # it is asked for set_env only

    def set_env(self, name: str, environment: Any) -> None:
        return  # where exceptions keep their objects: kernels raise none


@register_pass(mutates_CFG=False, analysis_only=True)
class _LinkOnly(AnalysisPass):
    """Puts the code of a kernel into a library of ours, before it is lowered."""

    _name = "knuckleboom_link_only"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class _KernelCompiler(CompilerBase):
    """Numba's passes, and ours before the last."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_LinkOnly, AnnotateTypes)
        passes.finalize()
        return [passes]


class _Kernel(CPUDispatcher):
    """A kernel as compiled code sees it. Without a wrapper, a call from Python would end the process."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        name = self.py_func.__qualname__
        raise TypeError(
            f"Kernel '{name}' can only be called from compiled code. Call it from an @entry_point, "
            f"or call '{name}.py_func' to run it as plain Python."
        )


def kernel(function: F) -> F:
    """Compile a function that other kernels call: no fast-math, division by zero gives inf, the GIL is free.

    A small one becomes part of its caller; a large one is left to LLVM, which compiles sooner.
    """
    return _compiled(function, inlined=sum(1 for _ in dis.get_instructions(function)) < INLINED_INSTRUCTIONS)


def shared_kernel(function: F) -> F:
    """A kernel that is short to read but calls many, and is called from several places: it is compiled once, not into
    each of its callers.
    """
    return _compiled(function, inlined=False)


def kernel_of_lines(
    title: str, arguments: str, lines: Sequence[str], scope: dict[str, Any], origin: str, *, shared: bool = False
) -> Any:  # fmt: skip
    """A kernel made of lines of code that know the names in `scope`; debuggers find them by its title and origin."""
    text = "\n    ".join([f"def {title}({arguments}):", *lines]) + "\n"
    file = f"<{title} of {origin}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), scope)
    return shared_kernel(scope[title]) if shared else kernel(scope[title])


def _compiled(function: F, *, inlined: bool) -> F:
    options = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "forceinline": inlined}
    compiled: Any = numba.njit(pipeline_class=_KernelCompiler, **options)(function)
    if compiled is not function:
        compiled.__class__ = _Kernel
    return compiled  # type: ignore[no-any-return]


def entry_point(function: F) -> F:
    """Compile a function that Python calls, and keep its machine code in our cache folder.

    The result is Numba's own dispatcher: nothing of ours stands in the way of a call.
    """
    compiled: Any = keep_on_disk(function, **OPTIONS, no_cfunc_wrapper=True)
    if compiled is not function:
        _watch.entry_points[compiled] = function.__name__
    return compiled  # type: ignore[no-any-return]


def keep_on_disk(function: F, **options: Any) -> F:
    """Compile a function with Numba's options and keep its machine code in our cache folder."""
    if numba.config.DISABLE_JIT:
        return function
    with _cache_in(cache_folder()):
        compiled: Any = numba.njit(**options, cache=True)(function)
    # Numba's own guard against errors of files, which it has for Windows only
    compiled._cache._guard_against_spurious_io_errors = _without_the_cache
    return compiled  # type: ignore[no-any-return]


@contextlib.contextmanager
def _without_the_cache() -> Iterator[None]:
    """Go on when machine code cannot be kept, as on a full disk, or what was kept is damaged: it is compiled again."""
    try:
        yield
    except Exception as problem:  # a damaged file may raise anything
        reason = getattr(problem, "strerror", None) or f"{type(problem).__name__}: {problem}"
        warnings.warn(f"Compiled code in '{cache_folder()}' could not be kept or read: {reason}.", stacklevel=3)


def plain(kernel: Any) -> Any:
    """The Python function behind a kernel, and behind those it calls, with or without compilation."""
    function = getattr(kernel, "py_func", None)
    if function is None:
        return kernel
    scope = function.__globals__
    called = {name: plain(scope[name]) for name in function.__code__.co_names if hasattr(scope.get(name), "py_func")}
    return FunctionType(function.__code__, scope | called, function.__name__)


def direct(entry: Any, *arguments: Any) -> Any:
    """The machine code of an entry point for arguments of these types, without Numba's look at the types at each call.

    A call then takes 5 µs instead of 30; the caller answers for handing over the same types every time.
    """
    if numba.config.DISABLE_JIT:
        return entry
    entry.compile(tuple(numba.typeof(argument) for argument in arguments))
    return entry.overloads[tuple(numba.typeof(argument) for argument in arguments)].entry_point


def address_of(compiled: Any, arguments: tuple[Any, ...]) -> int:
    """The address of a function's machine code for arguments of these types, compiled now if it was not."""
    compiled.compile(arguments)
    result = compiled.overloads[arguments]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


@contextlib.contextmanager
def announced_as(name: str) -> Iterator[None]:
    """Announce all compilations meanwhile as one."""
    _watch.group, _watch.group_started = name, 0.0
    try:
        yield
    finally:
        began, _watch.group = _watch.group_started, ""
        if began > 0.0:
            _note_seconds(name, time.perf_counter() - began)


def _note_seconds(name: str, seconds: float) -> None:
    compile_times[name] = compile_times.get(name, 0.0) + seconds
    on_compile(name, seconds)


class _Watch(event.Listener):
    """Hears of every compilation in the process, and reports those of our entry points, which have own rules.

    Garbage collection is off meanwhile: Numba's objects are many and stay, and to look through them again and again
    takes about a tenth of the compile time.
    """

    def __init__(self) -> None:
        self.entry_points: dict[Any, str] = {}
        self.started: dict[Any, float] = {}
        self.collecting = True
        self.group = ""  # what several are announced as
        self.group_started = 0.0

    def on_start(self, happening: Any) -> None:
        dispatcher = happening.data["dispatcher"]
        if dispatcher in self.entry_points:
            if not self.started:
                self.collecting = gc.isenabled()
                gc.disable()
            self.started[dispatcher] = time.perf_counter()
            use_our_rules()
            if not self.group or self.group_started == 0.0:
                on_compile(self.group or self.entry_points[dispatcher], None)
                self.group_started = self.started[dispatcher]

    def on_end(self, happening: Any) -> None:
        dispatcher = happening.data["dispatcher"]
        if dispatcher in self.started:
            use_their_rules()
            name, seconds = self.entry_points[dispatcher], time.perf_counter() - self.started.pop(dispatcher)
            if self.collecting and not self.started:
                gc.enable()
            if not self.group:
                _note_seconds(name, seconds)


_watch = _Watch()
event.register("numba:compile", _watch)


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    # Numba reads CACHE_DIR when the decorator runs, so it is ours for that moment only
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


# --- the cache folder -------------------------------------------------------------------------------------------------


@functools.cache
def cache_folder() -> Path:
    """The folder of this process's machine code, made if needed; a temporary one, with a warning, if it cannot be."""
    root = cache_root()
    folder = root / code_hash()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError as problem:
        folder = Path(tempfile.mkdtemp(prefix="knuckleboom-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        warnings.warn(
            f"The cache folder '{root}' cannot be written ({problem.strerror}), so compiled code is not kept and every "
            f"start compiles again. Set {CACHE_VARIABLE} to a folder that can be written.",
            stacklevel=3,
        )
        return folder
    remove_old_folders(root, keep=folder)
    return folder


def cache_root() -> Path:
    """The user's cache folder for us, by the rule of the platform; ``KNUCKLEBOOM_CACHE_DIR`` goes before it."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "knuckleboom" / "kernels"


def remove_old_folders(root: Path, keep: Path) -> None:
    """Remove all but the newest few hash folders under ``root``; what cannot be removed stays."""
    ages = []
    for folder in root.iterdir():
        with contextlib.suppress(OSError):
            ages.append((folder.stat().st_mtime, folder))
    ages.sort(reverse=True)
    oldest_kept = time.time() - KEPT_SECONDS
    for used, folder in ages[KEPT_FOLDERS:]:
        if used < oldest_kept and folder != keep and _is_hash(folder.name):
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def code_hash() -> str:
    """Name everything that shapes the machine code, in 32 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=16)
    _add_sources(digest, Path(__file__).parent, WITHOUT_KERNELS)
    for place in _plugin_sources():
        _add_sources(digest, place)
    points = importlib.metadata.entry_points(group=PLUGIN_GROUP)
    facts = (
        *sorted((point.name, point.value) for point in points),
        platform.python_version(),
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        numba.config.CPU_NAME,
        numba.config.CPU_FEATURES,
        *(getattr(numba.config, switch, None) for switch in CODE_SWITCHES),
    )
    digest.update(repr(facts).encode())
    return digest.hexdigest()


def _plugin_sources() -> list[Path]:
    """Folders and single files of the packages that offer parts, found without importing them."""
    packages = {point.module.split(".")[0] for point in importlib.metadata.entry_points(group=PLUGIN_GROUP)}
    places: list[Path] = []
    for package in sorted(packages):
        spec = importlib.util.find_spec(package)
        if spec is None:
            continue
        if spec.submodule_search_locations is not None:
            places += [Path(folder) for folder in spec.submodule_search_locations]
        elif spec.origin is not None:
            places.append(Path(spec.origin))
    return places


def _add_sources(digest: hashlib.blake2b, place: Path, left_out: frozenset[str] = frozenset()) -> None:
    if place.is_file():
        digest.update(place.read_bytes())
        return
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and name not in left_out)
        for name in sorted(files):
            if name.endswith(".py") and name not in left_out:
                # name and length go in too, so that text moved between files is a change
                with open(os.path.join(folder, name), "rb") as source:
                    text = source.read()
                digest.update(f"{os.path.relpath(folder, place)}/{name} {len(text)}\n".encode())
                digest.update(text)


def _is_hash(name: str) -> bool:
    return len(name) == 32 and all(letter in "0123456789abcdef" for letter in name)
