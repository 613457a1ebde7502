#!/usr/bin/env python3
"""Writes the scenes that ship with Cairn: make_scenes.py writes scenes/, make_scenes.py --check compares with it.

The files are plain scene files (docs/reference/scene-format.md) and may be opened, copied and edited; a change meant to stay
belongs here, because tests compare the two. Metres, kilograms, seconds, radians; Z up; quaternions w, x, y, z.
"""
import math
import pathlib
import random
import sys

from machine_scenes import MACHINES
from mesh_scenes import MESH_SCENES
from scene_expectations import EXPECT, ZONES
from scene_show import SHOW, TRIES
from scene_text import (box, capsule, compound, cylinder, diamond, multiply, number, plus, random_turn, rotate, scene, sphere,
                        static, text_of, tidy, turn)

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "scenes"

# Half extents of the boxes that the sandbox is played with.
NAMED_BOXES = {
    "unit": [1, 1, 1],
    "small": [0.25, 0.25, 0.25],
    "beam": [3, 0.25, 0.25],
    "platform": [3, 3, 0.25],
    "body": [0.25, 0.5, 1],
    "limb": [1, 0.25, 0.25],
    "head": [0.25, 0.25, 0.25],
}


# ---- Parts that scenes include -----------------------------------------------------------------------------------


def part(name, description, bodies):
    return {"$schema": "../scene.schema.json", "cairn": 1, "name": name, "description": description, "bodies": bodies}


def sandbox_walls():
    same = {"restitution": 0.5}
    return part("Walled sandbox", "The ground, 100 m x 50 m, and four walls of 5 m.", [
        static(box(50, 25, 0.5), [0, 0, -0.5], friction=0.5, **same, name="ground"),
        static(box(1, 25, 2.5), [50, 0, 2.5], friction=0, **same, name="wall +x"),
        static(box(1, 25, 2.5), [-50, 0, 2.5], friction=0, **same, name="wall -x"),
        static(box(50, 1, 2.5), [0, 25, 2.5], friction=0, **same, name="wall +y"),
        static(box(50, 1, 2.5), [0, -25, 2.5], friction=0, **same, name="wall -y"),
    ])


def floor():
    return part("Floor", "A wide level floor.", [static(box(100, 100, 1), [0, 0, -1], friction=0.6, name="floor")])


def tray():
    return part("Tray", "A floor with a square tray, 16 m wide inside and 3 m high.", [
        static(box(100, 100, 1), [0, 0, -1], friction=0.6, name="floor"),
        static(box(0.25, 8.5, 1.5), [8.25, 0, 1.5], friction=0.3, name="tray +x"),
        static(box(0.25, 8.5, 1.5), [-8.25, 0, 1.5], friction=0.3, name="tray -x"),
        static(box(8, 0.25, 1.5), [0, 8.25, 1.5], friction=0.3, name="tray +y"),
        static(box(8, 0.25, 1.5), [0, -8.25, 1.5], friction=0.3, name="tray -y"),
    ])


# ---- The sandbox -------------------------------------------------------------------------------------------------

# Name, shape, density, how many, what else. Large boxes are hollow crates and small things are solid, so that no body
# weighs much more than a hundred times another: such heaps come to rest on every solver.
ROLLS = {"rolling_resistance": 0.04, "angular_damping": 0.3}
# A gem that stands on its rim wobbles from corner to corner like a coin; this lets it settle.
GEM = {"rolling_resistance": 0.03}
HEAP = [
    ("unit", box(*NAMED_BOXES["unit"]), 250, 14, {}),
    ("platform", box(*NAMED_BOXES["platform"]), 250, 4, {}),
    ("beam", box(*NAMED_BOXES["beam"]), 500, 14, {}),
    ("body", box(*NAMED_BOXES["body"]), 700, 14, {}),
    ("limb", box(*NAMED_BOXES["limb"]), 700, 14, {}),
    ("small", box(*NAMED_BOXES["small"]), 1500, 12, {}),
    ("head", box(*NAMED_BOXES["head"]), 1000, 8, {}),
    ("diamond", diamond(1), 400, 16, {}),
    ("gem", diamond(0.6), 1000, 14, {}),
    ("ball", sphere(0.5), 700, 20, ROLLS),
    ("marble", sphere(0.3), 1500, 8, ROLLS),
    ("capsule", capsule(0.3, 0.5), 800, 12, ROLLS),
]


def covering_spheres(shape):
    """Spheres (centre, radius) that together cover a shape, for placing bodies clear of each other."""
    (kind, size), = shape.items()
    if kind == "sphere":
        return [([0, 0, 0], size["radius"])]
    if kind == "diamond":
        return [([0, 0, 0], 1.03 * size["scale"])]
    if kind == "capsule":
        return [([0, 0, z * size["half_height"]], 1.1 * size["radius"]) for z in (-1, -0.5, 0, 0.5, 1)]
    half = size["half_extents"]
    cell = max(min(half), 0.25)
    counts = [max(1, round(h / cell)) for h in half]
    radius = math.sqrt(sum((h / n) ** 2 for h, n in zip(half, counts)))
    steps = [[-h + (2 * i + 1) * h / n for i in range(n)] for h, n in zip(half, counts)]
    return [([x, y, z], radius) for x in steps[0] for y in steps[1] for z in steps[2]]


def heap(rng, radius, clearance, stretch):
    """The bodies of HEAP in random order and orientation, each placed as low as it fits; then the whole is stretched
    upwards, so that it falls apart into a heap without a body starting high."""
    kinds = [entry for entry in HEAP for _ in range(entry[3])]
    rng.shuffle(kinds)
    # The largest first and lowest.
    kinds.sort(key=lambda entry: entry[0] != "platform")
    placed, bodies, counters = [], [], {}
    for name, shape, density, _, more in kinds:
        if name == "platform":
            orientation = multiply(turn([rng.gauss(0, 1), rng.gauss(0, 1), 0], rng.uniform(5, 15)),
                                   turn([0, 0, 1], rng.uniform(0, 360)))
        else:
            orientation = random_turn(rng)
        spheres = [(rotate(orientation, centre), r) for centre, r in covering_spheres(shape)]
        best = None
        for _ in range(12):
            distance, angle = radius * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
            x, y = distance * math.cos(angle), distance * math.sin(angle)
            z = max(r - centre[2] for centre, r in spheres) + clearance
            moved = True
            while moved:
                moved = False
                for (cx, cy, cz), r in spheres:
                    for (px, py, pz), pr in placed:
                        gap = r + pr + clearance
                        across = (x + cx - px) ** 2 + (y + cy - py) ** 2
                        if across < gap * gap:
                            lift = pz + math.sqrt(gap * gap - across) - (z + cz)
                            if lift > 1e-9 and z + cz > pz - gap:
                                z, moved = z + lift, True
            if best is None or z < best[2]:
                best = (x, y, z)
        placed += [(plus(best, centre), r) for centre, r in spheres]
        counters[name] = counters.get(name, 0) + 1
        bodies.append({"name": f"{name} {counters[name]}", "shape": shape,
                       "position": [best[0], best[1], stretch * best[2]], "orientation": orientation,
                       "density": density, "friction": 0.5, "restitution": 0.1, **more})
    return bodies


