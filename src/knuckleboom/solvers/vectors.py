# SPDX-License-Identifier: BSD-3-Clause
"""Operations on whole vectors and tables, as plain loops: kernels allocate nothing and take no slices."""

from knuckleboom.kernels import kernel


@kernel
def fill(value, result):
    """result = value everywhere. Writes result."""
    for i in range(result.shape[0]):
        result[i] = value


@kernel
def fill_rows(value, result):
    """Two-dimensional result = value everywhere. Writes result."""
    for i in range(result.shape[0]):
        for k in range(result.shape[1]):
            result[i, k] = value


@kernel
def copy(values, result):
    """result = values. Writes result."""
    for i in range(values.shape[0]):
        result[i] = values[i]


@kernel
def scale(factor, values, result):
    """result = factor·values. Writes result."""
    for i in range(values.shape[0]):
        result[i] = factor * values[i]


@kernel
def add_scaled(base, factor, values, result):
    """result = base + factor·values. Writes result."""
    for i in range(base.shape[0]):
        result[i] = base[i] + factor * values[i]
