# SPDX-License-Identifier: BSD-3-Clause
"""The movements of links: three that joints are made of, axes and deform; mechanics/kinematics.py is their list."""
