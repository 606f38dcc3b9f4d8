# SPDX-License-Identifier: BSD-3-Clause
"""The compile cache: what was edited is compiled again, what was not is loaded in silence, and Python is told.

Most cases run small programs in processes of their own with a plug-in made for it, because a cache is only worth what
the next process finds in it.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from installed_package import install
from kernel_call import callable_kernel
from knuckleboom import kernels
from knuckleboom.kernels import entry_point, kernel

PROGRAM = """
import json, sys
import numba
from knuckleboom import kernels
before = numba.config.CACHE_DIR
from toy_run import run
print(json.dumps({
    "answer": run(10.0),
    "compiled": sorted(kernels.compile_times),
    "cache_kept": numba.config.CACHE_DIR == before,
    "folder": str(kernels.cache_folder()),
}))
"""
LAW = """
from knuckleboom.kernels import kernel
@kernel
def law(x):
    return 2.0 * x
"""
RUN = """
from knuckleboom.kernels import entry_point
from toy_law import law
@entry_point
def run(x):
    return law(x)
"""


@kernel
def reciprocal(x):
    return 1.0 / x


@pytest.fixture
def toy(tmp_path):
    """A plug-in of two modules, installed as far as Python can tell, and an empty cache folder."""
    points = {"law": "toy_law:law", "run": "toy_run:run"}
    return install(tmp_path / "site", "toy", points, {"toy_law.py": LAW, "toy_run.py": RUN})


def start(
    site: Path, cache: Path, prepare: Callable[[], None] | None = None, **variables: str
) -> tuple[dict[str, object], str]:
    source = Path(kernels.__file__).parents[1]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(site), str(source)]),
        "KNUCKLEBOOM_CACHE_DIR": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, env=environment | variables, capture_output=True, text=True, check=True, preexec_fn=prepare
    )
    return json.loads(done.stdout), done.stderr


@pytest.mark.slow
def test_second_start_loads_in_silence(toy, tmp_path):
    first, told = start(toy, tmp_path / "cache")
    second, nothing = start(toy, tmp_path / "cache")

    assert first["compiled"] == ["run"]
    assert "compiling run (once" in told and "compiled run in" in told
    assert second["compiled"] == []
    assert nothing == ""
    assert first["answer"] == second["answer"] == 20.0


@pytest.mark.slow
def test_edit_in_an_imported_file_is_noticed(toy, tmp_path):
    start(toy, tmp_path / "cache")
    (toy / "toy_law.py").write_text(LAW.replace("2.0", "3.0"))

    edited, _ = start(toy, tmp_path / "cache")

    assert edited["answer"] == 30.0
    assert edited["compiled"] == ["run"]


@pytest.mark.slow
def test_switch_that_changes_code_has_a_folder_of_its_own(toy, tmp_path):
    plain, _ = start(toy, tmp_path / "cache")
    checked, _ = start(toy, tmp_path / "cache", NUMBA_BOUNDSCHECK="1")

    assert plain["folder"] != checked["folder"]


@pytest.mark.slow
def test_other_packages_keep_their_cache(toy, tmp_path):
    answer, _ = start(toy, tmp_path / "cache")

    assert answer["cache_kept"]


@pytest.mark.slow
def test_unwritable_folder_gives_a_warning_and_works(toy, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")

    answer, told = start(toy, blocked)

    assert answer["answer"] == 20.0
    assert "cannot be written" in told and "KNUCKLEBOOM_CACHE_DIR" in told
    assert not Path(str(answer["folder"])).exists()  # the temporary one was removed


@pytest.mark.slow
def test_a_full_disk_gives_a_warning_and_works(toy, tmp_path):
    """No file may be larger than 1 kB: the folder can be written, the machine code cannot."""

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    answer, told = start(toy, tmp_path / "cache", prepare=little_room)

    assert answer["answer"] == 20.0
    assert "could not be kept or read: File too large." in told


@pytest.mark.slow
def test_a_damaged_cache_is_compiled_again(toy, tmp_path):
    start(toy, tmp_path / "cache")
    for path in (tmp_path / "cache").rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:100])

    answer, told = start(toy, tmp_path / "cache")

    assert answer["answer"] == 20.0 and answer["compiled"] == ["run"]
    assert "could not be kept or read" in told


@pytest.mark.slow
def test_without_the_compiler_it_is_plain_python(toy, tmp_path):
    answer, told = start(toy, tmp_path / "cache", NUMBA_DISABLE_JIT="1")

    assert answer["answer"] == 20.0
    assert answer["compiled"] == []
    assert told == ""


def test_kernel_called_from_python_says_so():
    with pytest.raises(TypeError, match="Kernel 'reciprocal' can only be called from compiled code"):
        reciprocal(1.0)


def test_kernel_divides_as_numpy_does():
    assert callable_kernel(reciprocal)(0.0) == np.inf


def test_hook_hears_start_and_end(monkeypatch, tmp_path):
    heard = []
    monkeypatch.setattr(kernels, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(kernels, "on_compile", lambda name, seconds: heard.append((name, seconds)))

    @entry_point
    def twice_reciprocal(x):
        return 2.0 * reciprocal(x)

    assert twice_reciprocal(4.0) == 0.5
    assert heard == [("twice_reciprocal", None), ("twice_reciprocal", kernels.compile_times["twice_reciprocal"])]


def test_old_folders_are_removed(tmp_path):
    now = time.time()
    ages = {f"{number:032x}": now - 3600.0 * (number + 1) for number in range(9)}
    for name, used in ages.items():
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (used, used))
    (tmp_path / "notes").mkdir()
    os.utime(tmp_path / "notes", (0.0, 0.0))

    kernels.remove_old_folders(tmp_path, keep=tmp_path / f"{8:032x}")

    left = {folder.name for folder in tmp_path.iterdir()}
    assert left == {f"{number:032x}" for number in (0, 1, 2, 3, 4, 8)} | {"notes"}


def test_folder_in_recent_use_is_not_removed(tmp_path):
    for number in range(9):
        (tmp_path / f"{number:032x}").mkdir()

    kernels.remove_old_folders(tmp_path, keep=tmp_path / f"{0:032x}")

    assert len(list(tmp_path.iterdir())) == 9


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "~/.cache/knuckleboom/kernels"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/knuckleboom/kernels"),
        ("darwin", {}, "~/Library/Caches/knuckleboom/kernels"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/knuckleboom/kernels"),
        ("linux", {"KNUCKLEBOOM_CACHE_DIR": "/mine"}, "/mine"),
    ],
)
def test_cache_root_follows_the_platform(monkeypatch, platform, variables, expected):
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "KNUCKLEBOOM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert kernels.cache_root() == Path(expected).expanduser()


def test_plain_python_when_the_jit_is_off(monkeypatch):
    monkeypatch.setattr(kernels.numba.config, "DISABLE_JIT", True)

    def law(x):
        return x

    assert kernel(law) is law
    assert entry_point(law) is law


def test_sources_of_plugins_are_found(toy, monkeypatch):
    monkeypatch.syspath_prepend(str(toy))

    assert {toy / "toy_law.py", toy / "toy_run.py"} <= set(kernels._plugin_sources())


def test_garbage_collection_is_off_while_an_entry_point_is_compiled(monkeypatch):
    watch, outer, inner = kernels._Watch(), object(), object()
    watch.entry_points = {outer: "outer", inner: "inner"}
    monkeypatch.setattr(kernels, "on_compile", lambda name, seconds: None)
    seen = []
    for happen, dispatcher in (
        (watch.on_start, outer),
        (watch.on_start, inner),
        (watch.on_end, inner),
        (watch.on_end, outer),
    ):
        happen(types.SimpleNamespace(data={"dispatcher": dispatcher}))
        seen.append(gc.isenabled())

    assert seen == [False, False, False, True]
