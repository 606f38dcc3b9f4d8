# SPDX-License-Identifier: BSD-3-Clause
"""`knuckleboom schema`: the JSON Schema of machine files, for editors that check while you type."""

from knuckleboom.cli.output import Json, Output

NAME = "schema"
EXAMPLE = "knuckleboom schema > machine.schema.json"


def command(json: Json = False) -> None:
    """Print the JSON Schema of machine files (it is JSON with and without --json)."""
    from knuckleboom.machine import json_schema

    Output(as_json=True).document(json_schema())
