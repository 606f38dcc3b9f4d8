# SPDX-License-Identifier: BSD-3-Clause
"""Reference solutions of the library's mechanisms, made without our engine: geometry, energy and SciPy.

Each file states its own numbers, so that a wrong one in the catalogue shows, derives the motion from geometry in the
fewest coordinates, and gives `path(times)`: where the compared point is, m, in the catalogue's axes. None of them
imports anything of the simulator; a contract for import-linter sees to it. They stand here and not under validation/
because `bench library` measures errors against them wherever the package is installed.
"""
