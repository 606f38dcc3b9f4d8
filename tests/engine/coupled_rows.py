# SPDX-License-Identifier: BSD-3-Clause
"""An element with all that an element may have: two rows, a third that it reads, two states, a signal, every slope."""

from knuckleboom.interface.contract import Element, State
from knuckleboom.kernels import kernel

ELEMENT = Element(
    gives=("force", "by_s", "by_w", "by_z", "by_force", "rate", "rate_z", "rate_s", "rate_w"),
    columns=("stiffness",),
    rows=("one", "two"),
    reads=("load",),
    states=(State("first", "a state", "m"), State("second", "another", "m")),
    signals=("wanted",),
    label="coupled_",
)


@kernel
def law(s_one, s_two, w_one, w_two, force_load, first, second, wanted, stiffness):
    """Return λ, its slopes by s, w, z and the force that is read, ż and its slopes by z, s and w."""
    # numbers without meaning, so that every slope is another one
    force = (
        -stiffness * (s_one + 0.3 * s_two * s_two) - 50.0 * w_one * w_two + 200.0 * first + 0.1 * force_load * second,
        -stiffness * (s_two - 0.2 * s_one) - 40.0 * w_two - 30.0 * w_one + 70.0 * first * second - 0.05 * force_load,
    )
    by_s = (-stiffness, -0.6 * stiffness * s_two, 0.2 * stiffness, -stiffness)
    by_w = (-50.0 * w_two, -50.0 * w_one, -30.0, -40.0)
    by_z = (200.0, 0.1 * force_load, 70.0 * second, 70.0 * first)
    rate = (
        w_one - 30.0 * first + 0.2 * s_two + 0.1 * second * w_two + wanted,
        0.5 * w_two - 20.0 * second + 0.4 * s_one * first,
    )
    rate_z = (-30.0, 0.1 * w_two, 0.4 * s_one, -20.0)
    rate_s = (0.0, 0.2, 0.4 * first, 0.0)
    return force, by_s, by_w, by_z, (0.1 * second, -0.05), rate, rate_z, rate_s, (1.0, 0.1 * second, 0.0, 0.5)