def sandbox():
    return scene("Sandbox", "A walled sandbox with a heap of 150 boxes, diamonds, balls and capsules falling in.",
                 heap(random.Random(5), 7.0, 0.1, 1.2), [16, -22.5, 10.5], [0, 0, 3], include=["parts/walls.json"])


# ---- Fast bodies -------------------------------------------------------------------------------------------------

SHOT = {"mass": 1, "friction": 0.5, "restitution": 0.5}


def duel():
    return scene("Diamond duel", "A sphere and a spinning diamond meet head on at 200 m/s, in mid air.", [
        {"name": "sphere", "shape": sphere(0.5), "position": [10, 0, 3], "linear_velocity": [-100, 0, 0], **SHOT},
        {"name": "diamond", "shape": diamond(1), "position": [-10, 0, 3], "linear_velocity": [100, 0, 0],
         "angular_velocity": [0, 10, 0], **SHOT},
    ], [0, -20, 6.5], [0, 0, 2.5], include=["parts/walls.json"])


def wall_shot():
    return scene("Wall shot", "A sphere at 100 m/s against a wall, which it must not pass.", [
        {"name": "sphere", "shape": sphere(0.5), "position": [10, 0, 3], "linear_velocity": [-100, 0, 0], **SHOT},
    ], [23, -9, 6.5], [-14, 1, 1], include=["parts/walls.json"])


def sheets():
    bodies = []
    for index, thickness in enumerate((0.05, 0.2, 0.5, 3)):
        y = 2 * index - 3
        bodies.append(static(box(thickness / 2, 0.8, 1), [thickness / 2, y, 1], friction=0.5, restitution=0.3,
                             name=f"sheet {index + 1}"))
        bodies.append({"name": f"bullet {index + 1}", "shape": sphere(0.1), "position": [-11.3, y, 1.2],
                       "linear_velocity": [120, 0, 0], "density": 7800, "friction": 0.5, "restitution": 0.3})
    return scene("Sheets", "Four bullets at 120 m/s, which is 2 m in a step, against sheets of 5 cm to 3 m. Without CCD those "
                 "that are thinner than the way of a step stop nothing.", bodies, [-7, -13, 9], [-4, 0, 1],
                 include=["parts/floor.json"])


# ---- Stacks ------------------------------------------------------------------------------------------------------


def tower():
    return scene("Tower", "Ten boxes of one metre, stacked; never allowed to sleep, so that the stack shows any drift.", [
        {"name": "box", "shape": box(0.5, 0.5, 0.5), "position": [0, 0, 0.5], "density": 1000, "friction": 0.6,
         "can_sleep": False, "repeat": {"count": [1, 1, 10], "spacing": [1, 1, 1]}},
    ], [6.5, -13, 7.5], [0, 0, 4.7], include=["parts/floor.json"])


def pyramid():
    base, pitch = 20, 1.08
    return scene("Pyramid", "210 boxes in a triangle twenty high.", [
        {"shape": box(0.5, 0.5, 0.5), "position": [-0.5 * pitch * (base - 1 - row), 0, row + 0.5], "density": 500,
         "friction": 0.6, "repeat": {"count": [base - row, 1, 1], "spacing": [pitch, 0, 0]}}
        for row in range(base)
    ], [12, -34, 14], [0, 0, 8.8], include=["parts/floor.json"])


def wall():
    rows, columns = 16, 14
    half = [0.6, 0.35, 0.25]
    mortar = 0.01
    pitch = 2 * half[0] + mortar
    bodies = []
    for row in range(rows):
        z = half[2] * (2 * row + 1)
        shared = {"density": 1800, "friction": 0.7}
        even = row % 2 == 0
        count = columns if even else columns - 1
        bodies.append({"shape": box(*half), "position": [-0.5 * pitch * (count - 1), 0, z], **shared,
                       "repeat": {"count": [count, 1, 1], "spacing": [pitch, 0, 0]}})
        if not even:
            # Half bricks close the ends of every other row.
            x = 0.5 * pitch * columns - 0.5 * mortar - 0.5 * half[0]
            bodies.append({"shape": box(0.5 * half[0], half[1], half[2]), "position": [-x, 0, z], **shared,
                           "repeat": {"count": [2, 1, 1], "spacing": [2 * x, 0, 0]}})
    bricks = sum(body["repeat"]["count"][0] for body in bodies)
    # Thrown to meet the wall above its middle after 0.6 s: t = 13 / 22, z = 3 + 4.5 t - g t^2 / 2.
    bodies.append({"name": "wrecking ball", "shape": sphere(0.9), "position": [-5, -14.25, 3], "density": 4000,
                   "friction": 0.6, "rolling_resistance": 0.05, "linear_velocity": [7, 22, 4.5]})
    return scene("Brick wall", f"{bricks} bricks in running bond, and a ball of twelve tonnes flying at them.", bodies,
                 [13, -17, 8], [-0.5, -1.5, 3.0], include=["parts/floor.json"])


# ---- Dominoes ----------------------------------------------------------------------------------------------------


class Path:
    """A plane curve made of lines and arcs that continue each other, walked at even distances."""

    def __init__(self, x, y, heading):
        self.x, self.y, self.heading = x, y, heading  # m, m, degrees
        self.left_over = 0.0  # m walked since the last mark
        self.marks = [(x, y, heading)]

    def line(self, length, spacing):
        self.walk(length, 0.0, spacing)

    def arc(self, radius, degrees, spacing):
        """Turns left for positive degrees."""
        self.walk(abs(math.radians(degrees)) * radius, math.copysign(1 / radius, degrees), spacing)

    def walk(self, length, curvature, spacing):
        step = 0.005
        for _ in range(round(length / step)):
            self.heading += math.degrees(curvature * step)
            self.x += step * math.cos(math.radians(self.heading))
            self.y += step * math.sin(math.radians(self.heading))
            self.left_over += step
            if self.left_over >= spacing:
                self.left_over -= spacing
                self.marks.append((self.x, self.y, self.heading))


