# SPDX-License-Identifier: BSD-3-Clause
"""Reports: one HTML file that shows a run without a network, notebook display, and what a run has to cite.

`write_report(run, "x.html", measured="data.csv")` is what `run.report(...)` calls, `citations(run)` what
`run.citations()` calls. Everything here is imported when it is asked for: nothing that computes imports this room.
"""

from knuckleboom.report.citations import Citations, citations
from knuckleboom.report.write import write_report

__all__ = ["Citations", "citations", "write_report"]
