# SPDX-License-Identifier: BSD-3-Clause
"""Other programs' models of our machines, for agreement and for speed.

Each file needs its own program; `pip install knuckleboom[peers]` brings all of them.
"""
