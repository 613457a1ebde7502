"""Scenes of machines and figures that joints make: used by make_scenes.py."""
import math
import random

from scene_text import box, capsule, compound, cylinder, multiply, plus, rotate, scene, sphere, static, turn

UP = [0, 0, 1]
FLOOR = ["parts/floor.json"]
PASSES = {"mask": []}  # meets nothing: what is only to be seen, and what runs in bearings


# ---- Ragdolls ----------------------------------------------------------------------------------------------------


def ragdoll(name, origin, orientation=(1, 0, 0, 0), **more):
    """Thirteen bodies, 1.75 m high, standing upright at `origin` and facing +X before it is turned: bodies and joints. Friction in
    the joints is that of muscles at rest."""
    bodies, joints = [], []

    def place(point):
        return plus(origin, rotate(orientation, point))

    def limb(part, shape, at):
        bodies.append({"name": f"{name} {part}", "shape": shape, "position": place(at), "orientation": list(orientation),
                       "density": 1000, "friction": 0.6, **more})

    def joint(kind, a, b, at, axis, brake, **bounds):
        ways = {key: rotate(orientation, value) for key, value in (("axis", axis), ("axis_b", bounds.pop("axis_b", axis)))}
        if ways["axis"] == ways["axis_b"]:
            del ways["axis_b"]
        joints.append({"type": kind, "a": f"{name} {a}", "b": f"{name} {b}", "anchor": place(at), **ways, **bounds,
                       "motor": {"speed": 0, "max_force": brake}})

    limb("pelvis", box(0.1, 0.15, 0.07), [0, 0, 0.98])
    limb("chest", box(0.11, 0.17, 0.2), [0, 0, 1.28])
    limb("head", sphere(0.12), [0.02, 0, 1.64])
    joint("ball", "pelvis", "chest", [0, 0, 1.06], UP, 10, cone=0.5, limits=[-0.4, 0.4])
    joint("ball", "chest", "head", [0, 0, 1.5], UP, 3, cone=0.6, limits=[-0.8, 0.8])
    for side, y in (("left", 1), ("right", -1)):
        limb(f"{side} upper arm", capsule(0.05, 0.09), [0, 0.235 * y, 1.28])
        limb(f"{side} forearm", capsule(0.045, 0.11), [0, 0.235 * y, 0.99])
        limb(f"{side} thigh", capsule(0.075, 0.14), [0, 0.09 * y, 0.7])
        limb(f"{side} shin", capsule(0.055, 0.14), [0, 0.09 * y, 0.28])
        limb(f"{side} foot", box(0.12, 0.045, 0.035), [0.06, 0.09 * y, 0.035])
        joint("ball", "chest", f"{side} upper arm", [0, 0.235 * y, 1.42], [-0.4, -0.6 * y, 0.69], 2, axis_b=UP, cone=1.4,
              limits=[-0.8, 0.8])
        joint("hinge", f"{side} upper arm", f"{side} forearm", [0, 0.235 * y, 1.14], [0, 1, 0], 1, limits=[-2.4, 0])
        joint("ball", "pelvis", f"{side} thigh", [0, 0.09 * y, 0.92], [-0.5, -0.1 * y, 0.86], 4, axis_b=UP, cone=0.9,
              limits=[-0.5, 0.5])
        joint("hinge", f"{side} thigh", f"{side} shin", [0, 0.09 * y, 0.49], [0, 1, 0], 2, limits=[0, 2.4])
        joint("hinge", f"{side} shin", f"{side} foot", [0, 0.09 * y, 0.07], [0, 1, 0], 1, limits=[-0.5, 0.6])
    return bodies, joints


def one_ragdoll():
    bodies, joints = ragdoll("doll", [0, 0, 2.2], turn([0, 1, 0], 12))
    bodies += [static(box(0.08, 1.2, 0.08), [0.25, 0, 1.2], turn([0, 1, 0], 45), name="rail"),
               static(box(0.4, 0.4, 0.25), [0.9, 0, 0.25], name="block")]
    return scene("Ragdoll", "A figure of thirteen bodies falls over a rail. Its joints bend as far as ours do.", bodies,
                 [1.4, -3.8, 2.1], [0.3, 0, 1], include=FLOOR) | {"joints": joints}


