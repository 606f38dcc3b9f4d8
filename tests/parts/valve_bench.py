# SPDX-License-Identifier: BSD-3-Clause
"""One valve of every kind on a test bench, for the batteries over all parts: small flows into large volumes."""

SMALL = ("5 l/min", "35 bar")
FREE = ("10 l/min", "4 bar")
INNER = {"volume": "1 l", "pressure": "20 bar"}


def add_valves(oil, pump, tank):
    """Add every valve between a pump, a tank and volumes of their own; return the name of one of each kind."""

    def space(name, pressure="20 bar"):
        return oil.volume(name, "2 l", pressure)

    pilot, spring = space("pilot_line", "60 bar"), space("spring_side", "2 bar")
    oil.restrictor("pilot_feed", pump, pilot, flow=SMALL)

    # from the pump into a volume, and out of it
    inlets = {
        "laminar_restrictor": {"flow": SMALL},
        "throttle_check": {"flow": SMALL, "free_flow": FREE},
        "anti_cavitation_valve": {"flow": SMALL},
        "pilot_check": {"flow": SMALL, "x": pilot, "drain": spring},
        "cartridge_valve": {"flow": SMALL, "x": spring},
        "pilot_relief_valve": {"flow": SMALL, "setting": "40 bar", "vent": spring, **INNER},
        "shock_valve": {"flow": SMALL, "setting": "40 bar", "free_flow": FREE},
        "reducing_valve": {"flow": SMALL, "drain": spring, "setting": "40 bar", "relief": "2 bar"},
        "sequence_valve": {"flow": SMALL, "drain": spring, "setting": "40 bar", "free_flow": FREE},
        "unloading_valve": {"flow": SMALL, "x": pilot, "drain": spring, "setting": "30 bar"},
        "counterbalance_valve": {
            "flow": SMALL, "x": pilot, "setting": "90 bar", "ratio": 3.0, "free_flow": FREE, "vent": spring,
        },
        "pressure_compensator": {"flow": SMALL, "LS": pilot},
        "post_compensator": {"flow": SMALL, "LS": pilot},
        "flow_control": {"value": "3 l/min", "free_flow": FREE, **INNER},
        "bypass_flow_control": {"T": spring, "value": "3 l/min", "bypass_flow": FREE},
        "flow_divider": {"c": spring, "flow": SMALL, **INNER},
    }  # fmt: skip
    for kind, settings in inlets.items():
        behind = space(f"behind_{kind}")
        getattr(oil, kind)(f"a_{kind}", pump, behind, **settings)
        oil.restrictor(f"out_of_{kind}", behind, tank, flow=SMALL)
    oil.shuttle_valve("a_shuttle_valve", "behind_throttle_check", "behind_reducing_valve", flow=SMALL, **INNER)
    oil.priority_valve("a_priority_valve", pump, space("first_fed"), space("fed_last"), pilot, flow=SMALL)

    # directional
    table = {"metering": {"PA": [[0, 0], [0.3, 0.1], [1, 1]]}}
    working = {port: space(f"working_{port.lower()}") for port in "AB"}
    oil.valve_2_2("a_valve_2_2", pump, working["A"], SMALL, normally="open")
    oil.valve_3_2("a_valve_3_2", pump, tank, working["A"], SMALL)
    oil.valve_4_2("a_valve_4_2", pump, tank, **working, flow=SMALL, frequency="30 Hz")
    oil.valve_4_3("a_valve_4_3", pump, tank, **working, flow=SMALL, centre="tandem", LS=space("sensing"), **table)
    oil.valve_6_3("a_valve_6_3", pump, tank, **working, flow=SMALL, C=pump, D=tank, **INNER)
    directional = {f"a_valve_{size}": 0.4 for size in ("2_2", "3_2", "4_2", "4_3", "6_3")}
    names = {kind: f"a_{kind}" for kind in (*inlets, "shuttle_valve", "priority_valve")}
    return names | {name.removeprefix("a_"): name for name in directional}, directional
