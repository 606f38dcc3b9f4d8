# SPDX-License-Identifier: BSD-3-Clause
"""Meshes: vertices and faces from a file, a pair or an object that has both.

Files are read by trimesh from memory, so that what they name (materials, textures) is never opened. Corners at exactly
the same place are one vertex: STL repeats them in every triangle.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knuckleboom.errors import MachineError, Problem
from knuckleboom.exchange.pose import Array
from knuckleboom.quantities import show

SUFFIXES = (".stl", ".obj", ".ply")
LARGEST = 1_000_000_000
"""Bytes of a file; a million triangles take 50 million as STL."""

Faces = NDArray[np.int64]


def read_mesh(mesh: Any, name: str) -> tuple[Array, Faces]:
    """Return vertices and faces, or raise a MachineError that says why they cannot be used."""
    if isinstance(mesh, (str, os.PathLike)):
        return _from_file(Path(mesh), name)
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return _checked(mesh.vertices, mesh.faces, name)
    if isinstance(mesh, (tuple, list)) and len(mesh) == 2:
        return _checked(mesh[0], mesh[1], name)
    raise _error(name, f"{show(mesh)} is not a mesh.", "Give a file, or (vertices, faces).")


def _from_file(path: Path, name: str) -> tuple[Array, Faces]:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise _error(name, f"its name ends in '{suffix}'.", f"Meshes are read from {', '.join(SUFFIXES)}.")
    try:
        if path.is_dir():
            raise _error(name, "it is a folder.")
        if path.stat().st_size > LARGEST:
            raise _error(name, f"it is larger than {LARGEST // 1_000_000} MB.", "Simplify the mesh.")
        content = path.read_bytes()
    except FileNotFoundError:
        raise _error(name, "there is no such file.") from None
    except OSError as error:
        raise _error(name, f"it cannot be read: {error.strerror or error}.") from None
    try:
        import trimesh
    except ImportError:
        fix = "Paste this: pip install 'knuckleboom[robots]'\nOr give vertices and faces yourself."
        raise _error(name, "reading a mesh needs the package trimesh, which is not installed.", fix) from None
    try:
        loaded = trimesh.load_mesh(io.BytesIO(content), file_type=suffix[1:], process=False)
        vertices, faces = loaded.vertices, loaded.faces
    except Exception as error:  # the reader raises whatever its parser stumbles over
        raise _error(name, f"it is not a {suffix[1:].upper()} mesh that can be read: {show(str(error))}.") from None
    return _checked(vertices, faces, name)


def _checked(vertices: Any, faces: Any, name: str) -> tuple[Array, Faces]:
    """Return both as arrays, equal vertices merged, faces of two equal corners dropped: they bound nothing."""
    try:
        places = np.asarray(vertices, dtype=np.float64)
        given = np.asarray(faces)
        corners = given.astype(np.int64)
    except (TypeError, ValueError):
        raise _error(name, "its vertices or faces are not numbers.") from None
    if places.ndim != 2 or places.shape[1:] != (3,) or len(places) == 0:
        raise _error(name, f"its vertices have the shape {places.shape}.", "Give one row of x, y, z for each.")
    if corners.ndim != 2 or corners.shape[1:] != (3,) or len(corners) == 0:
        raise _error(
            name, f"its faces have the shape {corners.shape}.", "Give one row of 3 vertices, from 0, for each."
        )
    if not np.array_equal(given, corners) or corners.min() < 0 or corners.max() >= len(places):
        raise _error(name, f"its faces name vertices other than 0 to {len(places) - 1}.", "Count vertices from 0.")
    if not np.isfinite(places[corners]).all():
        raise _error(name, "some vertices are not finite numbers.")
    merged, number = np.unique(places, axis=0, return_inverse=True)
    corners = number.reshape(-1)[corners]
    distinct = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    if not distinct.any():
        raise _error(name, "all its triangles are lines or points.")
    return merged, corners[distinct]


def _error(name: str, rule: str, fix: str = "") -> MachineError:
    return MachineError([Problem(rule, fix=fix)], name)