def domino_run():
    half = [0.075, 0.25, 0.5]
    spacing = 0.5
    path = Path(-5, 7.5, 0)
    # Out and back in three bends, then round a loop that ends in the middle of the picture.
    path.line(7, spacing)
    path.arc(2.5, -180, spacing)
    path.line(8, spacing)
    path.arc(2.5, 180, spacing)
    path.line(7, spacing)
    path.arc(2.25, -180, spacing)
    path.line(8, spacing)
    path.arc(2, 180, spacing)
    path.line(1, spacing)
    bodies = []
    for x, y, heading in path.marks:
        bodies.append(([x, y], heading, 1.0))
    # The last ones grow, each by a sixth: a small push fells a giant.
    scale = 1.0
    for _ in range(7):
        scale *= 7 / 6
        reach = 0.42 * scale
        path.x += reach * math.cos(math.radians(path.heading))
        path.y += reach * math.sin(math.radians(path.heading))
        bodies.append(([path.x, path.y], path.heading, scale))
    out = []
    for index, ((x, y), heading, size) in enumerate(bodies):
        body = {"name": f"domino {index + 1}", "shape": box(*(size * h for h in half)), "position": [x, y, size * half[2]],
                "orientation": turn([0, 0, 1], heading), "density": 600, "friction": 0.35, "restitution": 0}
        if index == 0:
            # Tipped about its lower front edge by its own start velocities.
            spin = 2.2
            body["linear_velocity"] = [spin * half[2], 0, 0]
            body["angular_velocity"] = [0, spin, 0]
        out.append(body)
    return scene("Domino run", f"{len(out)} dominoes: the first one is pushed, the last ones grow.", out,
                 [3, -19, 13], [-0.6, -1.6, 0], include=["parts/floor.json"])


# ---- Rain --------------------------------------------------------------------------------------------------------


def rain(name, description, kinds, eye, target):
    """Layers of bodies over the tray; the kinds take turns along x, so that they mix."""
    pitch, across, layers = 1.7, 8, 5
    bodies = []
    for index, (shape, more) in enumerate(kinds):
        count = [math.ceil((across - index) / len(kinds)), across, layers]
        start = -0.5 * pitch * (across - 1)
        bodies.append({"shape": shape, "position": [start + index * pitch, start, 2.5], "friction": 0.5, **more,
                       "repeat": {"count": count, "spacing": [pitch * len(kinds), pitch, 1.7], "jitter": 0.12,
                                  "seed": index + 1, "spin": True}})
    return scene(name, description, bodies, eye, target, include=["parts/tray.json"])


def diamond_rain():
    return rain("Diamond rain", "320 cut diamonds pour into a tray.",
                [(diamond(0.6), {"density": 1500, "restitution": 0.2, **GEM}),
                 (diamond(0.45), {"density": 3000, "restitution": 0.2, **GEM})],
                [11, -17, 12], [0, 0, 1])


def mixed_rain():
    return rain("Mixed rain", "320 boxes, spheres, capsules and diamonds pour into a tray.",
                [(box(0.42, 0.42, 0.42), {"density": 700, "restitution": 0.1}),
                 (sphere(0.5), {"density": 900, "restitution": 0.3, **ROLLS}),
                 (diamond(0.65), {"density": 1200, "restitution": 0.1, **GEM}),
                 (capsule(0.3, 0.4), {"density": 900, "restitution": 0.1, **ROLLS})],
                [11, -17, 12], [0, 0, 1])


# ---- Machines ----------------------------------------------------------------------------------------------------


def marble_ramp():
    length, width, tilt, drop, levels = 10.0, 1.0, 12.0, 2.9, 4
    more = 0.5  # under the top ramp, from which all marbles come at once: three of them can jam in less than 1 m
    half = length / 2
    bodies = []
    for level in range(levels):
        side = 1 if level % 2 == 0 else -1  # downhill towards +x or -x
        parts = [
            (box(half, width, 0.1), [0, 0, -0.1]),
            (box(half, 0.08, 0.25), [0, width + 0.08, 0.05]),
            (box(half, 0.08, 0.2), [0, -width - 0.08, 0.0]),
            # A bin at the upper end catches what flies off the ramp above.
            (box(0.08, width + 0.16, 0.75), [-side * (half + 0.08), 0, 0.55]),
            (box(1.1, 0.08, 0.5), [-side * (half - 1.1), width + 0.08, 0.6]),
            (box(1.1, 0.08, 0.5), [-side * (half - 1.1), -width - 0.08, 0.6]),
        ]
        origin = [-side * 0.75, 0, drop * (levels - level) - 0.6 + (more if level == 0 else 0)]
        ramp = compound(parts, origin, turn([0, 1, 0], side * tilt))
        bodies.append({"name": f"ramp {level + 1}", "type": "static", **ramp, "friction": 0.4, "restitution": 0.2})
        # A post carries each ramp at both ends.
        for x in (-0.8 * half, 0.8 * half):
            top = rotate(turn([0, 1, 0], side * tilt), [x, 0, -0.25])[2] + origin[2]
            below = drop * (levels - level - 1)
            post = 0.5 * max(top, 0.2)
            bodies.append(static(box(0.12, 0.12, post), [origin[0] + x, width + 0.3, post], friction=0.4))
    # The catch basin.
    last = 1 if (levels - 1) % 2 == 0 else -1
    x = last * 7.0
    for shape, position in ((box(0.1, 2.2, 0.35), [x + 3, 0, 0.35]), (box(0.1, 2.2, 0.35), [x - 3, 0, 0.35]),
                            (box(2.9, 0.1, 0.35), [x, 2.1, 0.35]), (box(2.9, 0.1, 0.35), [x, -2.1, 0.35])):
        bodies.append(static(shape, position, friction=0.4))
    # Marbles wait in rows on the top ramp.
    top = [-0.75, 0, drop * levels - 0.6 + more]
    slope = turn([0, 1, 0], tilt)
    rng = random.Random(3)
    count = 0
    for row in range(10):
        for column in range(3):
            count += 1
            offset = [-half + 0.5 + 0.62 * row, (column - 1) * 0.6 + rng.uniform(-0.05, 0.05), 0.26 + 0.02 * rng.random()]
            bodies.append({"name": f"marble {count}", "shape": sphere(0.25), "position": plus(top, rotate(slope, offset)),
                           "density": 2500, "friction": 0.4, "restitution": 0.3, "rolling_resistance": 0.004})
    return scene("Marble ramp", "Thirty marbles roll down four zigzag ramps into a basin.", bodies,
                 [4, -21, 10], [-1, 0, 5.6], include=["parts/floor.json"])


