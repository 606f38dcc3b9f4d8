# SPDX-License-Identifier: BSD-3-Clause
"""Branches that carry flow, nodes that have a pressure, openings and lags; flows.py and nodes.py are their lists."""
