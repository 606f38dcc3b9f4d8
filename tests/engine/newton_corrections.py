# SPDX-License-Identifier: BSD-3-Clause
"""Newton's correction of one implicit step, ours and that of a Jacobian made by differences.

The residuals of mechanics, oil and loops are differenced in all unknowns, un-eliminated, and solved densely: an
independent route for inertia, turning rows, loops, chambers, circuits, spools and their elimination together. Only
where the kernels are plain Python: NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import numpy as np

STEP = 4e-3


def corrections(planned, random, *, spread=0.01, closed=False):
    """The correction of one Newton iteration, ours and that of the differenced Jacobian, by kind of unknown.

    The step begins at the state in Work and has come as far from it as `spread` says. In natural coordinates the state
    is that of rigid bodies, as what interface rows do to stretched ones is not meant; the multipliers of the bodies'
    own rows, which take that up, are left out. Joints that are cut are moved apart unless they stay `closed`.
    """
    from knuckleboom.engine import theta
    from knuckleboom.engine.evaluate import evaluate
    from knuckleboom.mechanics import kinematics
    from knuckleboom.mechanics.rows.contract import PRODUCTS
    from knuckleboom.mechanics.rows.description import declared
    from knuckleboom.mechanics.stages import INVERSE

    plan, work, state = planned.plan, planned.work, planned.work.state
    nv, nx, nloop = len(state.v), len(state.x), len(state.multiplier)
    rule = theta.rule_of(plan.newton.rule, STEP, False)
    stage = work.stage
    stage.q0[:], stage.v0[:], stage.x0[:] = state.q, state.v, state.x
    for carried in (state.rate_v, state.true_v):
        carried[:] = random.normal(size=nv)
    for carried in (state.rate_x, state.true_x):
        carried[:] = 0.01 * random.normal(size=nx)
    v = state.v * 1.01 if closed else state.v + spread * random.normal(size=nv)
    x = state.x * (1 + spread * random.normal(size=nx))
    multiplier = 50.0 * random.normal(size=nloop)
    q = state.q.copy()
    if not closed:
        kinematics.advance(plan.links.index, stage.q0, 0.5 * STEP * (state.v + v), q)

    def residual(change):
        state.v[:], state.multiplier[:] = v + change[:nv], multiplier + change[nv : nv + nloop] / rule.tau
        state.x[:] = x + change[nv + nloop :]
        kinematics.advance(plan.links.index, q, rule.tau_q * change[:nv], state.q)
        theta.wanted(rule, stage.v0, state.v, state.rate_v, state.true_v, work.system.a)
        assert evaluate(plan, work, INVERSE) == 0
        theta.residuals(plan, work, rule)
        return np.concatenate([work.newton.rhs, work.newton.rate_x])

    size = nv + nloop + nx
    by_v = np.full(nv, 5e-4)
    for name, columns in planned.topology.scalars.items():
        if planned.machine.parts[name].scalar_inertia().unit == "m^3":
            by_v[columns.v] = 1e-6  # m³/s: its drag has a corner at 0
    scale = np.concatenate([by_v, np.full(nloop, 1e-2), 1e-6 * np.maximum(1.0, np.abs(x))])
    jacobian = np.zeros((size, size))
    for k in range(size):
        step = np.zeros(size)
        step[k] = scale[k]
        one, two = (residual(f * step) - residual(-f * step) for f in (1.0, 2.0))
        jacobian[:, k] = (8.0 * one - two) / (12.0 * scale[k])  # differences of order 4
    jacobian[range(nv, nv + nloop), range(nv, nv + nloop)] += plan.newton.compliance[0]
    lacking = residual(np.zeros(size))
    wanted = np.linalg.solve(-jacobian, lacking)

    assert theta.build_tangent(plan, work, rule) < 0
    theta.correct(plan, work, rule, False)
    ours = np.concatenate([state.v - v, (state.multiplier - multiplier) * rule.tau, state.x - x])
    kept = enumerate(planned.layout.loops.kept)
    joints = [nv + r for r, row in kept if declared(row).entries != PRODUCTS]
    parts = {"v": list(range(nv)), "multiplier": joints, "x": list(range(nv + nloop, size))}
    return {part: (ours[where].tolist(), wanted[where].tolist()) for part, where in parts.items()}


def worst(found):
    """The largest error of any kind of unknown, as a part of the largest correction of that kind."""
    return max(
        np.abs(np.array(ours) - wanted).max() / np.abs(wanted).max() for ours, wanted in found.values() if wanted
    )
