# SPDX-License-Identifier: BSD-3-Clause
"""`python -m knuckleboom` is the command `knuckleboom`."""

from knuckleboom.cli import main

main()
