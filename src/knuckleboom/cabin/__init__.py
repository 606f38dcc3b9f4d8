# SPDX-License-Identifier: BSD-3-Clause
"""The operator's cabin: a machine driven in real time in a browser, recorded and played again."""
