# SPDX-License-Identifier: BSD-3-Clause
"""Mass properties of meshes against closed forms and, for any closed mesh, against trimesh; meshes that are refused."""

import numpy as np
import pytest
import trimesh

import knuckleboom as kb
from exchange.meshes import ball, box, prism


def turned(seed: int) -> np.ndarray:
    """A rotation."""
    Q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return Q * np.sign(np.linalg.det(Q))


def matrix(inertia) -> np.ndarray:
    """xx, yy, zz, xy, xz, yz as a matrix."""
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_box_anywhere_any_way_round():
    x, y, z, rho = 0.3, 0.5, 0.7, 7850.0
    mass = rho * x * y * z
    own = mass / 12.0 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    for seed in range(5):
        R, p = turned(seed), np.random.default_rng(seed).normal(size=3) * 100.0
        vertices, faces = box(x, y, z)

        found = kb.mass_properties((vertices @ R.T + p, faces), density="7850 kg/m3")

        assert found["mass"] == pytest.approx(mass, rel=1e-12)
        assert found["com"] == pytest.approx(p, abs=1e-12)
        assert matrix(found["inertia"]) == pytest.approx(R @ own @ R.T, abs=1e-10 * mass)


def test_tetrahedron():
    """Corner tetrahedron with legs a: V = a³/6, I_xx = ρ·a⁵·3/80 and I_xy = ρ·a⁵/480 about its centre (a/4, a/4, a/4).

    From ∫x² = a⁵/60 and ∫xy = a⁵/120 about the corner: I_xx = 2(1/60 − 1/96)·a⁵, I_xy = −(1/120 − 1/96)·a⁵.
    """
    a, rho = 2.0, 3.0
    corners = a * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)

    found = kb.mass_properties((corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]), rho)

    assert found["mass"] == pytest.approx(rho * a**3 / 6.0, rel=1e-14)
    assert found["com"] == pytest.approx((a / 4,) * 3, rel=1e-14)
    moment, mixed = 2.0 * (1 / 60 - 1 / 96) * a**5 * rho, (1 / 96 - 1 / 120) * a**5 * rho
    assert found["inertia"] == pytest.approx((moment, moment, moment, mixed, mixed, mixed), rel=1e-12)


def test_prism_is_exact_and_tends_to_a_cylinder():
    """A regular n-gon with radius r has A = n/2·r²·sin(2π/n) and I_z/A = r²/6·(2 + cos(2π/n))."""
    r, h, rho = 0.4, 1.3, 1000.0
    for count in (3, 7, 400):
        area = 0.5 * count * r * r * np.sin(2 * np.pi / count)
        polar = r * r / 6.0 * (2.0 + np.cos(2 * np.pi / count))
        found = kb.mass_properties(prism(r, h, count), rho)
        mass = rho * area * h
        assert found["mass"] == pytest.approx(mass, rel=1e-12)
        across = mass * (0.5 * polar + h * h / 12.0)
        assert found["inertia"] == pytest.approx((across, across, mass * polar, 0, 0, 0), rel=1e-12, abs=1e-11)
    assert found["inertia"][2] == pytest.approx(0.5 * rho * np.pi * r**4 * h, rel=2e-4)


def test_sphere_is_met_at_second_order():
    errors = []
    for refinements in (2, 3, 4):
        found = kb.mass_properties(ball(0.5, refinements), 2000.0)
        mass = 2000.0 * np.pi / 6.0
        errors.append(abs(found["inertia"][0] / (0.4 * mass * 0.25) - 1.0))
    assert errors[2] < 0.02
    # halving the triangles' size divides the error by four
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)


def test_hollow_box():
    """A cavity is a surface turned inwards; it counts as less."""
    outer, faces = box(1.0, 1.0, 1.0)
    inner, _ = box(0.5, 0.5, 0.5, at=(0.1, 0.0, 0.0))
    mesh = np.vstack([outer, inner]), np.vstack([faces, 8 + faces[:, ::-1]])

    found = kb.mass_properties(mesh, 1.0)

    assert found["mass"] == pytest.approx(1.0 - 0.125)
    assert found["com"] == pytest.approx((-0.125 * 0.1 / 0.875, 0.0, 0.0))


