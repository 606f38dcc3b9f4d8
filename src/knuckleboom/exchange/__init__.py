# SPDX-License-Identifier: BSD-3-Clause
"""Exchange: files of other programs as machines, and mass properties of meshes."""

from knuckleboom.exchange.hull_points import hull_points
from knuckleboom.exchange.import_robot import import_robot
from knuckleboom.exchange.imported import Imported, LeftOut
from knuckleboom.exchange.mass_properties import mass_properties

__all__ = ["Imported", "LeftOut", "hull_points", "import_robot", "mass_properties"]
