"""Tests of what is set: the settings file with its keys, the first run, and the World panel."""

import json
import os
import tempfile
import unittest

from small_scene import errors_of, gl_troubles, with_small_scene


SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes")


class Settings(unittest.TestCase):
    def test_settings_are_remembered(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cairn", "settings.json")

            def settings():
                with open(path, encoding="utf-8") as file:
                    return json.loads("".join(line for line in file if not line.startswith("//")))

            with with_small_scene(size=(900, 560), sized=False, settings=path, paused=0) as run:
                self.change_keys(run)
                run.xdotool("windowsize", run.window(), 850, 540)
                run.wait(lambda s: s["window"]["width"] == 850, "the other size")
                self.assertTrue(run.key("4")["view"]["layers"]["bounds"])
                run.click("section.scenes")
                run.wait(lambda s: "scenes.search" in s["widgets"], "the open section")
                run.type_over("spawn.count", "3")
                # It is written while the program runs, for no one knows how it will end.
                run.wait(lambda s: os.path.exists(path) and settings()["spawn"]["count"] == 3, "the file")
                run.click("section.spawn")
                run.frames()
                self.assertEqual(run.quit(), 0)
            kept = settings()
            self.assertEqual(kept["window"], {"width": 850, "height": 540})
            self.assertFalse(kept["panels"]["sections"]["spawn"])
            self.assertEqual(kept["keys"]["pause"], ["R"])
            self.assertEqual(kept["keys"]["restart"], ["F8"])
            kept["keys"]["pause"] = ["J"]
            kept["keys"]["restart"] = ["J"]
            with open(path, "w", encoding="utf-8") as file:
                json.dump(kept, file)

            with with_small_scene(size=(900, 560), sized=False, settings=path) as run:
                state = run.frames()
                self.assertEqual((state["window"]["width"], state["window"]["height"]), (850, 540))
                self.assertTrue(state["view"]["layers"]["bounds"])
                self.assertIn("scenes.search", state["widgets"])
                self.assertNotIn("spawn.count", state["widgets"])
                said = [m["text"] for m in state["messages"]]
                self.assertTrue(any("J is already used by \"pause\"" in m for m in said), said)
                self.assertFalse(state["paused"])
                self.assertTrue(run.key("j")["paused"])
                self.assertTrue(run.key("p")["paused"], "the old key still acts")
                run.click("section.spawn")
                self.assertIn("spawn.count", run.frames()["widgets"])

            with open(path, "w", encoding="utf-8") as file:
                file.write('{"view": {"grid": false}\n "spawn": {}}')
            with with_small_scene(size=(900, 560), settings=path) as run:
                said = errors_of(run.state())
                self.assertTrue(any("settings.json:2:2: " in m for m in said), said)
                self.assertTrue(run.state()["view"]["grid"])
                self.assertTrue(os.path.exists(os.path.join(folder, "cairn", "settings.broken.json")))
                self.assertTrue(run.key("p")["paused"])

    def change_keys(self, run):
        run.key("ctrl+F1")
        run.wait(lambda s: "keys.search" in s["widgets"], "the list of keys")
        run.click("keys.pause.0")
        self.assertIn("keys.listening", run.frames()["widgets"])
        run.key("r")  # which restarts
        self.assertIn("keys.conflict", run.frames()["widgets"])
        run.click("keys.leave")
        run.click("keys.pause.0")
        run.key("r")
        run.click("keys.take")
        self.assertIn("keys.restart.reset", run.frames()["widgets"])
        run.click("keys.restart.add")
        run.key("F8")
        run.key("Escape")
        state = run.frames()
        self.assertNotIn("keys.search", state["widgets"])
        self.assertTrue(state["paused"])
        self.assertFalse(run.key("r")["paused"])
        self.assertTrue(run.key("r")["paused"])
        self.assertTrue(run.key("p")["paused"])
        self.assertGreater(run.state()["step"], 0)
        run.key("F8")
        run.wait(lambda s: s["step"] == 0, "the restart")

    def test_first_run_shows_the_way_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "settings.json")
            with with_small_scene(settings=path) as run:
                run.wait(lambda s: s["view"]["tour"] == 0 and "tour.next" in s["widgets"], "the tour")
                run.click("tour.next")
                run.wait(lambda s: s["view"]["tour"] == 1, "the second step")
                run.key("Return")
                run.wait(lambda s: s["view"]["tour"] == 2, "the third step")
                self.assertIsNone(run.key("Escape")["view"]["tour"])
                run.key("question")
                run.click("help.tour")
                run.wait(lambda s: s["view"]["tour"] == 0, "the tour again")
                run.click("tour.never")
                self.assertIsNone(run.frames()["view"]["tour"])
                self.assertEqual(run.quit(), 0)
            with with_small_scene(settings=path) as run:
                run.frames(5)
                self.assertIsNone(run.state()["view"]["tour"])
        with with_small_scene() as run:
            self.assertIsNone(run.frames(5)["view"]["tour"])

    def test_world_panel_holds_every_parameter(self):
        with open(os.path.join(SCENES, "scene.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        described = {"gravity": schema["properties"]["gravity"]}
        for section in ("step", "solver"):
            described.update(schema["$defs"][section]["properties"])
        with with_small_scene(size=(640, 480), scale=0.5, paused=0) as run:
            run.click("section.spawn")
            for group in [w for w in run.frames()["widgets"] if w.startswith("world.group.")]:
                first = run.state()["widgets"]
                run.click(group)
                if len(run.frames()["widgets"]) < len(first):
                    run.click(group)  # it was open
            widgets = run.frames()["widgets"]
            self.assertEqual(run.state()["settings"].keys(), described.keys())
            for key, words in described.items():
                widget = "world." + key + (".x" if words["type"] == "array" else "")
                self.assertIn(widget, widgets)
                x, y, width, height = widgets[widget]
                run.move(x + width / 2, y + height / 2)
                tip = run.wait(lambda s: key in s["tip"], f"the tooltip of {key}")["tip"]
                self.assertIn(words["description"].split(" In ")[0], tip)
                self.assertIn("efault ", tip)
                if "minimum" in words:
                    self.assertIn(f"{words['minimum']:g} to {words['maximum']:g}", tip)

    def test_world_panel_changes_finds_and_resets(self):
        def settings():
            return run.frames()["settings"]
        with with_small_scene(size=(640, 480), scale=0.5, paused=0) as run:
            run.click("section.spawn")
            standard = settings()
            # Typed: what counts is the finished number, and only one within the range.
            run.type_over("world.hz", "120.5")
            self.assertEqual(settings()["hz"], 120.5)
            for text, complaint in (("5", "Rate: 5 is not within 10 to 1000 1/s; it stays 120.5 1/s"),
                                    ("1e60", "Rate: 1e60 is not within"), ("-", "Rate: \"-\" is not a number")):
                run.type_over("world.hz", text)
                state = run.wait(lambda s: complaint in "".join(errors_of(s)), complaint)
                self.assertEqual(state["settings"]["hz"], 120.5)
            run.type_over("world.substeps", "4.5")
            self.assertIn("Substeps: 4.5 is not a whole number; it stays 4", errors_of(run.frames()))
            run.type_over("world.gravity.z", "20000")
            self.assertIn("Gravity Z: 20000 is not within -10000 to 10000 m/s²; it stays -9.81 m/s²",
                          errors_of(run.frames()))
            self.assertEqual(dict(settings(), hz=60.0), standard)
            run.click("world.hz")
            run.xdotool("type", "--delay", 20, "77")
            run.frames()
            self.assertEqual(settings()["hz"], 120.5, "half a number counted")
            run.key("Escape")
            self.assertEqual(settings()["hz"], 120.5, "Escape keeps what was there")
            errors = len(errors_of(run.state()))

            # Dragged: as far as the range goes.
            x, y, width, height = run.state()["widgets"]["world.substeps"]
            run.point_at("world.substeps")
            run.press()
            run.move(x + width / 2 + 30, y + height / 2)
            self.assertGreater(settings()["substeps"], 4)
            run.move(630, y + height / 2)
            run.release()
            run.wait(lambda s: s["settings"]["substeps"] == 64, "the most substeps")
            self.assertEqual(len(errors_of(run.state())), errors)

            # One back, then found by a word of its sentence, then all back and that undone.
            run.click("world.substeps.reset")
            self.assertEqual(settings()["substeps"], 4)
            self.assertNotIn("world.substeps.reset", run.state()["widgets"])
            self.assertNotIn("world.sleep_speed", run.state()["widgets"])
            run.type_over("world.filter", "ISLAND")
            found = {w for w in run.frames()["widgets"] if w.startswith("world.") and w[6:] in standard}
            self.assertEqual(found, {"world.max_substeps", "world.sleeping", "world.sleep_time"})
            run.click("world.sleeping")
            self.assertFalse(settings()["sleeping"])
            run.type_over("world.filter", "no such thing")
            self.assertFalse([w for w in run.frames()["widgets"] if w.startswith("world.group.")])
            run.click("world.filter")
            run.key("ctrl+a")
            run.key("BackSpace")
            run.click("world.changed_only")
            found = {w for w in run.frames()["widgets"] if w.startswith("world.") and w[6:] in standard}
            self.assertEqual(found, {"world.hz", "world.sleeping"})
            run.click("world.reset_all")
            self.assertEqual(settings(), standard)
            run.click("world.take_back")
            self.assertEqual(settings(), dict(standard, hz=120.5, sleeping=False))
            run.click("world.as_scene")
            self.assertEqual(settings(), standard)
            self.assertEqual(gl_troubles(run.state()), [])


if __name__ == "__main__":
    unittest.main()
