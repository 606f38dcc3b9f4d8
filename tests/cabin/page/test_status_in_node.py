# SPDX-License-Identifier: BSD-3-Clause
"""The words at the foot of the page: how many steps had their oil corrected."""

import pytest

from cabin.page.in_node import in_node

TEXT = "({ correctedText }, status) => correctedText(status)"


@pytest.mark.parametrize(
    ("steps", "corrected", "text"),
    [(0, 0, "0 %"), (1000, 0, "0 %"), (1000, 52, "5.2 %"), (90_000, 31, "0.034 %"), (200, 200, "100 %")],
)
def test_corrected_steps_are_a_percentage_with_its_numbers(steps, corrected, text):
    shown = in_node(
        "panels/status.js", TEXT, {"steps": steps, "corrected": corrected, "halved": 4, "unresolved": 2}
    )  # fmt: skip

    assert shown["text"] == text
    assert f"Of {steps} steps {corrected} had" in shown["hint"] and "4 were made in parts, 2 were" in shown["hint"]


def test_a_run_without_corrections_says_so():
    shown = in_node("panels/status.js", TEXT, {"steps": 30, "corrected": None, "halved": None, "unresolved": None})
    assert shown["text"] == "–" and "only the real-time method" in shown["hint"]
