"""The scene that most tests of the window use."""

import math

from driver import Program, write_scene

# Two boxes side by side on the ground, within easy reach of the mouse.
SMALL = {
    "cairn": 1, "name": "Two boxes", "camera": {"eye": [0, -9, 4], "target": [0, 0, 1]},
    "bodies": [
        {"name": "ground", "type": "static", "shape": {"box": {"half_extents": [20, 20, 0.5]}}, "position": [0, 0, -0.5]},
        {"name": "left", "shape": {"box": {"half_extents": [0.6, 0.6, 0.6]}}, "position": [-1.2, 0, 0.6]},
        {"name": "right", "shape": {"box": {"half_extents": [0.6, 0.6, 0.6]}}, "position": [1.2, 0, 0.6]}]}


def with_scene(name, scene, *arguments, **options):
    """The program on a file of this name."""
    return Program(name, *arguments, prepare=lambda run: write_scene(run.path(name), scene), **options)


def with_small_scene(*arguments, **options):
    return with_scene("small.json", SMALL, *arguments, **options)


def write_tetrahedron(run):
    """The path of a mesh that is 1 m along each axis."""
    path = run.path("tetra.obj")
    with open(path, "w", encoding="utf-8") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
    return path


def open_mesh(run, path):
    """As a person does who types the path into the dialog of files."""
    run.key("ctrl+shift+o")
    run.wait(lambda s: "files.name" in s["widgets"], "the dialog of files")
    run.frames(3)
    run.xdotool("type", "--delay", 5, path)
    run.frames()
    run.key("Return")
    return run.wait(lambda s: "mesh.hull" in s["widgets"] and "files.name" not in s["widgets"], "the mesh's dialog")


def errors_of(state):
    return [m["text"] for m in state["messages"] if m["severity"] == "error"]


def gl_troubles(state):
    """What OpenGL has complained of, in words."""
    return state["gl_messages"] or (["no word"] if state["gl_errors"] else [])


def body(state, name):
    return next(b for b in state["on_screen"] if b["name"] == name)


EYE, TARGET, FIELD_OF_VIEW = (0, -9, 4), (0, 0, 1), 0.8  # of the scene's camera


def view_axes():
    forward = [b - a for a, b in zip(EYE, TARGET)]
    length = math.hypot(*forward)
    forward = [x / length for x in forward]
    return forward, (1, 0, 0), (0, -forward[2], forward[1])  # it looks along Y: forward, right, up


def metres_per_unit(point, window):
    forward, _, _ = view_axes()
    depth = sum((p - e) * f for p, e, f in zip(point, EYE, forward))
    return 2 * depth * math.tan(0.5 * FIELD_OF_VIEW) / window[1]


def on_screen(point, window):
    _, right, up = view_axes()
    unit = metres_per_unit(point, window)
    across, above = (sum((p - e) * a for p, e, a in zip(point, EYE, axis)) / unit for axis in (right, up))
    return 0.5 * window[0] + across, 0.5 * window[1] - above