def seesaw():
    length, thickness, width = 4.0, 0.18, 0.7
    pivot_radius, pivot_height = 0.35, 0.9
    # The plank touches the floor with its left end and the pivot's top: pivot_height + r cos a = length sin a.
    low, high = 0.0, math.pi / 4
    for _ in range(60):
        angle = 0.5 * (low + high)
        low, high = (angle, high) if pivot_height + pivot_radius * math.cos(angle) > length * math.sin(angle) else (low, angle)
    degrees = -math.degrees(angle)
    tilt = turn([0, 1, 0], degrees)
    centre = plus([0, 0, pivot_height], rotate(tilt, [0, 0, pivot_radius + thickness]))
    gap = 0.02
    parts = [
        (box(length, width, thickness), [0, 0, 0]),
        # Two ridges under the plank keep it on the pivot, two on it keep the load on the plank.
        (box(0.1, width, 0.1), [pivot_radius + 0.1 + gap, 0, -thickness - 0.1]),
        (box(0.1, width, 0.1), [-pivot_radius - 0.1 - gap, 0, -thickness - 0.1]),
        (box(0.06, width, 0.06), [length - 0.06, 0, thickness + 0.06]),
        (box(0.06, width, 0.06), [-length + 0.06, 0, thickness + 0.06]),
    ]
    bodies = [
        static(cylinder(pivot_radius, 1.0), [0, 0, pivot_height], turn([1, 0, 0], 90), friction=0.8, name="pivot"),
        static(box(0.5, 0.12, 0.5 * pivot_height), [0, 1.12, 0.5 * pivot_height], friction=0.8, name="bearing"),
        static(box(0.5, 0.12, 0.5 * pivot_height), [0, -1.12, 0.5 * pivot_height], friction=0.8, name="bearing"),
        {"name": "plank", **compound(parts, centre, tilt), "density": 500, "friction": 0.8, "restitution": 0},
    ]

    def on_plank(x, y, z):
        return plus(centre, rotate(tilt, [x, y, thickness + z]))

    for index, (x, y, size) in enumerate([(-3.5, -0.3, 0.24), (-3.5, 0.3, 0.24), (-2.95, -0.3, 0.24), (-2.95, 0.3, 0.24)]):
        bodies.append({"name": f"crate {index + 1}", "shape": box(size, size, size), "position": on_plank(x, y, size + 0.005),
                       "orientation": tilt, "density": 300, "friction": 0.7})
    bodies.append({"name": "gem", "shape": diamond(0.4), "position": on_plank(-3.2, 0, 0.9),
                   "orientation": turn([1, 0, 0], 180), "density": 500, "friction": 0.6})
    bodies.append({"name": "weight", "shape": box(0.6, 0.6, 0.6), "position": [3.1, 0, 6.5], "density": 2000,
                   "friction": 0.7, "restitution": 0})
    return scene("Seesaw", "A falling weight throws four crates and a gem from the other end.", bodies,
                 [3, -17, 6.5], [0, 0, 3.6], include=["parts/floor.json"])


def billiards():
    radius = 0.3
    length, width, top = 10.0, 5.0, 2.0
    bed = {"friction": 0.2, "restitution": 0.0}
    cushion = {"friction": 0.15, "restitution": 0.8}
    height = 0.5 * radius
    bodies = [
        static(box(length, width, 0.2), [0, 0, top - 0.2], **bed, name="bed"),
        static(box(0.25, width, 0.2 + height), [length + 0.25, 0, top - 0.2 + height], **cushion, name="cushion +x"),
        static(box(0.25, width, 0.2 + height), [-length - 0.25, 0, top - 0.2 + height], **cushion, name="cushion -x"),
        static(box(length + 0.5, 0.25, 0.2 + height), [0, width + 0.25, top - 0.2 + height], **cushion, name="cushion +y"),
        static(box(length + 0.5, 0.25, 0.2 + height), [0, -width - 0.25, top - 0.2 + height], **cushion, name="cushion -y"),
    ]
    for x in (-1, 1):
        for y in (-1, 1):
            bodies.append(static(box(0.35, 0.35, 0.8), [x * (length - 0.6), y * (width - 0.6), 0.8], **bed))
    ball = {"density": 1700, "friction": 0.2, "restitution": 0.9, "rolling_resistance": 0.01}
    pitch = 2 * radius * 1.005
    number_of = 0
    for row in range(5):
        for column in range(row + 1):
            number_of += 1
            bodies.append({"name": f"ball {number_of}", "shape": sphere(radius),
                           "position": [4.5 + row * pitch * math.sqrt(3) / 2, (column - 0.5 * row) * pitch, top + radius],
                           **ball})
    bodies.append({"name": "cue ball", "shape": sphere(radius), "position": [-5, 0.25, top + radius],
                   "linear_velocity": [24, -0.35, 0], **ball})
    return scene("Billiards", "The break: fifteen racked balls, a cue ball, and lively cushions. Ten times life size.", bodies,
                 [-4.5, -17.5, 13], [0.2, -0.6, 1.4], include=["parts/floor.json"])


def tumbling():
    steps, depth, rise, width = 14, 0.85, 0.65, 7.0
    bodies = []
    for step in range(steps):
        height = rise * (steps - step)
        bodies.append(static(box(0.5 * depth, width, 0.5 * height), [-6 + depth * step, 0, 0.5 * height], friction=0.5,
                             name=f"step {step + 1}"))
    landing = -6 - 0.5 * depth
    bodies.append(static(box(2.5, width, 0.5 * rise * steps), [landing - 2.5, 0, 0.5 * rise * steps], friction=0.5,
                         name="landing"))
    for side in (-1, 1):
        bodies.append(static(box(12, 0.25, 0.4), [7, side * (width + 0.25), 0.4], friction=0.3))
    bodies.append(static(box(0.25, width + 0.5, 0.4), [19.25, 0, 0.4], friction=0.3))

    hammer = [(cylinder(0.09, 0.8), [0, 0, 0]), (box(0.42, 0.2, 0.2), [0, 0, 0.9])]
    leg = 0.07
    table = [(box(0.9, 0.6, 0.06), [0, 0, 0.56])] + [
        (box(leg, leg, 0.25), [x * (0.9 - leg), y * (0.6 - leg), 0.25]) for x in (-1, 1) for y in (-1, 1)]
    rng = random.Random(11)
    top = rise * steps
    counts = {"hammer": 0, "table": 0}
    for row in range(6):
        for column in range(6):
            kind = "hammer" if (row + column) % 2 else "table"
            counts[kind] += 1
            x = -6.5 + 2.3 * row
            stair = top - max(0.0, x - landing) * rise / depth
            origin = [x, -5.5 + 2.2 * column, stair + 2.0 + 0.8 * rng.random()]
            bodies.append({"name": f"{kind} {counts[kind]}", **compound(hammer if kind == "hammer" else table, origin, random_turn(rng)),
                           "linear_velocity": [rng.uniform(2, 3), rng.uniform(-0.5, 0.5), 0],
                           "angular_velocity": [rng.uniform(-2, 2), rng.uniform(3, 7), rng.uniform(-2, 2)],
                           "density": 700, "friction": 0.3, "restitution": 0.25})
    return scene("Tumbling", "Hammers and tables tumble down a flight of stairs.", bodies,
                 [14, -21, 12], [2, 0, 3.2], include=["parts/floor.json"])


# ---- Laws --------------------------------------------------------------------------------------------------------


