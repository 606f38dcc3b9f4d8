# SPDX-License-Identifier: BSD-3-Clause
"""A controller of its own process that holds the excavator's boom at a height, through the external interface.

    knuckleboom drive excavator --external 8361 --lockstep          in one terminal
    python examples/boom_controller.py --angle 35                   in another, on this computer or a third

It closes a loop on the boom: reads angle and rate at the boom's foot, and moves the lever of the boom. The other levers
stay the operator's. The spool has a dead band (overlap), which the controller steps over. Ctrl-C leaves the machine,
and its boom, to the operator. Needs nothing but Python's own library. Tested in tests/cabin/test_example.py.
"""

import argparse
import math

from knuckleboom.cabin.external_client import ExternalClient, ExternalError, ExternalLine

ANGLE, RATE, LEVER = "boom_pin.angle", "boom_pin.angle_rate", "boom"
GAIN, DAMPING = 4.0, 0.8  # of the lever per rad, per rad/s
DEAD_BAND, CALM = 0.08, math.radians(0.2)  # of the spool; error within which it rests
FASTEST = 0.6  # of the lever


def lever(wanted: float, line: ExternalLine) -> float:
    """Return where to hold the lever for a wanted angle [rad]."""
    error = wanted - line[ANGLE]
    if abs(error) < CALM:
        return 0.0
    speed = GAIN * error - DAMPING * line[RATE]
    return max(-FASTEST, min(FASTEST, speed + math.copysign(DEAD_BAND, speed)))


def hold(machine: ExternalClient, wanted: float, seconds: float) -> ExternalLine:
    """Hold an angle [rad] for a time of the machine, and return the last line."""
    line = machine.line()
    end = line.time + seconds
    while line.time < end:
        line = machine.exchange({LEVER: lever(wanted, line)})
    machine.answer({LEVER: None})
    return line


def main() -> None:
    """Read the command line and control."""
    words = argparse.ArgumentParser(description="Hold the excavator's boom at an angle.")
    words.add_argument("--host", default="127.0.0.1")
    words.add_argument("--port", type=int, default=8361)
    words.add_argument("--token", default="")
    words.add_argument("--angle", type=float, default=35.0, help="degrees")
    words.add_argument("--seconds", type=float, default=20.0, help="of the machine's time")
    given = words.parse_args()
    try:
        with ExternalClient(given.port, given.host, token=given.token, reads=[ANGLE, RATE], writes=[LEVER]) as machine:
            print(f"{machine.hello['machine']}, a line every {1e3 * machine.interval:g} ms, {machine.hello['mode']}")
            line = hold(machine, math.radians(given.angle), given.seconds)
            print(f"boom at {math.degrees(line[ANGLE]):.2f} degrees at t = {line.time:.1f} s, {line.drops} drops")
    except ExternalError as error:
        raise SystemExit(str(error)) from error
    except KeyboardInterrupt:
        print("The boom is the operator's.")


if __name__ == "__main__":
    main()
