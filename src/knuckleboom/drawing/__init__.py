# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of machines as SVG, laid out automatically: `draw_circuit` and `draw_mechanism` in draw.py.

A drawing is a sheet of cells in rows (sheet.py, filled by circuit.py or mechanism.py), which are put in order and into
columns (order.py); lines run in the channels between the rows (route.py); svg.py writes it. No library is needed.
"""
