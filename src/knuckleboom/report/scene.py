# SPDX-License-Identifier: BSD-3-Clause
"""The scene that the viewer of a report draws: solids on bodies, lines between bodies, and the poses over time.

Solids are unit meshes (box, cylinder along z, sphere) with place, turn and size on a body. They come from the machine's
appearance; a body without any gets sticks between the places where something is joined to it and a ball at its centre
of mass, or, where that gives no length, the box that has its mass and inertia. Lines (cylinders, springs, rods and the
like) are drawn by the viewer between their two moving ends. Sheets are ground that is not level: rows of points in the
world; level ground is the floor. Positions in m, quaternions wxyz. Tested in
tests/report/test_scene.py.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.report.curves import packed
from knuckleboom.results import Results

Array = NDArray[np.float64]

GROUND = "ground"
MOST_FRAMES = 1000
MOST_NUMBERS = 2_000_000
"""Numbers of all poses together: with very many bodies there are fewer frames."""

COLOURS = ("#4c86b8", "#d98a3d", "#5aa37f", "#b8729b", "#7db6d6", "#c9a227", "#8a8f98", "#9c6b4a")
"""Of bodies whose shapes have no colour of their own: told apart by people with any kind of colour vision."""
JOINT_COLOUR, CENTRE_COLOUR, MASS_COLOUR, GROUND_COLOUR = "#50555c", "#f2f2f2", "#6b6f76", "#8d9299"

STICK, PIN, PIN_LENGTH, LINE, COIL, WIRE = 0.014, 0.018, 0.06, 0.008, 0.022, 0.005
"""Radii and lengths of what has none of its own, as parts of the machine's size."""
SLENDER = 0.25
"""Most radius of a spring's coil as a part of its length."""
TURNING = ("revolute", "cylindrical")
"""Joints whose axis says which plane a machine works in."""
LEVEL = 0.5
"""Least length of the level part of a unit axis that counts as lying."""
LEVEL_GROUND = 1.0 - 1e-9
"""Least upward part of a plane's normal that counts as level."""
SHEET, SHEET_COLOUR = 1.5, "#a79a7c"
"""Half a side of a slope or a wall, as a part of the machine's size."""
FARTHEST = 20.0
"""Frames farther away than this many sizes do not count for the view: a failed run may throw its bodies anywhere."""


def scene(results: Results) -> dict[str, Any] | None:
    """Return the scene of a run as plain data, or None when its file has no outline or no poses."""
    outline = results.meta.get("outline")
    if not isinstance(outline, dict) or len(results.time) == 0:
        return None
    names = [name for name in outline["bodies"] if f"{name}.position" in results and f"{name}.orientation" in results]
    if not names:
        return None
    frames = chosen_frames(len(results.time), len(names))
    columns = [np.hstack([results[f"{name}.position"].values, results[f"{name}.orientation"].values]) for name in names]
    poses = np.stack([column[frames] for column in columns], axis=1)
    return Scene(outline, names, poses).to_dict(results.time[frames])


