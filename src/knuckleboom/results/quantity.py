# SPDX-License-Identifier: BSD-3-Clause
"""Quantity: one recorded signal over time, with its unit and meaning.

A thin wrapper on an `xarray.DataArray`, which is made when `.data` is asked for: importing xarray takes longer than
most runs. Values are what the engine recorded, in SI, until `.to("bar")` makes a converted copy. Between recorded times
`.at(t)` interpolates linearly (a quaternion is then scaled back to length 1); outside of them it refuses.
`.plot()` is attached in `knuckleboom/__init__.py`, since nothing that computes imports what draws.
Tested in tests/results/test_quantity.py.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from knuckleboom import units
from knuckleboom.names import Signal

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]


class Quantity:
    """A signal's values over time: `.values`, `.time`, `.unit`, `.meaning`, `.at(t)`, `.to(unit)`, `.plot()`."""

    plot: ClassVar[Callable[..., Any]]

    def __init__(self, signal: Signal, time: Array, si_values: Array, unit: str | None = None) -> None:
        self.signal = signal
        self.time = time
        self.unit = signal.unit if unit is None else unit
        self.values: Array = si_values if unit is None else units.convert(si_values, units.canonical(signal.unit), unit)
        self._si_values = si_values

    @property
    def path(self) -> str:
        """The name under which the run gives this quantity."""
        return self.signal.path

    @property
    def meaning(self) -> str:
        """One line that says what it is."""
        return self.signal.meaning

    @property
    def data(self) -> "xarray.DataArray":
        """The same as a labelled xarray array with the dimension `time` and, for vectors, `xyz`, `wxyz` or rows."""
        import xarray

        coords: dict[str, Any] = {"time": ("time", self.time, {"units": "s", "long_name": "time"})}
        dims = ["time"]
        dimension = dimension_of(self.signal)
        if dimension is not None:
            dims.append(dimension)
            coords[dimension] = component_names(self.signal)
        attrs = {"units": self.unit, "long_name": self.meaning}
        return xarray.DataArray(self.values, coords=coords, dims=dims, name=self.path, attrs=attrs)

    def at(self, time: float | str | ArrayLike) -> Any:
        """Return the value at a time in s (or text such as "120 ms"), or at several, between recorded ones linearly."""
        wanted = np.asarray(units.parse(time, "s") if isinstance(time, str) else time, dtype=np.float64)
        self._refuse_outside(wanted)
        if self.values.ndim == 1:
            found: Any = np.interp(wanted, self.time, self.values)
            return float(found) if wanted.ndim == 0 else found

        # left neighbour and fraction are the same for all components
        left = np.clip(np.searchsorted(self.time, wanted, side="right") - 1, 0, max(len(self.time) - 2, 0))
        right = np.minimum(left + 1, len(self.time) - 1)
        span = self.time[right] - self.time[left]
        part = np.where(span > 0.0, (wanted - self.time[left]) / np.where(span > 0.0, span, 1.0), 0.0)[..., np.newaxis]
        low, high = self.values[left], self.values[right]
        if self.signal.dim == "wxyz":
            # q and −q are one orientation: go the short way
            high = np.where(np.sum(low * high, axis=-1, keepdims=True) < 0.0, -high, high)
        between = (1.0 - part) * low + part * high
        if self.signal.dim == "wxyz":
            between = between / np.linalg.norm(between, axis=-1, keepdims=True)
        return between

    def to(self, unit: str) -> "Quantity":
        """Return a copy in another unit of the same dimension: `run["lift.a.pressure"].to("bar")`, also "barg"."""
        return Quantity(self.signal, self.time, self._si_values, unit)

    def _refuse_outside(self, wanted: Array) -> None:
        if len(self.time) == 0:
            raise ValueError(f"'{self.path}' has no recorded value: the run stopped before its first record.")
        first, last = self.time[0], self.time[-1]
        outside = (wanted < first) | (wanted > last) | np.isnan(wanted)
        if np.any(outside):
            bad = float(np.atleast_1d(wanted)[np.atleast_1d(outside)][0])
            raise ValueError(f"'{self.path}' is recorded from {first:g} s to {last:g} s; {bad:g} s is outside.")

    def __len__(self) -> int:
        return len(self.time)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        shape = "x".join(str(size) for size in self.values.shape)
        return f"<{self.path} [{self.unit}], {shape} values: {self.meaning}>"


def dimension_of(signal: Signal) -> str | None:
    """Name the second dimension: rows get one of their own per part, since their number differs."""
    if signal.dim == "row":
        return f"{signal.path.rpartition('.')[0] or signal.path}.row"
    return signal.dim


def component_names(signal: Signal) -> list[Any]:
    """Return the labels along the second dimension: letters, or 0, 1, … for rows."""
    return list(range(len(signal.columns))) if signal.dim == "row" else list(signal.dim or "")
