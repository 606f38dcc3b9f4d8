# SPDX-License-Identifier: BSD-3-Clause
"""Rod: keeps the distance between two places constant, without mass.

    |p_b − p_a| = length                one constraint row; its multiplier is the force in the rod

Frames do not matter, only the places' origins. The length defaults to the distance at the start pose; the assembly
keeps a given length. Singular when both places coincide: use a spherical joint then.
Validated by: validation/analytic/test_rod.py
"""

from knuckleboom.describe import Part, Place, param
from knuckleboom.quantities import Length


class Rod(Part):
    """A massless rod with a ball at each end."""

    a: Place = param("place at one end")
    b: Place = param("place at the other end")
    length: Length | None = param("distance between the places; default: that at the start", None, above=0)
