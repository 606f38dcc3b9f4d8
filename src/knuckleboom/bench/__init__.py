# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks: speed beside other programs in the same run, and the time that compilation takes."""
