# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of a machine: how many parts of each kind, and each part with what it joins.

Names are escaped. Tested in tests/report/test_notebook.py.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from knuckleboom.describe import Part
from knuckleboom.machine.machine import Machine

MOST_ROWS = 200


def machine_html(machine: Machine) -> str:
    """Return the parts as a table, with their counts above it."""
    counts = Counter(part.KIND for part in machine.parts.values())
    counted = ", ".join(f"{number} {kind}" for kind, number in counts.items()) or "no parts yet"
    rows = [
        f"<tr><th>{escape(part.name)}</th><td>{escape(part.KIND)}</td><td>{escape(joins(part))}</td></tr>"
        for part in list(machine.parts.values())[:MOST_ROWS]
    ]
    left = len(machine.parts) - len(rows)
    more = f"<p>and {left} more parts</p>" if left > 0 else ""
    head = "<thead><tr><th>part</th><th>kind</th><th>joins or refers to</th></tr></thead>"
    table = f"<table>{head}<tbody>{''.join(rows)}</tbody></table>" if rows else ""
    return f"<b>{escape(machine.name)}</b><br>{escape(counted)}{table}{more}"


def joins(part: Part) -> str:
    """Return what a part refers to, each once."""
    words = (getattr(value, "ref", "") or getattr(value, "body", "") or value for _, value in part.references())
    return ", ".join(dict.fromkeys(str(word) for word in words))
