"""Meshes and height fields in the real window: picked, outlined, and shaped by the brush."""

import json
import math
import os
import unittest

from driver import Program, rows_of_png

SIZE = (1280, 720)
# Ground with one peak in the middle, and a tent beside it.
HEIGHTS = [[1.0 if i == 6 and j == 6 else 0.0 for i in range(13)] for j in range(13)]
SURFACES = {
    "cairn": 1, "name": "Surfaces", "camera": {"eye": [0, -9, 5], "target": [0, 0, 0.3]},
    "bodies": [
        {"name": "lawn", "type": "static", "shape": {"heightfield": {"heights": HEIGHTS, "spacing": 0.5}}},
        {"name": "tent", "type": "static", "position": [0, 5, 0],
         "shape": {"mesh": {"vertices": [[-1, -1, 0], [1, -1, 0], [0, -1, 1.5], [-1, 1, 0], [1, 1, 0], [0, 1, 1.5]],
                            "triangles": [[0, 1, 2], [5, 4, 3], [1, 4, 5], [1, 5, 2], [0, 2, 5], [0, 5, 3]]}}}]}


def with_surfaces():
    def prepare(run):
        with open(run.path("surfaces.json"), "w", encoding="utf-8") as file:
            json.dump(SURFACES, file)
    return Program("surfaces.json", prepare=prepare, size=SIZE)


def height(state):
    labels = state["tool"]["labels"]
    return float(labels[0].split("height ")[1].split(" ")[0]) if labels else None


def on_screen(state, point):
    """Where a point of the world is seen."""
    eye, target = state["camera"]["eye"], state["camera"]["target"]
    forward = [t - e for e, t in zip(eye, target)]
    length = math.sqrt(sum(x * x for x in forward))
    forward = [x / length for x in forward]
    right = [forward[1], -forward[0], 0.0]
    length = math.hypot(*right)
    right = [x / length for x in right]
    up = [right[1] * forward[2], -right[0] * forward[2], right[0] * forward[1] - right[1] * forward[0]]
    way = [p - e for e, p in zip(eye, point)]
    along = sum(w * f for w, f in zip(way, forward))
    unit = 2 * along * math.tan(0.5 * 0.8) / SIZE[1]
    across, above = (sum(w * a for w, a in zip(way, axis)) / unit for axis in (right, up))
    return 0.5 * SIZE[0] + across, 0.5 * SIZE[1] - above


def amber(path):
    """How many pixels of a picture have the colour of the outline."""
    return sum(1 for row in rows_of_png(path) for r, g, b in row if r > 215 and 140 < g < 205 and b < 110)


class Surfaces(unittest.TestCase):
    def test_meshes_and_fields_are_picked_and_outlined(self):
        with with_surfaces() as run:
            run.wait(lambda s: s["step"] > 2 and s["bodies"] == 2, "steps")
            run.key("p")
            folder = os.path.join(run.folder, "data", "cairn", "screenshots")
            known = []

            def picture():
                run.key("F12")
                run.wait(lambda _: os.path.isdir(folder) and len(os.listdir(folder)) == len(known) + 1, "a picture")
                run.frames(3)
                known.append([f for f in os.listdir(folder) if f not in known][0])
                return os.path.join(folder, known[-1])

            run.move(640, 60)
            self.assertLess(amber(picture()), 20)
            for slot, place in ((1, (0, 4, 0.5)), (0, (-1.5, -1.5, 0))):  # the tent, the lawn
                run.click_at(*on_screen(run.state(), place))
                run.wait(lambda s, slot=slot: s["selected"] and s["selected"]["index"] == slot, "the body selected")
                run.move(640, 60)
                self.assertGreater(amber(picture()), 300, place)

    def test_the_brush_flattens_and_smooths(self):
        with with_surfaces() as run:
            run.wait(lambda s: s["step"] > 2 and s["bodies"] == 2, "steps")
            run.key("p")
            run.key("shift+b")
            run.wait(lambda s: "tool.terrain_way" in s["widgets"], "the brush")
            peak_at = on_screen(run.state(), (0, -0.1, 0.8))
            run.move(*peak_at)
            peak = height(run.wait(lambda s: height(s) is not None and height(s) > 0.4, "the peak"))

            # Smoothing takes the peak down.
            run.click("tool.terrain_way")
            run.click("tool.terrain_way.Smooth")
            run.move(*peak_at)
            run.press()
            run.wait(lambda s: s["undo"] == "Smooth the ground" and height(s) is not None and height(s) < 0.6 * peak,
                     "the peak to shrink")
            run.release()
            run.key("ctrl+z")
            run.wait(lambda s: s["undo"] != "Smooth the ground" and height(s) is not None
                     and abs(height(s) - peak) < 0.02, "the peak again")

            # Flattening from the plain takes the peak to its height.
            run.click("tool.terrain_way")
            run.click("tool.terrain_way.Flatten")
            run.move(*on_screen(run.state(), (-1.5, -1.5, 0)))
            run.wait(lambda s: height(s) is not None and abs(height(s)) < 0.01, "the plain")
            run.press()
            run.move(*peak_at)
            run.wait(lambda s: s["undo"] == "Flatten the ground", "the brush to act")
            # The peak sinks away under the cursor, which then is over what lies behind it, at the height of the plain.
            run.wait(lambda s: height(s) is not None and abs(height(s)) < 0.1, "the peak to go")
            run.release()
            run.key("ctrl+z")
            run.wait(lambda s: s["undo"] != "Flatten the ground" and height(s) is not None
                     and abs(height(s) - peak) < 0.02, "the peak as it was")


if __name__ == "__main__":
    unittest.main()