def bounces():
    bodies = []
    for index, elasticity in enumerate((0, 0.3, 0.5, 0.8, 1)):
        x = 3.0 * (index - 2)
        bodies.append(static(box(1.2, 1.2, 0.1), [x, 0, 0.1], restitution=elasticity, name=f"plate {elasticity}"))
        bodies.append({"name": f"ball {elasticity}", "shape": sphere(0.5), "position": [x, 0, 5.7], "density": 1000,
                       "friction": 0.5, "restitution": elasticity})
        # A post with a mark at e^2 of the drop, where the first bounce must end.
        bodies.append(static(box(0.05, 0.05, 2.85), [x, 1.5, 2.85]))
        bodies.append(static(box(0.5, 0.05, 0.02), [x, 1.4, 0.7 + 5 * elasticity ** 2]))
    return scene("Bounces", "Balls of elasticity 0, 0.3, 0.5, 0.8 and 1 fall 5 m; each rises to its square times that.",
                 bodies, [0, -18, 5], [0, 0, 2.8], include=["parts/floor.json"])


def slope():
    angle = 25.0  # tan = 0.466: friction above it holds
    tilt = turn([0, 1, 0], angle)
    centre = [0, 0, 4.6]
    bodies = []
    for index, friction in enumerate((0, 0.2, 0.4, 0.45, 0.48, 0.6)):
        y = 2.0 * (index - 2.5)
        origin = plus(centre, [0, y, 0])
        bodies.append(static(box(9, 0.9, 0.1), origin, tilt, friction=friction, name=f"lane {friction}"))
        bodies.append({"name": f"box {friction}", "shape": box(0.5, 0.5, 0.25), "orientation": tilt, "density": 700,
                       "position": plus(origin, rotate(tilt, [-8, 0, 0.35])), "friction": friction})
    return scene("Slope", "Six boxes on a slope of 25 degrees, with friction from 0 to 0.6: those above 0.466 stay.",
                 bodies, [14, -16, 11], [1, 0, 3.5], include=["parts/floor.json"])


def rolling():
    angle = 12.0
    tilt = turn([0, 1, 0], angle)
    across = turn([1, 0, 0], 90)
    upright = multiply(tilt, across)
    lanes = [
        ("ball, 5/7", {"shape": sphere(0.5)}, 0.8),
        ("cylinder, 2/3", {"shape": cylinder(0.5, 0.6), "orientation": upright}, 0.8),
        ("capsule", {"shape": capsule(0.5, 0.3), "orientation": upright}, 0.8),
        ("box without friction, 1", {"shape": box(0.5, 0.5, 0.5), "orientation": tilt}, 0),
    ]
    bodies = []
    for index, (name, body, friction) in enumerate(lanes):
        y = 2.6 * (index - 1.5)
        origin = [0, y, 3.5]
        bodies.append(static(box(12, 1.2, 0.1), origin, tilt, friction=friction))
        bodies.append({"name": name, **body, "position": plus(origin, rotate(tilt, [-11, 0, 0.6])), "density": 700,
                       "friction": friction})
    bodies.append(static(box(0.25, 6, 0.5), [17, 0, 0.5], name="stop"))
    return scene("Rolling", "A race down 12 degrees: what slides without friction wins, the ball comes next, the "
                 "cylinder last.", bodies, [6, -21, 12], [2, 0, 2], include=["parts/floor.json"])


def spinning():
    bodies = []
    for index, spin in enumerate((0, 6, 18)):
        for offset, name, shape in ((0, "disc", cylinder(0.5, 0.05)), (1.5, "box", box(0.5, 0.5, 0.05))):
            y = 3.4 * (index - 1) + offset
            bodies.append({"name": f"{name}, {spin} rad/s", "shape": shape, "position": [-6, y, 0.05],
                           "linear_velocity": [7, 0, 0], "angular_velocity": [0, 0, spin], "density": 1000, "friction": 0.6})
            bodies.append(static(box(5.5, 0.02, 0.001), [-0.5, y + 0.75, 0.001]))
    return scene("Spinning discs", "Discs and boxes slide with and without spin: all stop straight, the spinning ones "
                 "later.", bodies, [-1, -13, 9], [-1.5, 0.6, 0], include=["parts/floor.json"])


def cradle():
    same = {"density": 2000, "friction": 0, "restitution": 1}
    bodies = []
    for index, moving in enumerate((1, 2, 3)):
        y = 2.2 * (index - 1)
        bodies.append(static(box(8, 0.7, 0.1), [0, y, 0.1], friction=0, name="track"))
        for side in (-1, 1):
            bodies.append(static(box(8, 0.08, 0.25), [0, y + side * 0.6, 0.45], friction=0))
            bodies.append(static(box(0.2, 0.7, 0.5), [side * 8.2, y, 0.5], friction=0, restitution=1))
        for ball in range(5):
            x = ball - 2.0 - (3.0 if ball < moving else 0.0)
            bodies.append({"name": f"ball {ball + 1} of row {index + 1}", "shape": sphere(0.5), "position": [x, y, 0.7],
                           "linear_velocity": [4 if ball < moving else 0, 0, 0], **same})
    return scene("Cradle", "Three rows of five balls: as many leave as come in.", bodies, [0, -12, 9], [0, 0, 0.3],
                 include=["parts/floor.json"])


def seams():
    bodies = [{"type": "static", "shape": box(0.5, 0.5, 0.25), "position": [-9.5, -4.5, -0.25], "friction": 0.05,
               "repeat": {"count": [20, 10, 1], "spacing": [1, 1, 0]}}]
    for y, name, shape, height in ((-3, "box", box(0.4, 0.4, 0.2), 0.2), (-1, "disc", cylinder(0.4, 0.2), 0.2),
                                   (1, "ball", sphere(0.4), 0.4), (3, "capsule", capsule(0.3, 0.4), 0.3)):
        body = {"name": name, "shape": shape, "position": [-9, y, height], "linear_velocity": [8, 0.4, 0],
                "density": 700, "friction": 0.05}
        if name == "capsule":
            body["orientation"] = turn([1, 0, 0], 90)
        bodies.append(body)
    bodies.append(static(box(100, 100, 1), [0, 0, -4], friction=0.6, name="ground"))
    return scene("Seams", "Four bodies cross a floor of two hundred tiles; none of the seams may be felt.", bodies,
                 [1, -15, 8], [0, 0, 0])


# ---- Things that stand -------------------------------------------------------------------------------------------


