"""Scenes of meshes, and the meshes themselves (scenes/meshes), by formulas. Used by make_scenes.py. Metres, Z up."""
import math
import random

from scene_text import box, multiply, number, random_turn, rotate, scene, sphere, static, turn

WRITTEN = "written by tools/make_scenes.py"


def obj_text(comment, points, faces):
    """Faces of any number of corners, counted from 0; or by the name of what they are made of."""
    lines = [f"# {comment}, {WRITTEN}"]
    lines += ["v " + " ".join(str(number(a)) for a in p) for p in points]
    for name, group in (faces.items() if isinstance(faces, dict) else [(None, faces)]):
        lines += [f"usemtl {name}"] if name else []
        lines += ["f " + " ".join(str(i + 1) for i in face) for face in group]
    return "\n".join(lines) + "\n"


# ---- Prisms ------------------------------------------------------------------------------------------------------


def area(loop):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, loop[1:] + loop[:1])) / 2


def bridged(points, outer, holes):
    """One loop of places in `points` that runs round the outline and, over a bridge there and back, round each hole."""
    loop = list(outer)
    for hole in sorted(holes, key=lambda h: -max(points[i][0] for i in h)):
        start = max(range(len(hole)), key=lambda k: points[hole[k]][0])
        p = points[hole[start]]

        def free(q):
            walls = [(a, b) for ring in [loop] + holes for a, b in zip(ring, ring[1:] + ring[:1])]
            return not any(crosses(p, q, points[a], points[b]) for a, b in walls)

        near = sorted(range(len(loop)), key=lambda k: math.dist(points[loop[k]], p))
        at = next(k for k in near if points[loop[k]][0] > p[0] and free(points[loop[k]]))
        loop = loop[:at + 1] + hole[start:] + hole[:start + 1] + loop[at:]
    return loop


def side(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def crosses(a, b, c, d):
    return side(a, b, c) * side(a, b, d) < -1e-12 and side(c, d, a) * side(c, d, b) < -1e-12


def triangles_of(points, loop):
    """Ear clipping; the outline runs counter-clockwise."""
    loop, out = list(loop), []
    while len(loop) > 3:
        best, best_quality = None, -1.0
        for k in range(len(loop)):
            i, j, l = loop[k - 1], loop[k], loop[(k + 1) % len(loop)]
            a, b, c = points[i], points[j], points[l]
            if side(a, b, c) <= 1e-12:
                continue
            inside = any(points[m] not in (a, b, c) and min(side(a, b, points[m]), side(b, c, points[m]),
                                                            side(c, a, points[m])) >= -1e-12 for m in loop)
            quality = side(a, b, c) / max(math.dist(a, b), math.dist(b, c), math.dist(c, a)) ** 2
            if not inside and quality > best_quality:
                best, best_quality = k, quality
        out.append((loop[best - 1], loop[best], loop[(best + 1) % len(loop)]))
        del loop[best]
    return out + [tuple(loop)]


def prism(comment, outer, holes, thickness):
    """An outline with holes, from -thickness / 2 to thickness / 2 along Z."""
    outer = outer if area(outer) > 0 else outer[::-1]
    holes = [hole if area(hole) < 0 else hole[::-1] for hole in holes]
    points, loops = [], []
    for loop in [outer] + holes:
        loops.append(list(range(len(points), len(points) + len(loop))))
        points += [tuple(p) for p in loop]
    n, faces = len(points), []
    for a, b, c in triangles_of(points, bridged(points, loops[0], loops[1:])):
        faces += [(a + n, b + n, c + n), (c, b, a)]
    for loop in loops:
        faces += [(a, b, b + n, a + n) for a, b in zip(loop, loop[1:] + loop[:1])]
    return obj_text(comment, [(*p, z * thickness / 2) for z in (-1, 1) for p in points], faces)


# ---- Surfaces of revolution --------------------------------------------------------------------------------------


def turned(comment, profile, sides):
    """A closed profile [(radius, z)] about Z, counter-clockwise in the half plane; where its radius is 0, on the axis."""
    points, rings, faces = [], [], []
    for radius, z in profile:
        count = 1 if radius == 0 else sides
        rings.append(list(range(len(points), len(points) + count)))
        points += [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides), z)
                   for k in range(count)]
    for one, two in zip(rings, rings[1:] + rings[:1]):
        for k in range(sides):
            corners = [one[k % len(one)], one[(k + 1) % len(one)], two[(k + 1) % len(two)], two[k % len(two)]]
            face = [c for i, c in enumerate(corners) if c != corners[i - 1]]
            if len(face) > 2:
                faces.append(face)
    return obj_text(comment, points, faces)


