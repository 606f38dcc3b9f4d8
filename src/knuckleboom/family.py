# SPDX-License-Identifier: BSD-3-Clause
"""A family of arrays: attributes in Python, one address in compiled code.

A named tuple of arrays is taken apart by Numba at every call of every kernel: seven numbers for each array, in the
types when it compiles and in registers when it runs. A Family is handed over as the address of a table that has, for
each member, where its data lie and how long it is; reading a member loads what is used of it. The table does not change
while the family lives, which compiled code relies on (`invariant.load`): a loop loads it once. Sizes that the layout
gives as numbers are part of the type: the compiler reckons with them.

Members are C-contiguous arrays or families. Kernels count no references: Python holds the family during a call.
Why: docs/decisions/families.md. Tested in tests/kernels/test_family.py.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import NativeValue, infer_getattr, lower_getattr_generic, models, register_model, unbox
from numba.np.arrayobj import populate_array

from knuckleboom.compiling import invariant

Shape = tuple[int | str, ...]


class Family:
    """Arrays (or families) by name. `shapes` has the sizes of members as the layout gives them: numbers are fixed.

    Compiled code cannot write the arrays of a frozen family, and takes it that they do not change during a call.
    """

    address: int

    def __init__(
        self, title: str, members: dict[str, Any], shapes: dict[str, Shape] | None = None, frozen: bool = False
    ) -> None:
        self.__dict__.update(members)
        self._title, self._members, self._shapes, self._frozen = title, members, shapes or {}, frozen
        words: list[int] = []
        for name, member in members.items():
            if isinstance(member, Family):
                words.append(member.address)
                continue
            if not member.flags.c_contiguous:
                raise ValueError(f"{title}.{name} is not contiguous.")
            words.append(member.ctypes.data)
            words += [size for size, fixed in zip(member.shape, self._fixed(name), strict=True) if fixed is None]
        self._table = np.array(words, np.int64)
        self.address = self._table.ctypes.data

    def _fixed(self, name: str) -> tuple[int | None, ...]:
        """The sizes of a member that are part of its type."""
        array = self._members[name]
        wanted = self._shapes.get(name, ("",) * array.ndim)
        fixed = tuple(size if isinstance(size, int) else None for size in wanted)
        if len(fixed) != array.ndim or any(
            size not in (None, real) for size, real in zip(fixed, array.shape, strict=True)
        ):
            raise ValueError(f"{self._title}.{name} has the shape {array.shape} and not {wanted}.")
        return fixed

    @functools.cached_property
    def _numba_type_(self) -> FamilyType:
        members = tuple(
            (name, member._numba_type_, ()) if isinstance(member, Family)
            else (name, numba.typeof(member).copy(readonly=self._frozen), self._fixed(name))
            for name, member in self._members.items()
        )  # fmt: skip
        return FamilyType(self._title, members)

    def __bool__(self) -> bool:
        return bool(self._members)

    def __reduce__(self) -> Any:
        return Family, (self._title, self._members, self._shapes, self._frozen)

    def items(self) -> Any:
        """Names and members."""
        return self._members.items()

    def replaced(self, **members: Any) -> Family:
        """The same family with other members."""
        return Family(self._title, {**self._members, **members}, self._shapes, self._frozen)

    def emptied(self) -> Family:
        """The same family without members."""
        return Family(self._title, {}, self._shapes, self._frozen)


class FamilyType(types.Type):
    """What the compiler knows of a family: names, types and fixed sizes of its members, in their order."""

    def __init__(self, title: str, members: tuple[tuple[str, Any, tuple[int | None, ...]], ...]) -> None:
        self.title, self.members = title, members
        digest = hashlib.blake2b(repr(members).encode(), digest_size=6).hexdigest()
        super().__init__(f"{title}_{digest}")

    @functools.cached_property
    def places(self) -> dict[str, tuple[int, Any, tuple[int | None, ...]]]:
        """For each member the word of the table where it begins, its type and its fixed sizes."""
        found, word = {}, 0
        for name, member, fixed in self.members:
            found[name] = word, member, fixed
            word += 1 + sum(size is None for size in fixed)
        return found


@register_model(FamilyType)
class FamilyModel(models.OpaqueModel):
    """An address."""


@unbox(FamilyType)
def _unbox(family: Any, value: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_voidptr(number)
    c.pyapi.decref(number)
    return NativeValue(address, is_error=c.pyapi.c_api_error())


@infer_getattr
class _Members(AttributeTemplate):
    key = FamilyType

    def generic_resolve(self, family: FamilyType, name: str) -> Any:
        return family.places[name][1] if name in family.places else None


@lower_getattr_generic(FamilyType)
def _member(context: Any, builder: Any, family: FamilyType, address: Any, name: str) -> Any:
    word, member, fixed = family.places[name]
    size_type = context.get_value_type(types.intp)

    def load(place: int, kind: Any) -> Any:
        where = cgutils.pointer_add(builder, address, 8 * place, return_type=kind.as_pointer())
        return invariant(builder, where, 8)

    if isinstance(member, FamilyType):
        return load(word, cgutils.voidptr_t)
    array = context.make_array(member)(context, builder)
    shape, place = [], word + 1
    for size in fixed:
        shape.append(ir.Constant(size_type, size) if size is not None else load(place, size_type))
        place += size is None
    itemsize = ir.Constant(size_type, context.get_abi_sizeof(context.get_data_type(member.dtype)))
    strides = [itemsize]
    for size in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], size))
    data = load(word, context.get_data_type(member.dtype).as_pointer())
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()
