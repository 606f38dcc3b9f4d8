# SPDX-License-Identifier: BSD-3-Clause
"""Validations against other programs: rank 3 of 6 on the ladder of evidence."""
