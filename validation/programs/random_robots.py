# SPDX-License-Identifier: BSD-3-Clause
"""Random robot files for hypothesis: URDF and MJCF trees of any joints, as text."""

from __future__ import annotations

import numpy as np

from programs.random_machines import Array, random_axis, random_inertia

URDF_KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")


def listed(values: Array) -> str:
    """Numbers as an attribute, with all their digits."""
    return " ".join(repr(float(value)) for value in np.atleast_1d(values))


def six(inertia: Array) -> dict[str, float]:
    """An inertia matrix by the names that both formats have."""
    return {
        name: float(inertia["xyz".index(name[0]), "xyz".index(name[1])])
        for name in ("xx", "yy", "zz", "xy", "xz", "yz")
    }


def random_urdf(structure: list[tuple[str, int]], random: np.random.Generator) -> str:
    """Links `l1`, `l2`, … on joints `j1`, `j2`, …, each on any earlier link.

    Where the coordinates of MuJoCo would be others than those of URDF they are made the same: floating joints stand at
    the origin of the world, and planar ones have the axis z.
    """
    lines = ['<robot name="random">', '  <link name="l0"/>']
    for number, (kind, carrier) in enumerate(structure, start=1):
        mass = float(random.uniform(0.5, 5.0))
        inertia = " ".join(f'i{name}="{value!r}"' for name, value in six(random_inertia(mass, random)).items())
        pose = f'xyz="{listed(random.normal(size=3))}" rpy="{listed(random.uniform(-3.0, 3.0, size=3))}"'
        centre = f'xyz="{listed(random.normal(size=3) * 0.3)}" rpy="{listed(random.uniform(-3.0, 3.0, size=3))}"'
        lines += [
            f'  <joint name="j{number}" type="{kind}">',
            f'    <parent link="l{0 if kind == "floating" else carrier}"/><child link="l{number}"/>',
            "" if kind == "floating" else f"    <origin {pose}/>",
            f'    <axis xyz="{"0 0 1" if kind == "planar" else listed(random_axis(random))}"/>',
            '    <limit lower="-9" upper="9" effort="1" velocity="1"/>',
            "" if kind in ("planar", "floating") else f'    <dynamics damping="{random.uniform(0.0, 2.0)!r}"/>',
            "  </joint>",
            f'  <link name="l{number}"><inertial>',
            f"    <origin {centre}/>",
            f'    <mass value="{mass!r}"/><inertia {inertia}/>',
            "  </inertial></link>",
        ]
    return "\n".join([*lines, "</robot>"])


def random_mjcf(structure: list[tuple[tuple[str, ...], int]], random: np.random.Generator) -> str:
    """Bodies `b1`, `b2`, … with up to three joints each, on any earlier body; nested as MJCF wants it."""
    children: dict[int, list[int]] = {}
    for number, (_, carrier) in enumerate(structure, start=1):
        children.setdefault(carrier, []).append(number)

    def body(number: int) -> str:
        mass = float(random.uniform(0.5, 5.0))
        inertia = six(random_inertia(mass, random))
        inside = "".join(joint(number, place, kind) for place, kind in enumerate(structure[number - 1][0]))
        inside += (
            f'<inertial pos="{listed(random.normal(size=3) * 0.3)}" mass="{mass!r}"'
            f' fullinertia="{listed(np.array(list(inertia.values())))}"/>\n'
        )
        inside += "".join(body(child) for child in children.get(number, []))
        pose = f'pos="{listed(random.normal(size=3))}" quat="{listed(random.normal(size=4))}"'
        return f'<body name="b{number}" {pose}>\n{inside}</body>\n'

    def joint(number: int, place: int, kind: str) -> str:
        text = f'<joint name="j{number}_{place}" type="{kind}" pos="{listed(random.normal(size=3) * 0.4)}"'
        text += f' damping="{random.uniform(0.0, 2.0)!r}"'
        if kind != "ball":
            text += f' axis="{listed(random_axis(random))}" ref="{random.uniform(-1.0, 1.0)!r}"'
            text += f' stiffness="{random.uniform(0.0, 9.0)!r}" springref="{random.uniform(-1.0, 1.0)!r}"'
            text += f' armature="{random.uniform(0.0, 0.5)!r}"' if random.random() < 0.3 else ""
        return text + "/>\n"

    gravity = listed(random.normal(size=3) * 5.0)
    inside = "".join(body(child) for child in children.get(0, []))
    return (
        f'<mujoco><compiler angle="radian"/><option gravity="{gravity}"/>\n<worldbody>\n{inside}</worldbody></mujoco>'
    )
