"""Tests of what belongs to no single tool: settings, keys, palette, browser, plots, log."""

import json
import os
import tempfile
import unittest

from driver import Program, read_png
from small_scene import SMALL, errors_of, with_small_scene


class Panels(unittest.TestCase):
    def test_settings_are_remembered(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cairn", "settings.json")

            def settings():
                with open(path, encoding="utf-8") as file:
                    return json.loads("".join(line for line in file if not line.startswith("//")))

            with with_small_scene(size=(900, 560), sized=False, settings=path) as run:
                run.key("p")
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
                run.xdotool("key", "ctrl+q")
                self.assertEqual(run.process.wait(timeout=60), 0)
            kept = settings()
            self.assertEqual(kept["window"], {"width": 850, "height": 540})
            self.assertFalse(kept["panels"]["sections"]["spawn"])
            self.assertEqual(kept["keys"]["pause"], ["P"])
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
                self.assertTrue(any("J is taken by \"pause\" already" in m for m in said), said)
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


if __name__ == "__main__":
    unittest.main()