@pytest.mark.parametrize("seed", range(6))
def test_any_closed_mesh_is_as_trimesh_has_it(seed):
    """Rank on the ladder of evidence: another program. A ball whose corners were pulled anywhere is still closed."""
    random = np.random.default_rng(seed)
    vertices, faces = ball(1.0, 2)
    vertices = vertices * random.uniform(0.6, 1.4, size=(len(vertices), 1)) * (1.0, 2.0, 0.5) + random.normal(size=3)
    theirs = trimesh.Trimesh(vertices, faces, process=False)
    theirs.density = 7.5

    found = kb.mass_properties(theirs, 7.5)

    assert found["mass"] == pytest.approx(theirs.mass, rel=1e-10)
    assert found["com"] == pytest.approx(theirs.center_mass, abs=1e-10)
    assert matrix(found["inertia"]) == pytest.approx(theirs.moment_inertia, abs=1e-10)


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_files_and_units(tmp_path, suffix):
    vertices, faces = box(300.0, 500.0, 700.0, at=(10.0, 20.0, 30.0))
    path = tmp_path / f"boom.{suffix}"
    trimesh.Trimesh(vertices, faces, process=False).export(path)

    found = kb.mass_properties(path, density="7.85 g/cm3", unit="mm")

    assert found["mass"] == pytest.approx(7850 * 0.3 * 0.5 * 0.7, rel=1e-6)
    assert found["com"] == pytest.approx((0.01, 0.02, 0.03), abs=1e-7)
    assert found["inertia"] == pytest.approx(kb.mass_properties(path, 7850.0, unit=0.001)["inertia"])
    assert kb.mass_properties(path, 7850.0, unit="10 mm")["mass"] == pytest.approx(1000 * found["mass"])


def test_result_makes_a_body():
    m = kb.Machine()
    boom = m.body("boom", **kb.mass_properties(box(1.0, 0.1, 0.1), density="7850 kg/m3"))
    m.revolute("foot", m.ground, boom, axis="y")
    assert m.check() == []


def without(mesh, number):
    vertices, faces = mesh
    return vertices, np.delete(faces, number, axis=0)


def flipped(mesh, number):
    vertices, faces = mesh
    faces = faces.copy()
    faces[number] = faces[number][::-1]
    return vertices, faces


CUBOID = box(1.0, 1.0, 1.0)
AWAY = np.vstack([CUBOID[0], CUBOID[0] * 0.5 + 5.0]), np.vstack([CUBOID[1], 8 + CUBOID[1][:, ::-1]])


@pytest.mark.parametrize(
    ("mesh", "rule", "fix"),
    [
        (without(CUBOID, 3), "it is open: 3 edges belong to one triangle only", "Fill its holes"),
        (flipped(CUBOID, 3), "its triangles are turned in different ways: those along 3 edges", "Unify its normals"),
        ((CUBOID[0], np.vstack([CUBOID[1]] * 2)), "more than two triangles meet in 18 edges", "Separate"),
        ((CUBOID[0], CUBOID[1][:, ::-1]), "it is inside out", "Swap two corners"),
        (AWAY, "one of its 2 separate surfaces, at (4.75, 4.75, 4.75), is inside out", "Flip the normals"),
        ((CUBOID[0] * (1.0, 1.0, 0.0), CUBOID[1]), "it is flat", "thickness"),
        ((CUBOID[0], CUBOID[1] + 1), "its faces name vertices other than 0 to 7", "from 0"),
        ((CUBOID[0] * np.nan, CUBOID[1]), "not finite", ""),
        ((CUBOID[0][:, :2], CUBOID[1]), "its vertices have the shape (8, 2)", "x, y, z"),
        ((CUBOID[0], [[0, 1]]), "its faces have the shape (1, 2)", ""),
        ((CUBOID[0], [[0, 0, 1]]), "all its triangles are lines or points", ""),
        ((CUBOID[0], "abc"), "its", ""),
        (3, "3 is not a mesh", "Give a file"),
        ("nowhere.stl", "there is no such file", ""),
        ("boom.step", "its name ends in '.step'", ".stl, .obj, .ply"),
    ],
)  # fmt: skip
def test_refused(mesh, rule, fix):
    with pytest.raises(kb.MachineError) as caught:
        kb.mass_properties(mesh, 1000.0)
    (problem,) = caught.value.problems
    assert rule in problem.rule
    assert fix in problem.fix


def test_all_wrong_amounts_at_once():
    with pytest.raises(kb.MachineError) as caught:
        kb.mass_properties(CUBOID, density="-3 kg/m3", unit="furlongs per week")
    assert [problem.rule.split(":")[0] for problem in caught.value.problems] == ["density", "unit"]


@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_broken_files_are_sentences(tmp_path, suffix):
    """Cut, garbled and empty files are refused by name, or read as the mesh they still are."""
    path = tmp_path / f"boom.{suffix}"
    trimesh.Trimesh(*CUBOID, process=False).export(path)
    good, random = path.read_bytes(), np.random.default_rng(1)
    refused = 0
    for size in [0, 1, 40, 84, 100, *random.integers(0, len(good), 40)]:
        broken = bytearray(good[:size] if random.random() < 0.5 else good)
        for place in random.integers(0, max(len(broken), 1), 4):
            broken[place : place + 1] = bytes([random.integers(256)])
        path.write_bytes(bytes(broken))
        try:
            kb.mass_properties(path, 1000.0)
        except kb.MachineError as error:
            refused += 1
            assert str(path) in str(error)
    assert refused > 20