def torus(comment, ring, tube, ring_sides, tube_sides):
    return turned(comment, [(ring + tube * math.cos(2 * math.pi * k / tube_sides), tube *
                             math.sin(2 * math.pi * k / tube_sides)) for k in range(tube_sides)], ring_sides)


# ---- The cup -----------------------------------------------------------------------------------------------------

CUP_AXLE = 5.0  # m above the floor


def cup_mesh():
    return turned("A cup", [(0, -1.2), (0.9, -1.2), (1.2, 1.2), (1.05, 1.2), (0.77, -1.0), (0, -1.0)], 10)


def cup():
    balls = {"name": "ball", "shape": sphere(0.19), "density": 700, "friction": 0.3, "restitution": 0.3,
             "rolling_resistance": 0.02,
             "position": [-0.4, -0.4, CUP_AXLE - 0.55],
             "repeat": {"count": [3, 3, 6], "spacing": [0.4, 0.4, 0.42], "jitter": 0.01, "seed": 3}}
    bodies = [
        {"name": "cup", "decomposed": {"file": "meshes/cup.obj", "concavity": 0.06}, "position": [0, 0, CUP_AXLE], "density": 900,
         "friction": 0.3},
        balls,
    ]
    joints = [{"name": "axle", "type": "hinge", "a": None, "b": "cup", "anchor": [0, 0, CUP_AXLE], "axis": [0, 1, 0],
               "limits": [0, 2.6], "motor": {"speed": 0.35, "max_force": 60000}}]
    return scene("Cup", "A motor tips a cup of 54 balls, a mesh that is not convex, until it is empty.", bodies,
                 [3, -14, 7.5], [2, 0, 3], include=["parts/tray.json"], joints=joints)


# ---- Gears -------------------------------------------------------------------------------------------------------

MODULE, PRESSURE = 0.3, math.radians(22)
TEETH = (12, 20)


def gear_outline(teeth):
    """Involute teeth, symmetric about +x, with a little play."""
    pitch = MODULE * teeth / 2
    base, tip, root = pitch * math.cos(PRESSURE), pitch + 0.85 * MODULE, pitch - 1.3 * MODULE
    roll = math.tan(PRESSURE) - PRESSURE
    half = 0.94 * math.pi / (2 * teeth)  # of a tooth on the pitch circle, rad

    def flank(radius):  # half of the tooth's angle there
        if radius <= base:
            return half + roll
        angle = math.acos(base / radius)
        return half + roll - (math.tan(angle) - angle)

    radii = [root] + [max(root, base) + (tip - max(root, base)) * k / 4 for k in range(5)]
    radii = [r for k, r in enumerate(radii) if k == 0 or r > radii[k - 1] + 1e-6]
    outline = []
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        for radius, angle in [(r, -flank(r)) for r in radii] + [(r, flank(r)) for r in reversed(radii)]:
            outline.append((radius * math.cos(middle + angle), radius * math.sin(middle + angle)))
    return outline


def hub(radius, sides=12):
    return [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides)) for k in range(sides)]


def gear_mesh(teeth):
    return prism(f"A gear of {teeth} teeth", gear_outline(teeth), [], 0.5)


def gears():
    height = 4.5
    distance = MODULE * sum(TEETH) / 2
    upright = turn([1, 0, 0], 90)
    bodies, joints = [], []
    # A tooth of one looks at a gap of the other: the second has a tooth on +x and on -x, as all even ones have.
    for name, teeth, x, angle in (("driver", TEETH[0], -distance * 0.6, 0.0),
                                  ("driven", TEETH[1], distance * 0.4, 180.0 / TEETH[1])):
        orientation = multiply(upright, turn([0, 0, 1], angle))
        bodies.append({"name": name, "decomposed": {"file": f"meshes/gear_{teeth}.obj", "concavity": 0.02},
                       "position": [x, 0, height], "orientation": orientation, "density": 2700, "friction": 0.1,
                       "can_sleep": False})
        joints.append({"name": f"{name} axle", "type": "hinge", "a": None, "b": name, "anchor": [x, 0, height],
                       "axis": [0, -1, 0]})
    joints[0]["motor"] = {"speed": 1.5, "max_force": 50000}
    joints[1]["motor"] = {"speed": 0, "max_force": 4000}  # a brake
    return scene("Gears", "A motor turns a gear of 12 teeth; by contact alone it turns one of 20, which a brake holds "
                 "back.", bodies, [0, -14, 6], [0.3, 0, 4], include=["parts/floor.json"], joints=joints)


