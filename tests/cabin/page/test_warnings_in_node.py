# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of warning has a mark of its own."""

from pathlib import Path

from cabin.page.in_node import in_node

PAGE = Path(__file__).parents[3] / "docs" / "cabin_protocol.md"


def test_marks():
    marks = in_node("panels/warnings.js", "({ MARKS }) => MARKS")
    listed = next(line for line in PAGE.read_text().splitlines() if line.startswith("| `warnings` |"))
    kinds = [word.strip(" `") for word in listed.partition("`kind`: ")[2].partition(";")[0].split(",")]

    assert sorted(marks) == sorted(kinds) and len(set(marks.values())) == len(marks)
