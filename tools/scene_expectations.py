"""What the shipped scenes expect (docs/guide/expectations.md), by their names: what their descriptions promise, and no more than is
true. Used by make_scenes.py; `cairn test scenes` holds them to it."""
import math

RUN = 600  # steps, ten seconds


def of(body, what, why=None, **when):
    """One expectation; `why` comes last."""
    return {"body": body} | what | when | ({"why": why} if why else {})


def at_most(measure, value):
    return {measure: {"most": value}}


def at_least(measure, value):
    return {measure: {"least": value}}


def stands(drift):
    return [of("*", at_most("drift", drift), always=RUN, why="it stands"),
            of("*", {"rests": True}, by=300),
            at_most("penetration", 0.01) | {"always": RUN}]


def bounces():
    """A ball of elasticity e that falls 5 m rises to e^2 times that, a radius above the plate: within 10 cm."""
    out = []
    for elasticity in (0, 0.3, 0.5, 0.8, 1):
        name, top = f"ball {elasticity:g}", 0.7 + 5 * elasticity * elasticity
        out.append(of(name, at_most("height", top + 0.1), always=[62, RUN]))
        if elasticity:
            out.append(of(name, at_least("height", top - 0.1), between=[62, 200]))
    return out


def cradle():
    """Row n begins with n balls that move: the last n leave, and those between rest."""
    out = []
    for row in (1, 2, 3):
        for ball in range(row + 1, 6):
            name = f"ball {ball} of row {row}"
            if ball > 5 - row:
                out.append(of(name, at_least("speed", 3.9), by=180, why="as many leave as come in"))
            else:
                out.append(of(name, at_most("speed", 0.01), always=RUN))
    return out


def lanes(step=120):
    """A slab slides from rest with the speed g (sin - mu cos) t: within 2 %, and as far as that takes it."""
    out = [of("on rubber", at_most("drift", 0.001), always=RUN, why="friction above tan 20 degrees holds it")]
    angle, time = math.radians(20), step / 60
    for name, friction in (("ice", 0.02), ("steel", 0.1), ("wood", 0.25)):
        speed = 9.81 * (math.sin(angle) - friction * math.cos(angle)) * time
        for measure, value in (("speed", speed), ("drift", 0.5 * speed * time * math.cos(angle))):
            out.append(of(f"on {name}", {measure: {"least": 0.98 * value, "most": 1.02 * value}}, at=step,
                          why=f"it slides with friction {friction}"))
    return out + [of("*", {"rests": True}, by=RUN, why="the sand stops them")]


def rain(deepest):
    return [of("*", {"rests": True}, by=RUN),
            of("*", at_least("height", 0.1), always=RUN, why="the tray holds them"),
            at_most("penetration", deepest) | {"always": RUN}]


