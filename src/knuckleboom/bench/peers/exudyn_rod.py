# SPDX-License-Identifier: BSD-3-Clause
"""Naya's rod in Exudyn: a planar rigid body on a revolute joint, its valve made of two hydraulic actuators.

An ObjectConnectorHydraulicActuatorSimple opens each chamber either to the pump or to the tank; Naya's valve opens both
chambers to both at once. So two actuators of half the area act on one node of two pressures: one has the edges that
open by 1 − κ (pump to the lower chamber, upper chamber to the tank), the other those that open by κ. Both add to the
same rates, ṗ = Σ K/(V/2)·(∓(A/2)·ṡ + Q), so each has half the bulk modulus. Exudyn's is constant: errors are those
against the same equations with that constant (bench/references/naya_rod.py), the mean of β(p) at the start pressures.

Each piece between jumps is one call of SolveDynamic, without output. The trapezoidal rule needs the pressures' rates at
the start of a piece; Exudyn takes those of the end before, as the paper does. With `rates_given` we hand it the rates
after the jump, which is the jump treatment of our runs and of LSODA. Fastest settings found: planar body, dense matrix,
modified Newton; one coordinate in a KinematicTree was slower.
"""

from __future__ import annotations

import contextlib
import io
import math
from typing import Any

import exudyn
import numpy as np
from exudyn import itemInterface as items

from knuckleboom.bench.peers.tree import PeerError
from knuckleboom.bench.references import naya_rod as rod
from knuckleboom.bench.references.naya_rod import Array

NEWTON_TOLERANCE = 1e-5
"""Relative to the first residual; with 1e-3 the error grows beyond the limit, 1e-8 costs more and changes nothing."""
SMALL = 1e-15
"""m³: a hose volume must not be 0."""


def constant_bulk() -> float:
    """The bulk modulus of this model, Pa."""
    p1, p2, _ = rod.equilibrium()
    return 0.5 * (float(rod.bulk_modulus(p1)) + float(rod.bulk_modulus(p2)))


