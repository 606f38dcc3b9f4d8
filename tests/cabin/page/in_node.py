# SPDX-License-Identifier: BSD-3-Clause
"""Call a function of the page's modules in Node, with JSON in and JSON out: the modules that need no browser are tested
by themselves."""

import json
import subprocess
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).parents[3] / "page" / "src"
SCRIPT = """
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const module = await import(process.argv[1]);
const use = new Function("module", "given", `return (${process.argv[2]})(module, given)`);
process.stdout.write(JSON.stringify(await use(module, JSON.parse(Buffer.concat(chunks).toString()))));
"""


def in_node(module: str, function: str, given: Any = None) -> Any:
    """Return what a JavaScript function makes of a module of page/src and a value."""
    path = (SOURCES / module).as_uri()
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", SCRIPT, path, function],
        input=json.dumps(given), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
