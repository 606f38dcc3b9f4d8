# SPDX-License-Identifier: BSD-3-Clause
"""Reads a drawing back: symbols, ports, lines and words with their places, and what must hold for them."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"-?\d+(?:\.\d+)?"
LETTER = 6.2
"""Pixels of a letter of a label, about as wide as common fonts have it."""

Box = tuple[float, float, float, float]
Segment = tuple[tuple[float, float], tuple[float, float]]


@dataclass
class Seen:
    """What is in a drawing."""

    parts: dict[str, list[Box]] = field(default_factory=dict)
    ports: dict[tuple[str, str], tuple[str, tuple[float, float]]] = field(default_factory=dict)
    lines: dict[str, list[Segment]] = field(default_factory=dict)
    dashed: dict[str, list[Segment]] = field(default_factory=dict)
    hung: list[tuple[str, list[Segment], Box]] = field(default_factory=list)
    words: list[tuple[str, Box]] = field(default_factory=list)
    size: tuple[float, float] = (0.0, 0.0)


def see(svg: str) -> Seen:
    """Return what is in a drawing; a text that is no XML is an error."""
    root = ElementTree.fromstring(svg)
    seen = Seen(size=tuple(map(float, root.get("viewBox").split()[2:])))
    for element in root:
        if element.tag == f"{SVG}text":
            seen.words.append((element.text, _text_box(element)))
        elif element.get("data-part") is not None or element.get("data-body") is not None:
            name = element.get("data-part") or element.get("data-body")
            strokes = [child for child in element if child.get("data-port") is None]
            seen.parts.setdefault(name, []).append(_around(strokes))
            for child in element:
                if child.get("data-port") is not None:
                    place = _points(child.get("d"))[0][0]
                    seen.ports[name, child.get("data-port")] = child.get("data-net"), place
        elif element.get("data-net") is not None:
            for path in element.findall(f"{SVG}path"):
                segments = [pair for points in _points(path.get("d")) for pair in itertools.pairwise(points)]
                seen.lines.setdefault(element.get("data-net"), []).extend(segments)
                if path.get("stroke-dasharray"):
                    seen.dashed.setdefault(element.get("data-net"), []).extend(segments)
        elif element.get("data-local") is not None:
            first, *others = list(element)
            lines = [pair for points in _points(first.get("d")) for pair in itertools.pairwise(points)]
            seen.hung.append((element.get("data-local"), lines, _around(others)))
    return seen


def _points(d: str) -> list[list[tuple[float, float]]]:
    """Points of each piece of a path."""
    pieces = [piece for piece in re.split("M", d) if piece]
    return [[(float(x), float(y)) for x, y in re.findall(rf"({NUMBER}) ({NUMBER})", piece)] for piece in pieces]


def _around(elements: list[ElementTree.Element]) -> Box | None:
    xs, ys = [], []
    for element in elements:
        if element.tag == f"{SVG}circle":
            x, y, r = (float(element.get(key)) for key in ("cx", "cy", "r"))
            xs += [x - r, x + r]
            ys += [y - r, y + r]
        elif element.tag == f"{SVG}path":
            d = re.sub(rf"A{NUMBER} {NUMBER} \d \d \d ", "L", element.get("d"))
            for points in _points(d):
                xs += [x for x, _ in points]
                ys += [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def _text_box(element: ElementTree.Element) -> Box:
    x, y, size = float(element.get("x")), float(element.get("y")), float(element.get("font-size", "11"))
    width = LETTER * len(element.text) * size / 11.0
    left = x - 0.5 * width if element.get("text-anchor") == "middle" else x
    return left, y - 0.75 * size, left + width, y + 0.2 * size


def overlap(one: Box, other: Box, slack: float = 0.5) -> bool:
    """Say whether two boxes share more than an edge."""
    return (
        one[0] + slack < other[2]
        and other[0] + slack < one[2]
        and one[1] + slack < other[3]
        and other[1] + slack < one[3]
    )


def box_of(segment: Segment) -> Box:
    """Return a segment as a thin box."""
    (x0, y0), (x1, y1) = segment
    return min(x0, x1) - 0.3, min(y0, y1) - 0.3, max(x0, x1) + 0.3, max(y0, y1) + 0.3


def on(place: tuple[float, float], segment: Segment) -> bool:
    """Say whether a place is on a segment."""
    (x0, y0), (x1, y1) = segment
    inside = min(x0, x1) <= place[0] <= max(x0, x1) and min(y0, y1) <= place[1] <= max(y0, y1)
    return inside and (x0 == x1 == place[0] or y0 == y1 == place[1])


def connected(segments: list[Segment]) -> bool:
    """Say whether segments hang together by their ends."""
    reached, left = [segments[0]], list(segments[1:])
    for one in reached:
        for other in list(left):
            if any(on(place, other) for place in one) or any(on(place, one) for place in other):
                reached.append(other)
                left.remove(other)
    return not left


def run_together(one: Segment, other: Segment) -> bool:
    """Say whether two segments lie on each other, or touch where one of them ends."""
    level = [one[0][1] == one[1][1], other[0][1] == other[1][1]]
    if level[0] == level[1]:
        return overlap(box_of(one), box_of(other), slack=0.1)
    return any(on(place, other) for place in one) or any(on(place, one) for place in other)


def assert_legible(seen: Seen) -> None:
    """Lines keep clear of symbols, words and each other; symbols and words of each other; all of it is on the sheet."""
    boxes = [(name, box) for name, found in seen.parts.items() for box in found if box is not None]
    boxes += [(f"{net} below", box) for net, _, box in seen.hung]
    lines = [(net, segment) for net, segments in seen.lines.items() for segment in segments]
    lines += [(f"{net} {number}", one) for number, (net, path, _) in enumerate(seen.hung) for one in path]
    for (name, box), (other, second) in itertools.combinations(boxes, 2):
        assert not overlap(box, second), f"{name} lies on {other}"
    for name, box in boxes:
        for net, segment in lines:
            if net.partition(":")[0] == name:  # the line of a joint ends inside its circle
                continue
            assert not overlap(box, box_of(segment), slack=1.0), f"a line of {net} runs through {name}"
    for (text, box), (other, second) in itertools.combinations(seen.words, 2):
        assert not overlap(box, second), f"'{text}' is written over '{other}'"
    for text, box in seen.words:
        for name, second in boxes:
            assert text == name or not overlap(box, second), f"'{text}' is written over {name}"
        for net, segment in lines:
            assert not overlap(box, box_of(segment)), f"a line of {net} runs through '{text}'"
    for (net, one), (other, second) in itertools.combinations(lines, 2):
        if net != other and net.partition(":")[0] != other.partition(":")[0]:
            assert not run_together(one, second), f"lines of {net} and {other} touch"
    for _, box in [*boxes, *seen.words]:
        assert box[0] >= 0.0 and box[1] >= 0.0 and box[2] <= seen.size[0] and box[3] <= seen.size[1]
    for _, ((x0, y0), (x1, y1)) in lines:
        assert x0 == x1 or y0 == y1
