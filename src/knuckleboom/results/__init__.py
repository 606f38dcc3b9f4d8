# SPDX-License-Identifier: BSD-3-Clause
"""Results: what a run computed, by name, with units; files of it; the energy audit's table.

`Results` and `Quantity` are what users hold, `load` reads a netCDF file back, `EnergyAudit` is the table that
`run.energy()` returns, `Workspace` what kb.workspace finds, `Comparison` what kb.compare does. Nothing here knows the
engine: a record, its names and a dictionary about the run come in.
"""

import sys

from knuckleboom.results.comparison import Comparison
from knuckleboom.results.energy import EnergyAudit, Stored
from knuckleboom.results.export import ExportError
from knuckleboom.results.files import FileError
from knuckleboom.results.found import Found
from knuckleboom.results.quantity import Quantity
from knuckleboom.results.results import Results, load
from knuckleboom.results.workspace import Workspace

__all__ = [
    "Comparison", "EnergyAudit", "ExportError", "FileError", "Found", "Quantity", "Results", "Stored", "Workspace",
    "load",
]  # fmt: skip

# the package hangs plot, energy and report onto them; not imported, since it stands above
sys.modules["knuckleboom"]._attach()