def chosen_frames(records: int, bodies: int) -> NDArray[np.int64]:
    """Return the records that become frames: evenly spread, with the first and the last."""
    most = max(2, min(MOST_FRAMES, MOST_NUMBERS // (7 * bodies)))
    return np.unique(np.linspace(0, records - 1, min(records, most)).round().astype(np.int64))


class Scene:
    """Turns an outline and poses (frames x bodies x 7) into what the viewer draws."""

    def __init__(self, outline: dict[str, Any], names: list[str], poses: Array) -> None:
        lines = [line for line in outline["lines"] if not line.get("hidden")]
        self.outline, self.poses = {**outline, "lines": lines}, poses
        self.index = {GROUND: -1, **{name: number for number, name in enumerate(names)}}
        self.places = self._places()
        self.size = self._size()

    def to_dict(self, time: Array) -> dict[str, Any]:
        """Return everything the viewer needs."""
        solids = list(self._solids())
        low, high = self._bounds(solids)
        return {
            "bodies": [name for name in self.index if name != GROUND],
            "time": packed(time),
            "poses": packed(self.poses),
            "solids": solids,
            "lines": [self._line(line) for line in self.outline["lines"] if self._is_drawn(line["a"], line["b"])],
            "bounds": [low.tolist(), high.tolist()],
            "size": self.size,
            **self._grounds(low, high),
            "side": self._side(),
        }

    # --- where things are ---

    def _is_drawn(self, *places: list[Any]) -> bool:
        return all(body in self.index for body, _ in places)

    def _places(self) -> dict[str, list[list[float]]]:
        """Where something is joined to each body, in its axes, and its named points."""
        found: dict[str, list[list[float]]] = {name: [] for name in self.index}
        for part in (*self.outline["joints"], *self.outline["lines"]):
            for body, at in (part["a"], part["b"]):
                if body in found:
                    found[body].append(at)
        for name, body in self.outline["bodies"].items():
            if name in found:
                found[name] += [*body["points"].values(), *(at for _, at in body.get("masses", {}).values())]
        return found

    def world(self, body: str, points: Any, frames: Any = slice(None)) -> Array:
        """Return points of a body in the world: frames x points x 3."""
        local = np.asarray(points, float).reshape(-1, 3)
        if self.index[body] < 0:
            return np.broadcast_to(local, (1, *local.shape))
        pose = self.poses[frames, self.index[body]]
        p, w, v = pose[:, None, :3], pose[:, None, 3:4], pose[:, None, 4:7]
        twice = 2.0 * np.cross(v, local[None])
        moved: Array = p + local[None] + w * twice + np.cross(v, twice)
        return moved

    def _size(self) -> float:
        """Return the diagonal of the box around all places and shapes at the start, m."""
        points = [self.world(name, at, slice(0, 1))[0] for name, at in self.places.items() if at]
        for name in self.index:
            body = self.outline["bodies"][name]
            reach = max((_reach(shape) for shape in body["shapes"]), default=0.0)
            if "com" in body:
                points += [self.world(name, body["com"], slice(0, 1))[0] + sign * reach for sign in (-0.5, 0.5)]
        every = np.concatenate(points) if points else np.zeros((1, 3))
        return float(np.linalg.norm(np.ptp(every, axis=0))) or 1.0

    def _bounds(self, solids: list[dict[str, Any]]) -> tuple[Array, Array]:
        """Return the box around everything over the whole run."""
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        names = list(self.index)
        lows, highs = [], []
        some = np.unique(np.linspace(0, len(self.poses) - 1, 200).astype(int))
        for solid in solids:
            half = np.asarray(solid["size"], float) * (1.0 if solid["mesh"] == "sphere" else 0.5)
            if solid["mesh"] == "cylinder":
                half[:2] *= 2.0
            local = np.asarray(solid["at"], float) + _turned(solid["turn"], corners * half)
            moved = self.world(names[solid["body"] + 1], local, some)
            lows.append(moved.min(axis=1))
            highs.append(moved.max(axis=1))
        if not lows:
            return np.full(3, -0.5), np.full(3, 0.5)
        middle = np.mean([low[0] + high[0] for low, high in zip(lows, highs, strict=True)], axis=0) / 2.0
        near = [
            (low[mask], high[mask])
            for low, high in zip(lows, highs, strict=True)
            for mask in [np.linalg.norm(low - middle, axis=1) < FARTHEST * self.size]
        ]
        return (
            np.min([low.min(axis=0) for low, _ in near if len(low)], axis=0),
            np.max([high.max(axis=0) for _, high in near if len(high)], axis=0),
        )

    def _side(self) -> float:
        """Return the yaw, deg, of the side view: along the axis that most pins lie in, level; else along y.

        Yaw 0 looks along y, with x to the right. Pins that stand upright, as those of a slewing ring, do not count.
        """
        spread = np.zeros((2, 2))
        for joint in self.outline["joints"]:
            if joint["kind"] not in TURNING or not self._is_drawn(joint["a"], joint["b"]):
                continue
            body, at = joint["a"]
            start, end = self.world(body, [at, np.asarray(at) + joint["axis"]], slice(0, 1))[0]
            level = (end - start)[:2]
            if np.linalg.norm(level) > LEVEL:
                spread += np.outer(level, level)
        if not spread.any():
            return 0.0
        x, y = np.linalg.eigh(spread)[1][:, 1]
        yaw = math.degrees(math.atan2(-x, y))  # the view goes along (−sin yaw, cos yaw)
        return float((yaw + 89.999) % 180.0 - 89.999)  # of both sides the one that has x to the right

    def _grounds(self, low: Array, high: Array) -> dict[str, Any]:
        """Return sheets, and the height of the floor below all of them; none without a terrain."""
        sheets, levels = [], []
        for ground in self.outline.get("grounds", ()):
            if "heights" in ground:
                points = _field_points(ground)
            elif ground["normal"][2] >= LEVEL_GROUND:
                levels.append(float(ground["at"][2]))
                continue
            else:
                points = _plane_points(ground, 0.5 * (low + high), SHEET * self.size)
            levels.append(float(points[..., 2].min()))
            rows, columns, _ = points.shape
            sheets.append({"rows": rows, "columns": columns, "points": packed(points), "colour": SHEET_COLOUR})
        return {"sheets": sheets, "floor": min(levels, default=None)}

    # --- what is drawn ---

    def _solids(self) -> Iterator[dict[str, Any]]:
        for number, name in enumerate(self.index):
            body = self.outline["bodies"][name]
            colour = GROUND_COLOUR if name == GROUND else COLOURS[(number - 1) % len(COLOURS)]
            for shape in body["shapes"]:
                yield from self._shape(self.index[name], shape, shape.get("colour") or colour)
            if not body["shapes"] and name != GROUND:
                yield from self._default(name, body, colour)
        for joint in self.outline["joints"]:
            if self._is_drawn(joint["a"], joint["b"]) and joint["kind"] not in ("fixed", "free", "planar"):
                yield self._pin(joint)

    def _shape(self, body: int, shape: dict[str, Any], colour: str) -> Iterator[dict[str, Any]]:
        at, turn = shape.get("at", [0.0, 0.0, 0.0]), _from_angles(shape.get("rpy", [0.0, 0.0, 0.0]))
        size = shape.get("size", [])
        match shape["shape"]:
            case "box":
                yield _solid(body, "box", at, turn, size, colour)
            case "sphere":
                yield _solid(body, "sphere", at, turn, [size[0]] * 3, colour)
            case "cylinder":
                yield _solid(body, "cylinder", at, turn, [size[0], size[0], size[1]], colour)
            case "capsule":
                yield _solid(body, "cylinder", at, turn, [size[0], size[0], size[1]], colour)
                for side in (-0.5, 0.5):
                    tip = np.asarray(at) + _turned(turn, np.array([0.0, 0.0, side * size[1]]))
                    yield _solid(body, "sphere", tip.tolist(), turn, [size[0]] * 3, colour)
            case "line":
                for a, b in zip(shape["points"], shape["points"][1:], strict=False):
                    start, end = (np.asarray(at) + _turned(turn, np.asarray(point)) for point in (a, b))
                    yield from _stick(body, start, end, 0.5 * LINE * self.size, colour)

    def _default(self, name: str, body: dict[str, Any], colour: str) -> Iterator[dict[str, Any]]:
        """Draw a body by what is known of it."""
        number, thick = self.index[name], STICK * self.size
        joined = _distinct(self.places[name], 1e-6 * self.size)
        com = np.asarray(body["com"], float)
        if len(joined) == 1 and np.linalg.norm(joined[0] - com) > 0.02 * self.size:
            joined.append(com)
        if len(joined) < 2:
            size, turn = _equal_box(body)
            if max(size) > 0.0:
                yield _solid(number, "box", body["com"], turn, [max(side, 0.1 * max(size)) for side in size], colour)
                return
        for a, b in _shortest_net(joined):
            yield from _stick(number, joined[a], joined[b], thick, colour)
        for place in joined:
            yield _solid(number, "sphere", place.tolist(), [1.0, 0.0, 0.0, 0.0], [thick] * 3, colour)
        yield _solid(number, "sphere", body["com"], [1.0, 0.0, 0.0, 0.0], [1.5 * thick] * 3, CENTRE_COLOUR)
        for mass, at in body["masses"].values():
            radius = min(0.08, 0.03 * (mass / (body["mass"] or mass)) ** (1 / 3)) * self.size
            yield _solid(number, "sphere", at, [1.0, 0.0, 0.0, 0.0], [radius] * 3, MASS_COLOUR)

    def _pin(self, joint: dict[str, Any]) -> dict[str, Any]:
        body, at = joint["a"]
        # between bodies that have shapes of their own a pin is only a mark
        shaped = all(self.outline["bodies"][name]["shapes"] for name, _ in (joint["a"], joint["b"]) if name != GROUND)
        scale = 0.4 * self.size if shaped else self.size
        radius, long = PIN * scale, PIN_LENGTH * scale
        if joint["kind"] in ("spherical", "universal"):
            return _solid(self.index[body], "sphere", at, [1.0, 0.0, 0.0, 0.0], [1.4 * radius] * 3, JOINT_COLOUR)
        turn = _z_to(np.asarray(joint["axis"], float))
        if joint["kind"] == "prismatic":
            size = [2.2 * radius, 2.2 * radius, long]
            return _solid(self.index[body], "box", at, turn, size, JOINT_COLOUR)
        return _solid(self.index[body], "cylinder", at, turn, [radius, radius, long], JOINT_COLOUR)

    def _line(self, line: dict[str, Any]) -> dict[str, Any]:
        """Return how a part between two places is drawn: as a coil, as barrel and rod, or as a bar."""
        (body_a, at_a), (body_b, at_b) = line["a"], line["b"]
        ends = {"a": [self.index[body_a], at_a], "b": [self.index[body_b], at_b]}
        lengths = np.linalg.norm(self.world(body_b, at_b) - self.world(body_a, at_a), axis=2)
        drawn = {"name": line["name"], "kind": line["kind"], **ends}
        if line["kind"] == "spring":
            # a short spring is a thin one
            slim = min(1.0, SLENDER * float(lengths.min()) / (COIL * self.size))
            return {**drawn, "form": "coil", "radius": slim * COIL * self.size, "wire": slim * WIRE * self.size}
        if "bore" in line:
            closed = line.get("closed") or float(lengths[0, 0]) - 0.5 * line["stroke"]
            barrel = max(0.96 * closed, 0.3 * float(lengths.min()))
            radius = max(0.56 * line["bore"], 0.3 * STICK * self.size)
            rod = 0.5 * line.get("rod", 0.0) or 0.25 * line["bore"]
            return {**drawn, "form": "ram", "radius": radius, "rod": rod, "barrel": barrel}
        if line["kind"] == "damper":
            radius, barrel = STICK * self.size, 0.6 * float(lengths.min())
            return {**drawn, "form": "ram", "radius": radius, "rod": 0.4 * radius, "barrel": barrel}
        return {**drawn, "form": "bar", "radius": LINE * self.size}


def _field_points(ground: dict[str, Any]) -> Array:
    """Return the points of a height field: rows x columns x 3."""
    heights, (x, y, z) = np.array(ground["heights"], float), ground["at"]
    along, across = (
        start + np.linspace(0.0, extent, count)
        for start, extent, count in zip((x, y), ground["extent"], heights.shape, strict=True)
    )
    return np.stack([*np.meshgrid(along, across, indexing="ij"), heights + z], axis=-1)


def _plane_points(ground: dict[str, Any], middle: Array, half: float) -> Array:
    """Return the corners of a part of a plane around the place in it that is nearest to the middle."""
    normal, at = np.array(ground["normal"], float), np.array(ground["at"], float)
    centre = middle - ((middle - at) @ normal) * normal
    level = np.array([-normal[1], normal[0], 0.0])
    across = level / np.linalg.norm(level) if level.any() else np.array([0.0, 1.0, 0.0])  # hangs overhead
    along = np.cross(across, normal)
    corners = [[centre + half * (i * along + j * across) for j in (-1.0, 1.0)] for i in (-1.0, 1.0)]
    return np.array(corners)


def _solid(body: int, mesh: str, at: Any, turn: Any, size: Any, colour: str) -> dict[str, Any]:
    return {"body": body, "mesh": mesh, "at": list(at), "turn": list(turn), "size": list(size), "colour": colour}


def _stick(body: int, a: Array, b: Array, radius: float, colour: str) -> Iterator[dict[str, Any]]:
    length = float(np.linalg.norm(b - a))
    if length > 0.0:
        middle = (0.5 * (a + b)).tolist()
        yield _solid(body, "cylinder", middle, _z_to((b - a) / length), [radius, radius, length], colour)


def _reach(shape: dict[str, Any]) -> float:
    """Return how far a shape spreads, m."""
    points = np.asarray(shape.get("points", [[0.0, 0.0, 0.0]]), float)
    return float(np.linalg.norm(np.ptp(points, axis=0))) + float(max(shape.get("size", [0.0]), default=0.0))


def _distinct(places: list[list[float]], apart: float) -> list[Array]:
    found: list[Array] = []
    for place in places:
        point = np.asarray(place, float)
        if all(np.linalg.norm(point - other) > apart for other in found):
            found.append(point)
    return found


def _shortest_net(points: list[Array]) -> Iterator[tuple[int, int]]:
    """Yield pairs that join all points with the least length."""
    reached, left = [0], list(range(1, len(points)))
    while left and points:
        near, far = min(
            ((a, b) for a in reached for b in left), key=lambda pair: np.linalg.norm(points[pair[0]] - points[pair[1]])
        )
        yield near, far
        reached.append(far)
        left.remove(far)


def _equal_box(body: dict[str, Any]) -> tuple[list[float], list[float]]:
    """Return sides and turn of the homogeneous box that has a body's mass and inertia."""
    if body["mass"] == 0.0:
        return [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]  # an attachment
    xx, yy, zz, xy, xz, yz = body["inertia"]
    moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    if np.linalg.det(axes) < 0.0:
        axes[:, 2] *= -1.0
    squares = 6.0 * (0.5 * moments.sum() - moments) * 2.0 / body["mass"]  # a² = 6·(I_b + I_c − I_a)/m
    return np.sqrt(np.maximum(squares, 0.0)).tolist(), _from_matrix(axes)


def _turned(turn: list[float], points: Array) -> Array:
    w, v = turn[0], np.asarray(turn[1:])
    twice = 2.0 * np.cross(v, points)
    moved: Array = points + w * twice + np.cross(v, twice)
    return moved


def _from_angles(rpy: list[float]) -> list[float]:
    """Return the quaternion of Rz(yaw)·Ry(pitch)·Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = [[f(0.5 * angle) for angle in rpy] for f in (math.cos, math.sin)]
    return [
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    ]


def _z_to(axis: Array) -> list[float]:
    """Return the shortest turn that takes z to a unit vector."""
    x, y, z = axis
    if z < -1.0 + 1e-9:  # straight down: any half turn about x will do
        return [0.0, 1.0, 0.0, 0.0]
    turn = np.array([1.0 + z, -y, x, 0.0])
    return (turn / np.linalg.norm(turn)).tolist()  # type: ignore[no-any-return]


def _from_matrix(matrix: Array) -> list[float]:
    """Return the quaternion of a rotation matrix, by the largest of its four squares."""
    xx, yy, zz = np.diag(matrix)
    squares = np.array([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz])
    m = matrix
    rows = [
        [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
        [m[2, 1] - m[1, 2], squares[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
        [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], squares[2], m[1, 2] + m[2, 1]],
        [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[3]],
    ]
    best = np.array(rows[int(squares.argmax())])
    return (best / np.linalg.norm(best)).tolist()  # type: ignore[no-any-return]
