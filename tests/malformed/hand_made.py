# SPDX-License-Identifier: BSD-3-Clause
"""Files that somebody made by hand: bombs, code in tags, wrong encodings, broken YAML, machines that are none.

Each is the bytes of one file by a name that says what is wrong with it. A file with code would leave `CANARY` behind.
"""

from __future__ import annotations

CANARY = "canary-was-here"

HEAD = "knuckleboom: 1\nmachine: m\n"
BAR = "bodies: {bar: {mass: 2 kg, com: [0.5, 0, 0], inertia: [0.01, 0.17, 0.17]}}\n"
FOOT = "joints: {foot: {kind: revolute, a: ground, b: bar, axis: y}}\n"


def bar(settings: str) -> str:
    """Return a machine with one body of these settings."""
    return f"{HEAD}bodies: {{bar: {{{settings}}}}}\n"


def named(name: str) -> str:
    """Return a machine with one body of this name."""
    return f"{HEAD}bodies: {{{name}: {{mass: 1 kg, inertia: [1, 1, 1]}}}}\n"


CODE = {
    f"code: {tag}": f"{HEAD}bodies: {tag}\n"
    for tag in (
        f"!!python/object/apply:os.system ['touch {CANARY}']",
        f"!!python/object/apply:builtins.open ['{CANARY}', 'w']",
        f"!!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{CANARY}']]",
        f"!!python/object/new:os.system ['touch {CANARY}']",
        f"!!python/object/apply:subprocess.check_output [[touch, {CANARY}]]",
        f"!!python/object/apply:eval [\"open('{CANARY}', 'w')\"]",
        "!!python/module:antigravity",
        "!!python/name:os.system",
        "!!js/function 'function () {}'",
        "!include /etc/passwd",
        "!<tag:yaml.org,2002:python/object/apply:os.abort> []",
    )
}

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 12)
)

