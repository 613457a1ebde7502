"""What the scene writers share: JSON as people like to read it, turns, shapes, bodies and scenes as dictionaries. Metres,
kilograms, seconds, radians; Z up; quaternions w, x, y, z."""
import json
import math

WIDTH = 118


def number(value):
    """Five decimals are finer than anything that can be seen; integers stay integers."""
    value = round(value, 5)
    return int(value) if value == int(value) else value


def tidy(value):
    if isinstance(value, dict):
        return {key: tidy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [tidy(item) for item in value]
    if isinstance(value, float):
        return number(value)
    return value


def text_of(value, indent=0, column=0):
    """JSON with as much on a line as fits from `column` on, so that a body is mostly one line."""
    line = json.dumps(value)
    if not isinstance(value, (dict, list)) or (indent and column + len(line) <= WIDTH):
        return line
    if isinstance(value, dict) and indent > 2:
        # An object too long for a line: members fill lines.
        out, column = "{", column + 1
        for index, (key, item) in enumerate(value.items()):
            start = f"{json.dumps(key)}: "
            whole = len(start) + len(json.dumps(item))
            if index:
                fits = column + 2 + whole <= WIDTH
                out += ", " if fits else ",\n" + " " * (indent + 1)
                column = column + 2 if fits else indent + 1
            out += start + text_of(item, indent + 1, column + len(start) + 1)
            column = len(out) - out.rfind("\n") - 1 + (indent if "\n" not in out else 0)
        return out + "}"
    inner = indent + 2
    if isinstance(value, list) and len(value) > 16 and all(isinstance(item, (int, float)) for item in value):
        # Many numbers fill lines.
        lines = [""]
        for item in value:
            text = json.dumps(item) + ", "
            if indent + 1 + len(lines[-1] + text) > WIDTH:
                lines.append("")
            lines[-1] += text
        return "[" + ("\n" + " " * (indent + 1)).join(line.rstrip() for line in lines)[:-1] + "]"
    if isinstance(value, dict):
        items = (f"{json.dumps(key)}: " + text_of(item, inner, inner + len(key) + 5) for key, item in value.items())
    else:
        items = (text_of(item, inner, inner + 1) for item in value)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n" + ",\n".join(" " * inner + item for item in items) + "\n" + " " * indent + closing


def turn(axis, degrees):
    """Quaternion of a turn about an axis."""
    half = math.radians(degrees) / 2
    length = math.sqrt(sum(a * a for a in axis))
    return [math.cos(half), *(math.sin(half) * a / length for a in axis)]


def multiply(p, q):
    """Quaternion product: first q, then p."""
    pw, px, py, pz = p
    qw, qx, qy, qz = q
    return [pw * qw - px * qx - py * qy - pz * qz, pw * qx + px * qw + py * qz - pz * qy,
            pw * qy - px * qz + py * qw + pz * qx, pw * qz + px * qy - py * qx + pz * qw]


def rotate(q, v):
    w, x, y, z = multiply(multiply(q, [0, *v]), [q[0], -q[1], -q[2], -q[3]])
    return [x, y, z]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def random_turn(rng):
    """Uniform over all orientations: four normal deviates, scaled to length one."""
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(c * c for c in q))
    return [c / length for c in q]


def box(*half_extents):
    return {"box": {"half_extents": list(half_extents)}}


def sphere(radius):
    return {"sphere": {"radius": radius}}


def capsule(radius, half_height):
    return {"capsule": {"radius": radius, "half_height": half_height}}


def cylinder(radius, half_height):
    return {"cylinder": {"radius": radius, "half_height": half_height}}


def diamond(scale):
    return {"diamond": {"scale": scale}}


def volume(shape):
    (kind, size), = shape.items()
    if kind == "box":
        x, y, z = size["half_extents"]
        return 8 * x * y * z
    if kind == "cylinder":
        return 2 * math.pi * size["radius"] ** 2 * size["half_height"]
    if kind == "capsule":
        return math.pi * size["radius"] ** 2 * (2 * size["half_height"] + 4 / 3 * size["radius"])
    raise ValueError(kind)


def compound(parts, origin, orientation=(1, 0, 0, 0)):
    """Several shapes as one body. A body's position is its centre of mass; `origin` is where the parts' frame lies."""
    shapes = [{"shape": shape, "position": list(position), **({"orientation": list(q[0])} if q else {})}
              for shape, position, *q in parts]
    weights = [volume(part["shape"]) for part in shapes]
    centre = [sum(w * part["position"][axis] for w, part in zip(weights, shapes)) / sum(weights) for axis in range(3)]
    return {"shapes": shapes, "position": plus(origin, rotate(orientation, centre)), "orientation": list(orientation)}


def static(shape, position, orientation=None, friction=0.5, restitution=0.0, name=None):
    body = {"name": name} if name else {}
    body |= {"type": "static", "shape": shape, "position": list(position)}
    if orientation:
        body["orientation"] = list(orientation)
    return body | {"friction": friction, "restitution": restitution}


def scene(name, description, bodies, eye, target, **more):
    return {"$schema": "scene.schema.json", "cairn": 1, "name": name, "description": description, **more,
            "camera": {"eye": list(eye), "target": list(target)}, "bodies": bodies}
