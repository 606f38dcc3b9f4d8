# SPDX-License-Identifier: BSD-3-Clause
"""Each rule of tools/kernel_lint.py finds its bad sample, names it, and lets its good sample pass."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HEAD = '# SPDX-License-Identifier: BSD-3-Clause\n"""A sample."""\n'

BAD = [
    ("arguments", "engine", "@kernel\ndef f(x, y=1.0):\n    return x"),
    ("arguments", "engine", "@kernel\ndef f(x, **options):\n    return x"),
    ("arguments", "engine", "@entry_point\ndef f(*numbers):\n    return 0"),
    ("arguments", "cabin", "@part\ndef f(x, y=1.0):\n    return x"),
    ("exceptions", "engine", "@kernel\ndef f(x):\n    raise ValueError"),
    ("exceptions", "engine", "@kernel\ndef f(x):\n    assert x"),
    ("exceptions", "plan", "@kernel\ndef f(x):\n    try:\n        return x\n    finally:\n        x = 0"),
    ("print", "engine", "@kernel\ndef f(x):\n    print(x)"),
    ("text", "engine", "@kernel\ndef f(x):\n    return f'{x}'"),
    ("allocation", "engine", "@kernel\ndef f(n):\n    return np.zeros(n)"),
    ("allocation", "laws", '@kernel\ndef f(n):\n    """n [1]."""\n    return np.full(n, 0.0)'),
    ("allocation", "mechanics", "@kernel\ndef f(x):\n    return x.copy()"),
    ("allocation", "solvers", "@kernel\ndef f(x):\n    return [x, x]"),
    ("allocation", "interface", "@kernel\ndef f(a, b):\n    return np.dot(a, b)"),
    ("linalg", "solvers", "@kernel\ndef f(A, b):\n    return np.linalg.solve(A, b)"),
    ("matmul", "hydraulics", "@kernel\ndef f(A, b):\n    return A @ b"),
    ("index", "engine", "@kernel\ndef f(a):\n    return a[-1]"),
    ("index", "engine", "@kernel\ndef f(a, i):\n    return a[i, -2]"),
    ("slice", "engine", "@kernel\ndef f(a, b):\n    return a[:3] + b[:3]"),
    ("slice", "engine", "@kernel\ndef f(a):\n    return -a[0, :]"),
    ("slice", "engine", "@kernel\ndef f(a):\n    return np.sqrt(a[1:])"),
    ("slice", "engine", "@kernel\ndef f(a):\n    return a[1:] > 0.0"),
    ("number", "engine", "@kernel\ndef f(x):\n    return 9.81 * x"),
    ("number", "engine", "@kernel\ndef f(x):\n    # a comment of another block\n    y = x\n\n    return 3.0 * y"),
    ("number", "engine", "@kernel\ndef f(x):\n    return x[99]"),
    ("number", "engine", "@kernel\ndef f(kind):\n    return kind == 7"),
    ("number", "engine", "@kernel\ndef f(x):\n    return g(3.0 * x)"),
    ("number", "engine", "@kernel\ndef f(x):\n    return g(x, 100)"),
    ("written", "engine", '@kernel\ndef f(n, A):\n    """Clear."""\n    A[0] = 0.0'),
    ("written", "engine", "@kernel\ndef f(n, A):\n    A[0], n = 0.0, n"),
    ("written", "engine", '@kernel\ndef f(h, state):\n    """Advance."""\n    state.q[0] += h'),
    ("order", "engine", '@kernel\ndef f(A, n):\n    """Writes A."""\n    A[0] = n'),
    ("frozen", "engine", '@kernel\ndef f(n, plan_oil):\n    """Writes plan_oil."""\n    plan_oil.curve[0] = n'),
    ("frozen", "engine", "@kernel\ndef f(table, n):\n    return table.first[n]"),
    ("level", "engine", "class A:\n    @kernel\n    def f(x):\n        return x"),
    ("level", "engine", "def make():\n    @kernels.kernel\n    def f(x):\n        return x\n    return f"),
    ("unit", "laws", '@kernel\ndef f(dp):\n    """Flow through an orifice."""\n    return dp'),
    ("unit", "laws", '@kernel\ndef f(dp, kq):\n    """dp [Pa]; kq is the flow gain."""\n    return kq * dp'),
    ("unit", "laws", '@kernel\ndef f(dp):\n    """dp as in [Merritt 1967, eq. 3]."""\n    return dp'),
]

GOOD = [
    ("engine", "@kernel\ndef f(x, y):\n    return 0.5 * x + 2.0 * y - 1"),
    ("engine", "def plain(n=3):\n    raise ValueError(f'{np.zeros(n)}')"),
    ("engine", "@kernel\ndef f(x):\n    # g on the surface of the earth, m/s²\n    y = 9.81 * x\n    return y"),
    ("engine", "@kernel\ndef f(x):\n    return 9.81 * x  # weight, N"),
    ("engine", "GRAVITY = 9.81\n@kernel\ndef f(x):\n    return GRAVITY * x"),
    ("engine", "@kernel\ndef f(R):\n    return R[3 * 2 + 1, 8]"),
    ("engine", "@kernel\ndef f(x):\n    for k in range(0, 9, 3):\n        x += k\n    return x**3"),
    ("engine", "@kernel\ndef f(at, record):\n    g(at, 6, record)\n    return g(at + 3, 0, record)"),
    ("engine", '@kernel\ndef f(n, A):\n    """Clear the first n. Writes A."""\n    A[:n] = 0.0'),
    ("engine", '@kernel\ndef f(n, A, b):\n    """Writes A and, in g, b."""\n    A[0] = n\n    g(A, b)'),
    ("engine", '@kernel\ndef f(q, R, p):\n    """As other kinds have p, so has this. Writes R."""\n    R[0] = q'),
    ("engine", "@kernel\ndef f(plan, work, h):\n    work.q[0] += h"),
    ("engine", "@kernel\ndef f(work):\n    g(work.R[0], work.p[1:3])"),
    ("plan", "@kernel\ndef f(n):\n    return np.zeros(n)"),
    ("laws", '@kernel\ndef f(dp, dp_tr, kq):\n    """dp, dp_tr [Pa]; kq = Cd·A·√(2/ρ) [m³/(s·√Pa)]."""\n    return 0'),
    ("laws", '@kernel\ndef f(x):\n    """x [1]: a ratio [Merritt 1967, eq. 3]."""\n    return x'),
]


@pytest.fixture(scope="module")
def linter():
    spec = importlib.util.spec_from_file_location("kernel_lint", ROOT / "tools" / "kernel_lint.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernel_lint"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def rules_broken(linter, text: str, room: str) -> set[str]:
    return {rule for _, rule, _ in linter.lint(linter.Source(Path("sample.py"), text, room))}


@pytest.mark.parametrize(("rule", "room", "text"), BAD)
def test_bad_sample_is_found(linter, rule, room, text):
    assert rule in rules_broken(linter, HEAD + text + "\n", room)


@pytest.mark.parametrize(("room", "text"), GOOD)
def test_good_sample_passes(linter, room, text):
    assert rules_broken(linter, HEAD + text + "\n", room) == set()


def test_every_kernel_rule_has_a_bad_sample(linter):
    for rule in linter.KERNEL_RULES:
        broken = [
            text
            for _, room, text in BAD
            for source in [linter.Source(Path("sample.py"), HEAD + text + "\n", room)]
            for kernel in linter.ast.walk(source.tree)
            if isinstance(kernel, linter.ast.FunctionDef) and list(rule(kernel, source))
        ]
        assert broken, rule.__name__


def test_finding_names_line_and_kernel(linter):
    source = linter.Source(Path("sample.py"), HEAD + "@kernel\ndef weight(m):\n    return 9.81 * m\n", "engine")

    assert linter.lint(source) == [(5, "number", "9.81 in kernel 'weight' needs a comment or a name")]


@pytest.mark.parametrize(
    ("rule", "room", "text"),
    [
        ("licence", "", '"""A card, but no licence."""\n'),
        ("card", "", "# SPDX-License-Identifier: BSD-3-Clause\nx = 1\n"),
        ("length", "engine", HEAD + "x = 1\n" * 500),
    ],
)
def test_file_rules(linter, rule, room, text):
    assert rules_broken(linter, text, room) == {rule}


@pytest.mark.parametrize(("room", "text"), [("", ""), ("engine", HEAD), ("", HEAD + "x = 1\n" * 500)])
def test_file_rules_let_pass(linter, room, text):
    assert rules_broken(linter, text, room) == set()


def test_program_prints_and_fails(linter, tmp_path, monkeypatch, capsys):
    package = tmp_path / "src" / "knuckleboom" / "engine"
    package.mkdir(parents=True)
    (package / "step.py").write_text(HEAD + "@kernel\ndef f(x):\n    print(x)\n")
    monkeypatch.setattr(sys, "argv", ["kernel_lint.py", str(tmp_path)])

    code = linter.main()

    assert code == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{Path('src/knuckleboom/engine/step.py')}:5: print: no 'print' in kernel 'f'",
        "kernel lint: 1 findings in 1 files",
    ]
