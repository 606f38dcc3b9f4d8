# SPDX-License-Identifier: BSD-3-Clause
"""The sizes of all arrays, the blocks of the record, and a Work to run in."""

from __future__ import annotations

from typing import Any

import numpy as np

from knuckleboom.engine.observe import BLOCKS
from knuckleboom.layout import COPIES, STATE, WORK_FAMILIES, WORK_FIELDS, flatten, group
from knuckleboom.mechanics.accelerations import DENSE, FACTORISATIONS, GRADIENTS
from knuckleboom.mechanics.elements import turn
from knuckleboom.mechanics.rows.description import continued
from knuckleboom.methods import Method
from knuckleboom.plan.contacts import contact_sizes
from knuckleboom.plan.elements import block_sizes, declared
from knuckleboom.plan.exchange import exchange_sizes
from knuckleboom.plan.impulses import impulse_sizes
from knuckleboom.plan.pairs import pair_sizes
from knuckleboom.plan.reactions import reacting_joints
from knuckleboom.plan.tables import Layout, body_names
from knuckleboom.plan.tangent import matrix_entries, response_entries
from knuckleboom.plan.tires import tire_sizes


def sizes(layout: Layout, tables: dict[str, np.ndarray], method: Method) -> dict[str, int]:
    """The symbolic sizes of layout.py."""
    nv, nloop = layout.topology.nv, layout.nloop
    nscrew = nv + len(tables["links.shape"]) + len(tables["links.between"])
    newton = method.enforcement == "index3"
    dense = FACTORISATIONS[method.factorisation] == DENSE and not newton
    size = {
        "nlink": len(layout.topology.links), "nq": layout.topology.nq, "nv": nv, "nscrew": nscrew, "nloop": nloop,
        "nlean": nscrew if len(tables["links.shape"]) else 0,
        "nx": layout.nvolume + len(layout.lags), "nu": len(layout.inputs), "nrow": len(layout.rows),
        "nslot": nv + nloop, "nL": len(layout.elimination.ancestor),
        "npath": len(tables["system.path_dof"]),
        "nforce": len(layout.forces), "nsingle": len(tables["forces.single"]),
        "nmean": len(tables["forces.mean"]),
        "nchamber": len(layout.chambers), "npiston": len(tables["tangent.column"]), "nnode": len(layout.nodes),
        "nbranch": len(layout.branches), "nopening": len(layout.openings),
        "nangle": len(continued(layout.rows)),
        "ndriver": len(layout.loops.driven), "njoint": len(reacting_joints(layout.network.machine)),
        "nbody": len(body_names(layout.topology)), "npoint": len(layout.points),
        "nturn": sum(link.kind == turn.KIND for link in layout.topology.links),
        "nvolume": layout.nvolume, "nsteered": len(layout.steered), "nreading": len(layout.readings),
        "nsolved": layout.nvolume + len(layout.steered), "nstiff": len(tables["tangent.row"]),
        "npush": len(tables["tangent.path_dof"]), "ncircuitentry": matrix_entries(tables),
        "nresponse": response_entries(tables), "nmetered": len(tables["oil.metered"]),
        "nsystem": nv + nloop if newton else 0, "nmatrix": int(tables["newton.entries"][0]) if newton else 0,
        "ncg": nv if FACTORISATIONS[method.factorisation] == GRADIENTS else 0,
        "ndense": nv if dense else 0, "ndense_loop": nloop if dense else 0,
        "nsignal": 0, "nmemory": 0, "nread": 0, "nwrite": 0, "nload": len(layout.network.loads),
        "nmoving": len(layout.network.moving), "npayload": len(layout.network.loads) + len(layout.network.moving),
        "ncarried": nscrew if layout.network.loads else 0,
        "nmode": sum(len(declared(force).modes) for force in layout.forces),
    } | block_sizes(layout.forces)  # fmt: skip
    size |= contact_sizes(layout.network, nscrew) | pair_sizes(layout.network, nscrew)
    size |= tire_sizes(layout.network) | {"nbend": len(tables["touch.bends"])}
    size |= impulse_sizes(layout.network, method, size, tables)
    size["npower"] = layout.oil_power + size["nbranch"] + size["nnode"] + size["ndriver"]
    size |= exchange_sizes(size, tables, method)
    state = {name: shape[0] for name, shape, *_ in WORK_FIELDS if name.startswith("state.")}
    lengths = [state[f"state.{name}"] for name in STATE]
    size["nstate"] = sum(size[length] if isinstance(length, str) else length for length in lengths)
    size["nrecord"] = size["nline"] = sum(width * count for _, width, count in record_blocks(size))
    return size


