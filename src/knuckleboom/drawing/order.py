# SPDX-License-Identifier: BSD-3-Clause
"""Order and columns of the cells of a sheet: few crossings first, then short and straight lines.

Rows are swept up and down; a row is sorted by the mean column of what its cells are joined to (barycentre), and
placed as near to that as its order allows: least squares with a least distance, by pooling neighbours that push
each other. The best of all sweeps is kept; neighbours are swapped and cells mirrored as long as that helps. At last
cells move where most of their lines become straight. Nothing is random, so a machine is always drawn the same.

Two columns that face each other across a channel never coincide unless they belong to one net; then no two nets can
ever run on the same line.                                      [Sugiyama 1981] for the sweeps; the rest is our own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from knuckleboom.drawing.sheet import GAP, Cell, Pin, Sheet

SWEEPS = 12
SNAPS = 8
CROSSING = 12.0
"""What a crossing costs, in steps of line."""
BEND = 3.0
"""What a line that is not straight costs."""
BUS = 3.0
"""A line with more ends than this may be long, as that of a pump."""

Ends = tuple[list[int], list[int]]
Span = tuple[int, int]


def arrange(sheet: Sheet) -> None:
    """Give every cell its place in its row and its column."""
    for row in sheet.rows:
        _spread(row, [0.0] * len(row))
    best, kept = float("inf"), _remember(sheet)
    for sweep in range(SWEEPS):
        upwards = sweep % 2 == 0
        for number in range(len(sheet.rows)) if upwards else reversed(range(len(sheet.rows))):
            row = sheet.rows[number]
            wanted = [_wanted(sheet, number, cell, below=upwards, above=not upwards) for cell in row]
            order = sorted(range(len(row)), key=lambda index, wanted=wanted: wanted[index])  # type: ignore[misc]
            row[:] = [row[index] for index in order]
            _sort_loose_pins(sheet, number)
            _spread(row, [wanted[index] for index in order])
        cost = sum(_channel_cost(sheet, channel) for channel in range(len(sheet.rows) + 1))
        if cost < best:
            best, kept = cost, _remember(sheet)
    _recall(sheet, kept)
    _improve(sheet)
    for _ in range(4):
        for number, row in enumerate(sheet.rows):
            _spread(row, [_wanted(sheet, number, cell, below=True, above=True) for cell in row])
    for _ in range(SNAPS):
        for number in range(len(sheet.rows)):
            _straighten(sheet, number)
            _slide_loose_pins(sheet, number)
    _part_columns(sheet)
    left = min((cell.x for _, cell in sheet.cells()), default=0)
    for _, cell in sheet.cells():
        cell.x -= left


# --- preferred places of cells ----------------------------------------------------------------------------------------


def _wanted(sheet: Sheet, number: int, cell: Cell, *, below: bool, above: bool) -> float:
    """Return the column of a cell's left edge that would be nearest to what it is joined to."""
    weight = total = 0.0
    for pin in cell.shape.pins:
        if not (above if pin.up else below):
            continue
        others = _others(sheet, number, cell, pin)
        if others:
            heavy = (4.0 if not cell.name else 1.0) / len(others)
            total += heavy * (sum(others) / len(others) - pin.x)
            weight += heavy
    return total / weight if weight else float(cell.x)


def _others(sheet: Sheet, number: int, cell: Cell, pin: Pin) -> list[int]:
    """Return the columns that a pin is joined to in its channel: those that face it, else those beside it."""
    facing: list[int] = []
    beside: list[int] = []
    channel = number + 1 if pin.up else number
    for other, end, above in sheet.joined(channel)[pin.net]:
        if end is not pin:
            (facing if above == pin.up else beside).append(other.x + end.x)
    return facing or beside