# ---- Letters -----------------------------------------------------------------------------------------------------


def arc(centre, rx, ry, start, end, count):
    return [(centre[0] + rx * math.cos(math.radians(start + (end - start) * k / count)),
             centre[1] + ry * math.sin(math.radians(start + (end - start) * k / count))) for k in range(count + 1)]


# Outlines and holes, 1.4 m high.
LETTERS = {
    "C": (arc((0, 0), 0.6, 0.7, 50, 310, 12) + arc((0, 0), 0.34, 0.44, 310, 50, 12), []),
    "A": ([(-0.6, -0.7), (-0.32, -0.7), (-0.23, -0.42), (0.23, -0.42), (0.32, -0.7), (0.6, -0.7), (0.16, 0.7),
           (-0.16, 0.7)], [[(-0.15, -0.18), (0.15, -0.18), (0, 0.3)]]),
    "I": ([(-0.15, -0.7), (0.15, -0.7), (0.15, 0.7), (-0.15, 0.7)], []),
    "R": ([(-0.5, -0.7), (-0.22, -0.7), (-0.22, -0.16), (-0.06, -0.16), (0.22, -0.7), (0.55, -0.7), (0.23, -0.1)]
          + arc((0.08, 0.27), 0.42, 0.43, -55, 90, 7) + [(-0.5, 0.7)],
          [[(-0.22, 0.08), (-0.22, 0.46)] + arc((0.06, 0.27), 0.17, 0.19, 90, -90, 5)]),
    "N": ([(-0.5, -0.7), (-0.22, -0.7), (-0.22, 0.2), (0.2, -0.7), (0.5, -0.7), (0.5, 0.7), (0.22, 0.7), (0.22, -0.2),
           (-0.2, 0.7), (-0.5, 0.7)], []),
}


def letter_mesh(letter):
    return prism(f"The letter {letter}", *LETTERS[letter], 0.45)


def letters():
    rng = random.Random(5)
    bodies = [static(box(100, 100, 1), [0, 0, -1], friction=0.6, name="floor")]
    upright = turn([1, 0, 0], 90)
    for row in range(6):
        for column, letter in enumerate("CAIRN"):
            tilt = random_turn(rng) if row else upright
            x = 1.5 * (column - 2) + (rng.uniform(-0.2, 0.2) if row else 0)
            y = rng.uniform(-0.3, 0.3) if row else 0
            bodies.append({"name": f"{letter} {row + 1}", "decomposed": {"file": f"meshes/letter_{letter}.obj"},
                           "position": [x, y, 0.71 + 2.2 * row], "orientation": list(tilt), "density": 600,
                           "friction": 0.5})
    return scene("Letters", "The letters of CAIRN, meshes with bays and holes: five stand, and 25 more fall on them.",
                 bodies, [0, -13, 6], [0, 0, 2.2])


# ---- The chain ---------------------------------------------------------------------------------------------------

LINK = {"ring": 0.5, "tube": 0.13, "links": 15, "pitch": 0.64}


def link_mesh():
    return torus("A ring", LINK["ring"], LINK["tube"], 16, 8)


