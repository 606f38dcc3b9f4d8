# SPDX-License-Identifier: BSD-3-Clause
"""Which planned pairs of shapes are near: their bounds along the world's axes overlap.

Below 64 shapes all planned pairs are looked at; from there on bounds are swept along the axis on which their middles
are spread most, in an order that is kept from step to step and sorted by insertion. A sweep only marks planned pairs:
what comes out is in their planned order and the same whichever way they were found, whatever was sorted.

Planned pairs are sorted by a, then b: those of shape a are plan_pairs.first[a] to first[a + 1], plan_pairs.other has b.
[Cohen 1995]; checked by tests/geometry/test_near.py
"""

from knuckleboom.geometry.placed import HIGH, LOW
from knuckleboom.kernels import kernel, shared_kernel

SWEPT = 64
"""Shapes from which on they are swept."""


@kernel
def meet(bounds, a, b):
    """Whether the bounds of two shapes overlap."""
    for m in range(3):
        if bounds[a, LOW + m] > bounds[b, HIGH + m] or bounds[b, LOW + m] > bounds[a, HIGH + m]:
            return False
    return True


@shared_kernel
def find_near(first, other, bounds, order, marked, hits, near):
    """Fill the numbers of the planned pairs that are near, ascending, and return how many. Writes order, marked, hits,
    near.
    """
    if order.shape[0] >= SWEPT:
        sweep(first, other, bounds, order, marked, hits)
        return gather(first, marked, hits, near)
    count = 0
    for a in range(first.shape[0] - 1):
        for pair in range(first[a], first[a + 1]):
            if meet(bounds, a, other[pair]):
                near[count] = pair
                count += 1
    return count


@kernel
def widest(bounds):
    """The axis along which the middles of bounds are spread most."""
    best, most = 0, -1.0
    count = bounds.shape[0]
    for m in range(3):
        middle, spread = 0.0, 0.0
        for i in range(count):
            middle += (bounds[i, LOW + m] + bounds[i, HIGH + m]) / count
        for i in range(count):
            spread += (bounds[i, LOW + m] + bounds[i, HIGH + m] - middle) ** 2
        if spread > most:
            best, most = m, spread
    return best


@kernel
def sort(bounds, axis, order):
    """Bring shapes into the order of their low ends: fast where it hardly changed. Writes order."""
    for i in range(1, order.shape[0]):
        shape = order[i]
        low, at = bounds[shape, LOW + axis], i
        while at > 0 and bounds[order[at - 1], LOW + axis] > low:
            order[at] = order[at - 1]
            at -= 1
        order[at] = shape


@kernel
def planned_pair(first, other, a, b):
    """The number of the pair of shapes a < b, or −1 where they may not touch."""
    low, high = first[a], first[a + 1]
    while low < high:
        middle = (low + high) // 2
        if other[middle] < b:
            low = middle + 1
        else:
            high = middle
    return low if low < first[a + 1] and other[low] == b else -1


@kernel
def sweep(first, other, bounds, order, marked, hits):
    """Mark pairs that are near and count them for their first shape. Writes order, marked, hits."""
    axis = widest(bounds)
    sort(bounds, axis, order)
    count = order.shape[0]
    for i in range(count):
        one = order[i]
        end, at = bounds[one, HIGH + axis], i + 1
        while at < count and bounds[order[at], LOW + axis] <= end:
            two = order[at]
            if meet(bounds, one, two):
                a, b = min(one, two), max(one, two)
                pair = planned_pair(first, other, a, b)
                if pair >= 0:
                    marked[pair] = 1
                    hits[a] += 1
            at += 1


@kernel
def gather(first, marked, hits, near):
    """Fill the marked pairs in their planned order, return how many, and clear the marks. Writes marked, hits, near."""
    count = 0
    for a in range(hits.shape[0]):
        pair = first[a]
        while hits[a] > 0:
            if marked[pair] == 1:
                marked[pair] = 0
                near[count] = pair
                count += 1
                hits[a] -= 1
            pair += 1
    return count
