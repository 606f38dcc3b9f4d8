# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom version`: our version; with `--info` also everything a report of a fault should say."""

import importlib.metadata
import os
import platform
from typing import Annotated, Any

import typer

from knuckleboom import __version__
from knuckleboom.cli.output import Json, Output

NAME = "version"
EXAMPLE = "knuckleboom version --info"

PACKAGES = (
    "numba", "llvmlite", "numpy", "scipy", "pydantic", "PyYAML", "pint", "xarray", "netCDF4", "typer", "rich",
    "matplotlib", "plotly", "mujoco", "pin", "exudyn",
)  # fmt: skip


def command(
    info: Annotated[bool, typer.Option("--info", help="Also Python, packages, processor and cache folder.")] = False,
    json: Json = False,
) -> None:
    """Print the version of Knuckleboom."""
    output = Output(json)
    data: dict[str, Any] = {"version": __version__}
    if info:
        data.update(surroundings())
    output.document(data)
    output.say(f"knuckleboom {data['version']}")
    if info:
        packages = data.pop("packages")
        rows = [(key.replace("_", " "), value) for key, value in data.items() if key != "version"]
        rows += [(name, version or "not installed") for name, version in packages.items()]
        output.table("", ("what", "is"), rows)


def surroundings() -> dict[str, Any]:
    """Return what shapes numbers and speed: Python, the system, the processor, packages, the compile cache."""
    import llvmlite.binding

    from knuckleboom.kernels import cache_root

    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": llvmlite.binding.get_host_cpu_name(),
        "cores": os.cpu_count() or 1,
        "cache_folder": str(cache_root()),
        "packages": {name: installed(name) for name in PACKAGES},
    }


def installed(package: str) -> str | None:
    """Return the version of an installed package without importing it."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
