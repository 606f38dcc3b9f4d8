# SPDX-License-Identifier: BSD-3-Clause
"""Figures: named quantities over time, one panel per unit, one line per component.

Panels share the time axis in s. A label names the quantity when all lines of a panel are the same one, or else their
part when that is the same ("pressure [bar]", "energy [kJ]"), and always the unit. Figures are made without pyplot, so
they need no display and are freed like any object; a script that has imported pyplot gets a figure that `plt.show()`
shows. Tested in tests/plots/.
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

PANEL_IN = (6.4, 2.4)
LEFT_IN, TOP_IN, BOTTOM_IN, GAP_IN = 0.95, 0.45, 0.55, 0.25
LETTER_IN = 0.078
LINE_SAMPLE_IN = 0.6
"""Sizes, inches: a panel, the room around it for labels, title, time axis and the next panel, the legend's words."""

LEGEND_ROWS = 12
MAX_TICKS = 5


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
    rooms = [_legend_room(members) for members in panels.values()]
    width, height = (
        LEFT_IN + PANEL_IN[0] + max(rooms),
        TOP_IN + BOTTOM_IN + len(panels) * (PANEL_IN[1] + GAP_IN) - GAP_IN,
    )
    figure = new_figure(width, height)

    # places are computed here: matplotlib's own layout would draw every picture twice
    axes: list[Any] = []
    for index, members in enumerate(panels.values()):
        bottom = BOTTOM_IN + (len(panels) - 1 - index) * (PANEL_IN[1] + GAP_IN)
        place = (LEFT_IN / width, bottom / height, PANEL_IN[0] / width, PANEL_IN[1] / height)
        axes.append(figure.add_axes(place, sharex=axes[0] if axes else None))
        _panel(axes[-1], members)
        axes[-1].tick_params(bottom=False, left=False, labelbottom=index == len(panels) - 1)
    axes[-1].set_xlabel("time [s]")
    figure.suptitle(title, x=LEFT_IN / width, y=1.0 - 0.5 * TOP_IN / height, ha="left", va="center", fontsize="large")
    return figure


def _select(results: Results, name: str) -> list[Quantity]:
    if not any(sign in name for sign in "*?["):
        return [results[name]]
    found = results.find(name)
    if not found:
        raise UnknownName(name, results.names.paths)
    return found


def _panel(ax: Any, quantities: Sequence[Quantity]) -> None:
    lines = [(quantity.time, *line) for quantity in quantities for line in _lines(quantity)]
    for count, (time, label, values) in enumerate(lines):
        style = {"color": COLOURS[count % len(COLOURS)], "linestyle": DASHES[count // len(COLOURS) % len(DASHES)]}
        ax.plot(time, values, label=label, linewidth=1.2, **style)
    unit, _ = shown(quantities[0])
    kinds = {quantity.path.rpartition(".")[2].replace("_", " ") for quantity in quantities}
    owners = {quantity.path.partition(".")[0] for quantity in quantities}
    kind = kinds.pop() if len(kinds) == 1 else owners.pop() if len(owners) == 1 else ""
    ax.set_ylabel(f"{kind} [{unit}]".strip() if unit else kind or "[1]")
    ax.grid(True, color="0.88", linewidth=0.6)
    ax.margins(x=0.0)
    ax.locator_params(nbins=MAX_TICKS)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)

    # the legend stands beside the curves, never on them
    place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.0}
    ax.legend(fontsize="small", frameon=False, ncols=_legend_columns(len(lines)), **place)


def _legend_columns(lines: int) -> int:
    return 1 + (lines - 1) // LEGEND_ROWS


def _legend_room(quantities: Sequence[Quantity]) -> float:
    """Return the width that the names of these quantities need, inches."""
    labels = [label for quantity in quantities for label, _ in _lines(quantity)]
    return _legend_columns(len(labels)) * (LINE_SAMPLE_IN + LETTER_IN * max(len(label) for label in labels))


def _lines(quantity: Quantity) -> list[tuple[str, Any]]:
    _, factor = shown(quantity)
    if quantity.values.ndim == 1:
        return [(quantity.path, quantity.values * factor)]
    return [
        (f"{quantity.path}.{name}" if isinstance(name, str) else f"{quantity.path}[{name}]", values * factor)
        for name, values in zip(component_names(quantity.signal), quantity.values.T, strict=True)
    ]


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of a size in inches: pyplot's own if a script has imported it, so that it can be shown."""
    if "matplotlib.pyplot" in sys.modules:
        return sys.modules["matplotlib.pyplot"].figure(figsize=(width, height))  # type: ignore[no-any-return]
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))
