# SPDX-License-Identifier: BSD-3-Clause
"""Citations as they are written in texts: names and a year in brackets, several parted by semicolons."""

import re

BRACKET = re.compile(r"\[([^\[\]]*\b(?:18|19|20)\d\d\b[^\[\]]*)\]")


def cited_in(text: str) -> list[str]:
    """Return each citation of a text without its bracket, such as "Merritt 1967, ch. 3"."""
    return [" ".join(piece.split()) for bracket in BRACKET.findall(text) for piece in bracket.split(";")]
