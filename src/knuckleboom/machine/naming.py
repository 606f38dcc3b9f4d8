# SPDX-License-Identifier: BSD-3-Clause
"""Names of parts and points: which are allowed.

A name is one or more words joined by dots; a word is letters, digits, underscores and hyphens, and the first begins
with a letter. Groups put their prefix in front with a dot. `ground` is the world, `time` and `energy` are results of
every run.
"""

import re
from collections.abc import Iterator

from knuckleboom.describe import Fault
from knuckleboom.quantities import show

RESERVED = ("ground", "time", "energy")
LONGEST = 200

_NAME = re.compile(r"[^\W\d_][\w-]*(?:\.[\w-]+)*")


def name_faults(name: str, what: str = "its name") -> Iterator[Fault]:
    """Yield what is wrong with the name of a part, a point or a group."""
    if not _NAME.fullmatch(name) or not name.isprintable():
        yield Fault(
            f"{what} is not allowed.",
            "Use letters, digits, _ and -, beginning with a letter; dots join the words of a path.",
        )
    elif len(name) > LONGEST:
        yield Fault(f"{what} has {len(name)} letters.", f"Use at most {LONGEST}.")
    elif name.split(".")[0] in RESERVED:
        yield Fault(f"{what} begins with '{name.split('.')[0]}', which is taken.", "Choose another name.")


def point_faults(point: str) -> Iterator[Fault]:
    """Yield what is wrong with the name of a point, frame or mass on a body; any word is free there."""
    yield from name_faults(f"body.{point}", f"the name {show(point)}")
