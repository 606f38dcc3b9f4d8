# SPDX-License-Identifier: BSD-3-Clause
"""The list of kinds: every part class a machine can hold, by kind and by section.

Built from the families' own lists, from `register`, and from the entry points `knuckleboom.parts` of installed
packages, which are looked up when a kind is not found or all are asked for. There is no second list.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable

from knuckleboom.describe import Part
from knuckleboom.hydraulics.parts import PARTS as HYDRAULICS
from knuckleboom.interface.parts import PARTS as INTERFACE
from knuckleboom.mechanics.parts import PARTS as MECHANICS
from knuckleboom.names import closest

ENTRY_POINTS = "knuckleboom.parts"

SYNONYMS = {
    "revolute": ("hinge", "pin", "pivot", "rotary", "bearing"), "prismatic": ("slide", "slider", "linear", "guide"),
    "spherical": ("ball", "ball_joint", "socket"), "universal": ("cardan", "cross"), "fixed": ("weld", "rigid", "bolt"),
    "body": ("link", "mass", "part"), "cylinder": ("ram", "jack", "piston", "actuator"), "winch": ("hoist", "drum"),
    "restrictor": ("orifice", "throttle", "nozzle"), "check_valve": ("check", "non_return_valve", "one_way_valve"),
    "relief_valve": ("relief", "safety_valve"), "valve_4_3": ("valve", "spool", "directional_valve", "control_valve"),
    "tank": ("reservoir", "sump"), "junction": ("node", "tee"), "volume": ("chamber",), "hose": ("tube",),
    "pressure": ("pressure_source", "supply"), "counterbalance_valve": ("holding_valve", "overcenter_valve"),
    "accumulator": ("bladder",), "driver": ("drive", "motion"), "oil": ("fluid",), "joint_stop": ("limit", "end_stop"),
    "damper": ("dashpot", "shock_absorber"), "spring": ("coil",), "rod": ("distance", "massless_link"),
    "shaft": ("flywheel", "axle", "crankshaft"), "gear_stage": ("gearbox", "reduction"),
    "held_sum": ("differential", "planetary", "planetary_gear", "sum"), "engine_droop": ("engine", "diesel"),
    "oil_column": ("inertance", "fluid_inertia"), "terrain": ("floor", "plane", "height_field", "surface", "wall"),
}  # fmt: skip
"""Kinds by other names that people look for them under."""

TOP_LEVEL = ("knuckleboom", "machine", "gravity", "ambient", "groups", "appearance", "levers", "cases")
"""Keys of a YAML file that are not sections of parts."""

_kinds: dict[str, type[Part]] = {}
_reserved: set[str] = set()
_outside_loaded = False


def register(kind: type[Part]) -> type[Part]:
    """Add a kind of part; also usable as a decorator. Registering the same class again does nothing."""
    if not (isinstance(kind, type) and issubclass(kind, Part)):
        raise TypeError(f"{kind!r} is not a class of Part")
    held = _kinds.get(kind.KIND)
    if held is kind:
        return kind
    if held is not None and (held.__module__, held.__qualname__) != (kind.__module__, kind.__qualname__):
        raise ValueError(f"there is a kind '{kind.KIND}' already, {held.__module__}.{held.__qualname__}")
    if not kind.KIND.isidentifier() or kind.KIND.startswith("_") or kind.KIND in _reserved:
        raise ValueError(f"'{kind.KIND}' cannot be the name of a kind; Machine uses it, or it is no identifier")
    if kind.SECTION in TOP_LEVEL:
        raise ValueError(f"'{kind.SECTION}' cannot be a section of parts; files use it already")
    others = [other for other in _kinds.values() if other.SECTION == kind.SECTION and other is not held]
    if any(not other.SHARED for other in others) or (others and not kind.SHARED):
        raise ValueError(f"section '{kind.SECTION}' belongs to {others[0].KIND}; give {kind.__name__} its own SECTION")
    _kinds[kind.KIND] = kind
    return kind


def reserve(names: Iterable[str]) -> None:
    """Keep names of Machine's own attributes from becoming kinds."""
    _reserved.update(names)


def find(kind: str) -> type[Part] | None:
    """Return the class of a kind, or None."""
    if kind not in _kinds:
        _load_outside()
    return _kinds.get(kind)


def nearest(name: str, others: Iterable[str] = ()) -> list[str]:
    """Return the kinds, and other names, that are meant by or look most like a name."""
    meant = [kind for kind, words in SYNONYMS.items() if name.lower() in words]
    return meant or closest(name, [*all_kinds(), *(other for other in others if not other.startswith("_"))])


def all_kinds() -> dict[str, type[Part]]:
    """Return every kind, in the order they were registered."""
    _load_outside()
    return dict(_kinds)


def sections() -> dict[str, list[type[Part]]]:
    """Return the kinds of each section of a file, in order."""
    found: dict[str, list[type[Part]]] = {}
    for kind in all_kinds().values():
        found.setdefault(kind.SECTION, []).append(kind)
    return found


def _load_outside() -> None:
    global _outside_loaded
    if _outside_loaded:
        return
    _outside_loaded = True
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        if entry.attr:  # a module is an element: interface/outside.py
            register(entry.load())


for _kind in (*MECHANICS, *INTERFACE, *HYDRAULICS):
    register(_kind)