def arch():
    wedges, inner, outer, half_depth = 15, 4.0, 5.0, 0.5
    bodies = []
    for index in range(wedges):
        angles = [math.pi * (index + end) / wedges for end in (0, 1)]
        corners = [[-r * math.cos(a), r * math.sin(a)] for r, a in ((inner, angles[0]), (outer, angles[0]),
                                                                  (outer, angles[1]), (inner, angles[1]))]
        # Centroid of the quadrilateral, which is the body's position.
        area, x, z = 0.0, 0.0, 0.0
        for (ax, az), (bx, bz) in zip(corners, corners[1:] + corners[:1]):
            cross = ax * bz - bx * az
            area, x, z = area + cross / 2, x + (ax + bx) * cross / 6, z + (az + bz) * cross / 6
        centre = [x / area, 0, z / area]
        points = [[cx - centre[0], y, cz - centre[2]] for cx, cz in corners for y in (-half_depth, half_depth)]
        bodies.append({"name": "keystone" if 2 * index + 1 == wedges else f"wedge {index + 1}",
                       "shape": {"hull": {"points": points}}, "position": centre, "density": 2400, "friction": 0.6,
                       "can_sleep": False})
    return scene("Arch", "Fifteen wedges, no mortar: the arch stands by its weight alone.", bodies, [5, -13, 5.5],
                 [0, 0, 2.3], include=["parts/floor.json"])


def house_of_cards():
    storeys, half, lean = 5, [0.02, 0.6, 0.9], 15.0
    sine, cosine = math.sin(math.radians(lean)), math.cos(math.radians(lean))
    half_height = half[2] * cosine + half[0] * sine
    offset = half[2] * sine + half[0] * cosine
    pitch = 2 * half[2] + 0.01
    same = {"density": 700, "friction": 0.6, "can_sleep": False}
    bodies, level = [], 0.0
    for storey in range(storeys):
        pairs = storeys - storey
        for side in (-1, 1):
            bodies.append({"name": f"storey {storey + 1}", "shape": box(*half),
                           "position": [side * offset - 0.5 * pitch * (pairs - 1), 0, level + half_height],
                           "orientation": turn([0, 1, 0], -side * lean), **same,
                           "repeat": {"count": [pairs, 1, 1], "spacing": [pitch, 0, 0]}})
        level += 2 * half_height
        if pairs > 1:
            bodies.append({"name": f"ceiling {storey + 1}", "shape": box(half[2], half[1], half[0]),
                           "position": [-0.5 * pitch * (pairs - 2), 0, level + half[0]], **same,
                           "repeat": {"count": [pairs - 1, 1, 1], "spacing": [pitch, 0, 0]}})
        level += 2 * half[0]
    return scene("House of cards", "Forty cards in five storeys, held by friction. Twenty times life size.", bodies,
                 [5, -16, 6.5], [0, 0, 4.1], include=["parts/floor.json"])


def beams():
    bodies = []
    for layer in range(20):
        along = layer % 2 == 0
        bodies.append({"name": f"layer {layer + 1}", "shape": box(3, 0.25, 0.25) if along else box(0.25, 3, 0.25),
                       "position": [0 if along else -2, -2 if along else 0, 0.25 + 0.5 * layer], "density": 600,
                       "friction": 0.6, "can_sleep": False,
                       "repeat": {"count": [1, 2, 1] if along else [2, 1, 1], "spacing": [4, 4, 0]}})
    return scene("Beams", "Twenty layers of two beams, each across the last.", bodies, [10, -14, 9], [0, 0, 4.6],
                 include=["parts/floor.json"])


# ---- Joints ------------------------------------------------------------------------------------------------------


def bridge():
    planks, span, sag, height = 20, 20.0, 1.5, 6.0
    edges = [[span * (i / planks - 0.5), height + sag * ((2 * i / planks - 1) ** 2 - 1)] for i in range(planks + 1)]
    bodies = [static(box(3, 2, 3), [side * 13.05, 0, 3], name=name) for side, name in ((-1, "west"), (1, "east"))]
    joints = []
    for index, ((ax, az), (bx, bz)) in enumerate(zip(edges, edges[1:])):
        # A little shorter than from edge to edge, so that planks can turn against each other.
        bodies.append({"name": f"plank {index + 1}", "shape": box(math.hypot(bx - ax, bz - az) / 2 - 0.02, 1.2, 0.08),
                       "position": [(ax + bx) / 2, 0, (az + bz) / 2],
                       "orientation": turn([0, 1, 0], -math.degrees(math.atan2(bz - az, bx - ax))), "density": 700})
    names = ["west", *(f"plank {index + 1}" for index in range(planks)), "east"]
    for (x, z), first, second in zip(edges, names, names[1:]):
        for y in (-1.1, 1.1):
            joints.append({"type": "ball", "a": first, "b": second, "anchor": [x, y, z]})
    for index in range(6):
        bodies.append({"name": f"ball {index + 1}", "shape": sphere(0.45), "position": [-12 + 0.95 * index, 0, 6.5],
                       "linear_velocity": [3, 0, 0], "density": 500, "rolling_resistance": 0.002})
    return scene("Hanging bridge", "Twenty planks, edge to edge on two ball joints each, and balls that roll to and fro "
                 "on them.",
                 bodies, [5, -23, 11.5], [0, 0, 4.8], include=["parts/floor.json"]) | {"joints": joints}


def wrecking_ball():
    links, pitch, radius = 12, 0.5, 0.9
    # The chain ends where the ball meets the wall in the middle of its height. The angle is that against the vertical, rad.
    top, angle = [0, 0, 10.6], 1.3
    along = [-math.sin(angle), 0, -math.cos(angle)]

    def down(distance):
        return plus(top, [distance * a for a in along])

    bodies = [static(box(0.3, 3.6, 0.3), plus(top, [0, 2.6, 0.3]), name="boom")]
    joints = []
    for link in range(links):
        bodies.append({"name": f"link {link + 1}", "shape": capsule(0.08, 0.2), "position": down(pitch * (link + 0.5)),
                       "orientation": turn([0, 1, 0], math.degrees(angle)), "density": 7850})
        joints.append({"type": "ball", "a": f"link {link}" if link else "boom", "b": f"link {link + 1}",
                       "anchor": down(pitch * link)})
    bodies.append({"name": "ball", "shape": sphere(radius), "position": down(pitch * links + radius), "density": 2500})
    joints.append({"type": "ball", "a": f"link {links}", "b": "ball", "anchor": down(pitch * links)})
    bodies.append({"name": "brick", "shape": box(0.4, 0.8, 0.4), "position": [2.2, -4.04, 0.4], "density": 600,
                   "friction": 0.6, "repeat": {"count": [1, 6, 9], "spacing": [0, 1.616, 0.8]}})
    return scene("Wrecking ball", "A steel chain of twelve links swings a ball of eight tonnes into a wall.", bodies,
                 [-15, -19, 8], [0.5, 0, 4.5], include=["parts/floor.json"]) | {"joints": joints}


