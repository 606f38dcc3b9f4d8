# SPDX-License-Identifier: BSD-3-Clause
"""A user's own hydraulic code, in plain Python and SciPy, as the power side of `peiret-arm` in a process of its own.

    python examples/arm_hydraulics.py --run                  both halves: this program starts the other one by itself
    python examples/arm_hydraulics.py --port 8362            only the oil; the arm is a run with kb.OtherHalf(8362)

Two double-acting cylinders, each with a 4/3 valve between 210 bar and 5 bar, oil of constant bulk modulus, and the
cylinders' viscous friction. Nothing here knows of the arm: where its pins are, how fast they move and how they respond
to force comes through the interface every exchange, and forces go back. Formulas are those of docs/theory/laws.md,
numbers those of src/knuckleboom/catalogue/peiret_arm.py. Tested in tests/halves/test_example.py.
"""

import argparse
import math
import subprocess
import sys

import numpy as np

from knuckleboom.halves.client import PowerHalf

PUMP, TANK, AMBIENT, BULK = 210e5, 5e5, 101325.0, 1.4e9  # Pa
STROKE, DEAD, VISCOUS = 0.6, 1e-4, 3000.0  # m, m³, N·s/m
EDGE, SMOOTH = 35e5, 2e5  # Pa: at this drop an edge passes its flow; below that one the root is smoothed


class Cylinder:
    """A cylinder with its valve: rates of both pressures, and the force."""

    def __init__(self, bore, rod, closed, flow, spool):
        self.a, self.b = 0.25 * math.pi * bore**2, 0.25 * math.pi * (bore**2 - rod**2)
        self.closed, self.kq, self.spool = closed, flow / 6e4 / math.sqrt(EDGE), spool  # l/min

    def flow(self, drop):
        """Flow through an edge that is fully open, m³/s."""
        if abs(drop) >= SMOOTH:
            return math.copysign(self.kq * math.sqrt(abs(drop)), drop)
        return self.kq * drop / math.sqrt(SMOOTH) * (5.0 - (drop / SMOOTH) ** 2) / 4.0

    def rates(self, t, p, s, w):
        """Rates of both pressures, Pa/s."""
        u = [value for time, value in self.spool if time <= t][-1]
        from_pump, to_tank = max(u, 0.0), max(-u, 0.0)
        q_a = from_pump * self.flow(PUMP - p[0]) - to_tank * self.flow(p[0] - TANK)
        q_b = to_tank * self.flow(PUMP - p[1]) - from_pump * self.flow(p[1] - TANK)
        gone = s - self.closed
        v_a, v_b = DEAD + self.a * gone, DEAD + self.b * (STROKE - gone)
        return BULK / v_a * (q_a - self.a * w), BULK / v_b * (q_b + self.b * w)

    def force(self, p, w):
        """Force that pushes its pins apart, N."""
        return self.a * (p[0] - AMBIENT) - self.b * (p[1] - AMBIENT) - VISCOUS * w


CYLINDERS = {
    "lift": Cylinder(0.080, 0.045, 0.81, 20.0, ((0.0, 0.0), (0.2, 0.6), (1.0, 0.0), (1.4, -0.6), (2.2, 0.0))),
    "fold": Cylinder(0.063, 0.045, 0.91, 12.0, ((0.0, 0.0), (0.3, -0.6), (1.2, 0.0), (1.5, 0.6), (2.4, 0.0))),
}
START = {"lift": (7534329.67, 80e5), "fold": (3638930.33, 80e5)}  # Pa: they carry the arm
NOW = 1e-9  # s: what is due at this very moment acts


def own_oil(half):
    """Carry out all exchanges of a run, and return time and pressures at the end of each."""
    cylinders = [CYLINDERS[name] for name in half.names]
    count = len(cylinders)

    def rates(t, p, s, w):
        return np.ravel([one.rates(t + NOW, p[2 * i : 2 * i + 2], s[i], w[i]) for i, one in enumerate(cylinders)])

    def forces(t, p, s, w):
        return [cylinders[i].force(p[2 * i : 2 * i + 2], w[i]) for i in range(count)]

    p = np.ravel([START[name] for name in half.names])
    record = []
    for exchange in half:
        p = exchange.integrate(rates, forces, p)
        record.append((exchange.now, *p))
    return np.array(record)


ARM = """
import knuckleboom as kb

arm = kb.catalogue.machine("peiret-arm")
with kb.OtherHalf(0) as half:
    print(half.port, flush=True)
    run = kb.simulate(arm, "3 s", step="10 ms", power=half)
lift, fold = (run[f"{name}.length"].values[-1] for name in ("lift", "fold"))
print(f"lift {lift:.4f} m, fold {fold:.4f} m after {run.time[-1]:g} s")
"""


def main():
    """Read the command line and compute."""
    words = argparse.ArgumentParser(description="The oil of peiret-arm, as the other half of a run.")
    words.add_argument("--port", type=int, default=8362)
    words.add_argument("--run", action="store_true", help="start the arm's half, too")
    given = words.parse_args()
    other = subprocess.Popen([sys.executable, "-c", ARM], stdout=subprocess.PIPE, text=True) if given.run else None
    port = int(other.stdout.readline()) if other else given.port
    with PowerHalf(port) as half:
        record = own_oil(half)
    print(f"{len(record) - 1} exchanges, highest pressure {1e-5 * record[:, 1:].max():.1f} bar")
    if other:
        print(other.communicate(timeout=60)[0], end="")


if __name__ == "__main__":
    main()
