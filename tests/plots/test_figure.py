# SPDX-License-Identifier: BSD-3-Clause
"""Figures: panels, labels in the units people read, the numbers drawn, wrong names."""

import os
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

from knuckleboom.names import UnknownName
from knuckleboom.plots import plot, plot_quantity
from knuckleboom.units import readable
from results.made_up_run import made_up_run


@pytest.mark.parametrize(
    ("si", "read", "size"),
    [
        ("Pa", "bar", 1e-5),
        ("m", "mm", 1e3),
        ("rad", "deg", 180 / np.pi),
        ("m^3/s", "l/min", 6e4),
        ("m³/s", "l/min", 6e4),
        ("m3/s", "l/min", 6e4),
        ("N·m", "kN·m", 1e-3),
        ("rad/s**2", "deg/s²", 180 / np.pi),
        ("kg", "kg", 1.0),
    ],
)
def test_units_people_read(si, read, size):
    assert readable(si) == (read, pytest.approx(size))


def test_one_panel_per_unit_with_labels():
    figure = plot(made_up_run(), "lift.a.pressure", "foot.angle", "lift.b.pressure", "spool.PA.flow", "lift.length")
    assert isinstance(figure, Figure)
    assert [ax.get_ylabel() for ax in figure.axes] == ["pressure [bar]", "angle [deg]", "flow [l/min]", "length [mm]"]
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [
        "lift.a.pressure",
        "lift.b.pressure",
    ]


def test_a_panel_of_one_part_is_labelled_with_it():
    figure = plot(made_up_run(), "boom.tip.position.x", "boom.tip.position.z")
    assert figure.axes[0].get_ylabel() == "boom [mm]"


def test_numbers_drawn_are_converted():
    run = made_up_run()
    line = plot(run, "lift.a.pressure").axes[0].lines[0]
    np.testing.assert_array_equal(line.get_xdata(), run.time)
    assert line.get_ydata() == pytest.approx(76.0 + run.time)


def test_patterns_and_components():
    figure = plot(made_up_run(), "*.pressure", "boom.tip.position.z")
    assert [len(ax.lines) for ax in figure.axes] == [2, 1]
    assert figure.axes[1].lines[0].get_label() == "boom.tip.position.z"


def test_vectors_and_rows_are_one_line_per_component():
    figure = plot(made_up_run(), "boom.tip.position", "pin.multiplier")
    labels = [line.get_label() for ax in figure.axes for line in ax.lines]
    assert labels == [
        "boom.tip.position.x",
        "boom.tip.position.y",
        "boom.tip.position.z",
        "pin.multiplier[0]",
        "pin.multiplier[1]",
    ]
    assert figure.axes[1].get_ylabel() == "multiplier [kN]"


def test_what_was_converted_stays_as_asked():
    figure = plot_quantity(made_up_run()["lift.a.pressure"].to("MPa"))
    assert figure.axes[0].get_ylabel() == "pressure [MPa]"
    assert figure.axes[0].lines[0].get_ydata()[0] == pytest.approx(7.6)


def test_into_given_axes():
    figure = Figure()
    ax = figure.subplots()
    assert plot_quantity(made_up_run()["foot.angle"], ax) is figure
    assert ax.get_ylabel() == "angle [deg]"


def test_wrong_names_answer_with_the_closest():
    with pytest.raises(UnknownName, match=r"foot\.angle"):
        plot(made_up_run(), "foot.angel")
    with pytest.raises(UnknownName):
        plot(made_up_run(), "crane.*")
    with pytest.raises(ValueError, match=r"run\.plot\('foot\.angle'\)"):
        plot(made_up_run())


def test_nothing_is_drawn_or_imported_before_it_is_asked_for():
    code = "import sys, knuckleboom.plots; print([name in sys.modules for name in ('matplotlib', 'xarray', 'pint')])"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=paths)
    assert done.stdout == "[False, False, False]\n"