def ragdolls():
    """Fifty figures above the head of a flight of stairs."""
    rng = random.Random(11)
    rise, going, steps, half_width = 0.3, 0.45, 16, 5
    bodies, joints = [], []
    for index in range(steps):
        height = rise * (steps - index)
        bodies.append(static(box(going / 2, half_width, height / 2), [going * (index + 0.5), 0, height / 2], name="stair"))
    top = rise * steps
    bodies.append(static(box(4.5, half_width, top / 2), [-4.5, 0, top / 2], name="landing"))
    for side in (-1, 1):
        bodies.append(static(box(9.5, 0.1, 4.5), [0.5, side * (half_width + 0.1), 4.5], friction=0.2, name="wall"))
    bodies.append(static(box(0.1, half_width, 2), [-9.1, 0, top + 2], friction=0.2, name="wall"))
    for index in range(50):
        column, row, layer = index % 5, index // 5 % 5, index // 25
        place = [-0.9 - 1.7 * row, -3.8 + 1.9 * column, top + 0.2 + 2.0 * layer]
        lean = multiply(turn([0, 1, 0], rng.uniform(5, 25)), turn(UP, rng.uniform(-60, 60)))
        more, ties = ragdoll(f"doll {index + 1}", place, lean, linear_velocity=[3 + 0.7 * row, 0, 0])
        bodies += more
        joints += ties
    return scene("Ragdolls on stairs", "Fifty figures of thirteen bodies tumble down a flight of stairs.", bodies,
                 [12, -16, 9], [2.5, 0, 2.5], include=FLOOR) | {"joints": joints}


# ---- Ropes -------------------------------------------------------------------------------------------------------


def rope(name, points, radius, density, first=None, last=None, ignore=1):
    """Capsules from point to point on ball joints; `first` and `last` are the bodies that hold the ends, None: nothing."""
    bodies, joints = [], []
    for index, (a, b) in enumerate(zip(points, points[1:])):
        way = [q - p for p, q in zip(a, b)]
        length = math.sqrt(sum(c * c for c in way))
        tilt = turn([-way[1], way[0], 0], math.degrees(math.acos(way[2] / length))) if abs(way[2]) < length else (1, 0, 0, 0)
        bodies.append({"name": f"{name} {index + 1}", "shape": capsule(radius, max(length / 2 - radius, 0.3 * length)),
                       "position": [(p + q) / 2 for p, q in zip(a, b)], "orientation": list(tilt), "density": density})
        before = f"{name} {index}" if index else first
        if before:
            joints.append({"type": "ball", "a": before, "b": f"{name} {index + 1}", "anchor": list(a),
                           **({"ignore_within": ignore} if ignore > 1 else {})})
    if last:
        joints.append({"type": "ball", "a": f"{name} {len(bodies)}", "b": last, "anchor": list(points[-1])})
    return bodies, joints


def suspension_bridge():
    """Two cables over two towers, hangers as ropes, and a deck of planks; all as it hangs at rest."""
    planks, pitch, deck, sag, top, half = 30, 1.0, 4.0, 4.2, 9.0, 1.3
    span = planks * pitch
    bodies, joints = [], []
    for side, end in ((-1, "west"), (1, "east")):
        x = side * (span / 2 + 0.6)
        bodies.append(static(box(8, 3, deck / 2), [side * (span / 2 + 8.1), 0, deck / 2], name=f"{end} bank"))
        for y in (-1, 1):
            bodies.append(static(box(0.25, 0.2, top / 2), [x, y * (half + 0.45), top / 2], name=f"{end} tower {y}"))
    for index in range(planks):
        x = pitch * (index + 0.5) - span / 2
        bodies.append({"name": f"plank {index + 1}", "shape": box(pitch / 2 - 0.02, half, 0.06), "position": [x, 0, deck - 0.06],
                       "density": 600, "friction": 0.8})
        for y in (-1.1, 1.1):
            joints.append({"type": "ball", "a": f"plank {index}" if index else "west bank", "b": f"plank {index + 1}",
                           "anchor": [x - pitch / 2, y, deck - 0.06]})
    for y in (-1.1, 1.1):
        joints.append({"type": "ball", "a": f"plank {planks}", "b": "east bank", "anchor": [span / 2, y, deck - 0.06]})
    for y in (-1, 1):
        line = y * (half + 0.2)
        xs = [-span / 2 - 0.35] + [pitch * (index + 0.5) - span / 2 for index in range(planks)] + [span / 2 + 0.35]
        points = [[x, line, top - 0.3 - sag * (1 - (x / xs[-1]) ** 2)] for x in xs]
        cable, ties = rope(f"cable {y}", points, 0.06, 3000, f"west tower {y}", f"east tower {y}")
        bodies += cable
        joints += ties
        for index in range(planks):
            point = points[index + 1]
            link = cable[index]
            joints.append({"type": "distance", "name": "hanger", "a": link["name"], "b": f"plank {index + 1}",
                           "anchor_a": [0, 0, math.dist(points[index], point) / 2],
                           "anchor_b": [0, line, 0], "limits": [0, point[2] - deck + 0.06]})
    for index in range(3):
        bodies.append({"name": f"ball {index + 1}", "shape": sphere(0.7), "position": [-span / 2 - 6 + 2 * index, 0, deck + 0.71],
                       "density": 700, "linear_velocity": [3.5, 0, 0], "rolling_resistance": 0.001})
    return scene("Suspension bridge", "Sixty hangers carry a deck of thirty planks from two cables; balls of a ton roll over it.", bodies,
                 [8, -26, 11], [0, 0, 4.5], include=FLOOR) | {"joints": joints}