def record_blocks(size: dict[str, int]) -> list[tuple[str, int, int]]:
    """Name, width and number of items of each block of the record."""
    counts = {
        "time": 1, "q": size["nq"], "v": size["nv"], "v_dot": size["nv"], "x": size["nx"], "u": size["nu"],
        "z": size["nmode"], "body": size["nbody"], "point": size["npoint"], "row_s": size["nrow"],
        "row_w": size["nrow"],
        "row_force": size["nrow"], "multiplier": size["nloop"], "driver": size["ndriver"],
        "reaction": size["njoint"], "p": size["nnode"], "V": size["nnode"],
        "Q": size["nbranch"], "reading": size["nreading"], "oil_energy": size["nvolume"],
        "state_energy": 1, "stored": size["nforce"], "energy": size["npower"], "moving": size["nmoving"],
        "contact": size["ncontact"], "tire": size["ntire"], "pair": size["npairing"], "exchange": size["nexchanges"],
        "impulse": size["nmet"],
    }  # fmt: skip
    return [(name, width, counts[name]) for name, width in BLOCKS]


def first_columns(size: dict[str, int]) -> dict[str, int]:
    """Where each block of the record begins."""
    first: dict[str, int] = {}
    column = 0
    for block, width, count in record_blocks(size):
        first[block] = column
        column += width * count
    return first


def place_in_one_piece(family: str, arrays: dict[str, Any]) -> None:
    """Make the named parts of a copy of the state lie in its one piece. Writes arrays."""
    first, places = 0, {}
    for name in STATE:
        places[name] = slice(first, first + len(arrays[f"state.{name}"]))
        first = places[name].stop
    for field, name in COPIES[family].items():
        arrays[f"{family}.{field}"] = arrays[f"{family}.whole"][places[name]]


def with_control(work: Any, signal: np.ndarray, memory: np.ndarray) -> Any:
    """The same Work with other control signals and memory of controllers in its state."""
    arrays = flatten(work)
    kept = {name: arrays[f"state.{name}"] for name in STATE} | {"signal": signal, "memory": memory}
    whole = np.concatenate([kept[name] for name in STATE])
    arrays |= {f"state.{name}": array for name, array in kept.items()}
    members = {}
    for family in COPIES:
        arrays[f"{family}.whole"] = whole.copy() if family == "state" else np.full(len(whole), np.nan)
    for family in ("stage", "begun", "state"):  # the state last: its fields say where parts lie
        place_in_one_piece(family, arrays)
        fields = getattr(work, family)
        members[family] = fields.replaced(**{field: arrays[f"{family}.{field}"] for field, _ in fields.items()})
    return work.replaced(**members)


def make_work(size: dict[str, int], gravity: tuple[float, float, float], coupling: str) -> Any:
    """A Work filled with NaN, so that a stage that reads before its owner wrote shows at once."""
    arrays = {}
    for name, shape, kind, _, _ in WORK_FIELDS:
        dims = [size[dim] if isinstance(dim, str) else dim for dim in shape]
        arrays[name] = np.full(dims, np.nan) if kind == "float" else np.zeros(dims, np.int64)
    for family in COPIES:
        place_in_one_piece(family, arrays)
    for carried in (
        "state.rate_v",
        "state.rate_x",
        "state.multiplier",
        "state.power",
        "newton.count",
        "newton.divided",
        "tableau.count",
        "newton.ringing",
        "state.true_v",
        "state.true_x",
        "touch.dropped",
        "impulse.eased",
        "state.exchange",
        "course.half",
        "course.count",
        "state.pressing",
        "state.active",
    ):
        arrays[carried][:] = 0.0
    work = group("work", WORK_FAMILIES, arrays, coupling, frozen=False)
    # link 0 is the ground: at rest, and accelerating by −g so that gravity needs no term of its own
    work.motion.R_WL[0] = np.eye(3).ravel()
    work.motion.V_WL[0] = 0.0
    work.motion.A_WL[0] = (0.0, 0.0, 0.0, *(-component for component in gravity))
    work.pairs.mode[:] = 0.0
    work.pairs.order[:] = np.arange(size["nshape"])
    work.state.energy[:] = 0.0
    work.state.time[:] = 0.0
    return work
