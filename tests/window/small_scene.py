"""The scene that most tests of the window use."""

import json

from driver import Program

# Two boxes side by side on the ground, within easy reach of the mouse.
SMALL = {
    "cairn": 1, "name": "Two boxes", "camera": {"eye": [0, -9, 4], "target": [0, 0, 1]},
    "bodies": [
        {"name": "ground", "type": "static", "shape": {"box": {"half_extents": [20, 20, 0.5]}}, "position": [0, 0, -0.5]},
        {"name": "left", "shape": {"box": {"half_extents": [0.6, 0.6, 0.6]}}, "position": [-1.2, 0, 0.6]},
        {"name": "right", "shape": {"box": {"half_extents": [0.6, 0.6, 0.6]}}, "position": [1.2, 0, 0.6]}]}


def with_small_scene(*arguments, **options):
    def prepare(run):
        with open(run.path("small.json"), "w", encoding="utf-8") as file:
            json.dump(SMALL, file)
    return Program("small.json", *arguments, prepare=prepare, **options)


def errors_of(state):
    return [m["text"] for m in state["messages"] if m["severity"] == "error"]


def gl_troubles(state):
    """What OpenGL has complained of, in words."""
    return state["gl_messages"] or (["no word"] if state["gl_errors"] else [])
