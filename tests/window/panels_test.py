"""Tests of what belongs to no single tool: settings, keys, palette, browser, plots, log."""

import itertools
import json
import os
import tempfile
import unittest

from driver import Program, read_png, rows_of_png
from small_scene import SMALL, errors_of, gl_troubles, with_small_scene

SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes")


class Panels(unittest.TestCase):
    def test_settings_are_remembered(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cairn", "settings.json")

            def settings():
                with open(path, encoding="utf-8") as file:
                    return json.loads("".join(line for line in file if not line.startswith("//")))

            with with_small_scene(size=(900, 560), sized=False, settings=path) as run:
                run.key("p")
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
                run.xdotool("key", "ctrl+q")
                self.assertEqual(run.process.wait(timeout=60), 0)
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

    def test_palette_finds_and_sets(self):
        def type_text(text):
            run.xdotool("type", "--delay", 20, text)
            return run.frames(3)
        with with_small_scene() as run:
            run.key("p")
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
            run.key("Return")
            run.wait(lambda s: "palette.value" in s["widgets"], "the field")
            run.key("ctrl+a")
            type_text("99")
            run.key("Return")
            state = run.wait(lambda s: "palette.problem" in s["widgets"], "the refusal")
            self.assertEqual(state["settings"]["substeps"], 4)
            run.key("ctrl+a")
            type_text("9")
            run.key("Return")
            run.wait(lambda s: s["settings"]["substeps"] == 9, "nine substeps")
            self.assertTrue(run.key("Escape")["view"]["palette"] is False)
            run.key("ctrl+z")
            run.wait(lambda s: s["settings"]["substeps"] == 4, "the undone number")
            run.key("ctrl+p")
            type_text("gravity")
            self.assertEqual(run.frames()["palette"]["chosen"], "Gravity")
            run.key("Return")
            run.key("ctrl+a")
            type_text("1 0 -2.5")
            run.key("Return")
            run.wait(lambda s: s["gravity"] == [1, 0, -2.5], "the gravity")
            # A switch stays in view; arrows go on from there.
            run.key("ctrl+a")
            type_text("bounds")
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
            run.key("ctrl+a")
            type_text("tower")
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
        with with_small_scene() as run:
            run.key("p")
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
                run.xdotool("key", "ctrl+q")
                self.assertEqual(run.process.wait(timeout=60), 0)
            with with_small_scene(settings=path) as run:
                run.frames(5)
                self.assertIsNone(run.state()["view"]["tour"])
        with with_small_scene() as run:
            self.assertIsNone(run.frames(5)["view"]["tour"])

    def test_drawer_and_columns_leave_each_other_room(self):
        for scale, size in ((1.0, (1280, 720)), (1.0, (1920, 1080)), (2.0, (1280, 720)), (2.0, (1920, 1080))):
            with with_small_scene(size=size, scale=scale) as run:
                run.key("p")
                run.key("F2")
                state = run.frames(3)
                widgets = state["widgets"]
                self.assertIn("transport.help", widgets)
                help_right = widgets["transport.help"][0] + widgets["transport.help"][2]
                self.assertLessEqual(help_right, widgets["column.left.fold"][0], f"the row of buttons at scale {scale}")
                self.assertEqual(state["tight"], [], f"cut off at scale {scale} and {size}")
                areas = {n: widgets[n] for n in ("column.left", "column.right", "column.tools", "drawer", "timeline")
                         if n in widgets}
                self.assertIn("drawer", areas)
                for (a, ra), (b, rb) in itertools.combinations(areas.items(), 2):
                    apart = (ra[0] + ra[2] <= rb[0] or rb[0] + rb[2] <= ra[0]
                             or ra[1] + ra[3] <= rb[1] or rb[1] + rb[3] <= ra[1])
                    self.assertTrue(apart, f"{a} and {b} overlap at scale {scale} and {size}: {ra} {rb}")
                for name, (x, y, width, height) in areas.items():
                    self.assertTrue(x >= 0 and y >= 0 and x + width <= size[0] and y + height <= size[1], name)
                for name, (x, y, width, height) in widgets.items():
                    if name.split(".")[0] in ("pill", "note") or name in areas:
                        continue
                    self.assertTrue(any(ax <= x and x + width <= ax + aw + 1 for ax, _, aw, _ in areas.values()),
                                    f"{name} sticks out at scale {scale} and {size}")

    def test_right_column_opens_for_a_selection_and_closes_with_it(self):
        with with_small_scene(size=(1280, 720), scale=1.0) as run:
            run.key("p")
            state = run.frames()
            self.assertIn("column.right.unfold", state["widgets"])
            left, right = state["widgets"]["column.left"], state["widgets"]["column.right"]
            self.assertGreater(right[0] - left[0] - left[2], 0.6 * 1280, "room for the world")
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: "body.friction" in s["widgets"], "the body's panel")
            run.key("Escape")
            run.wait(lambda s: "column.right.unfold" in s["widgets"], "the column to close")
            # Opened by hand it stays.
            run.click("column.right.unfold")
            run.wait(lambda s: "section.layers" in s["widgets"], "the panels")
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: "body.friction" in s["widgets"], "the body's panel")
            run.key("Escape")
            self.assertIn("section.layers", run.frames(3)["widgets"])

    def test_a_narrow_window_shows_one_column(self):
        with with_small_scene(size=(800, 600), scale=1.0) as run:
            run.key("p")
            self.assertIn("transport.pause", run.frames()["widgets"])
            run.click("column.right.unfold")
            state = run.wait(lambda s: "column.left.unfold" in s["widgets"], "the left column to give way")
            self.assertNotIn("transport.pause", state["widgets"])
            self.assertGreater(self.share_of_the_world(run, 800, 600), 0.6)
            run.click("column.left.unfold")
            run.wait(lambda s: "transport.pause" in s["widgets"] and "column.right.unfold" in s["widgets"], "the other")
            self.assertGreater(self.share_of_the_world(run, 800, 600), 0.6)

    def share_of_the_world(self, run, width, height):
        """Of the window's area, what no panel covers."""
        widgets = run.frames(3)["widgets"]
        panels = [widgets[name] for name in ("column.left", "column.right", "column.tools", "timeline")]
        return 1.0 - sum(w * h for _, _, w, h in panels) / (width * height)

    def test_scenes_are_framed_beside_the_panels(self):
        for size in ((1280, 720), (800, 600)):
            with with_small_scene(size=size, scale=1.0) as run:
                run.key("p")
                for scene in ("duel", "seams", "rolling", "billiards", "bridge", "free_tops", "domino_run"):
                    run.key("ctrl+shift+o")
                    run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
                    run.frames(3)
                    run.xdotool("type", "--delay", 5, os.path.join(SCENES, scene + ".json"))
                    run.frames()
                    run.key("Return")
                    run.wait(lambda s, scene=scene: s["scene"]["file"].endswith(scene + ".json"), "the scene")
                    state = run.frames(4)
                    widgets = state["widgets"]
                    self.assertEqual(state["step"], 0)
                    left = widgets["column.left"][0] + widgets["column.left"][2]
                    right, bottom = widgets["column.right"][0], widgets["timeline"][1]
                    for body in state["on_screen"]:
                        self.assertIsNotNone(body["at"], (scene, body["name"]))
                        x, y = body["at"]
                        self.assertTrue(left < x < right and 0 < y < bottom, (scene, size, body["name"], x, y))
                    # What is over at once opens in slow motion, and that ends with the scene.
                    self.assertAlmostEqual(state["time_scale"], 0.02 if scene == "duel" else 1.0, places=6)
                    if scene == "duel" and size[0] > 1000:
                        self.compare_both_values_of_a_switch(run)
                # Where a scene says that things will be, they are seen as well when they have come there.
                for scene, steps in (("ragdoll", 150), ("cradle", 60)):
                    run.key("ctrl+shift+o")
                    run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
                    run.frames(3)
                    run.xdotool("type", "--delay", 5, os.path.join(SCENES, scene + ".json"))
                    run.frames()
                    run.key("Return")
                    run.wait(lambda s, scene=scene: s["scene"]["file"].endswith(scene + ".json"), "the scene")
                    run.frames(4)
                    run.key("p")
                    run.wait(lambda s, steps=steps: s["step"] >= steps, "a while")
                    run.key("p")
                    state = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
                    for body in state["on_screen"]:
                        self.assertIsNotNone(body["at"], (scene, body["name"]))
                        x, y = body["at"]
                        self.assertTrue(left < x < right and 0 < y < bottom, (scene, size, body["name"], x, y))

    def compare_both_values_of_a_switch(self, run):
        run.key("o")
        run.wait(lambda s: s["step"] == 1 and s["known_steps"] == 1, "a step")
        run.click("scene.compare.continuous")
        # The other run is over within a frame or two: what it leaves is waited for, not the run.
        run.wait(lambda s: s["ghosts"] and s["ghosts"]["line"] == 0 and not s["settings"]["continuous"] and
                 not s["what_if"] and s["paused"] and s["step"] == 1, "the end of the other run")
        run.click("scene.continuous")
        run.wait(lambda s: s["settings"]["continuous"], "the switch")
        run.key("ctrl+z")  # what was switched is work that opening another scene would ask about
        run.wait(lambda s: not s["scene"]["unsaved"], "nothing to save")

    def test_camera_looks_from_the_top_and_follows(self):
        with with_small_scene() as run:
            run.key("p")
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
        with with_small_scene() as run:
            run.key("p")
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
        with with_small_scene() as run:
            run.key("p")
            run.wait(lambda s: s["paused"], "the pause")
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

    # Text at 200 % in the smallest window: nothing lies over each other or outside, and dialogs can be answered.
    def test_largest_text_fits_the_smallest_window(self):
        size = (800, 600)
        with with_small_scene(size=size, scale=2.0) as run:
            run.key("p")

            def inside(state, name):
                x, y, width, height = state["widgets"][name]
                self.assertTrue(x >= 0 and y >= 0 and x + width <= size[0] and y + height <= size[1],
                                (name, state["widgets"][name]))

            state = run.wait(lambda s: s["paused"] and "pill.paused" in s["widgets"], "the pause")
            self.assertEqual(state["tight"], [])
            inside(state, "pill.paused")
            buttons = [r for name, r in state["widgets"].items()
                       if name.startswith("transport.") and name != "transport.speed" or name == "column.left.fold"]
            self.assertGreater(len(buttons), 7)
            for i, (x, y, width, height) in enumerate(buttons):
                for left, top, across, down in buttons[:i]:
                    self.assertTrue(x >= left + across - 1 or left >= x + width - 1 or y >= top + down - 1 or
                                    top >= y + height - 1, "buttons lie over each other")
            run.key("ctrl+F1")
            state = run.wait(lambda s: "keys.close" in s["widgets"], "the keys")
            state = run.frames(3)
            for name in ("keys.search", "keys.changed_only", "keys.reset_all", "keys.close", "keys.pause.add"):
                inside(state, name)
            self.assertEqual(state["tight"], [])
            run.click("keys.close")
            run.wait(lambda s: "keys.close" not in s["widgets"], "no keys")
            run.key("ctrl+o")
            run.wait(lambda s: s["view"]["browser"], "the browser")
            state = run.frames(3)
            self.assertEqual(state["tight"], [])
            state = run.wait(lambda s: "browser.small.recent" in s["widgets"], "its cards")
            self.assertLess(state["widgets"]["browser.small.recent"][2], size[0] / 2, "two cards beside each other")
            run.key("Escape")

    def test_screenshot_is_of_the_world_or_of_all(self):
        with with_small_scene() as run:
            run.key("p")
            folder = os.path.join(run.folder, "data", "cairn", "screenshots")
            pictures = []
            for key in ("F12", "shift+F12"):
                run.key(key)
                run.wait(lambda _: os.path.isdir(folder) and len(os.listdir(folder)) == len(pictures) + 1, "a picture")
                run.frames(3)
                new = [f for f in os.listdir(folder) if f not in pictures][0]
                pictures.append(new)
            world, all_of_it = (list(rows_of_png(os.path.join(folder, name))) for name in pictures)
            x, y, width, height = run.state()["widgets"]["transport.pause"]
            at = slice(round(x), round(x + width))
            self.assertNotEqual(world[round(y + height / 2)][at], all_of_it[round(y + height / 2)][at])


if __name__ == "__main__":
    unittest.main()