def mill():
    # The wheel keeps 0.7 m from floor, walls and slopes: more than any grain, which would else be crushed. With more
    # friction than this, grain wedges itself between wheel and slopes until the motor stands.
    slippery = {"friction": 0.2}
    axle, reach, half_width, gap = [0, 0, 2.9], 2.2, 0.9, 0.7
    inside_y, inside_x, foot = half_width + gap, 3.6, 1.2
    rise = 2.0  # of the slopes, which lead the grain under the wheel
    steep = math.atan2(rise, inside_x - foot)
    bodies = []
    for side in (-1, 1):
        bodies.append(static(box(0.2, inside_y, 2.5), [side * (inside_x + 0.2), 0, 2.5], friction=0.2))
        bodies.append(static(box(4, 0.2, 2.5), [0, side * (inside_y + 0.2), 2.5], friction=0.2))
        middle = [side * ((foot + inside_x) / 2 + 0.1 * math.sin(steep)), 0, rise / 2 - 0.1 * math.cos(steep)]
        bodies.append(static(box(0.5 * math.hypot(rise, inside_x - foot), inside_y, 0.1), middle,
                             turn([0, 1, 0], -side * math.degrees(steep)), friction=0.2, name="slope"))
    paddles = [{"shape": box(reach, half_width, 0.08), "orientation": turn([0, 1, 0], 45 * index)}
               for index in range(4)]
    bodies += [
        {"name": "wheel", "shapes": paddles, "position": axle, "density": 700, "can_sleep": False, **slippery},
        {"name": "grain", "shape": sphere(0.22), "position": [-1.4, -1.1, 5.6], "density": 800,
         "rolling_resistance": 0.02, **slippery,
         "repeat": {"count": [5, 5, 5], "spacing": [0.55, 0.55, 0.5], "jitter": 0.02, "seed": 3}},
        {"name": "lump", "shape": diamond(0.3), "position": [-1.2, -1.05, 8.4], "density": 800,
         "rolling_resistance": 0.02, **slippery,
         "repeat": {"count": [4, 4, 1], "spacing": [0.75, 0.7, 0], "spin": True, "seed": 5}},
    ]
    joints = [{"type": "hinge", "name": "axle", "b": "wheel", "anchor": axle, "axis": [0, 1, 0],
               "motor": {"speed": 1.5, "max_force": 30000}}]
    return scene("Mill", "A motor of limited torque turns a wheel of eight paddles through grain.", bodies,
                 [3.5, -12, 6.5], [0, 0, 2.6], include=["parts/floor.json"]) | {"joints": joints}


def flight():
    bodies = []
    for index, degrees in enumerate((15, 30, 45, 60, 75)):
        angle = math.radians(degrees)
        bodies.append({"name": f"thrown at {degrees} degrees", "shape": sphere(0.5), "mass": 10, "friction": 1,
                       "position": [-20, 2 * index - 4, 0.5], "rolling_resistance": 0.5, "restitution": 0,
                       "linear_velocity": [20 * math.cos(angle), 0, 20 * math.sin(angle)]})
    for index, mass in enumerate((1, 1000)):
        bodies.append({"name": f"falling, {mass} kg", "shape": sphere(0.5), "mass": mass, "restitution": 0,
                       "position": [-20, 7 + 2 * index, 20]})
    return scene("Flight", "Balls thrown at 20 m/s: 45 degrees reach farthest, 30 and 60 come down in one place, and so "
                 "do 15 and 75. Beside them a heavy and a light one fall alike.", bodies, [0, -34, 14], [0, 0, 6],
                 include=["parts/floor.json"])


def columns():
    bodies = []
    for x, count in ((-9, 10), (-3, 20), (3, 40)):
        for level in range(count):
            bodies.append({"name": f"box {level + 1} of {count}", "shape": box(0.5, 0.5, 0.5), "density": 1000,
                           "position": [x, 0, 0.5 + level], "friction": 0.6, "can_sleep": False})
    for level in range(11):
        bodies.append({"name": "a hundred tonnes" if level == 10 else f"bearer {level + 1}", "friction": 0.6,
                       "shape": box(0.5, 0.5, 0.5), "mass": 100000 if level == 10 else 1000,
                       "position": [9, 0, 0.5 + level], "can_sleep": False})
    return scene("Columns", "Towers of 10, 20 and 40 boxes, and ten boxes of one tonne under one of a hundred; never allowed "
                 "to sleep.", bodies, [16, -66, 24], [0, 0, 19], include=["parts/floor.json"])


def free_tops():
    handle = [{"shape": cylinder(0.15, 0.9), "position": [0, 0, 0], "orientation": list(turn([0, 1, 0], 90))},
              {"shape": cylinder(0.15, 0.5), "position": [0, 0, -0.5]}]
    bodies = [
        {"name": "handle", "shapes": handle, "position": [-3, 0, 0], "angular_velocity": [0.01, 0, 6], "density": 2000},
        {"name": "book", "shape": box(1, 0.7, 0.2), "position": [0, 0, 0], "angular_velocity": [0.02, 5, 0], "mass": 2},
        {"name": "disc", "shape": cylinder(0.9, 0.1), "position": [3, 0, 0], "angular_velocity": [2, 0, 6], "mass": 2}]
    return scene("Free tops", "Weightless: what spins about its middle axis turns over, again and again, and the disc "
                 "wobbles. Energy and angular momentum stay.", bodies, [0, -9, 3], [0, 0, 0], gravity=[0, 0, 0])