EXPECT = {
    "arch": stands(0.01) + [of("keystone", at_least("height", 4.45), always=RUN)],
    "beams": stands(0.005),
    "pyramid": stands(0.005),
    "house_of_cards": stands(0.02),
    "columns": [of("*", at_most("drift", 0.005), always=RUN, why="the towers stand"),
                at_most("penetration", 0.01) | {"always": RUN}],
    "tower": [of("box[*]", at_most("drift", 0.001), always=RUN, why="the stack does not drift"),
              of("box[*]", {"upright": 0.001}, always=RUN),
              at_most("penetration", 0.005) | {"always": RUN},
              at_most("kinetic_energy", 0.001) | {"always": [120, RUN]}],
    "billiards": [of("*", {"height": {"least": 2.25, "most": 3}}, always=RUN, why="no ball leaves the table"),
                  at_most("greatest_speed", 24.01) | {"always": RUN}],
    "bounces": bounces(),
    "bridge": [of("*", at_least("height", 4.2), always=RUN, why="the bridge carries what rolls on it"),
               at_most("penetration", 0.01) | {"always": RUN}],
    "car": [of("chassis", at_least("height", 0.5), always=RUN, why="its springs keep it off the bumps"),
            of("chassis", {"upright": 0.5}, always=RUN),
            of("chassis", at_least("drift", 15), by=RUN),
            of("chassis", {"touches": "crate[*]"}, by=1500, why="it drives into the wall of crates")],
    "chandelier": [of("lamp", at_least("height", 4), always=60),
                   {"joint": "weak link", "breaks": True, "by": 120},
                   of("lamp", at_most("height", 2), by=200, why="the weak link lets it fall"),
                   of("link 3", at_least("height", 6), always=RUN, why="what is above it stays")],
    "crane": [of("crate", at_least("height", 5), by=RUN, why="the winch lifts it"),
              of("jib", at_least("drift", 0.1), by=RUN),
              {"joint": "slew", "position": {"least": 1}, "by": RUN, "why": "the jib slews"},
              {"joint": "trolley way", "position": {"least": 2.9}, "by": RUN, "why": "the trolley runs out"},
              of("crate", {"upright": 0.4}, always=RUN)],
    "cradle": cradle(),
    "curtain": [of("knot[*]", at_least("height", 0.4), always=RUN, why="no knot comes off"),
                of("ball", {"touches": "knot[*]"}, by=RUN, why="the ball is thrown into it"),
                {"joint": "*", "force": {"most": 2000}, "always": RUN}],
    "chairs": [of("*", {"rests": True}, by=RUN), of("*", at_least("height", 0.3), always=RUN, why="the bowl holds them"),
               at_most("penetration", 0.05) | {"always": RUN}],
    "cup": [of("ball[*]", at_most("height", 1), by=RUN, why="the cup is tipped until it is empty"),
            of("ball[*]", at_least("height", 3.8), always=60, why="and holds them before"),
            {"joint": "axle", "position": {"least": 2.5}, "by": RUN},
            of("cup", at_most("drift", 0.01), always=RUN)],
    "gears": [of("driver", {"spin": {"least": 1.3, "most": 1.7}}, always=[240, RUN]),
              of("driven", {"spin": {"least": 0.8, "most": 1.0}}, always=[240, RUN], why="12 teeth turn 20"),
              of("*", at_most("drift", 0.005), always=RUN)],
    "golf": [of("*", at_most("height", -1), by=1500, why="they fall through the hole into the tray"),
             of("*", at_least("height", -1.9), always=1500, why="and through nothing else")],
    "lanes": lanes(),
    "letters": [of("*", {"rests": True}, by=1100, why="a C rocks on its back"), of("*", at_least("height", 0.1), always=RUN),
                at_most("penetration", 0.05) | {"always": RUN}],
    "rings": [of(f"ring {n}", at_least("height", 3.5), always=RUN, why="each holds the next") for n in range(2, 15)]
             + [of(f"ball {n}", at_most("height", 1), by=RUN) for n in (1, 2, 3)]
             + [at_most("penetration", 0.05) | {"always": RUN}],
    "diamond_rain": rain(0.1),
    "mixed_rain": rain(0.15),
    "domino_run": [of("*", {"upright": 0.5}, never=[1500, 1500], why="every domino falls"),
                   of("domino 128", {"upright": 0.1}, always=300)],
    "duel": [of("sphere", {"touches": "diamond"}, between=[1, 60], why="they meet, however fast they are")],
    "flight": [of("thrown at 30 degrees", {"within": "30 and 60"}, by=RUN),
               of("thrown at 60 degrees", {"within": "30 and 60"}, by=RUN),
               of("thrown at 15 degrees", {"within": "15 and 75"}, by=RUN),
               of("thrown at 75 degrees", {"within": "15 and 75"}, by=RUN),
               of("thrown at 45 degrees", {"within": "45"}, by=RUN),
               of("falling, 1 kg", {"distance": {"to": "falling, 1000 kg", "least": 1.999, "most": 2.001}}, always=RUN,
                  why="a heavy and a light one fall alike")],
    "free_tops": [{"energy": {"least": 1314.5, "most": 1316}, "always": RUN, "why": "energy stays"},
                  of("handle", {"upright": 2}, never=[170, 170], why="what spins about its middle axis turns over"),
                  of("*", at_most("drift", 0.001), always=RUN),
                  at_most("momentum", 0.001) | {"always": RUN}],
    "marble_ramp": [of(f"marble {n}", at_most("height", 0.6), by=2400, why="it comes down into the basin")
                    for n in (3, 10, 17)] + [of("*", at_least("height", 0.2), always=2400)],
    "marble_run": [of("*", at_most("height", 0.6), by=1800, why="they run down into the tray"),
                   of("*", at_least("height", 0.17), always=1800),
                   at_most("penetration", 0.01) | {"always": RUN}],
    "meeting": [{"momentum": {"least": 39104, "most": 39108}, "always": RUN, "why": "momentum stays"},
                at_most("penetration", 0.05) | {"always": RUN}],
    "mill": [of("wheel", at_least("spin", 0.3), by=300, why="the motor turns it through the grain"),
             of("wheel", at_most("drift", 0.01), always=RUN)],
    "parting": [at_most("greatest_speed", 10) | {"always": RUN, "why": "none is shot away"},
                at_most("penetration", 0.01) | {"at": RUN}],
    "piston_engine": [of("crank", {"spin": {"least": 10, "most": 14}}, always=[240, RUN]),
                      of("camshaft", {"spin": {"least": 5, "most": 7}}, always=[240, RUN], why="the gear halves it"),
                      of("crank", at_most("drift", 0.005), always=RUN)],
    "ragdoll": [of("doll head", at_least("height", 0.1), always=RUN), of("*", {"rests": True}, by=RUN),
                at_most("penetration", 0.025) | {"always": RUN}],
    "ragdolls": [of("*", at_least("height", 0.02), always=RUN, why="nobody falls through the stairs"),
                 # Where fifty figures land on each other they are met 0.05 to 0.32 m deep, by shifts of a thousandth.
                 at_most("penetration", 0.16) | {"always": [120, RUN]},
                 at_most("penetration", 0.35) | {"always": RUN}],
    "rolling": [of("box without friction, 1", at_most("height", 1), by=310, why="what slides without friction wins"),
                of("ball, 5/7", at_most("height", 1), never=340),
                of("ball, 5/7", at_most("height", 1), by=356, why="the ball comes next"),
                of("cylinder, 2/3", at_most("height", 1), never=356, why="the cylinder is last")],
    "sandbox": [of("*", at_least("height", 0.2), always=RUN, why="nothing leaves"),
                at_most("penetration", 0.06) | {"always": RUN}],
    "seams": [of(name, {"height": {"least": height - 0.002, "most": height + 0.002}}, always=120,
                 why="no seam is felt") for name, height in (("box", 0.2), ("disc", 0.2), ("ball", 0.4), ("capsule", 0.3))],
    "seesaw": [of(name, at_least("height", 5), by=300, why="the weight throws it")
               for name in ("crate 1", "crate 2", "crate 3", "crate 4", "gem")],
    "sheets": [of(f"bullet {n}", {"touches": f"sheet {n}"}, by=30, why="it does not pass") for n in (1, 2, 3, 4)],
    "slope": [of(f"box {friction}", at_most("drift", 0.001), always=RUN) for friction in ("0.48", "0.6")]
             + [of(f"box {friction}", at_least("drift", 1), by=RUN, why="friction below tan 25 degrees does not hold it")
                for friction in ("0", "0.2", "0.4", "0.45")],
    "spinning": [of("*", {"rests": True}, by=RUN),
                 of("disc, 0 rad/s", at_most("drift", 4.2), at=RUN),
                 of("disc, 6 rad/s", at_least("drift", 4.3), at=RUN, why="the spinning ones stop later"),
                 of("disc, 18 rad/s", at_least("drift", 6), at=RUN)],
    "suspension_bridge": [of(f"plank {n}", at_least("height", 3.2), always=RUN, why="the cables carry it") for n in (5, 15, 25)]
                         + [of("ball 2", at_least("height", 3.5), always=RUN)],
    "tumbling": [of("*", {"rests": True}, by=900), of("*", at_least("height", 0.05), always=RUN)],
    "valley": [of(f"{name}[*]", at_least("height", 0.2), always=RUN, why="nothing falls through the ground")
               for name in ("ball", "boulder", "block", "gem")]
              + [of("ball[4]", at_most("height", 3), by=RUN, why="it rolls down the valley"),
                 at_most("penetration", 0.1) | {"always": RUN}],
    "wall": [of("*", at_least("height", 0.2), always=RUN),
             of("wrecking ball", at_most("speed", 12), by=100, why="the wall slows it"),
             at_most("greatest_speed", 25) | {"always": RUN}],
    "wall_shot": [of("sphere", {"within": "walls"}, always=RUN, why="it must not pass"),
                  of("sphere", at_least("speed", 90), at=10)],
    "wrecking_ball": [{"joint": "*", "force": {"most": 2000000}, "always": RUN, "why": "the chain holds"},
                      of("ball", {"touches": "brick[*]"}, by=RUN, why="it swings into the wall"),
                      at_most("penetration", 0.05) | {"always": RUN}],
}

ZONES = {
    # Where balls thrown at 20 m/s come down, by v^2 sin(2 angle) / g from where they start.
    "flight": [{"name": name, "half_extents": [0.7, 5, 0.4], "position": [x, 0, 0.5]}
               for name, x in (("15 and 75", 0.39), ("30 and 60", 15.31), ("45", 20.77))],
    "wall_shot": [{"name": "walls", "half_extents": [50, 25, 50], "position": [0, 0, 50]}],
}