def chandelier():
    """The lamp weighs 80 kg, the chain bears 140, and a ball of 30 kg falls into it."""
    links, pitch, ring, top = 8, 0.3, 1.1, 7.0
    points = [[0, 0, top - pitch * index] for index in range(links + 1)]
    bodies, joints = rope("link", points, 0.035, 7850, "beam", "lamp")
    joints[3] |= {"name": "weak link", "break_force": 1400}
    bodies.insert(0, static(box(2.5, 0.2, 0.2), [0, 0, top + 0.2], name="beam"))
    hub = points[-1][2] - 0.25
    parts = [(cylinder(0.08, 0.25), [0, 0, 0])]
    for index in range(8):
        way = turn(UP, 45 * index)
        parts.append((box(ring / 2, 0.03, 0.03), rotate(way, [ring / 2, 0, -0.2]), way))
        parts.append((cylinder(0.06, 0.18), rotate(way, [ring, 0, 0])))
    bodies.append({"name": "lamp", **compound(parts, [0, 0, hub]), "mass": 80})
    bodies.append({"name": "ball", "shape": sphere(0.2), "position": [0.53, 0.53, 11], "mass": 30})
    bodies.append({"name": "table top", "shape": box(1.4, 0.9, 0.04), "position": [0, 0, 0.84], "density": 700})
    for x in (-1.2, 1.2):
        for y in (-0.7, 0.7):
            bodies.append({"name": "leg", "shape": box(0.06, 0.06, 0.4), "position": [x, y, 0.4], "density": 700})
            joints.append({"type": "weld", "a": "table top", "b": len(bodies) - 1, "anchor": [x, y, 0.8],
                           "break_force": 6000, "break_torque": 800})
    made = scene("Chandelier", "A ball falls into a lamp. The chain has a weak link, and below stands a table.", bodies,
                 [4, -9, 4], [0, 0, 3], include=FLOOR) | {"joints": joints}
    for joint in joints:  # indices count what is included first
        if isinstance(joint["b"], int):
            joint["b"] += 1
    return made


def curtain():
    """Balls on ball joints, forty by forty, hung by its upper edge."""
    count, pitch, top = 40, 0.12, 6.0
    bodies = [static(cylinder(0.05, count * pitch / 2 + 0.2), [0, 0, top + 0.05], turn([1, 0, 0], 90), name="rod"),
              {"name": "knot", "shape": sphere(0.04), "position": [0, -pitch * (count - 1) / 2, top - pitch * (count - 0.5)],
               "density": 1000, "friction": 0.3, "group": 1, "mask": [0],
               "repeat": {"count": [1, count, count], "spacing": [0, pitch, pitch]}},
              {"name": "ball", "shape": sphere(0.45), "position": [-4.5, 0, 3], "density": 100, "linear_velocity": [9, 0, 4]}]
    joints = []

    def knot(column, row):
        return f"knot[{column + count * row}]"

    for row in range(count):
        for column in range(count):
            y, z = pitch * (column - (count - 1) / 2), top - pitch * (count - 0.5 - row)
            if row + 1 < count:
                joints.append({"type": "ball", "a": knot(column, row), "b": knot(column, row + 1), "anchor": [0, y, z + pitch / 2]})
            else:
                joints.append({"type": "ball", "a": "rod", "b": knot(column, row), "anchor": [0, y, z + pitch / 2]})
            if column + 1 < count:
                joints.append({"type": "ball", "a": knot(column, row), "b": knot(column + 1, row), "anchor": [0, y + pitch / 2, z]})
    return scene("Curtain", "A cloth of 1600 knots hangs from a rod, and a ball is thrown into it.", bodies, [7, -11, 4.5],
                 [0, 0, 3.6], include=FLOOR) | {"joints": joints}