def _spread(row: Sequence[Cell], wanted: Sequence[float]) -> None:
    """Place a row in its order, each cell as near to its preferred place as its neighbours allow."""
    offsets, reach = [], 0
    for cell in row:
        offsets.append(reach)
        reach += cell.width + GAP
    pools: list[list[float]] = []  # mean, number of cells
    for want, offset in zip(wanted, offsets, strict=True):
        pools.append([want - offset, 1.0])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, count = pools.pop()
            before = pools[-1]
            before[0] = (before[0] * before[1] + mean * count) / (before[1] + count)
            before[1] += count
    places = [round(mean) for mean, count in pools for _ in range(int(count))]
    for cell, offset, place in zip(row, offsets, places, strict=True):
        cell.x = place + offset


def _sort_loose_pins(sheet: Sheet, number: int) -> None:
    """Give loose pins of a row the order of what they are joined to."""
    for cell in sheet.rows[number]:
        if not cell.loose:
            continue
        for up in (False, True):
            pins = list(cell.pins(up))
            places = sorted(pin.x for pin in pins)
            reach = {id(pin): _others(sheet, number, cell, pin) or [cell.x + pin.x] for pin in pins}
            pins.sort(key=lambda pin: sum(reach[id(pin)]) / len(reach[id(pin)]))
            for pin, x in zip(pins, places, strict=True):
                pin.x = x
                pin.path = [(x, y) for _, y in pin.path]


def _slide_loose_pins(sheet: Sheet, number: int) -> None:
    """Move loose pins along their edge to the columns that they are joined to, where their neighbours leave room."""
    for cell in sheet.rows[number]:
        if not cell.loose:
            continue
        for up in (False, True):
            pins = sorted(cell.pins(up), key=lambda pin: pin.x)
            for index, pin in enumerate(pins):
                low = pins[index - 1].x + 2 if index > 0 else 1
                high = pins[index + 1].x - 2 if index + 1 < len(pins) else cell.width - 1
                others = _others(sheet, number, cell, pin)
                if len(others) == 1 and low <= others[0] - cell.x <= high:
                    pin.x = others[0] - cell.x
                    pin.path = [(pin.x, y) for _, y in pin.path]


# --- what an order costs ----------------------------------------------------------------------------------------------


def crossings(one: Ends, over: Span, other: Ends, under: Span) -> int:
    """Return how often two nets cross when `one` runs above `other` in a channel; with the spans of both."""
    count = 0
    for x in one[1]:
        count += under[0] < x < under[1]
    for x in other[0]:
        count += over[0] < x < over[1]
    return count


def span(ends: Ends) -> Span:
    """Return the first and the last column of a net in a channel."""
    columns = ends[0] + ends[1]
    return min(columns), max(columns)


def _channel_cost(sheet: Sheet, channel: int, nets: Collection[str] | None = None) -> float:
    """Return what the lines of a channel cost, or those of some nets: crossings, bends and length."""
    found = {net: (ends, span(ends)) for net, ends in sheet.ends(channel).items()}
    done: set[str] = set()
    cost = 0.0
    for net in found if nets is None else nets:
        if net not in found:
            continue
        ends, (low, high) = found[net]
        share = min(1.0, BUS / (len(ends[0]) + len(ends[1])))
        cost += share * (high - low) + (BEND if high > low else 0.0)
        done.add(net)
        for other, (others, reach) in found.items():
            if reach[0] <= high and low <= reach[1] and other not in done:
                above = crossings(ends, (low, high), others, reach)
                cost += CROSSING * min(above, crossings(others, reach, ends, (low, high))) if above else 0.0
    return cost


def _row_cost(sheet: Sheet, number: int) -> float:
    """Return what the lines of both channels of a row cost, and its mirrored cells."""
    mirrored = sum(cell.reluctance for cell in sheet.rows[number] if cell.chosen)
    return mirrored + _channel_cost(sheet, number) + _channel_cost(sheet, number + 1)


def _cell_cost(sheet: Sheet, number: int, cell: Cell) -> float:
    """Return what the lines at a cell cost; two nets in one column cost far more than anything else."""
    nets = list(dict.fromkeys(pin.net for pin in cell.shape.pins))
    clashes = sum(1 for channel in (number, number + 1) for _ in _clashes(sheet, channel))
    return _channel_cost(sheet, number, nets) + _channel_cost(sheet, number + 1, nets) + 1e3 * clashes


