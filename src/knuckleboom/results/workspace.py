# SPDX-License-Identifier: BSD-3-Clause
"""A work space: the places that a point of a machine reaches, over a grid of what moves it.

`space.points` are the places reached, `space.positions` the same on the grid, NaN where the machine cannot be. Sizes
are those of the convex hull, so an area with a hole or a bay counts as filled. `.plot()` is attached in
`knuckleboom/__init__.py`. Tested in tests/analysis/test_workspace.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

FLAT = 1e-6  # of the largest extent: thinner than this is flat


@dataclass(frozen=True)
class Workspace:
    """Places of a point; `open` poses could not be closed, `beyond` ones lie beyond a stop or a cylinder's stroke."""

    machine: str
    point: str
    positions: xr.DataArray = field(repr=False)
    open: int
    beyond: int

    plot: ClassVar[Callable[..., Any]]

    @property
    def points(self) -> Array:
        """Places reached, one line (x, y, z) each, m."""
        lines = self.positions.values.reshape(-1, 3)
        return np.asarray(lines[np.isfinite(lines).all(axis=1)])

    @property
    def extents(self) -> dict[str, tuple[float, float]]:
        """Smallest and largest x, y and z, m."""
        points = self.points
        return {axis: (float(points[:, k].min()), float(points[:, k].max())) for k, axis in enumerate("xyz")}

    def reach(self, origin: Sequence[float] = (0.0, 0.0, 0.0)) -> float:
        """Largest distance from a place, m."""
        return float(np.linalg.norm(self.points - np.asarray(origin, float), axis=1).max())

    @property
    def dimension(self) -> int:
        """0 for one place, 1 for a line, 2 for places in a plane, 3 else."""
        sizes = np.linalg.svd(self._centred(), compute_uv=False)
        return int(np.sum(sizes > FLAT * max(float(sizes[0]), 1e-300))) if sizes[0] > 0.0 else 0

    @property
    def area(self) -> float:
        """Area of the hull of places in a plane, m²; surface of the hull of others; zero for a line."""
        hull = self._hull()
        return 0.0 if hull is None else float(hull.volume if self.dimension == 2 else hull.area)

    @property
    def volume(self) -> float:
        """Volume of the hull, m³; zero for places in a plane."""
        hull = self._hull()
        return 0.0 if hull is None or self.dimension < 3 else float(hull.volume)

    def _centred(self) -> Array:
        return np.asarray(self.points - self.points.mean(axis=0))

    def _hull(self) -> Any:
        """The hull, in the plane of the places where they lie in one; its area is then what scipy calls volume."""
        from scipy.spatial import ConvexHull

        dimension = self.dimension
        if dimension < 2:
            return None
        _, _, axes = np.linalg.svd(self._centred(), full_matrices=False)
        return ConvexHull(self._centred() @ axes[:dimension].T)

    def __str__(self) -> str:
        lines = [f"{self.machine}: '{self.point}' at {len(self.points)} of {self.positions.size // 3} poses"]
        if self.open:
            lines.append(f"  {self.open} poses cannot be closed")
        if self.beyond:
            lines.append(f"  {self.beyond} poses are beyond a stop or a stroke")
        lines += [f"  {axis}  {low:.4g} to {high:.4g} m" for axis, (low, high) in self.extents.items()]
        if self.dimension >= 2:
            lines.append(f"  volume {self.volume:.4g} m³" if self.dimension == 3 else f"  area {self.area:.4g} m²")
        return "\n".join(lines)
