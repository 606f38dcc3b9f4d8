# SPDX-License-Identifier: BSD-3-Clause
"""Integrators: one file each, with order and source; engine/run.py is their list."""