# ---- Machines ----------------------------------------------------------------------------------------------------


def car():
    """Each wheel turns on a hub that slides on its spring."""
    bodies = [{"name": "chassis", **compound([(box(1.5, 0.5, 0.2), [0, 0, 0]), (box(0.7, 0.45, 0.22), [-0.2, 0, 0.42])],
                                             [0, 0, 0.95]), "mass": 900, "friction": 0.4, "can_sleep": False}]
    joints = []
    for x, end in ((1.05, "front"), (-1.05, "rear")):
        for y, side in ((0.75, "left"), (-0.75, "right")):
            hub, wheel, at = f"{end} {side} hub", f"{end} {side} wheel", [x, y, 0.42]
            bodies.append({"name": hub, "shape": box(0.08, 0.08, 0.08), "position": at, "mass": 20, **PASSES})
            bodies.append({"name": wheel, "shape": cylinder(0.42, 0.12), "position": at, "orientation": turn([1, 0, 0], 90),
                           "mass": 25, "friction": 1.2, "rolling_resistance": 0.01})
            joints.append({"type": "slider", "name": f"{end} {side} spring", "a": "chassis", "b": hub, "anchor": at, "axis": UP,
                           "limits": [-0.2, 0.15], "spring": {"hertz": 3, "damping_ratio": 0.35, "target": -0.12}})
            joints.append({"type": "hinge", "name": f"drive {end} {side}", "a": hub, "b": wheel, "anchor": at, "axis": [0, 1, 0],
                           "motor": {"speed": 9, "max_force": 500}, "ignore_within": 2})
            joints[-2]["ignore_within"] = 2
    rng = random.Random(4)
    for index in range(24):
        bodies.append(static(cylinder(0.3, 1.6), [5 + 1.9 * index, rng.uniform(-0.8, 0.8), -0.22 + 0.1 * rng.random()],
                             turn([1, 0, 0], 90), friction=1, name="bump"))
    for y in (-2.6, 2.6):  # bumps turn the car aside
        bodies.append(static(box(26, 0.1, 0.3), [27, y, 0.3], friction=0.05, name="rail"))
    for index in range(8):
        bodies.append({"name": "crate", "shape": box(0.3, 0.3, 0.3), "position": [54, -2.1 + 0.6 * index, 0.3], "density": 100,
                       "repeat": {"count": [1, 1, 2], "spacing": [0, 0, 0.6]}})
    return scene("Car", "Four driven wheels on springs take a car over bumps and into a wall of crates.", bodies,
                 [-6, -10, 4], [6, 0, 0.5], include=FLOOR) | {"joints": joints}


def crane():
    """The jib slews, the trolley runs out on a position motor, and the winch takes up the rope."""
    height, reach = 10.0, 8.0
    bodies = [static(box(0.4, 0.4, height / 2), [0, 0, height / 2], name="mast"),
              {"name": "jib", **compound([(box(reach / 2 + 1.25, 0.2, 0.2), [reach / 2 - 1.25, 0, 0]),
                                          (box(0.7, 0.5, 0.5), [-2.6, 0, -0.4])], [0, 0, height + 0.3]), "density": 1500, **PASSES},
              {"name": "trolley", "shape": box(0.4, 0.3, 0.12), "position": [4, 0, height - 0.05], "density": 2000, **PASSES},
              {"name": "hook", "shape": sphere(0.18), "position": [4, 0, 2.4], "density": 7850},
              {"name": "crate", "shape": box(0.8, 0.8, 0.8), "position": [4, 0, 0.8], "density": 400}]
    joints = [
        {"type": "hinge", "name": "slew", "a": "mast", "b": "jib", "anchor": [0, 0, height + 0.3], "axis": UP,
         "spring": {"hertz": 0.05, "damping_ratio": 1, "target": 1.5, "max_force": 60000}},
        {"type": "slider", "name": "trolley way", "a": "jib", "b": "trolley", "anchor": [4, 0, height - 0.05], "axis": [1, 0, 0],
         "limits": [-2, 3], "spring": {"hertz": 0.08, "damping_ratio": 1, "target": 2.5, "max_force": 20000}},
        {"type": "distance", "name": "rope", "a": "trolley", "b": "hook", "anchor_a": [0, 0, -0.12], "anchor_b": [0, 0, 0.18],
         "limits": [2, 7.35], "motor": {"speed": -0.6, "max_force": 40000}},
    ]
    for x in (-0.7, 0.7):
        for y in (-0.7, 0.7):
            joints.append({"type": "distance", "name": "sling", "a": "hook", "b": "crate", "anchor_b": [x, y, 0.8],
                           "limits": [0, 1.3]})
    bodies += [static(box(1, 1, 0.75), [*plus([0, 0], [6.5 * math.cos(1.5), 6.5 * math.sin(1.5)]), 0.75], name="platform")]
    return scene("Crane", "A winch lifts a crate of 1.6 t, the jib slews and the trolley runs out.", bodies, [13, -13, 9],
                 [2, 1, 5], include=FLOOR) | {"joints": joints}


