# SPDX-License-Identifier: BSD-3-Clause
"""Figures: named quantities over time, one panel per unit, one line per component.

Panels share the time axis in s. A label names the quantity when all lines of a panel are the same one
("pressure [bar]") and always its unit. Figures are made without pyplot, so they need no display and are freed like any
object; a script that has imported pyplot gets a figure that `plt.show()` shows. Tested in tests/plots/.
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from knuckleboom.names import UnknownName
from knuckleboom.plots.reading import shown
from knuckleboom.results import Quantity, Results
from knuckleboom.results.quantity import component_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Colours that people with any kind of colour vision can tell apart, after Okabe and Ito."""

DASHES = ("-", "--", ":", "-.")

WIDTH_IN = 9.0
PANEL_HEIGHT_IN = 2.6
ROOM_IN = 0.8
"""Size of a figure, inches: its width, the height of each panel, the room for title and time axis."""

LEGEND_ROWS = 12


def plot(results: Results, *names: str, title: str | None = None) -> "Figure":
    """Draw quantities over time; names may be patterns (`lift.*.pressure`) or components (`boom.tip.position.x`)."""
    if not names:
        raise ValueError(f"Name what to plot, for example run.plot('{next(iter(results), 'foot.angle')}').")
    quantities = [quantity for name in names for quantity in _select(results, name)]
    return draw(quantities, results.machine if title is None else title)


def plot_quantity(quantity: Quantity, ax: "Axes | None" = None) -> "Figure":
    """Draw one quantity over time, on its own or into given axes."""
    if ax is None:
        return draw([quantity], quantity.meaning)
    _panel(ax, [quantity])
    return ax.get_figure(root=True)  # type: ignore[return-value]  # axes that draw are in a figure


def draw(quantities: Sequence[Quantity], title: str) -> "Figure":
    """Make a figure with one panel per unit, in the order in which the units first appear."""
    panels: dict[str, list[Quantity]] = {}
    for quantity in quantities:
        panels.setdefault(shown(quantity)[0], []).append(quantity)
    figure = _new_figure(WIDTH_IN, ROOM_IN + PANEL_HEIGHT_IN * len(panels))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for ax, members in zip(axes, panels.values(), strict=True):
        _panel(ax, members)
    axes[-1].set_xlabel("time [s]")
    figure.suptitle(title)
    return figure


def _select(results: Results, name: str) -> list[Quantity]:
    if not any(sign in name for sign in "*?["):
        return [results[name]]
    found = results.find(name)
    if not found:
        raise UnknownName(name, results.names.paths)
    return found


def _panel(ax: Any, quantities: Sequence[Quantity]) -> None:
    count = 0
    for quantity in quantities:
        for label, values in _lines(quantity):
            style = {"color": COLOURS[count % len(COLOURS)], "linestyle": DASHES[count // len(COLOURS) % len(DASHES)]}
            ax.plot(quantity.time, values, label=label, linewidth=1.2, **style)
            count += 1
    unit, _ = shown(quantities[0])
    kinds = {quantity.path.rpartition(".")[2].replace("_", " ") for quantity in quantities}
    kind = kinds.pop() if len(kinds) == 1 else ""
    ax.set_ylabel(f"{kind} [{unit}]".strip() if unit else kind or "[1]")
    ax.grid(True, color="0.88", linewidth=0.6)
    ax.margins(x=0.0)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)

    # the legend stands beside the curves, never on them
    columns = 1 + (count - 1) // LEGEND_ROWS
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small", frameon=False, ncols=columns)


def _lines(quantity: Quantity) -> list[tuple[str, Any]]:
    _, factor = shown(quantity)
    if quantity.values.ndim == 1:
        return [(quantity.path, quantity.values * factor)]
    return [
        (f"{quantity.path}.{name}" if isinstance(name, str) else f"{quantity.path}[{name}]", values * factor)
        for name, values in zip(component_names(quantity.signal), quantity.values.T, strict=True)
    ]


def _new_figure(width: float, height: float) -> "Figure":
    if "matplotlib.pyplot" in sys.modules:
        return sys.modules["matplotlib.pyplot"].figure(figsize=(width, height), layout="constrained")  # type: ignore[no-any-return]
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")