class ExudynRod:
    """The rod in steps of one size."""

    def __init__(self, step: float, *, rates_given: bool) -> None:
        self.step, self.rates_given = step, rates_given
        self.name = "Exudyn, pressure rates given at jumps" if rates_given else "Exudyn"
        self.setting = f"planar body, dense matrix, modified Newton, trapezoidal rule, step {1e3 * step:.4g} ms"
        self.bulk = constant_bulk()
        self.container = exudyn.SystemContainer()
        self.system = self.container.AddSystem()
        self.actuators = self._build()
        kinds = (exudyn.OutputVariableType.Distance, exudyn.OutputVariableType.VelocityLocal)
        self.sensors = [self._sensor(kind) for kind in kinds]
        self.system.Assemble()
        data = self.system.systemData
        self.begin = (data.GetODE2Coordinates(), data.GetODE2Coordinates_t(), data.GetODE1Coordinates())
        self.settings = _settings()

    def _build(self) -> list[Any]:
        system = self.system
        mass = rod.ROD_MASS + rod.TIP_MASS
        centre = (0.5 * rod.ROD_MASS + rod.TIP_MASS) * rod.LENGTH / mass
        inertia = rod.ROD_MASS * rod.LENGTH**2 / 3.0 + rod.TIP_MASS * rod.LENGTH**2 - mass * centre**2
        angle = rod.start()[0]
        ground = system.AddObject(items.ObjectGround())
        place = [centre * math.cos(angle), centre * math.sin(angle), angle]
        node = system.AddNode(items.NodeRigidBody2D(referenceCoordinates=place))
        body = system.AddObject(items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node))

        def marker(where: Any, x: float) -> Any:
            return system.AddMarker(items.MarkerBodyPosition(bodyNumber=where, localPosition=[x, 0.0, 0.0]))

        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[marker(ground, 0.0), marker(body, -centre)]))
        weight = system.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        system.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=[0.0, -rod.G, 0.0]))
        p1, p2, _ = rod.equilibrium()
        pressures = system.AddNode(
            items.NodeGenericODE1(
                referenceCoordinates=[0.0, 0.0], initialCoordinates=[p2, p1], numberOfODE1Coordinates=2
            )
        )
        ends = [marker(ground, 0.5 * math.sqrt(3.0)), marker(body, 0.5 * rod.LENGTH - centre)]
        half = items.ObjectConnectorHydraulicActuatorSimple(
            markerNumbers=ends, nodeNumbers=[pressures], offsetLength=rod.S0 - 0.5 * rod.STROKE,
            strokeLength=rod.STROKE, chamberCrossSection0=0.5 * rod.PISTON, chamberCrossSection1=0.5 * rod.PISTON,
            hoseVolume0=SMALL, hoseVolume1=SMALL, actuatorDamping=0.5 * rod.VISCOUS, oilBulkModulus=0.5 * self.bulk,
            nominalFlow=rod.VALVE_AREA * rod.CD * math.sqrt(2.0 / rod.DENSITY), systemPressure=rod.PUMP,
            tankPressure=rod.TANK, useChamberVolumeChange=True,
        )  # fmt: skip
        return [system.AddObject(half) for _ in range(2)]

    def _sensor(self, kind: Any) -> Any:
        sensor = items.SensorObject(objectNumber=self.actuators[0], outputVariableType=kind, storeInternal=True)
        return self.system.AddSensor(sensor)

    def reset(self) -> None:
        """Return to the start."""
        data, initial = self.system.systemData, exudyn.ConfigurationType.Initial
        data.SetODE2Coordinates(self.begin[0], initial)
        data.SetODE2Coordinates_t(self.begin[1], initial)
        data.SetODE1Coordinates(self.begin[2], initial)
        data.SetODE1Coordinates_t([0.0, 0.0], initial)

    def run(self) -> None:
        """The 10 s, keeping nothing."""
        self.settings.solution.sensors.active = False
        for piece in rod.JUMPS:
            self._piece(*piece)

    def motion(self) -> tuple[Array, Array]:
        """Length and speed of the cylinder after every step of the 10 s, m and m/s."""
        self.reset()
        self.settings.solution.sensors.active = True
        self.settings.solution.sensors.writePeriod = 0.5 * self.step
        kept = [np.array([[rod.S0, 0.0]])]
        for piece in rod.JUMPS:
            self._piece(*piece)
            columns = [np.array(self.system.GetSensorStoredData(sensor))[1:, 1] for sensor in self.sensors]
            kept.append(np.stack(columns, axis=1))
        length, speed = np.concatenate(kept).T
        return length, speed

    def _piece(self, begin: float, end: float, change: float) -> None:
        kappa = rod.equilibrium()[2] + change
        for actuator, lower in zip(self.actuators, (1.0 - kappa, -kappa), strict=True):
            # the edges of one actuator open by the same amount, the lower chamber's to the other side
            self.system.SetObjectParameter(actuator, "valveOpening0", lower)
            self.system.SetObjectParameter(actuator, "valveOpening1", -lower)
        if self.rates_given:
            self._give_rates(kappa)
        times = self.settings.timeIntegration
        times.startTime, times.endTime, times.numberOfSteps = begin, end, round((end - begin) / self.step)
        try:
            with contextlib.redirect_stdout(io.StringIO()):  # it prints why it failed
                self.system.SolveDynamic(self.settings, updateInitialValues=True, storeSolver=False)
        except exudyn.SolverError as error:
            raise PeerError(f"Exudyn did not converge on Naya's rod with steps of {1e3 * self.step:.4g} ms") from error

    def _give_rates(self, kappa: float) -> None:
        data, initial = self.system.systemData, exudyn.ConfigurationType.Initial
        turn, spin = data.GetODE2Coordinates(initial)[2], data.GetODE2Coordinates_t(initial)[2]
        p2, p1 = data.GetODE1Coordinates(initial)
        found = rod.rates(np.array([rod.start()[0] + turn, spin, p1, p2]), kappa, False, self.bulk)
        data.SetODE1Coordinates_t([found[3], found[2]], initial)


def _settings() -> Any:
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.solverType = exudyn.DynamicSolverType.TrapezoidalIndex2
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.adaptiveStep = False
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = NEWTON_TOLERANCE
    settings.solution.file.write = False
    settings.linearSolver.solverType = exudyn.LinearSolverType.EXUdense
    settings.parallel.numberOfThreads = 1
    return settings
