# SPDX-License-Identifier: BSD-3-Clause
"""Interface: the rows through which everything pushes on the mechanism, where mechanics and power meet."""
