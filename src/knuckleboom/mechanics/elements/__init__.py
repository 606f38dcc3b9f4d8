# SPDX-License-Identifier: BSD-3-Clause
"""The three movements every joint is made of; mechanics/kinematics.py is their list."""
