# SPDX-License-Identifier: BSD-3-Clause
"""One version number: `knuckleboom.__version__`; the changelog's newest section, the package and every run agree."""

import re
import tomllib
from pathlib import Path

import knuckleboom as kb

ROOT = Path(__file__).parents[2]


def test_the_newest_section_of_the_changelog_is_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert re.search(r"^## (\S+)", text, flags=re.MULTILINE)[1] == kb.__version__


def test_the_package_reads_its_version_from_the_code():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    source = (ROOT / settings["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")

    assert settings["project"]["dynamic"] == ["version"]
    assert "version" not in settings["project"]
    # the pattern by which hatchling finds it
    assert re.findall(r"(?m)^__version__ = \"(.+?)\"$", source) == [kb.__version__]


def test_a_run_carries_it():
    m = kb.Machine("rod")
    rod = m.body("rod", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.17, 0.17))
    m.revolute("foot", m.ground, rod, axis="y")

    run = kb.simulate(m, "10 ms")

    assert run.meta["version"] == kb.__version__
    assert kb.__version__ in str(run.citations())


def test_every_extra_of_the_package_has_code_that_imports_it():
    """An extra is there for code of ours; the tools that tests and linters are run with are in `dev`."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    imported = {"pin": "pinocchio", "websockets": "uvicorn"}  # uvicorn speaks to pages through websockets
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))

    for extra, packages in settings["project"]["optional-dependencies"].items():
        for package in packages if extra != "dev" else ():
            name = re.match(r"[\w-]+", package)[0]
            module = imported.get(name, name)
            assert re.search(rf"(?m)^\s*(import|from) {module}\b|\"{module}\"", code), f"[{extra}] {package}"
