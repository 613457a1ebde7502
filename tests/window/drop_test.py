"""Files that are dragged from elsewhere and dropped onto the real window."""

import json
import os
import unittest

from drag_source import DragSource
from small_scene import errors_of, with_small_scene


class Drop(unittest.TestCase):
    def test_scenes_and_meshes_are_dropped_by_the_protocol_of_the_desktop(self):
        with with_small_scene() as run, DragSource(run.display.name) as source:
            run.wait(lambda s: s["step"] > 2, "steps")
            window = int(run.window())
            # A name as people give them: it travels as an address.
            path = run.path("a scene & more ü.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"cairn": 1, "name": "Dropped", "bodies": [
                    {"name": "ground", "type": "static", "shape": {"box": {"half_extents": [20, 20, 0.5]}},
                     "position": [0, 0, -0.5]}], "camera": {"eye": [0, -9, 4], "target": [0, 0, 1]}}, file)
            self.assertTrue(source.drop(window, [path], 400, 300))
            state = run.wait(lambda s: s["scene"]["name"] == "Dropped", "the scene")
            self.assertEqual(state["scene"]["file"], path)

            # A mesh becomes a body where it is let go; several files at once are all taken.
            mesh = run.path("tetra.obj")
            with open(mesh, "w", encoding="utf-8") as file:
                file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
            picture = run.path("picture.png")
            with open(picture, "w", encoding="utf-8") as file:
                file.write("no picture")
            run.key("p")
            run.move(430, 380)
            self.assertTrue(source.drop(window, [mesh, picture], 430, 380))
            # What it is to become is asked first.
            run.wait(lambda s: "mesh.add" in s["widgets"] and errors_of(s), "the dialog and the complaint")
            # Each choice has its picture, that of the hulls once they are found; a click on it chooses.
            run.wait(lambda s: all(f"mesh.picture.{one}" in s["widgets"] for one in ("hull", "fixed", "decomposed")),
                     "the pictures")
            run.click("mesh.picture.fixed")
            run.click("mesh.decomposed")
            run.click("mesh.unit.cm")
            run.click("mesh.up.y")
            run.click("mesh.hull")
            run.click("mesh.unit.m")
            run.click("mesh.up.z")
            run.click("mesh.add")
            state = run.wait(lambda s: s["bodies"] == 2 and "mesh.add" not in s["widgets"], "the body")
            body = next(b for b in state["on_screen"] if b["name"] == "tetra")
            self.assertLess(abs(body["at"][0] - 430), 40)
            self.assertEqual(errors_of(state),
                             ["picture.png: drop a scene (.json), a capture (.cairn), a mesh (.obj, .stl, .ply, .xyz) or questions (.jsonl)"])
            self.assertEqual(os.path.basename(state["scene"]["file"]), os.path.basename(path))

    def test_mesh_is_chosen_in_the_dialog(self):
        with with_small_scene() as run:
            mesh = run.path("tetra.obj")
            with open(mesh, "w", encoding="utf-8") as file:
                file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
            run.key("p")
            run.key("ctrl+shift+o")
            run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
            run.frames(3)
            run.xdotool("type", "--delay", 5, mesh)
            run.frames()
            run.key("Return")
            run.wait(lambda s: "mesh.add" in s["widgets"], "what it is to become")
            run.key("Return")
            state = run.wait(lambda s: any(b["name"] == "tetra" for b in s["on_screen"]), "the body")
            self.assertEqual(errors_of(state), [])


if __name__ == "__main__":
    unittest.main()
