# SPDX-License-Identifier: BSD-3-Clause
"""Branches that carry flow and openings that throttle them; hydraulics/network.py is their list."""
