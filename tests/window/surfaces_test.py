"""Meshes and height fields in the real window: picked, outlined, and shaped by the brush."""

import json
import math
import unittest

from driver import rows_of_png, verify
from small_scene import with_scene

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


# A slope of two lanes, and a box on each half.
LANES = {
    "cairn": 1, "name": "Lanes", "camera": {"eye": [0, -9, 8], "target": [0, 0, 0]},
    "bodies": [
        {"name": "slope", "type": "static",
         "shape": {"mesh": {"vertices": [[x, y, 0.2 * y] for y in (-4, 4) for x in (-3, 0, 3)],
                            "triangles": [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]],
                            "triangle_materials": [0, 0, 1, 1],
                            "materials": [{"name": "ice", "friction": 0.0}, {"name": "rubber", "friction": 0.9}]}}},
        {"name": "box", "position": [1.5, 2.0, 1.0], "shape": {"box": {"half_extents": [0.4, 0.4, 0.4]}}}]}


# A meadow of 400 cells, whose triangles are not told apart.
MEADOW_AT = [[0.4 * i - 4, 0.4 * j - 4, 0.1 * math.sin(0.9 * i) * math.cos(0.7 * j)] for j in range(21) for i in range(21)]
MEADOW = {
    "cairn": 1, "name": "Meadow", "camera": {"eye": [0, -8, 7], "target": [0, 0, 0]},
    "bodies": [
        {"name": "meadow", "type": "static",
         "shape": {"mesh": {"vertices": MEADOW_AT,
                            "triangles": [t for j in range(20) for i in range(20) for a in [21 * j + i]
                                          for t in ([a, a + 1, a + 22], [a, a + 22, a + 21])]}}},
        {"name": "box", "position": [2.5, 2.0, 1.0], "shape": {"box": {"half_extents": [0.4, 0.4, 0.4]}}}]}


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
        with with_scene("surfaces.json", SURFACES, size=SIZE, paused=3, resolution=100) as run:
            run.move(640, 60)
            self.assertLess(amber(run.screenshot()), 20)
            for slot, place in ((1, (0, 4, 0.5)), (0, (-1.5, -1.5, 0))):  # the tent, the lawn
                run.click_at(*on_screen(run.state(), place))
                run.wait(lambda s, slot=slot: s["selected"] and s["selected"]["index"] == slot, "the body selected")
                run.move(640, 60)
                self.assertGreater(amber(run.screenshot()), 300, place)

    def test_materials_of_a_mesh_are_listed_and_edited(self):
        with with_scene("lanes.json", LANES, size=SIZE, paused=3) as run:
            ice, rubber = (-1, 0, 0), (1, 0, 0)
            run.click_at(*on_screen(run.state(), ice))
            run.wait(lambda s: s["selected"] and s["selected"]["index"] == 0, "the slope selected")
            run.click("section.body")
            run.open_section("shapes", "material.1")

            def material(place, **what):
                return lambda s: s["body"] and all(
                    s["body"]["shapes"][0]["materials"][place][key] == value for key, value in what.items())

            # A click on the mesh opens the material that is there; the cursor alone shows its row.
            run.click_at(*on_screen(run.state(), rubber))
            run.wait(lambda s: "material.1.pointed" in s["widgets"], "the material under the cursor")
            run.move(*on_screen(run.state(), ice))
            run.wait(lambda s: "material.0.pointed" in s["widgets"], "the other under the cursor")
            run.type_over("material.friction", "0.25")
            state = run.wait(material(1, friction=0.25, restitution=0), "the friction")
            self.assertEqual(state["undo"], "Change the material of slope")
            run.click("material.0")
            run.click("material.restitution.own")
            run.wait(lambda s: "material.restitution" in s["widgets"], "an elasticity of its own")
            run.type_over("material.restitution", "0.5")
            run.wait(material(0, restitution=0.5, friction=0), "the elasticity")
            run.click("material.colour")
            run.click("material.colour.8")
            run.wait(material(0, colour="#d02c2c"), "the colour")
            run.key("Escape")
            run.wait(lambda s: "material.colour.8" not in s["widgets"], "the field to close")
            for _ in range(3):
                run.key("ctrl+z")
            run.wait(material(0, colour=None, restitution=0), "the ice as it was")
            run.key("ctrl+z")
            run.wait(material(1, friction=0.9), "the rubber as it was")
            for _ in range(4):
                run.key("ctrl+y")
            run.wait(material(0, colour="#d02c2c", restitution=0.5), "all of it again")
            run.wait(material(1, friction=0.25), "the friction again")

            # A capture of it replays to the same bits.
            run.key("p")
            run.wait(lambda s, step=state["step"]: s["step"] > step + 30, "more steps")
            run.key("p")
            verify(run.saved_history())

    def test_materials_are_added_named_painted_and_removed(self):
        with with_scene("meadow.json", MEADOW, size=SIZE, paused=3) as run:
            run.click_at(*on_screen(run.state(), (-1, -1, 0)))
            run.wait(lambda s: s["selected"] and s["selected"]["index"] == 0, "the meadow selected")
            run.click("section.body")
            run.open_section("shapes", "material.add")

            def materials(*wanted):
                """Names and numbers of triangles."""
                return lambda s: s["body"] and [
                    (m["name"], m["triangles"]) for m in s["body"]["shapes"][0]["materials"]] == list(wanted)

            def count(state, place):
                return state["body"]["shapes"][0]["materials"][place]["triangles"]

            run.click("material.add")
            run.wait(materials(("material 0", 800)), "a material of all triangles")
            run.click("material.add")
            run.wait(materials(("material 0", 800), ("material 1", 0)), "another")
            run.wait(lambda s: "material.1" in s["widgets"], "its row")
            run.type_over("material.name", "stone")
            state = run.wait(materials(("material 0", 800), ("stone", 0)), "its name")
            self.assertEqual(state["undo"], "Rename a material of meadow")
            run.click("material.colour")
            run.click("material.colour.8")
            run.wait(lambda s: s["body"]["shapes"][0]["materials"][1]["colour"] == "#d02c2c", "the colour")
            run.key("Escape")
            run.wait(lambda s: "material.colour.8" not in s["widgets"], "the field to close")

            # A stroke from left to right.
            run.click("material.1.paint")
            run.wait(lambda s: s["tool"]["active"] == "paint" and "tool.paint_radius" in s["widgets"], "the brush")
            run.type_over("tool.paint_radius", "0.7")
            start, end = (on_screen(run.state(), (x, -1.2, 0)) for x in (-2.5, 2.0))
            run.move(*start)
            run.wait(lambda s: s["tool"]["labels"] and s["tool"]["labels"][0].startswith("stone, 0.70 m"), "the ring")
            run.press()
            run.move(*end)  # at once: what lies between is painted as well
            run.release()
            state = run.wait(lambda s: s["undo"] == "Paint meadow" and count(s, 1) > 60, "the stroke")
            painted = count(state, 1)
            self.assertLess(painted, 300)
            self.assertEqual(painted + count(state, 0), 800)
            run.frames(3)
            red = sum(1 for row in rows_of_png(run.screenshot()) for r, g, b in row if r > 90 and g < 0.6 * r and b < 0.6 * r)
            self.assertGreater(red, 10000, "what is painted is seen")

            # It is one edit.
            run.key("ctrl+z")
            run.wait(materials(("material 0", 800), ("stone", 0)), "nothing painted")
            run.key("ctrl+y")
            run.wait(materials(("material 0", 800 - painted), ("stone", painted)), "the stroke again")

            # Esc breaks a stroke off.
            run.move(*on_screen(run.state(), (0, 1.5, 0)))
            run.press()
            run.wait(lambda s: count(s, 1) > painted, "a stroke under way")
            run.key("Escape")
            run.release()
            run.wait(lambda s: count(s, 1) == painted and s["undo"] == "Paint meadow", "the stroke taken back")

            # The row's button puts the brush away, and a removed material leaves its triangles to the first.
            run.click("material.1.paint")
            run.wait(lambda s: s["tool"]["active"] == "select", "no brush")
            run.click("material.1")
            run.click("material.remove")
            run.wait(materials(("material 0", 800)), "no stone")
            run.key("ctrl+z")
            run.wait(materials(("material 0", 800 - painted), ("stone", painted)), "the stone again")

            # A capture of it replays to the same bits, and the scene file holds it.
            run.key("p")
            run.wait(lambda s, step=state["step"]: s["step"] > step + 30, "more steps")
            run.key("p")
            verify(run.saved_history())
            run.key("ctrl+s")

            def saved(_):
                with open(run.path("meadow.json"), encoding="utf-8") as file:
                    mesh = json.load(file)["bodies"][0]["shape"]["mesh"]
                return ([m["name"] for m in mesh.get("materials", [])] == ["material 0", "stone"]
                        and mesh["triangle_materials"].count(1) == painted)
            run.wait(saved, "the scene to be saved")

    def test_sizes_of_meshes_and_hulls_and_of_several_bodies_are_edited(self):
        bodies = [{"name": "hull", "type": "static", "position": [-3, 0, 1], "shape": {"hull": {
                      "points": [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-0.5, 0.5)]}}},
                  {"name": "one", "type": "static", "position": [0, 0, 0.5], "shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}},
                  {"name": "two", "type": "static", "position": [3, 0, 0.4], "shape": {"box": {"half_extents": [0.6, 0.7, 0.4]}}}]
        scene = {**SURFACES, "include": [], "bodies": SURFACES["bodies"][1:] + bodies}
        with with_scene("sizes.json", scene, size=SIZE, paused=3) as run:

            def of(name, **bounds):
                return lambda s: s["body"] and s["body"]["name"] == name and all(
                    abs(s["body"]["shapes"][0]["extent"]["xyz".index(axis)] - value) < 1e-4
                    for axis, value in bounds.items())
            run.click_at(*on_screen(run.state(), (-3, 0, 1.5)))
            run.wait(of("hull", x=2, y=2, z=1), "the hull")
            run.click("section.body")
            run.open_section("shapes", "shape.extent.x")
            run.type_over("shape.extent.z", "1.5")
            run.wait(of("hull", x=2, y=2, z=1.5), "a higher hull")
            run.key("ctrl+z")
            run.wait(of("hull", x=2, y=2, z=1), "the hull as it was")
            run.type_over("shape.extent.z", "0")  # not the least size that there is
            run.wait(lambda s: s["messages"][-1]["text"].startswith("Size Z: 0 is not within"), "the refusal")
            self.assertTrue(of("hull", x=2, y=2, z=1)(run.frames(3)))
            run.click_at(*on_screen(run.state(), (0, 4, 0.5)))
            run.wait(of("tent", x=2, y=2, z=1.5), "the tent")
            run.type_over("shape.extent.x", "3")
            state = run.wait(of("tent", x=3, y=2, z=1.5), "a wider tent")
            self.assertEqual(state["undo"], "Change a shape of tent")

            # Both boxes get the height that is typed, and keep the rest.
            run.click_at(*on_screen(run.state(), (0, 0, 0.9)))
            run.wait(of("one", x=1, y=1, z=1), "a box")
            with run.held("shift"):
                run.click_at(*on_screen(run.state(), (3, 0, 0.7)))
            run.wait(lambda s: len(s["selection"]) == 2 and of("two", x=1.2, y=1.4, z=0.8)(s), "both boxes")
            run.click("shape.0") if "shape.half.z" not in run.frames(2)["widgets"] else None
            run.type_over("shape.half.z", "0.25")
            state = run.wait(of("two", x=1.2, y=1.4, z=0.5), "the other is lower")
            self.assertEqual(state["undo"], "Change a shape of 2 bodies")
            run.key("Escape")
            run.wait(lambda s: not s["selection"], "nothing selected")
            run.click_at(*on_screen(run.state(), (0, 0, 0.6)))
            run.wait(of("one", x=1, y=1, z=0.5), "the first is lower, too")
            run.key("ctrl+z")
            run.wait(of("one", x=1, y=1, z=1), "as it was")

    def test_a_height_field_is_seen_from_below(self):
        middles = []
        for away in (0, 1000):  # m: the second picture is that of the sky alone
            lawn = {**SURFACES["bodies"][0], "position": [away, 0, 0]}
            scene = {**SURFACES, "camera": {"eye": [0, -2, -6], "target": [0, 0, 0]}, "bodies": [lawn]}
            with with_scene("below.json", scene, size=(800, 520), paused=1) as run:
                rows = list(rows_of_png(run.screenshot()))
                middles.append(rows[len(rows) // 2][len(rows[0]) // 2])
        self.assertGreater(max(abs(a - b) for a, b in zip(*middles)), 20, middles)

    # A body of several pieces, as a decomposed mesh is: one number scales all of them and their places.
    def test_a_body_of_pieces_is_scaled_as_a_whole(self):
        def piece(x):
            return {"hull": {"points": [[x + a, b, c] for a in (-0.5, 0.5) for b in (-0.5, 0.5) for c in (-0.25, 0.25)]}}
        pieces = {"name": "pieces", "type": "static", "position": [0, 0, 1], "shapes": [
            {"shape": piece(-0.5)}, {"shape": piece(0.5)},
            {"shape": {"sphere": {"radius": 0.2}}, "position": [0, 0, 0.3]}]}
        scene = {**SURFACES, "include": [], "bodies": SURFACES["bodies"][1:] + [pieces]}
        with with_scene("pieces.json", scene, size=SIZE, paused=3) as run:

            def scaled(factor):
                def holds(state):
                    shapes = state["body"]["shapes"] if state["body"] else []
                    extents = [(1, 1, 0.5), (1, 1, 0.5), (0.4, 0.4, 0.4)]
                    return len(shapes) == 3 and abs(shapes[2]["position"][2] - 0.3 * factor) < 1e-4 and all(
                        abs(x - factor * y) < 1e-3 for shape, extent in zip(shapes, extents)
                        for x, y in zip(shape["extent"], extent))
                return holds
            run.click_at(*on_screen(run.state(), (0.5, -0.3, 1.2)))
            run.wait(scaled(1), "the body")
            run.click("section.body")
            run.open_section("shapes", "shape.all")
            run.type_over("shape.all", "1")  # m; it was 2
            state = run.wait(scaled(0.5), "half of it")
            self.assertEqual(state["undo"], "Scale pieces")
            run.key("ctrl+z")
            run.wait(scaled(1), "the whole again")

            # By dragging, which is one step to undo, too; what is too small for one of the pieces changes none.
            run.point_at("shape.all")
            x, y = run.state()["mouse"]["at"]
            run.press()
            for i in range(1, 8):
                run.move(x + 12 * i, y)
                run.frames(2)
            run.release()
            size = run.wait(lambda s: s["body"]["shapes"][0]["extent"][0] > 1.2, "a larger one")["body"]["shapes"][0]["extent"][0]
            run.wait(scaled(size), "all alike")
            run.key("ctrl+z")
            run.wait(scaled(1), "as it was")
            run.type_over("shape.all", "0.0002")
            run.wait(lambda s: "Whole size" in s["messages"][-1]["text"], "the refusal")
            self.assertTrue(scaled(1)(run.frames(3)))

    def test_the_brush_flattens_and_smooths(self):
        with with_scene("surfaces.json", SURFACES, size=SIZE, paused=3) as run:
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