def piston_engine():
    """Four cylinders in line; the crank is driven by a motor of limited torque, and a gear drives the camshaft at half its speed."""
    throw, rod, spacing, shaft = 0.5, 1.6, 1.2, 1.6
    length = 3 * spacing + 1.4
    parts = [(cylinder(0.14, length / 2), [0, 0, 0], turn([0, 1, 0], 90)), (cylinder(0.9, 0.15), [-length / 2, 0, 0], turn([0, 1, 0], 90))]
    bodies, joints = [], []
    for index, sign in enumerate((1, -1, -1, 1)):
        x = spacing * (index - 1.5)
        parts.append((box(0.22, 0.14, throw / 2 + 0.1), [x, 0, sign * throw / 2]))
        top = shaft + sign * throw
        bodies += [{"name": f"rod {index + 1}", "shape": box(0.09, 0.12, rod / 2), "position": [x, 0, top + rod / 2], "density": 7850,
                    **PASSES},
                   {"name": f"piston {index + 1}", "shape": cylinder(0.45, 0.3), "position": [x, 0, top + rod], "density": 2700, **PASSES},
                   static(box(0.06, 0.55, 1.1), [x - 0.56, 0, shaft + rod + 0.1], name="wall") | PASSES]
        joints += [{"type": "hinge", "a": "crank", "b": f"rod {index + 1}", "anchor": [x, 0, top], "axis": [1, 0, 0]},
                   {"type": "hinge", "a": f"rod {index + 1}", "b": f"piston {index + 1}", "anchor": [x, 0, top + rod],
                    "axis": [1, 0, 0]},
                   {"type": "slider", "name": f"cylinder {index + 1}", "b": f"piston {index + 1}", "anchor": [x, 0, top + rod], "axis": UP}]
    crank = {"name": "crank", **compound(parts, [0, 0, shaft]), "density": 7850, **PASSES}
    cam_at = [0, 1.5, shaft]
    camshaft = {"name": "camshaft", "shapes": [
        {"shape": cylinder(0.1, length / 2), "orientation": turn([0, 1, 0], 90)},
        {"shape": box(0.08, 0.3, 0.08), "position": [-1.2, 0, 0]}, {"shape": box(0.08, 0.3, 0.08), "position": [1.2, 0, 0]},
        {"shape": cylinder(0.6, 0.12), "position": [-length / 2, 0, 0], "orientation": turn([0, 1, 0], 90)},
        {"shape": cylinder(0.6, 0.12), "position": [length / 2, 0, 0], "orientation": turn([0, 1, 0], 90)}],
        "position": cam_at, "density": 7850, **PASSES}
    joints += [{"type": "hinge", "name": "bearing", "b": "crank", "anchor": [0, 0, shaft], "axis": [1, 0, 0],
                "motor": {"speed": 12, "max_force": 25000}},
               {"type": "hinge", "name": "cam bearing", "b": "camshaft", "anchor": cam_at, "axis": [1, 0, 0]},
               {"type": "gear", "name": "timing gear", "a": "crank", "b": "camshaft", "axis": [1, 0, 0], "ratio": 2}]
    return scene("Piston engine", "A motor turns a crank with four rods and pistons; a gear turns the camshaft half as fast.",
                 [crank, camshaft, *bodies], [4.5, -7.5, 4.2], [0, 0, 2.4], include=FLOOR) | {"joints": joints}


MACHINES = {
    "ragdoll.json": one_ragdoll,
    "ragdolls.json": ragdolls,
    "suspension_bridge.json": suspension_bridge,
    "chandelier.json": chandelier,
    "curtain.json": curtain,
    "car.json": car,
    "crane.json": crane,
    "piston_engine.json": piston_engine,
}
