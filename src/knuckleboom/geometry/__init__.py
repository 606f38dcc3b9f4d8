# SPDX-License-Identifier: BSD-3-Clause
"""Where shapes touch: numbers in, numbers out."""
