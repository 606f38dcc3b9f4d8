# SPDX-License-Identifier: BSD-3-Clause
"""Halves of a machine in two processes: the link that a run uses, and what a program of one's own uses."""
