# SPDX-License-Identifier: BSD-3-Clause
"""Force laws on interface rows; interface/forces.py is their list."""
