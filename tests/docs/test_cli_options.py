# SPDX-License-Identifier: BSD-3-Clause
"""docs/cli.md names every option of every command, in the section of that command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from knuckleboom.cli.app import app

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
EVERYWHERE = {"--help", "--json"}


def commands(group: Any, prefix: str = "") -> dict[str, Any]:
    """All commands by their words."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        words = f"{prefix}{name}"
        found.update(commands(command, f"{words} ") if hasattr(command, "commands") else {words: command})
    return found


COMMANDS = commands(typer.main.get_command(app))


@pytest.mark.parametrize("words", COMMANDS)
def test_every_option_is_documented(words):
    section = re.search(rf"^## {words}$(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    options = {
        option for item in COMMANDS[words].params for option in item.opts if option.startswith("--")
    } - EVERYWHERE  # fmt: skip

    assert section, f"docs/cli.md has no section '## {words}'"
    assert [option for option in sorted(options) if f"`{option}" not in section[1]] == []
