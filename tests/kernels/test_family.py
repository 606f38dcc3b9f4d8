# SPDX-License-Identifier: BSD-3-Clause
"""A family reads the same from compiled code and from Python."""

import pickle

import numpy as np
import pytest

from kernel_call import callable_kernel
from knuckleboom.family import Family
from knuckleboom.layout import PLAN_FAMILIES, PLAN_FIELDS, flatten, group


def make_whole():
    rng = np.random.default_rng(7)
    inner = Family(
        "inner",
        {"index": rng.integers(0, 9, (4, 3)), "flat": rng.normal(size=5), "block": rng.normal(size=(2, 3, 4))},
        {"index": ("n", 3), "flat": ("m",), "block": (2, "n", 4)},
    )
    return Family("whole", {"inner": inner, "empty": Family("empty", {}), "out": Family("out", {"value": np.zeros(9)})})


def read_all(whole):
    inner, out = whole.inner, whole.out.value
    for i in range(inner.index.shape[0]):
        for j in range(inner.index.shape[1]):
            out[0] += inner.index[i, j] * (1 + i + 4 * j)
    for i in range(inner.flat.shape[0]):
        out[1] += inner.flat[i] * (i + 1)
    a, b, c = inner.block.shape
    out[2] = a + 10 * b + 100 * c
    for i in range(a):
        for j in range(b):
            for k in range(c):
                out[3] += inner.block[i, j, k] * (1 + i + 3 * j + 7 * k)
    row = inner.block[1, 2]
    out[4] = row[3]
    out[5] = inner.index.size


def test_compiled_code_reads_and_writes_what_python_does():
    compiled, plain = make_whole(), make_whole()
    callable_kernel(read_all)(compiled)
    read_all(plain)
    np.testing.assert_array_equal(compiled.out.value, plain.out.value)
    assert plain.out.value[2] == 2 + 30 + 400 and plain.out.value[5] == 12


def test_a_replaced_member_is_seen_and_the_rest_is_shared():
    whole = make_whole()
    other = whole.replaced(out=whole.out.replaced(value=np.ones(9)))
    callable_kernel(read_all)(other)
    assert other.inner.flat is whole.inner.flat
    assert not whole.out.value.any() and other.out.value[8] == 1.0


def test_sizes_that_the_layout_fixes_are_part_of_the_type_and_checked():
    whole = make_whole()
    longer = Family("inner", {"index": np.zeros((7, 3), np.int64)}, {"index": ("n", 3)})
    short = Family("inner", {"index": np.zeros((4, 3), np.int64)}, {"index": ("n", 3)})
    assert longer._numba_type_ is short._numba_type_
    with pytest.raises(ValueError, match=r"inner\.index has the shape \(4, 2\)"):
        whole.inner.replaced(index=np.zeros((4, 2), np.int64))
    with pytest.raises(ValueError, match=r"inner\.block is not contiguous"):
        whole.inner.replaced(block=np.zeros((3, 2, 4)).transpose(1, 0, 2))


def test_families_keep_their_arrays_through_group_flatten_and_pickle():
    arrays = {
        name: np.zeros([3 if isinstance(size, str) else size for size in shape]) for name, shape, *_ in PLAN_FIELDS
    }
    plan = group("plan", PLAN_FAMILIES, arrays, "unified", frozen=True)
    assert flatten(plan).keys() == {name for name in arrays if not name.startswith(("tableau.", "impulse."))}
    assert all(array is arrays[name] for name, array in flatten(plan).items())
    copied = pickle.loads(pickle.dumps(plan))
    assert copied._numba_type_ is plan._numba_type_ and copied.links.index is not plan.links.index
    explicit = group("plan", PLAN_FAMILIES, arrays, "explicit", frozen=True)
    assert not explicit.newton and not explicit.tangent and explicit.links
    assert group("plan", PLAN_FAMILIES, arrays, "realtime", frozen=True).tableau
