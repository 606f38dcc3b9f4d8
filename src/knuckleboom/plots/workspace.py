# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a work space: the places a point reaches, from the side and, where it leaves that plane, from above.

Axes have one scale, in m. Attached to Workspace as `.plot()` in `knuckleboom/__init__.py`. Tested in
tests/analysis/test_workspace.py.
"""

from typing import TYPE_CHECKING

import numpy as np

from knuckleboom.plots.figure import COLOURS, new_figure
from knuckleboom.results.workspace import FLAT, Workspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VIEWS = (("x", "z", "from the side"), ("y", "z", "from the front"), ("x", "y", "from above"))
PANEL_IN = 4.0


def plot_workspace(workspace: Workspace) -> "Figure":
    """Draw the places reached; one panel for each view in which they are not a line."""
    points = dict(zip("xyz", workspace.points.T, strict=True))
    size = max(float(np.ptp(values)) for values in points.values()) or 1.0
    wide = {axis: float(np.ptp(values)) > FLAT * size for axis, values in points.items()}
    views = [view for view in VIEWS if wide[view[0]] and wide[view[1]]] or [VIEWS[0]]
    figure = new_figure(PANEL_IN * len(views), PANEL_IN)
    for number, (across, up, title) in enumerate(views, start=1):
        ax = figure.add_subplot(1, len(views), number)
        ax.plot(points[across], points[up], ".", color=COLOURS[0], markersize=2.0)
        ax.set_xlabel(f"{across} [m]")
        ax.set_ylabel(f"{up} [m]")
        ax.set_title(title, fontsize="medium", loc="left")
        ax.set_aspect("equal", adjustable="datalim")
        ax.grid(True, color="0.88", linewidth=0.6)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    figure.suptitle(f"{workspace.machine}: places of {workspace.point}", x=0.02, ha="left", fontsize="large")
    figure.tight_layout()
    return figure
