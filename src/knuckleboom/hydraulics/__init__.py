# SPDX-License-Identifier: BSD-3-Clause
"""Hydraulics: a network of nodes that have a pressure and branches that carry flow. Knows nothing of bodies."""
