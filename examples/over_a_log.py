# SPDX-License-Identifier: BSD-3-Clause
"""A harvester drives over half a log, a ridge of 0.3 m across its way, pushed by a given torque on each of its wheels.

    python examples/over_a_log.py

Its brakes are released. A torque on every axle rises within half a second and stays; a drag that grows with speed
stands for the hydrostatic drive, so that it goes at about 1 m/s where nothing is in its way. The log is a ridge of a
height field, since tires touch terrains only: it does not roll away. Nobody operates the crane: its oil cavitates as
the machine drops from the ridge, and the run warns of it. Written is `over_a_log.html`, a report with the machine in
motion. Machine, torque and drag are ours. Tested in validation/analytic/test_over_a_log.py
"""

import math

import knuckleboom as kb

LOG, HEIGHT = 3.0, 0.3  # m: where it lies, ahead of the machine's origin; its radius and height
WHEELS = [f"{side}_{place}" for side in ("left", "right") for place in ("1", "2", "rear")]
TORQUE, DRAG = 13e3, 8e3  # N·m and N·m·s/rad, of each wheel


def height(x: float, y: float) -> float:
    """Height of the ground, m: a log that is half in it."""
    return math.sqrt(max(HEIGHT**2 - (x - LOG) ** 2, 0.0))


def machine() -> kb.Machine:
    """harvester-25 with a log before it, its brakes released, and a torque on every wheel."""
    m = kb.catalogue.machine("harvester-25")
    m["floor"].change(heights=height, spacing="5 cm", size=(2.0, 6.0), at=(LOG - 1.0, -3.0, 0.0))
    for name in WHEELS:
        m[f"wheel_{name}_brake"].change(coulomb=10.0, bristle_stiffness=1e3, bristle_damping=100.0, viscous=DRAG)
        m.effort(f"drive_{name}", f"wheel_{name}_axle")
    return m


def driven(seconds: float = 9.0, step: str = "1 ms", torque: float = TORQUE) -> kb.Results:
    """Drive it."""
    rising = kb.table([0.0, 0.5], [0.0, torque])
    inputs = {f"drive_{name}": rising for name in WHEELS}
    return kb.simulate(machine(), seconds, step=step, record="10 ms", inputs=inputs)


if __name__ == "__main__":
    driven().report("over_a_log.html")
