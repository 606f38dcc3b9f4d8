# SPDX-License-Identifier: BSD-3-Clause
"""The commands, one file each: its name, an example for its help, and the function that typer calls."""
