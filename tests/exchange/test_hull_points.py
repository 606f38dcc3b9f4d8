# SPDX-License-Identifier: BSD-3-Clause
"""Corners of the hull of a mesh: those of a box with a dent, from a file in mm, as the shape of a contact."""

import itertools

import numpy as np
import pytest
import trimesh

import knuckleboom as kb
from knuckleboom.errors import MachineError

CORNERS = list(itertools.product((-0.2, 0.2), (-0.1, 0.1), (0.0, 0.3)))
DENTED = [*CORNERS, (0.0, 0.0, 0.1)]
FACES = [(0, 1, 8), (1, 2, 8), (2, 4, 8), (4, 5, 8), (5, 7, 8), (7, 6, 8), (6, 3, 8), (3, 0, 8)]


def test_a_dent_is_not_on_the_hull():
    found = kb.hull_points((DENTED, FACES))

    assert {tuple(point) for point in found} == set(CORNERS)


def test_a_file_in_mm_is_the_shape_of_a_contact(tmp_path):
    path = tmp_path / "bucket.ply"
    trimesh.Trimesh([[1e3 * x for x in point] for point in DENTED], FACES, process=False).export(path)
    m = kb.Machine("m")
    body = m.body("body", mass=1.0, inertia=(1, 1, 1))
    m.terrain("floor")
    m.contact("lip", body, hull=kb.hull_points(path, unit="mm"))

    found = np.array(sorted(np.round(m.parts["lip"].hull, 6).tolist()))
    assert found == pytest.approx(np.array(sorted(CORNERS)), abs=1e-6)
    assert not list(m.parts["lip"].faults())


def test_what_is_no_mesh_is_refused():
    with pytest.raises(MachineError, match="there is no such file"):
        kb.hull_points("nowhere.stl")
    with pytest.raises(MachineError, match="unit"):
        kb.hull_points((DENTED, FACES), unit="kg")
