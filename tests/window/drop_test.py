"""Files that are dragged from elsewhere and dropped onto the real window."""

import base64
import json
import os
import struct
import unittest

from drag_source import DragSource
from small_scene import errors_of, open_mesh, with_small_scene, write_tetrahedron


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
            mesh = write_tetrahedron(run)
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
                             ["picture.png: drop a scene (.json), a capture (.cairn), a mesh (.obj, .stl, .ply, .glb, .gltf, .xyz) or questions (.jsonl)"])
            self.assertEqual(os.path.basename(state["scene"]["file"]), os.path.basename(path))

    def test_mesh_is_chosen_in_the_dialog(self):
        with with_small_scene() as run:
            mesh = write_tetrahedron(run)
            run.key("p")
            state = open_mesh(run, mesh)
            self.assertEqual(state["mesh_size"], "1 × 1 × 1 m, the file's Z up")
            run.click("mesh.up.y")
            run.wait(lambda s: s["mesh_size"] == "1 × 1 × 1 m, the file's Y up", "the file's axis")
            run.key("Return")
            state = run.wait(lambda s: any(b["name"] == "tetra" for b in s["on_screen"]), "the body")
            self.assertEqual(errors_of(state), [])

    def test_gltf_files_are_scenes_if_things_move_in_them_and_meshes_else(self):
        points = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) + struct.pack("<12H", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
        file = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"name": "From elsewhere", "nodes": [0, 1]}],
                "nodes": [{"name": "ground", "translation": [0, -0.5, 0]}, {"name": "tetra", "mesh": 0, "translation": [0, 3, 0]}],
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                              {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
                "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
                "buffers": [{"byteLength": 72, "uri": "data:;base64," + base64.b64encode(points).decode()}]}
        with with_small_scene() as run, DragSource(run.display.name) as source:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("p")
            window = int(run.window())
            mesh = run.path("mesh.gltf")
            with open(mesh, "w", encoding="utf-8") as out:
                json.dump(file, out)
            before = run.state()["bodies"]
            run.move(430, 380)
            self.assertTrue(source.drop(window, [mesh], 430, 380))
            state = run.wait(lambda s: "mesh.add" in s["widgets"], "the dialog")
            self.assertNotIn("mesh.up.y", state["widgets"])
            self.assertNotIn("mesh.unit.cm", state["widgets"])
            run.click("mesh.fixed")
            run.click("mesh.add")
            run.wait(lambda s: s["bodies"] == before + 1 and "mesh.add" not in s["widgets"], "the mesh")

            shapes, bodies = "KHR_implicit_shapes", "KHR_physics_rigid_bodies"
            file["extensionsUsed"] = [shapes, bodies]
            file["extensions"] = {shapes: {"shapes": [{"type": "box", "box": {"size": [20, 1, 20]}}]}}
            file["nodes"][0]["extensions"] = {bodies: {"collider": {"geometry": {"shape": 0}}}}
            file["nodes"][1]["extensions"] = {bodies: {"motion": {"mass": 2},
                                                       "collider": {"geometry": {"mesh": 0, "convexHull": True}}}}
            scene = run.path("scene.gltf")
            with open(scene, "w", encoding="utf-8") as out:
                json.dump(file, out)
            self.assertTrue(source.drop(window, [scene], 430, 380))
            run.wait(lambda s: "question.discard" in s["widgets"], "the question")
            run.click("question.discard")  # what was built before
            state = run.wait(lambda s: s["scene"]["name"] == "From elsewhere", "the scene")
            self.assertEqual(state["bodies"], 2)
            # It is saved as a scene: the dialog asks for a name, and the file stays what it is.
            run.key("ctrl+s")
            run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
            run.key("Escape")
            with open(scene, encoding="utf-8") as again:
                self.assertEqual(json.load(again), file)
            self.assertEqual(errors_of(state), [])


if __name__ == "__main__":
    unittest.main()
