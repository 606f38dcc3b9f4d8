# SPDX-License-Identifier: BSD-3-Clause
"""Independent solutions that the validations compare with: closed forms, quadratures and equations integrated by SciPy.

Nothing here imports the package's own mechanics or hydraulics. Each module is checked against itself (a second
integrator, a conserved quantity, a limit) in ``validation/analytic/test_references.py``.
"""