# --- small changes that help ------------------------------------------------------------------------------------------


def _improve(sheet: Sheet) -> None:
    """Swap neighbours and mirror cells as long as that makes lines cheaper."""
    for _ in range(4):
        helped = False
        for number, row in enumerate(sheet.rows):
            for change in _changes(sheet, row):
                helped |= _try(sheet, number, change)
        if not helped:
            return


def _changes(sheet: Sheet, row: list[Cell]) -> Iterator[Callable[[], None]]:
    """Yield things to try in a row; doing one twice undoes it."""
    for index in range(len(row) - 1):

        def swap(index: int = index) -> None:
            row[index], row[index + 1] = row[index + 1], row[index]

        yield swap
    for cell in row:
        if len(cell.shapes) == 2:

            def mirror(cell: Cell = cell) -> None:
                cell.chosen = 1 - cell.chosen
                sheet.forget()

            yield mirror


def _try(sheet: Sheet, number: int, change: Callable[[], None]) -> bool:
    """Make a change in a row and keep it if its lines become cheaper."""
    row = sheet.rows[number]
    before, places = _row_cost(sheet, number), [cell.x for cell in row]
    held = list(row)
    change()
    _spread(row, [_wanted(sheet, number, cell, below=True, above=True) for cell in row])
    if _row_cost(sheet, number) < before - 1e-9:
        return True
    change()
    for cell, x in zip(held, places, strict=True):
        cell.x = x
    return False


def _straighten(sheet: Sheet, number: int) -> None:
    """Move each cell of a row, within the room its neighbours leave, to where its lines are cheapest."""
    row = sheet.rows[number]
    for index, cell in enumerate(row):
        low = row[index - 1].x + row[index - 1].width + GAP if index > 0 else None
        high = row[index + 1].x - cell.width - GAP if index + 1 < len(row) else None
        places = {cell.x}
        for pin in cell.shape.pins:
            places |= {x - pin.x for x in _others(sheet, number, cell, pin)}
        wanted = sorted(x for x in places if (low is None or x >= low) and (high is None or x <= high))
        start, best = cell.x, (float("inf"), 0, cell.x)
        for x in wanted:
            cell.x = x
            best = min(best, (_cell_cost(sheet, number, cell), abs(x - start), x))
        cell.x = best[2] if wanted else start


def _clashes(sheet: Sheet, channel: int) -> Iterator[int]:
    """Yield the columns in which different nets face each other across a channel."""
    above: dict[int, str] = {}
    below: dict[int, str] = {}
    for net, (down, up) in sheet.ends(channel).items():
        above.update(dict.fromkeys(down, net))
        below.update(dict.fromkeys(up, net))
    for x, net in above.items():
        if below.get(x, net) != net:
            yield x


def _part_columns(sheet: Sheet) -> None:
    """Move cells to the right until no two nets face each other in one column."""
    for number, row in enumerate(sheet.rows):
        reach = None
        for cell in row:
            if reach is not None:
                cell.x = max(cell.x, reach)
            taken: dict[int, str] = {}
            for other, pin, from_above in sheet.facing(number):
                if not from_above:
                    taken[other.x + pin.x] = pin.net
            while any(taken.get(cell.x + pin.x, pin.net) != pin.net for pin in cell.pins(up=False)):
                cell.x += 1
            reach = cell.x + cell.width + GAP


def _remember(sheet: Sheet) -> list[list[tuple[Cell, int, list[int]]]]:
    return [[(cell, cell.x, [pin.x for pin in cell.shape.pins]) for cell in row] for row in sheet.rows]


def _recall(sheet: Sheet, kept: list[list[tuple[Cell, int, list[int]]]]) -> None:
    for row, held in zip(sheet.rows, kept, strict=True):
        row[:] = [cell for cell, _, _ in held]
        for cell, x, columns in held:
            cell.x = x
            for pin, column in zip(cell.shape.pins, columns, strict=True):
                if pin.x != column:
                    pin.x = column
                    pin.path = [(column, y) for _, y in pin.path]