def rings():
    count, pitch, height = LINK["links"], LINK["pitch"], 6
    bodies = []
    for index in range(count):
        x = pitch * (index - (count - 1) / 2)
        end = index in (0, count - 1)
        orientation = turn([1, 0, 0], 90 if index % 2 == 0 else 0)
        bodies.append({"name": f"ring {index + 1}", "decomposed": {"file": "meshes/ring.obj"},
                       "position": [x, 0, height], "orientation": list(orientation), "density": 2700, "friction": 0.3,
                       "linear_damping": 0.1, "angular_damping": 0.5, **({"type": "static"} if end else {})})
    for sign in (-1, 1):
        bodies.append(static(box(0.15, 0.15, height / 2 + 0.2), [sign * (pitch * (count - 1) / 2 + 0.75), 0,
                                                                 height / 2 + 0.2], name=f"post {'ab'[sign > 0]}"))
    for index, x in enumerate((-2.2, 0, 2.2)):
        bodies.append({"name": f"ball {index + 1}", "shape": sphere(0.45), "position": [x, 0.05, height + 2 + index],
                       "density": 500, "restitution": 0.2, "rolling_resistance": 0.05})
    return scene("Rings", "A chain of rings hangs between two posts by its holes alone, and balls fall on it.", bodies,
                 [0, -13, 7], [0, 0, 4.6], include=["parts/tray.json"])


# ---- A bowl of chairs --------------------------------------------------------------------------------------------


def bowl_mesh():
    inner = arc((0, 5.0), 5.0, 5.0, -90, -15, 12)
    outer = arc((0, 5.0), 5.3, 5.3, -15, -90, 12)
    profile = [(max(r, 0) if r > 1e-9 else 0, z) for r, z in outer[::-1] + inner[::-1]]
    return turned("A bowl", profile, 40)


def chair_mesh():
    """Boxes that touch nowhere: a hair lies between them."""
    points, faces = [], []
    legs = [((x * 0.38 - 0.06, y * 0.38 - 0.06, -0.9), (x * 0.38 + 0.06, y * 0.38 + 0.06, -0.0005))
            for x in (-1, 1) for y in (-1, 1)]
    for lower, upper in legs + [((-0.46, -0.46, 0), (0.46, 0.46, 0.12)), ((-0.46, 0.34, 0.1205), (0.46, 0.46, 1.1))]:
        first = len(points)
        points += [tuple((lower, upper)[bit >> axis & 1][axis] for axis in range(3)) for bit in range(8)]
        faces += [[first + i for i in face] for face in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3),
                                                         (0, 4, 6, 2), (1, 3, 7, 5))]
    return obj_text("A chair", points, faces)


def chairs():
    bodies = [static({"mesh": {"file": "meshes/bowl.obj"}}, [0, 0, 0], friction=0.4, name="bowl"),
              {"name": "chair", "decomposed": {"file": "meshes/chair.obj"}, "density": 500, "friction": 0.4,
               "position": [-1.7, -1.7, 5], "repeat": {"count": [2, 2, 6], "spacing": [3.4, 3.4, 2.4], "jitter": 0.3,
                                                       "seed": 8, "spin": True}}]
    return scene("Chairs", "Twenty-four chairs fall into a bowl and get caught in each other.", bodies, [0, -13, 11],
                 [0, 0, 2], include=["parts/floor.json"])


# ---- The marble run ----------------------------------------------------------------------------------------------

RUN_TURNS, RUN_RADIUS, RUN_FALL = 3.5, 4.0, 1.6  # m for each turn


def run_mesh():
    """A channel along a helix, its outer wall higher, and an end that lies level."""
    section = [(-0.55, 0.45)] + [(0.5 * math.sin(math.radians(a)), 0.5 - 0.5 * math.cos(math.radians(a)))
                                 for a in (-75, -50, -25, 0, 25, 50, 75)] + [(0.6, 0.85)]
    steps = int(36 * RUN_TURNS)
    points, faces = [], []
    for k in range(steps + 1):
        angle = 2 * math.pi * k / 36
        z = 0.5 + RUN_FALL * (steps - k) / 36
        for across, up in section:
            radius = RUN_RADIUS + across
            points.append((radius * math.cos(angle), radius * math.sin(angle), z + up))
    n = len(section)
    for k in range(steps):
        for i in range(n - 1):
            a = k * n + i
            faces.append((a, a + 1, a + n + 1, a + n))
    return obj_text("A channel", points, faces)


def marble_run():
    top = 0.5 + RUN_FALL * RUN_TURNS
    bodies = [static({"mesh": {"file": "meshes/channel.obj", "two_sided": True}}, [0, 0, 0], friction=0.4,
                     name="channel")]
    for index in range(24):
        angle = 0.06 + 0.11 * index
        bodies.append({"name": f"marble {index + 1}", "shape": sphere(0.18), "density": 2500, "friction": 0.4,
                       "restitution": 0.2, "rolling_resistance": 0.005,
                       "position": [RUN_RADIUS * math.cos(angle), RUN_RADIUS * math.sin(angle),
                                    top - RUN_FALL * angle / (2 * math.pi) + 0.22]})
    return scene("Marble run", "Marbles run down a channel of three turns and a half, a mesh in one piece.", bodies,
                 [0, -18, 10], [0, 0, 2.6], include=["parts/tray.json"])