def meeting():
    rng = random.Random(11)
    shapes = (box(0.4, 0.4, 0.4), sphere(0.45), diamond(0.5), capsule(0.3, 0.3), cylinder(0.4, 0.3))
    bodies = []
    for side in (-1, 1):
        for index in range(40):
            cell = [index % 4, index // 4 % 3, index // 12]
            bodies.append({"shape": shapes[index % 5], "density": 1000 if side < 0 else 300, "restitution": 0.5,
                           "friction": 0.4, "orientation": list(random_turn(rng)),
                           "position": [side * (4.5 + 1.5 * cell[0]), 1.5 * cell[1] - 1.5, 1.5 * cell[2] - 2],
                           "linear_velocity": [-4 * side, 0, 0.5 * side]})
    return scene("Meeting", "Weightless: two crowds meet. Momentum and angular momentum of all together stay as they "
                 "were.", bodies, [0, -26, 8], [0, 0, 0], gravity=[0, 0, 0])


def parting():
    bodies = []
    shapes = (box(0.5, 0.5, 0.5), sphere(0.5), diamond(0.6), capsule(0.3, 0.4), cylinder(0.4, 0.4))
    for row, shape in enumerate(shapes):
        for index in range(5):
            bodies.append({"shape": shape, "density": 1000, "friction": 0.5,
                           "position": [2.5 * row - 5 + 0.02 * index, 0.01 * index, 0.7 + 0.25 * index]})
    return scene("Parting", "Five bodies in the place of two: they come apart at a bounded speed, and none is shot away.",
                 bodies, [0, -13, 6], [0, 0, 1], include=["parts/floor.json"])


# ---- Terrain -----------------------------------------------------------------------------------------------------

VALLEY = {"cells": (80, 40), "cell": 1.0}


def valley_height(x, y):
    """A winding valley that falls towards +x and ends in a basin, with humps that turn what rolls down aside."""
    middle = 4 * math.sin(0.16 * x)
    floor = 0.32 * (12 - x) if x < 12 else 0.04 * (x - 12) ** 2
    side = 0.025 * (y - middle) ** 2
    return floor + side + 0.25 * math.sin(0.8 * x) * math.cos(0.7 * y)


def valley_mesh():
    (columns, rows), cell = VALLEY["cells"], VALLEY["cell"]
    lines = ["# The ground of valley.json, written by tools/make_scenes.py"]
    chance = random.Random(29)
    for j in range(rows + 1):
        for i in range(columns + 1):
            inside = 0 < i < columns and 0 < j < rows
            x = (i - columns / 2 + (chance.uniform(-0.25, 0.25) if inside else 0)) * cell
            y = (j - rows / 2 + (chance.uniform(-0.25, 0.25) if inside else 0)) * cell
            lines.append(f"v {number(x)} {number(y)} {number(valley_height(x, y))}")
    for j in range(rows):
        for i in range(columns):
            a = j * (columns + 1) + i + 1
            b, c, d = a + 1, a + columns + 2, a + columns + 1
            lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"] if chance.random() < 0.5 else [f"f {a} {b} {d}", f"f {b} {c} {d}"]
    return "\n".join(lines) + "\n"


def valley():
    rock = {"density": 2500, "friction": 0.25, "restitution": 0.2, "rolling_resistance": 0.02}
    chance = random.Random(7)
    points = [[0.45 * a for a in rotate(random_turn(chance), [1, 0, 0])] for _ in range(24)]
    bodies = [static({"mesh": {"file": "parts/valley.obj"}}, [0, 0, 0], friction=0.25, name="valley")]
    # In columns side by side, about the middle of the valley's head; the lowest ones clear its sides.
    for name, shape, y in (("ball", sphere(0.4), -7), ("boulder", {"hull": {"points": "boulder"}}, -6),
                           ("block", box(0.35, 0.25, 0.25), -5), ("gem", diamond(0.4), -4)):
        bodies.append({"name": name, "shape": shape, **rock, "position": [-36, y, 18.5],
                       "repeat": {"count": [5, 5, 5], "spacing": [1.4, 4, 1.4], "jitter": 0.04, "spin": True}})
    return scene("Valley", "Five hundred boulders roll down a valley, a mesh of 6400 triangles, into its basin.",
                 bodies, [46, -30, 36], [0, 0, 8], point_sets={"boulder": points})


GREEN = {"cells": 48, "cell": 0.5}


def green_height(x, y):
    """A shallow bowl with ripples that die out towards its middle, where the hole is."""
    r2 = x * x + y * y
    return 0.06 * math.sqrt(r2) + 0.005 * r2 + 0.025 * (1 - math.exp(-r2 / 9)) * math.sin(1.3 * x + 0.5) * math.cos(1.1 * y)


def golf():
    cells, cell = GREEN["cells"], GREEN["cell"]
    at = [(i - cells / 2) * cell for i in range(cells + 1)]
    heights = [[round(green_height(x, y), 3) for x in at] for y in at]
    middle = [cells // 2 - 1, cells // 2]
    green = {"heights": heights, "spacing": cell, "holes": [[i, j] for j in middle for i in middle]}
    bodies = [static({"heightfield": green}, [0, 0, 0], friction=0.6, name="green"),
              static(box(2, 2, 0.25), [0, 0, -2.25], friction=0.6, name="tray"),
              *(static(box(*half), position, name="side of the tray")
                for half, position in (((0.1, 2, 0.6), (2.1, 0, -1.9)), ((0.1, 2, 0.6), (-2.1, 0, -1.9)),
                                       ((2.2, 0.1, 0.6), (0, 2.1, -1.9)), ((2.2, 0.1, 0.6), (0, -2.1, -1.9))))]
    for index in range(24):
        angle, r = 2 * math.pi * index / 24, 9.5 + 0.8 * (index % 3)
        x, y = r * math.cos(angle), r * math.sin(angle)
        bodies.append({"name": f"ball {index + 1}", "shape": sphere(0.22), "density": 1100, "friction": 0.6,
                       "restitution": 0.3, "rolling_resistance": 0.004, "position": [x, y, green_height(x, y) + 0.26]})
    return scene("Golf", "Two dozen balls roll over a height field with a hole, through which they fall into a tray.",
                 bodies, [0, -19, 11], [0, 0, -0.5])


# ---- Files -------------------------------------------------------------------------------------------------------

FILES = {
    "parts/walls.json": sandbox_walls,
    "parts/floor.json": floor,
    "parts/tray.json": tray,
    "sandbox.json": sandbox,
    "duel.json": duel,
    "wall_shot.json": wall_shot,
    "sheets.json": sheets,
    "tower.json": tower,
    "pyramid.json": pyramid,
    "wall.json": wall,
    "domino_run.json": domino_run,
    "diamond_rain.json": diamond_rain,
    "mixed_rain.json": mixed_rain,
    "marble_ramp.json": marble_ramp,
    "seesaw.json": seesaw,
    "billiards.json": billiards,
    "tumbling.json": tumbling,
    "flight.json": flight,
    "bounces.json": bounces,
    "slope.json": slope,
    "rolling.json": rolling,
    "spinning.json": spinning,
    "cradle.json": cradle,
    "seams.json": seams,
    "free_tops.json": free_tops,
    "meeting.json": meeting,
    "parting.json": parting,
    "parts/valley.obj": valley_mesh,
    "valley.json": valley,
    "golf.json": golf,
    "columns.json": columns,
    "arch.json": arch,
    "house_of_cards.json": house_of_cards,
    "beams.json": beams,
    "bridge.json": bridge,
    "wrecking_ball.json": wrecking_ball,
    "mill.json": mill,
} | MACHINES | MESH_SCENES


def file_text(name, made):
    if isinstance(made, str):  # a mesh
        return made
    stem = pathlib.Path(name).stem
    if "/" not in name:
        for key, entries in (("zones", ZONES), ("expect", EXPECT), ("show", SHOW)):
            if stem in entries:
                made[key] = entries[stem]
        if stem in TRIES:
            made["description"] += " Try: " + TRIES[stem]
    return text_of(tidy(made)) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    differing = []
    for name, make in FILES.items():
        text = file_text(name, make())
        path = FOLDER / name
        if sys.argv[1:]:
            if not path.is_file() or path.read_text() != text:
                differing.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if differing:
        sys.exit("differ from what tools/make_scenes.py writes: " + ", ".join(differing))


if __name__ == "__main__":
    main()
