"""Tests of the palette, the browser, plots, the log, the camera and the list of bodies."""

import json
import os
import time
import unittest

from driver import read_png, rows_of_png
from small_scene import SMALL, errors_of, gl_troubles, with_small_scene


class Panels(unittest.TestCase):
    def test_palette_finds_and_sets(self):
        def type_text(text):
            run.xdotool("type", "--delay", 20, text)
            return run.frames(3)
        def retype(text):
            run.frames(4)  # a field that has just come into view takes the keyboard within these
            run.key("ctrl+a")
            return type_text(text)
        with with_small_scene(paused=0) as run:
            state = run.key("ctrl+p")
            self.assertTrue(state["view"]["palette"])
            self.assertGreater(state["palette"]["found"], 60)
            # An action: its letter types, it does not act.
            type_text("restart")
            self.assertEqual(run.frames()["palette"]["chosen"], "Restart the scene")
            self.assertTrue(run.state()["paused"])
            step = run.state()["step"]
            self.assertGreater(step, 0)
            run.key("Return")
            state = run.wait(lambda s: s["step"] == 0, "the restart")
            self.assertFalse(state["view"]["palette"])
            # A number: refused with its reason, then taken; Esc goes back one at a time.
            run.key("ctrl+p")
            type_text("subst")
            self.assertEqual(run.frames()["palette"]["chosen"], "Substeps")
            with run.held("Return"):  # long enough to be repeated: the field opens, and keeps the keyboard
                run.wait(lambda s: "palette.value" in s["widgets"], "the field")
                time.sleep(0.8)
            retype("99")
            run.key("Return")
            state = run.wait(lambda s: "palette.problem" in s["widgets"], "the refusal")
            self.assertEqual(state["settings"]["substeps"], 4)
            retype("9")
            run.key("Return")
            run.wait(lambda s: s["settings"]["substeps"] == 9, "nine substeps")
            self.assertTrue(run.key("Escape")["view"]["palette"] is False)
            run.key("ctrl+z")
            run.wait(lambda s: s["settings"]["substeps"] == 4, "the undone number")
            run.key("ctrl+p")
            type_text("gravity")
            self.assertEqual(run.frames()["palette"]["chosen"], "Gravity")
            run.key("Return")
            retype("1 0 -2.5")
            run.key("Return")
            run.wait(lambda s: s["gravity"] == [1, 0, -2.5], "the gravity")
            retype("gravity")
            run.key("Return")
            retype("0 x -9.81")
            run.key("Return")
            run.wait(lambda s: "palette.problem" in s["widgets"], "the refusal")
            retype("0 0 (1+2)*-3")
            run.key("Return")
            run.wait(lambda s: s["gravity"] == [0, 0, -9], "what that comes to")
            # A switch stays in view; arrows go on from there.
            retype("bounds")
            run.key("Return")
            state = run.wait(lambda s: s["view"]["layers"]["bounds"], "the layer")
            self.assertTrue(state["view"]["palette"])
            run.key("ctrl+a")
            run.key("BackSpace")
            first = run.frames()["palette"]["chosen"]
            run.key("Down")
            second = run.key("Down")["palette"]["chosen"]
            self.assertNotEqual(first, second)
            run.key("Up")
            self.assertEqual(run.key("Up")["palette"]["chosen"], first)
            run.key("Up")
            run.key("Escape")
            # A scene.
            run.key("ctrl+p")
            type_text("tower.json")
            retype("tower")
            run.key("Return")
            run.click("question.discard")  # gravity has been changed
            state = run.wait(lambda s: s["scene"]["file"].endswith("tower.json"), "the scene")
            self.assertEqual(errors_of(state), [])
            self.assertEqual(gl_troubles(state), [])

    def test_browser_shows_searches_and_opens(self):
        with with_small_scene() as run:
            run.open_section("scenes", "scenes.browse")
            run.click("scenes.browse")
            run.wait(lambda s: s["view"]["browser"], "the browser")
            folder = run.path("cache/cairn/thumbnails")
            run.wait(lambda s: os.path.isdir(folder) and len([f for f in os.listdir(folder) if f.endswith(".png")]) > 3,
                     "pictures on the disk")
            for name in [f for f in os.listdir(folder) if f.endswith(".png")][:2]:
                width, height, pixels = read_png(os.path.join(folder, name))
                self.assertEqual((width, height), (320, 180))
                self.assertGreater(len(set(pixels[::97])), 20, "an empty picture")
            self.assertIn("browser.small.recent", run.state()["widgets"])
            run.xdotool("type", "--delay", 20, "domino")
            run.wait(lambda s: s["browser"]["found"] < 5 and "browser.domino_run" in s["widgets"], "the search")
            run.key("Return")
            state = run.wait(lambda s: s["scene"]["file"].endswith("domino_run.json"), "the scene")
            self.assertFalse(state["view"]["browser"])
            run.key("ctrl+o")
            state = run.wait(lambda s: "browser.domino_run.recent" in s["widgets"], "the last one opened")
            run.key("Right")
            run.key("Return")
            state = run.wait(lambda s: s["scene"]["file"].endswith("small.json"), "the scene before")
            drawn = state["thumbnails_drawn"]
            run.key("ctrl+o")
            run.frames(4)
            state = run.key("Escape")
            self.assertFalse(state["view"]["browser"])
            self.assertEqual(errors_of(state), [])
            self.assertEqual(gl_troubles(state), [])
            self.assertGreater(drawn, 3)

    def test_changed_files_are_read_again(self):
        with with_small_scene(paused=0) as run:
            body = run.pickable("left")
            run.click_at(*body["at"])
            run.xdotool("click", 4)
            before = run.wait(lambda s: s["selected"], "the selection")
            eye = run.frames(10)["camera"]["eye"]

            def save(scene):
                with open(run.path("small.json"), "w", encoding="utf-8") as file:
                    file.write(scene if isinstance(scene, str) else json.dumps(scene))
            more = dict(SMALL, bodies=[*SMALL["bodies"], dict(SMALL["bodies"][1], name="third", position=[0, 3, 0.6])])
            save(more)
            state = run.wait(lambda s: s["bodies"] == 4, "the changed scene")
            self.assertEqual(state["camera"]["eye"], eye)
            self.assertEqual(state["selected"]["index"], before["selected"]["index"])
            self.assertTrue(state["paused"])
            save(json.dumps(SMALL)[:-2] + ",\n }")
            state = run.wait(errors_of, "the complaint")
            self.assertIn("small.json:2:", errors_of(state)[0])
            self.assertEqual(state["bodies"], 4)
            # The selected one has another place now, and is known by its name.
            save(dict(SMALL, bodies=[SMALL["bodies"][0], SMALL["bodies"][2], SMALL["bodies"][1]]))
            state = run.wait(lambda s: s["bodies"] == 3, "the mended scene")
            self.assertEqual(state["selected"]["index"], 2)
            self.assertEqual(len(errors_of(state)), 1)

    def test_plots_log_and_contacts(self):
        with with_small_scene(size=(900, 640)) as run:
            state = run.key("F2")
            self.assertTrue(state["plots"]["shown"])
            self.assertTrue(all(f"plot.{p}" in state["widgets"] for p in ("energy", "momentum", "drift", "step")))
            run.wait(lambda s: s["plots"]["samples"] > 10, "samples")
            run.click("plot.momentum")
            run.type_over("plots.threshold", "five")
            run.wait(lambda s: any("\"five\" is not a number" in m for m in errors_of(s)), "the refusal")
            run.type_over("plots.threshold", "5000")
            state = run.wait(lambda s: "crossings" in s["plots"], "the threshold")
            self.assertEqual(state["plots"]["crossings"], {"momentum": 0})
            run.move(450, 200)
            run.key("space")
            run.wait(lambda s: s["plots"]["crossings"]["momentum"] >= 1, "the crossing")
            run.key("p")

            def saved(kind):
                state = run.wait(lambda s: any(m["text"].endswith(kind) for m in s["messages"]), "the saved " + kind)
                return next(m["text"] for m in state["messages"] if m["text"].endswith(kind))[len("Saved "):]
            run.click("plots.csv")
            with open(saved(".csv"), encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertEqual(lines[0], "step,time_s,momentum_kg_m_per_s")
            self.assertEqual(len(lines), run.state()["plots"]["samples"] + 1)
            self.assertGreater(max(float(line.split(",")[2]) for line in lines[1:]), 5000)
            run.click("plots.png")
            drawer = run.state()["widgets"]["drawer"]
            width, height, pixels = read_png(saved(".png"))
            self.assertLess(width, drawer[2])
            self.assertGreater(width, 0.9 * drawer[2])
            self.assertGreater(height, 60)
            self.assertGreater(len(set(pixels[::13])), 8, "an empty picture")

            # The log has it all; the filter and the kinds choose.
            state = run.key("F3")
            self.assertTrue(state["log"]["shown"])
            whole = len(state["messages"])
            self.assertEqual(state["log"]["lines"], whole)
            run.type_over("log.filter", "saved ")
            run.wait(lambda s: s["log"]["lines"] == 2, "the filtered lines")
            run.click("log.copy")
            run.wait(lambda s: any(m["text"] == "2 lines copied" for m in s["messages"]), "the copy")
            run.click("log.notes")
            run.wait(lambda s: s["log"]["lines"] == 0, "no notes")
            run.click("drawer.close")
            self.assertNotIn("drawer", run.frames()["widgets"])

            # Contacts of a body: pointed at, and followed to the other one.
            body = run.pickable("left")
            run.click_at(*body["at"])
            run.click("section.contacts")
            state = run.wait(lambda s: "contact.0" in s["widgets"], "the contacts")
            x, y, width, height = state["widgets"]["contact.0"]
            run.move(x + width / 2, y + height / 2)
            state = run.wait(lambda s: s["pointed_contact"], "the contact under the cursor")
            self.assertEqual(state["pointed_contact"]["index"], 0)
            self.assertIn("feature ", state["tip"])
            run.click("contact.0")
            run.wait(lambda s: s["selected"] and s["selected"]["index"] == 0, "the other body")
            self.assertEqual(gl_troubles(run.state()), [])

    def test_camera_looks_from_the_top_and_follows(self):
        with with_small_scene(paused=0) as run:
            run.key("shift+t")
            run.wait(lambda s: abs(s["camera"]["eye"][0]) < 0.01 and s["camera"]["eye"][2] > 8, "the view from the top")
            run.key("shift+f")
            run.wait(lambda s: abs(s["camera"]["eye"][2] - s["camera"]["target"][2]) < 0.01, "the front")
            run.key("shift+f")
            run.wait(lambda s: s["camera"]["eye"][1] > 8, "the back")
            run.key("shift+f")
            run.wait(lambda s: s["camera"]["eye"][1] < -8, "the front again")
            run.key("shift+p")  # bodies are picked, and the wheel keeps them in place, without perspective as well
            self.assertTrue(run.wait(lambda s: s["camera"]["orthographic"], "the orthographic view"))
            before = run.pickable("left")["at"]
            run.move(*before)
            run.xdotool("click", "4")
            run.wait(lambda s: s["camera"]["eye"][1] > -9.2, "the wheel")
            after = run.pickable("left")["at"]
            self.assertLess(abs(after[0] - before[0]) + abs(after[1] - before[1]), 1.0)
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: s["selected"], "the selection")
            state = run.key("shift+Home")
            before, body = state["camera"]["eye"], state["selected"]["index"]
            # Moved by hand, it takes the camera along.
            run.type_over("body.position.x", "-1.2+0.7")
            run.wait(lambda s: any(b["index"] == body and abs(b["position"][0] + 0.5) < 1e-3 for b in s["on_screen"]),
                     "the typed place")
            run.wait(lambda s: abs(s["camera"]["eye"][0] - before[0] - 0.7) < 0.01, "the camera")
            run.key("shift+Home")
            # A key pose, and another at a later time; the path goes back to the first one with the world.
            state = run.key("shift+k")
            start, first = state["step"], state["camera"]
            self.assertEqual(first["path"], 1)
            run.key("shift+r")
            run.key("o")
            run.wait(lambda s: s["step"] > start and s["camera"]["eye"][0] > 5, "the other view, later")
            self.assertEqual(run.key("shift+k")["camera"]["path"], 2)
            run.key("shift+c")
            run.key("shift+o")
            state = run.wait(lambda s: s["step"] == start and abs(s["camera"]["eye"][0] - first["eye"][0]) < 0.01,
                             "the start")
            self.assertTrue(state["camera"]["on_path"])
            run.key("w")
            self.assertFalse(run.state()["camera"]["on_path"])

    def test_a_body_is_renamed(self):
        with with_small_scene(paused=0) as run:
            run.click_at(*run.pickable("left")["at"])
            run.type_over("body.name", "tower foot")
            state = run.wait(lambda s: s["body"] and s["body"]["name"] == "tower foot", "the new name")
            self.assertEqual(state["undo"], "Rename left to tower foot")
            run.key("ctrl+z")
            run.wait(lambda s: s["body"]["name"] == "left", "the old name")
            # In the list of all: found by a part of its name, selected, hidden.
            run.open_section("outliner", "outliner.filter")
            run.type_over("outliner.filter", "RIG")
            run.wait(lambda s: "outliner.0" in s["widgets"] and "outliner.1" not in s["widgets"], "the one that is called so")
            run.click("outliner.0")
            run.wait(lambda s: s["body"] and s["body"]["name"] == "right", "the selection")

            def can_be_clicked(state):
                return any(b["name"] == "right" and b["pickable"] for b in state["on_screen"])
            run.wait(can_be_clicked, "the body")
            run.click("outliner.show.0")
            run.wait(lambda s: not can_be_clicked(s), "it to be hidden")
            # Nor is it among all, or the next one.
            run.move(*run.pickable("left")["at"])
            state = run.key("ctrl+a")
            self.assertEqual([b["name"] for b in state["on_screen"] if b["index"] in state["selection"]], ["left"])
            for _ in range(3):
                self.assertNotEqual(run.key("Next")["body"]["name"], "right")
            run.click("outliner.0")
            run.wait(lambda s: s["body"]["name"] == "right", "the selection")
            run.click("outliner.show_all")
            run.wait(can_be_clicked, "all to be shown")
            run.click("section.outliner")
            run.wait(lambda s: "outliner.filter" not in s["widgets"], "the list to close")
            # Steps of undo and redo: one edit that can be done again, then both.
            run.type_over("body.name", "one")
            run.wait(lambda s: s["body"]["name"] == "one", "a name")
            run.type_over("body.name", "two")
            run.wait(lambda s: s["body"]["name"] == "two", "another")
            run.click("section.body")
            run.open_section("edits", "edits.1")
            run.click("edits.1")
            run.wait(lambda s: s["body"]["name"] == "one" and s["redo"] == "Rename one to two", "the step before")
            run.click("edits.0")
            run.wait(lambda s: s["body"]["name"] == "two", "the step again")

    def test_the_window_by_keyboard(self):
        with with_small_scene(paused=0) as run:
            run.key("Next")
            first = run.wait(lambda s: s["selected"], "a body")["selected"]
            run.key("Next")
            run.wait(lambda s: s["selected"] and s["selected"] != first, "the next one")
            run.key("Prior")
            run.wait(lambda s: s["selected"] == first, "the first again")
            run.key("F6")
            run.wait(lambda s: s["view"]["keyboard"] == 1, "the left column")
            run.key("p")  # means nothing there
            run.key("F6")
            run.wait(lambda s: s["view"]["keyboard"] == 2 and "column.right.fold" in s["widgets"], "the right column")
            run.key("Escape")
            state = run.wait(lambda s: s["view"]["keyboard"] == 0, "the world")
            self.assertTrue(state["paused"])
            scale = state["window"]["scale"]
            run.key("ctrl+equal")
            run.wait(lambda s: abs(s["window"]["scale"] - 1.25 * scale) < 1e-3, "larger text")
            run.key("ctrl+minus")
            run.wait(lambda s: abs(s["window"]["scale"] - scale) < 1e-3, "the usual text")
            # Typed and entered faster than frames come.
            run.click("transport.speed")
            run.xdotool("type", "--delay", 0, "--", "3")
            run.xdotool("key", "--delay", 0, "Return")
            run.wait(lambda s: abs(s["time_scale"] - 3.0) < 1e-6, "the typed number")
            # What explains something covers neither that nor the rows around it.
            for widget in ("transport.pause", "spawn.button"):
                x, y, width, height = run.wait(lambda s, w=widget: w in s["widgets"], widget)["widgets"][widget]
                run.move(x + width / 2, y + height / 2)
                widgets = run.wait(lambda s: "tip" in s["widgets"] and s["tip"], "the tooltip")["widgets"]
                tip, column = widgets["tip"], widgets["column.left"]
                self.assertGreaterEqual(tip[0], column[0] + column[2], (widget, tip))
                run.move(400, 300)
                run.wait(lambda s: not s["tip"], "no tooltip")

    def test_screenshot_is_of_the_world_or_of_all(self):
        with with_small_scene(paused=0) as run:
            world, all_of_it = (list(rows_of_png(run.screenshot(key))) for key in ("F12", "shift+F12"))
            x, y, width, height = run.state()["widgets"]["transport.pause"]
            at = slice(round(x), round(x + width))
            self.assertNotEqual(world[round(y + height / 2)][at], all_of_it[round(y + height / 2)][at])


if __name__ == "__main__":
    unittest.main()