# ---- Lanes -------------------------------------------------------------------------------------------------------

LANE_ANGLE, LANE_LENGTH, LANE_BEND, LANE_SAND, LANE_WIDTH = 20.0, 10.0, 8.0, 7.0, 2.0  # degrees, m
SLAB_FRICTION = 0.4
# Friction of a slab on it, and what it looks like. A contact has the geometric mean of both sides.
LANES = {"ice": (0.02, "#bfe4f5"), "steel": (0.1, "#8f9aa5"), "wood": (0.25, "#b8834f"), "rubber": (0.6, "#42464d")}


def lane_profile():
    """(x, z) from the top of the slope over the bend to the end of the sand."""
    angle = math.radians(LANE_ANGLE)
    bend = [(LANE_BEND * math.sin(a), 0.3 + LANE_BEND * (1 - math.cos(a))) for a in
            (angle * k / 10 for k in range(10, -1, -1))]
    down, up = math.cos(angle), math.sin(angle)
    slope = [(-bend[0][0] - u * down, bend[0][1] + u * up) for u in range(int(LANE_LENGTH), 0, -1)]
    points = slope + [(-x, z) for x, z in bend] + [(x, 0.3) for x in range(1, int(LANE_SAND) + 1)]
    return [(x + 3, z) for x, z in points]


def lanes_mesh():
    profile = lane_profile()
    columns = len(LANES) + 1
    points = [(x, LANE_WIDTH * (k - 0.5 * len(LANES)), z) for x, z in profile for k in range(columns)]
    faces = {name: [] for name in [*LANES, "sand"]}
    level = len(profile) - 1 - int(LANE_SAND)
    for i in range(len(profile) - 1):
        for k, name in enumerate(LANES):
            a = i * columns + k
            faces[name if i < level else "sand"].append((a, a + columns, a + columns + 1, a + 1))
    return obj_text("A slope of lanes", points, faces)


def lanes():
    tilt = turn([0, 1, 0], LANE_ANGLE)
    top = lane_profile()[0]
    materials = [{"name": name, "friction": on_it ** 2 / SLAB_FRICTION, "colour": colour}
                 for name, (on_it, colour) in [*LANES.items(), ("sand", (0.7, "#d8c58c"))]]
    bodies = [static({"mesh": {"file": "meshes/lanes.obj", "materials": materials}}, [0, 0, 0], name="slope")]
    for k, name in enumerate(LANES):
        place = rotate(tilt, [1.0, 0, 0.2])
        bodies.append({"name": f"on {name}", "shape": box(0.45, 0.45, 0.2), "density": 900, "friction": SLAB_FRICTION,
                       "orientation": tilt, "colour": "#c8402e",
                       "position": [top[0] + place[0], LANE_WIDTH * (k + 0.5 - 0.5 * len(LANES)), top[1] + place[2]]})
    return scene("Lanes", "Four equal slabs on one mesh with lanes of ice, steel, wood and rubber: each slides as the triangle "
                 "under it says, and sand stops them.", bodies, [9, -14, 9], [-1, 0, 1.2], include=["parts/floor.json"])


MESH_SCENES = {
    "meshes/cup.obj": cup_mesh,
    "cup.json": cup,
    **{f"meshes/gear_{teeth}.obj": (lambda teeth=teeth: gear_mesh(teeth)) for teeth in TEETH},
    "gears.json": gears,
    **{f"meshes/letter_{letter}.obj": (lambda letter=letter: letter_mesh(letter)) for letter in LETTERS},
    "letters.json": letters,
    "meshes/ring.obj": link_mesh,
    "rings.json": rings,
    "meshes/bowl.obj": bowl_mesh,
    "meshes/chair.obj": chair_mesh,
    "chairs.json": chairs,
    "meshes/channel.obj": run_mesh,
    "marble_run.json": marble_run,
    "meshes/lanes.obj": lanes_mesh,
    "lanes.json": lanes,
}
