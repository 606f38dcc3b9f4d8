# SPDX-License-Identifier: BSD-3-Clause
"""The compiled core: evaluate, integrate, observe, run."""