TEXTS: dict[str, str] = {
    **CODE,
    "empty": "",
    "one space": " ",
    "only a comment": "# machine\n",
    "only a dash": "-",
    "null": "null\n",
    "a number": "42\n",
    "a list": "- knuckleboom: 1\n",
    "a text": "machine",
    "JSON with a comma too many": '{"knuckleboom": 1, "bodies": {},, }',
    "XML": "<robot name='m'><link name='bar'/></robot>",
    "Python": "import os\nos.abort()\n",
    "a billion laughs": HEAD + LAUGHS + BAR + FOOT,
    "an alias of itself": f"{HEAD}bodies: &b {{bar: *b}}\n",
    "an anchor only": f"{HEAD}bodies: &b {{}}\nextra: 1\n",
    "an alias without anchor": f"{HEAD}bodies: *nowhere\n",
    "merged settings": f"{HEAD}{BAR}joints: {{foot: {{<<: {{kind: revolute}}, a: ground, b: bar}}}}\n",
    "deep lists": f"{HEAD}bodies: " + "[" * 50_000,
    "deep mappings": f"{HEAD}bodies: " + "{a: " * 5_000 + "1" + "}" * 5_000,
    "deep indentation": HEAD + "".join(f"{' ' * k}k:\n" for k in range(400)),
    "deep and closed lists": f"{HEAD}bodies: " + "[" * 3000 + "]" * 3000,
    "a million values": f"{HEAD}bodies: [" + "1," * 1_000_000 + "]\n",
    "a million keys": f"{HEAD}bodies:\n" + "".join(f"  b{k}: 1\n" for k in range(300_000)),
    "too many bytes": HEAD + "#" * 10_000_001,
    "a long line": HEAD + "bodies: '" + "x" * 3_000_000 + "'\n",
    "a long key": HEAD + "k" * 3_000_000 + ": 1\n",
    "a long name": named("b" * 900),
    "a long machine name": f"knuckleboom: 1\nmachine: {'m' * 100_000}\n{BAR}{FOOT}",
    "a machine name that clears the screen": f'knuckleboom: 1\nmachine: "\\e[2J"\n{BAR}{FOOT}',
    "a long number": bar(f"mass: {'9' * 1_000_000}, inertia: [1, 1, 1]"),
    "a long unit": bar(f"mass: 1 {'kg*' * 30_000}kg, inertia: [1, 1, 1]"),
    "spaces before a unit": bar(f"mass: \"1{' ' * 200_000}x\", inertia: [1, 1, 1]"),
    "a tower of powers": bar("mass: 1 kg^9^9^9^9, inertia: [1, 1, 1]"),
    "a tower in brackets": bar("mass: 1 kg^(9^(9^9)), inertia: [1, 1, 1]"),
    "stars for powers": bar("mass: 1 kg**99999999, inertia: [1, 1, 1]"),
    "a power of a number": bar("mass: 9 9**9**9 kg, inertia: [1, 1, 1]"),
    "a huge integer": bar(f"mass: {10**400}, inertia: [1, 1, 1]"),
    "a huge exponent": bar("mass: 1e999999999, inertia: [1, 1, 1]"),
    "a huge index": f"{HEAD}{BAR}{FOOT}efforts: {{e: {{joint: foot, coordinate: 99999999999999999}}}}\n",
    "a negative index": f"{HEAD}{BAR}{FOOT}efforts: {{e: {{joint: foot, coordinate: -1}}}}\n",
    "infinite mass": bar("mass: .inf, inertia: [1, 1, 1]"),
    "mass not a number": bar("mass: .nan, inertia: [1, 1, 1]"),
    "octal, sexagesimal, date": bar("mass: 0o17, com: [1:30, 2020-01-01, 0x1F], inertia: [1, 1, 1]"),
    "yes and no": f"{HEAD}{BAR}joints: {{foot: {{kind: revolute, a: ground, b: bar, cut: yes}}}}\n",
    "keys given twice": f"{HEAD}{BAR}{FOOT}{FOOT}",
    "two documents": f"{HEAD}{BAR}{FOOT}---\n{HEAD}",
    "a key that is a list": f"{HEAD}{BAR}{FOOT}? [a, b]\n: c\n",
    "a key that is a mapping": f"{HEAD}bodies: {{{{a: 1}}: {{mass: 1 kg}}}}\n",
    "a key that is a number": named("1"),
    "a key that is null": named("~"),
    "a key that is empty": named("''"),
    "a tab": f"{HEAD}bodies:\n\tbar: {{mass: 1 kg}}\n",
    "a bell": f"{HEAD}# \x07\n",
    "an escape": f"{HEAD}# \x1b[2J\n",
    "an escaped escape": named('"\\e[2J\\a"'),
    "an escaped NUL": named('"a\\0b"'),
    "a lone surrogate": named('"\\ud800"'),
    "letters from right to left": named("a\u202eb"),
    "a path for a name": named("../../etc/passwd"),
    "a name that is a template": named("'{0.__class__}'"),
    "a name that is markup": named("'[red]bar[/red]'"),
    "a dunder for a setting": bar("mass: 1 kg, inertia: [1, 1, 1], __class__: x, model_config: y"),
    "a dunder for a section": f"{HEAD}{BAR}{FOOT}__init__: {{x: {{}}}}\n",
    "a part named as an attribute": bar("mass: 1 kg, inertia: [1, 1, 1], name: other"),
    "a group of a folder": f"{HEAD}groups: {{g: {{file: .}}}}\n",
    "a group of a device": f"{HEAD}groups: {{g: {{file: /dev/zero}}}}\n",
    "a group of a password file": f"{HEAD}groups: {{g: {{file: /etc/passwd}}}}\n",
    "a group of nothing": f"{HEAD}groups: {{g: {{file: nowhere.yaml}}}}\n",
    "a group without a file": f"{HEAD}groups: {{g: {{onto: ground}}}}\n",
    "a group with NUL in its file": f'{HEAD}groups: {{g: {{file: "a\\0.yaml"}}}}\n',
    "a group of itself": f"{HEAD}groups: {{g: {{file: machine.yaml}}, h: {{file: ./machine.yaml}}}}\n",
    "groups of a long path": f"{HEAD}groups: {{g: {{file: {'../x/' * 2000}m.yaml}}}}\n",
    "a thousand wrong names": HEAD + BAR + "joints:\n" + "".join(
        f"  j{k}: {{kind: revolute, a: ground, b: baz{k}}}\n" for k in range(1000)
    ),
    "two thousand bodies not joined": HEAD + "bodies:\n" + "".join(
        f"  body{k}: {{mass: 1, inertia: [1, 1, 1]}}\n" for k in range(2000)
    ),
    "thousands of parts on a wrong place": HEAD + BAR + FOOT + "springs:\n" + "".join(
        f"  s{k}: {{a: ground, b: bar.p{k}, stiffness: 1}}\n" for k in range(3000)
    ),
}  # fmt: skip

BYTES: dict[str, bytes] = {
    "UTF-16": (HEAD + BAR + FOOT).encode("utf-16"),
    "UTF-32": (HEAD + BAR + FOOT).encode("utf-32"),
    "Latin-1": "knuckleboom: 1\nmachine: Größe\n".encode("latin-1"),
    "NUL": b"knuckleboom: 1\nmachine: a\x00b\n",
    "only NUL": b"\x00" * 1000,
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + f"{HEAD}bodies: 3\n".encode(),
    "half a letter": b"knuckleboom: 1\nmachine: \xc3",
    "an overlong letter": b"knuckleboom: 1\nmachine: \xc0\xaf\n",
    "zip": b"PK\x03\x04" + bytes(range(256)),
    "every byte": bytes(range(256)) * 4,
    "old Mac line ends": (HEAD + "bodies: 3\n").replace("\n", "\r").encode(),
}


def files() -> dict[str, bytes]:
    """Return all of them by name."""
    return {**{name: text.encode("utf-8", "surrogatepass") for name, text in TEXTS.items()}, **BYTES}
