"""Tests of the real window: each starts the built program in a virtual display and uses it as a person would."""

import itertools
import json
import os
import random
import subprocess
import tempfile
import unittest

from driver import Display, Program, program, read_png
from small_scene import SMALL, errors_of, gl_troubles, with_small_scene

SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes")
TOWER = os.path.join(SCENES, "tower.json")

def with_far_heap(side):
    """The same two boxes, and side^3 others far out of sight, whose steps are taken as finely as can be."""
    return dict(SMALL, name="Far heap", step={"substeps": 64}, solver={"sleeping": False}, bodies=[
        dict(SMALL["bodies"][0], shape={"box": {"half_extents": [2000, 2000, 0.5]}}),
        {"name": "heap", "shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}, "position": [1000, 0, 0.5],
         "repeat": {"count": [side, side, side], "spacing": [1, 1, 1]}},
        *SMALL["bodies"][1:]])


def slow_scene(folder, milliseconds):
    """Writes the far heap that takes about so long for a step on this machine, with this build, as busy as it is."""
    path, side = os.path.join(folder, "heavy.json"), 6
    for _ in range(3):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(with_far_heap(side), file)
        result = subprocess.run([program(), "simulate", path, "--steps", "7", "--threads", "1", "--stats", "-"],
                                capture_output=True, text=True, timeout=200, check=True)
        taken = json.loads(result.stdout)["ms_per_step"]["median"]  # the first is longer
        if taken > 0.5 * milliseconds:
            break
        side = min(max(round(side * (milliseconds / taken) ** (1 / 3)), side + 1), 40)
    return path


class RealWindow(unittest.TestCase):
    def run_frames(self, folder, *arguments, **environment):
        display = Display(640, 400)
        try:
            return subprocess.run([program(), *arguments], cwd=folder, capture_output=True, text=True,
                                  env=dict(os.environ, DISPLAY=display.name, XDG_STATE_HOME=folder,
                                           LIBGL_ALWAYS_SOFTWARE="1", **environment), timeout=200, check=False)
        finally:
            display.close()

    def test_frames_leave_a_picture_and_a_state(self):
        with tempfile.TemporaryDirectory() as folder:
            # Mesa gives 4.5 whatever is asked for: hold it to the version that the program needs.
            result = self.run_frames(folder, TOWER, "--frames", "12", "--size", "640x400", "--msaa", "0",
                                     "--screenshot", "p.png", "--stats", "s.json",
                                     MESA_GL_VERSION_OVERRIDE="4.1", MESA_GLSL_VERSION_OVERRIDE="410")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(os.path.join(folder, "s.json"), encoding="utf-8") as file:
                state = json.load(file)
            self.assertEqual((state["frames"], state["step"]), (12, 12))
            self.assertEqual(gl_troubles(state), [])
            self.assertGreater(state["draw_calls"], 0)
            width, height, pixels = read_png(os.path.join(folder, "p.png"))
            self.assertEqual((width, height), (640, 400))
            self.assertGreater(len(set(pixels[::97])), 40, "the picture is all but empty")
            self.assertFalse(os.path.exists(os.path.join(folder, "cairn", "imgui.ini")))

    def test_no_display_is_said_and_not_survived(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
            result = subprocess.run([program(), TOWER, "--frames", "2"], cwd=folder, env=environment,
                                    capture_output=True, text=True, timeout=100, check=False)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("no window", result.stderr)

    def test_keys(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 3, "steps")
            run.key("p")
            stopped = run.wait(lambda s: s["paused"], "the pause")["step"]
            self.assertEqual(run.frames(4)["step"], stopped)
            run.key("o")
            self.assertEqual(run.frames()["step"], stopped + 1)
            for key, layer in (("1", "contacts"), ("4", "bounds"), ("5", "velocities")):
                self.assertTrue(run.key(key)["view"]["layers"][layer], layer)
            self.assertTrue(run.key("7")["view"]["layers"]["joints"], "off at first")
            self.assertTrue(run.key("t")["view"]["touching"])
            state = run.key("question")
            self.assertTrue(state["view"]["help"])
            self.assertIn("help", state["widgets"])
            self.assertFalse(run.key("Escape")["view"]["help"])
            self.assertTrue(run.key("F1")["view"]["help"])
            self.assertFalse(run.key("F1")["view"]["help"])
            self.assertNotIn("column.left", run.key("h")["widgets"])
            self.assertIn("column.left", run.key("h")["widgets"])
            self.assertEqual(run.key("r")["step"], 0)
            self.assertFalse(run.key("p")["paused"])
            run.move(420, 300)
            run.key("space")
            state = run.wait(lambda s: s["bodies"] == 4, "a thrown ball")
            self.assertEqual(errors_of(state), [])
            self.assertEqual(gl_troubles(state), [])
            run.xdotool("key", "ctrl+q")
            self.assertEqual(run.process.wait(timeout=60), 0)

    def test_help_is_seen_as_a_whole(self):
        with with_small_scene(size=(1280, 720), scale=1.0) as run:
            run.key("p")
            self.assertIn("pill.paused", run.frames()["widgets"])
            run.key("question")
            widgets = run.frames(3)["widgets"]
            x, y, width, height = widgets["help"]
            self.assertTrue(x >= 0 and y >= 0 and x + width <= 1280 and y + height <= 720, widgets["help"])
            end = widgets["help.end"]
            self.assertLess(end[1] + end[3], y + height, "what is below can only be seen by scrolling")
            self.assertNotIn("pill.paused", widgets, "in the midst of the keys")
            run.key("Escape")
            self.assertIn("pill.paused", run.frames()["widgets"])

    def test_notes_stay_between_the_columns(self):
        with with_small_scene(size=(1920, 1080), scale=2.0) as run:
            run.key("p")
            run.key("F12")  # the note has the path of the picture, which fills its lines
            widgets = run.wait(lambda s: "note.0" in s["widgets"], "the note")["widgets"]
            left, note, right = (widgets[name] for name in ("column.left", "note.0", "column.right"))
            self.assertLessEqual(left[0] + left[2], note[0])
            self.assertLessEqual(note[0] + note[2], right[0])

    def test_mouse_moves_the_camera(self):
        with with_small_scene() as run:
            run.key("p")
            eye = run.state()["camera"]["eye"]
            run.move(400, 200)
            run.press(3)
            run.move(460, 230)
            state = run.release(3)
            self.assertNotEqual(state["camera"]["eye"], eye)
            self.assertGreater(state["camera"]["eye"][2], eye[2], "dragging down lifts the eye")
            turned = state["camera"]
            run.press(2)
            run.move(430, 260)
            moved = run.release(2)["camera"]
            shift = [b - a for a, b in zip(turned["eye"], moved["eye"])]
            for a, b, c in zip(turned["target"], moved["target"], shift):
                self.assertAlmostEqual(b - a, c, places=3)
            run.xdotool("click", 4)
            nearer = run.wait(lambda s: s["camera"]["eye"] != moved["eye"], "the zoom")["camera"]["eye"]
            self.assertLess(nearer[2], moved["eye"][2])
            run.xdotool("keydown", "d")
            run.wait(lambda s: s["camera"]["eye"] != nearer, "the flight")
            run.xdotool("keyup", "d")

    def test_select_edit_and_delete(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("p")
            body = run.pickable("left")
            state = run.click_at(*body["at"])
            self.assertEqual(state["selected"], {"index": body["index"], "generation": body["generation"]})
            self.assertEqual(state["bodies"], 3)
            with open(os.path.join(SCENES, "scene.schema.json"), encoding="utf-8") as file:
                described = json.load(file)["$defs"]["body"]["properties"]
            for key in ("mass", "friction", "gravity_scale", "can_sleep"):
                x, y, width, height = run.state()["widgets"]["body." + key]
                run.move(x + width / 2, y + height / 2)
                sentence = described[key]["description"].split(" In ")[0]
                run.wait(lambda s: sentence in s["tip"], f"the tooltip of {key}")
            run.type_over("body.friction", "200")
            state = run.wait(errors_of, "the refusal")
            self.assertEqual(errors_of(state), ["Friction: 200 is not within 0 to 100; it stays 0.5"])
            run.key("f")
            run.wait(lambda s: s["camera"]["eye"][2] < 3.9, "the framed body")
            run.key("Delete")
            state = run.wait(lambda s: s["bodies"] == 2, "the deletion")
            self.assertIsNone(state["selected"])
            self.assertEqual([b["name"] for b in state["on_screen"]], ["right"])
            run.key("r")
            run.click("question.discard")
            run.wait(lambda s: s["bodies"] == 3, "the restart")

    def test_session_is_recorded_and_verifies_headless(self):
        with with_small_scene() as run:
            run.open_section("capture", "capture.path")
            run.type_over("capture.path", "session.cairn")
            run.click("capture.record")
            state = run.wait(lambda s: s["recording"] and s["recording"]["steps"] > 0, "the recording")
            capture = state["recording"]["path"]
            self.assertEqual(capture, run.path("data/cairn/captures/session.cairn"))

            # A body's colour: one of those offered, undone, done again, then one that is typed.
            def colour(index, wanted):
                return lambda s: next(b for b in s["on_screen"] if b["index"] == index)["colour"] == wanted
            run.click_at(*run.pickable("left")["at"])
            left = run.wait(lambda s: s["selected"], "the selection")["selected"]["index"]
            run.click("body.colour")
            run.click("body.colour.8")
            run.wait(colour(left, "#d02c2c"), "the red one")
            run.key("Escape")  # the field closes, the body stays selected
            state = run.wait(lambda s: "body.colour.8" not in s["widgets"], "the field to close")
            self.assertEqual((state["undo"], state["selected"]["index"]), ("Colour left", left))
            run.key("ctrl+z")
            run.wait(colour(left, None), "no colour of its own")
            run.key("ctrl+y")
            run.wait(colour(left, "#d02c2c"), "the red one again")
            run.click("body.colour")
            run.type_over("body.colour.text", "12ff08")
            run.wait(colour(left, "#12ff08"), "the green that was typed")
            run.key("Escape")
            run.wait(lambda s: "body.colour.text" not in s["widgets"], "the field to close")

            # A body's shapes: one is made wider, one is added, made a sensor, and removed; the first is had back.
            run.click_at(*run.pickable("right")["at"])
            run.click("section.body")
            run.open_section("shapes", "shape.half.x")
            run.type_over("shape.half.x", "0.7")

            def shapes(*words):
                return lambda s: s["body"] and [shape["what"] for shape in s["body"]["shapes"]] == list(words)
            before, wider = "box 1.2 × 1.2 × 1.2 m", "box 1.4 × 1.2 × 1.2 m"
            state = run.wait(shapes(wider), "the wider box")
            self.assertAlmostEqual(state["body"]["mass"], 1000 * 1.4 * 1.2 * 1.2, delta=1)
            run.click("shape.0")
            run.click("shape.add")
            run.click("shape.add.Sphere")
            run.wait(shapes(wider, "sphere r 0.35 m"), "the ball on top of it")
            run.click("shape.1")
            run.click("shape.sensor")
            run.wait(lambda s: s["body"]["shapes"][1]["sensor"], "the sensor")
            run.click("shape.friction.own")
            run.wait(lambda s: s["body"]["shapes"][1]["friction"] == 0.5, "its own friction")
            run.click("shape.remove")
            state = run.wait(shapes(wider), "the removal")
            self.assertEqual(state["undo"], "Remove a shape of right")
            for _ in range(5):
                run.key("ctrl+z")
            run.wait(shapes(before), "the box as it was")
            run.click("section.body")
            run.key("Escape")

            # Five diamonds: the shape from the list, the number typed.
            run.click("spawn.shape")
            run.click("spawn.shape.Diamond")
            run.type_over("spawn.count", "5")
            run.click("spawn.button")
            state = run.wait(lambda s: s["bodies"] == 8, "five diamonds")
            self.assertEqual([b["name"] for b in state["on_screen"]][:5], ["diamond"] * 5)

            run.click("world.gravity.Moon")
            run.wait(lambda s: abs(s["gravity"][2] + 1.62) < 1e-4, "the gravity of the moon")

            # Hold one of the boxes and lift it.
            body = run.pickable("left")
            x, y = body["at"]
            run.move(x, y)
            run.press()
            run.move(x + 12, y - 12)
            held = run.wait(lambda s: s["grab"]["active"], "the grab")
            self.assertIsNotNone(held["grab"]["body"])
            run.move(x + 20, y - 70)
            name = held["grab"]["body"]["index"]
            before = next(b for b in held["on_screen"] if b["index"] == name)["position"][2]
            run.wait(lambda s: next(b for b in s["on_screen"] if b["index"] == name)["position"][2] > before + 0.3,
                     "the held body to rise")
            run.release()
            run.wait(lambda s: not s["grab"]["active"], "letting go")

            run.key("F9")
            state = run.wait(lambda s: s["recording"] is None, "the end of the recording")
            self.assertEqual(errors_of(state), [])
            result = subprocess.run([program(), "verify", capture], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

            # And in the window.
            run.key("Escape")  # nothing selected: its panel is in the way
            run.click("capture.replay")
            run.click("question.discard")
            state = run.wait(lambda s: s["last_replay"] and s["last_replay"]["finished"], "the end of the replay")
            self.assertIsNone(state["last_replay"]["divergence"])
            self.assertGreater(state["last_replay"]["steps"], 10)
            self.assertEqual(state["bodies"], 8)
            self.assertTrue(colour(left, "#12ff08")(state), "the colour is in the capture")
            self.assertEqual(gl_troubles(state), [])

    def test_world_panel_holds_every_parameter(self):
        with open(os.path.join(SCENES, "scene.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        described = {"gravity": schema["properties"]["gravity"]}
        for section in ("step", "solver"):
            described.update(schema["$defs"][section]["properties"])
        with with_small_scene(size=(640, 480), scale=0.5) as run:
            run.key("p")
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
        with with_small_scene(size=(640, 480), scale=0.5) as run:
            run.key("p")
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
            run.move(x + width / 2, y + height / 2)
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

    def test_scenes_load_save_and_survive_a_faulty_file(self):
        def prepare(run):
            own = os.path.join(run.folder, "data", "cairn", "scenes")
            os.makedirs(own)
            with open(os.path.join(own, "broken.json"), "w", encoding="utf-8") as file:
                file.write('{ "cairn": 1,\n  "bodies": [ {"shape": {"sphere": {"radius": -1}}} ] }\n')
        with Program(TOWER, prepare=prepare) as run:
            bodies = run.state()["bodies"]
            run.open_section("scenes", "scenes.search")
            run.type_over("scenes.search", "broken")
            run.click("scene.broken")
            state = run.wait(errors_of, "the error message")
            self.assertIn("broken.json:2:", errors_of(state)[0])
            self.assertEqual(state["bodies"], bodies, "the running world was lost")
            self.assertTrue(state["scene"]["file"].endswith("tower.json"))

            run.type_over("scenes.search", "duel")
            run.click("scene.duel")
            state = run.wait(lambda s: s["scene"]["file"].endswith("duel.json"), "the other scene")
            self.assertNotEqual(state["bodies"], bodies)
            run.click("scenes.save")  # not over a built-in scene
            run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
            run.frames(3)
            run.key("Return")
            saved = run.wait(lambda s: any(m["text"].startswith("Saved ") for m in s["messages"]), "saving")
            path = next(m["text"] for m in saved["messages"] if m["text"].startswith("Saved "))[len("Saved "):]
            result = subprocess.run([program(), "check", path], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_undo_and_redo(self):
        with with_small_scene() as run:
            run.key("p")
            start = run.wait(lambda s: s["paused"], "the pause")
            self.assertEqual((start["undo"], start["redo"]), ("", ""))
            bodies = start["bodies"]
            run.move(450, 350)
            run.key("n")
            run.wait(lambda s: s["bodies"] == bodies + 1 and s["undo"].startswith("Spawn"), "a body")
            run.key("space")
            run.wait(lambda s: s["bodies"] == bodies + 2 and s["undo"] == "Throw a ball", "a ball")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies + 1 and s["redo"] == "Throw a ball", "the ball gone")
            run.click("transport.undo")
            run.wait(lambda s: s["bodies"] == bodies and s["undo"] == "", "the body gone")
            run.key("ctrl+shift+z")
            run.wait(lambda s: s["bodies"] == bodies + 1, "the body back")
            run.click("transport.redo")
            run.wait(lambda s: s["bodies"] == bodies + 2 and s["redo"] == "", "the ball back")

            run.key("ctrl+z")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies, "both gone again")

            # A body that is deleted comes back, and a drag goes back to where it began.
            body = run.pickable("left")
            run.click_at(*body["at"])
            run.key("Delete")
            run.wait(lambda s: s["bodies"] == bodies - 1 and s["undo"] == "Delete left", "the body deleted")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies, "the body back")

            gravity = run.state()["gravity"]
            run.click("world.gravity.Moon")
            run.wait(lambda s: s["gravity"] != gravity and s["undo"] == "Change Gravity", "the moon")
            run.key("ctrl+z")
            state = run.wait(lambda s: s["gravity"] == gravity, "the earth")
            self.assertEqual(errors_of(state), [])

    def test_columns_fold_and_unfold(self):
        with with_small_scene() as run:
            run.click("column.right.unfold")  # closed until something is selected
            run.wait(lambda s: "column.right.fold" in s["widgets"], "the right column")
            for side in ("left", "right"):
                wide = run.state()["widgets"]["column." + side][2]
                run.click(f"column.{side}.fold")
                state = run.wait(lambda s: f"column.{side}.unfold" in s["widgets"], "the folded column")
                self.assertLess(state["widgets"]["column." + side][2], wide / 3)
                run.click(f"column.{side}.unfold")
                run.wait(lambda s: s["widgets"].get("column." + side, [0] * 4)[2] == wide, "the column")

    def test_resize(self):
        with with_small_scene(size=(900, 600)) as run:
            window = run.window()
            for width, height in ((520, 420), (880, 560), (401, 333)):
                run.xdotool("windowsize", window, width, height)
                state = run.wait(lambda s: (s["window"]["width"], s["window"]["height"]) == (width, height)
                                 and s["widgets"]["column.right"][0] < width, f"{width}x{height}")
                state = run.frames(3)
                for column in ("column.left", "column.right"):
                    x, y, w, h = state["widgets"][column]
                    self.assertTrue(0 <= x and 0 <= y and x + w <= width and y + h <= height, (column, width, height))
                self.assertEqual(gl_troubles(state), [])

    def test_dragging_at_the_window_leaves_no_trace(self):
        # One size after the other, without waiting for a picture of any.
        with with_small_scene(size=(900, 600)) as run:
            window, rng = run.window(), random.Random(5)
            scale = run.state()["window"]["scale"]
            for _ in range(20):
                for _ in range(3):
                    run.xdotool("windowsize", window, rng.randint(380, 1200), rng.randint(300, 700))
                state = run.frames(1)
                self.assertEqual(gl_troubles(state), [])
            self.assertEqual(state["window"]["scale"], scale)

    def test_minimised_window_goes_on_without_drawing(self):
        with with_small_scene(managed=True) as run:
            window = run.window()
            run.wait(lambda s: s["step"] > 2 and not s["window"]["minimised"], "steps")
            run.xdotool("windowminimize", window)
            hidden = run.wait(lambda s: s["window"]["minimised"], "the minimised window")
            later = run.wait(lambda s: s["step"] > hidden["step"] + 20, "time to go on")
            self.assertEqual(later["frames"], hidden["frames"], "something was drawn")
            run.xdotool("windowactivate", window)
            run.wait(lambda s: not s["window"]["minimised"] and s["frames"] > later["frames"] + 2, "the window back")
            # It is whole again: a panel and a body can be clicked.
            run.click("transport.pause")
            self.assertTrue(run.wait(lambda s: s["paused"], "the pause")["paused"])
            body = run.pickable("left")
            state = run.click_at(*body["at"])
            self.assertEqual(state["selected"]["index"], body["index"])
            self.assertEqual(gl_troubles(state), [])

    def test_a_slow_step_holds_nothing_up(self):
        with Program("heavy.json", "--threads", "1", "--quality", "low", size=(480, 320), scale=0.5,
                     prepare=lambda run: slow_scene(run.folder, 500)) as run:  # all of the heap is in the picture
            run.wait(lambda s: s["step"] >= 1, "the first step")
            # Many pictures of one step.
            start = run.state()
            for _ in range(200):
                run.frames(3)
                now = run.state()
                if now["step"] == start["step"]:
                    break
                start = now
            else:
                self.fail("no two pictures of the same step")

            # What one does shows while the step goes on.
            def shows(act, effect):
                for _ in range(40):
                    before = run.state()
                    act()
                    after = run.wait(lambda s: effect(before, s), "an effect")
                    if after["step"] == before["step"]:
                        return after
                return self.fail("nothing showed before the step was done")

            def press_one():
                run.xdotool("keydown", "1")
                run.frames()
                run.xdotool("keyup", "1")

            shows(press_one, lambda a, b: a["view"]["layers"]["contacts"] != b["view"]["layers"]["contacts"])
            tool = run.state()["widgets"]["tool.throw"]
            places = itertools.cycle([(tool[0] + 5, tool[1] + 5), (400, 100)])  # a button, and the world
            shows(lambda: run.xdotool("mousemove", *map(round, next(places))),
                  lambda a, b: a["mouse"]["over_ui"] != b["mouse"]["over_ui"])
            run.move(400, 100)
            shows(lambda: run.xdotool("click", 4), lambda a, b: a["camera"]["eye"] != b["camera"]["eye"])

            # And the time that the steps could not keep up with is told.
            state = run.wait(lambda s: s["dropped_seconds"] > 0 and "pill.slow" in s["widgets"], "dropped time")
            run.click("column.right.unfold")
            run.click("section.layers")  # makes room for what is below
            run.wait(lambda s: "stats.dropped" in s["widgets"], "the figure in the panel")
            state = run.wait(lambda s: s["pace"] < 0.9, "the pace")
            self.assertGreater(state["pace"], 0)
            self.assertEqual(errors_of(state), [])
            run.key("p")
            still = run.wait(lambda s: s["paused"], "the end of the step")["step"]
            self.assertEqual(run.frames(3)["step"], still)
            self.assertEqual(run.state()["interpolation"], 1)

    def test_plain_pictures_without_a_graphics_card(self):
        with with_small_scene() as run:
            state = run.state()
            self.assertTrue(state["software_driver"])
            view = state["view"]
            self.assertEqual((view["msaa"], view["shadow_map"], view["occlusion"]), (1, 1024, False))
            run.key("p")
            run.click("layers.occlusion")
            state = run.wait(lambda s: s["view"]["occlusion"], "ambient occlusion")
            self.assertGreater(run.frames()["draw_calls"], state["draw_calls"] - 1)
            self.assertEqual(gl_troubles(state), [])

    def test_layout_at_every_scale(self):
        for scale, size in ((1.0, (1280, 720)), (2.0, (1280, 720))):
            with with_small_scene(size=size, scale=scale) as run:
                run.key("p")
                state = run.frames(3)
                self.assertEqual(state["window"]["scale"], scale)
                widgets = state["widgets"]
                columns = {name: widgets[name] for name in ("column.left", "column.right", "column.tools")}
                holders = dict(columns, **{n: r for n, r in widgets.items() if n == "timeline"})
                if scale == 1.0:
                    for x, _, width, _ in columns.values():
                        self.assertLessEqual(width, size[0] / 4)
                inner = {n: r for n, r in widgets.items()
                         if n.split(".")[0] not in ("column", "pill", "note") and n not in holders}
                self.assertGreater(len(inner), 15)
                for name, (x, _, width, _) in inner.items():
                    self.assertTrue(any(cx <= x and x + width <= cx + cw for cx, _, cw, _ in holders.values()),
                                    f"{name} sticks out of its column at scale {scale}")
                for (a, ra), (b, rb) in itertools.chain(itertools.combinations(inner.items(), 2),
                                                        itertools.combinations(holders.items(), 2)):
                    apart = (ra[0] + ra[2] <= rb[0] or rb[0] + rb[2] <= ra[0]
                             or ra[1] + ra[3] <= rb[1] or rb[1] + rb[3] <= ra[1])
                    self.assertTrue(apart, f"{a} and {b} overlap at scale {scale}")


if __name__ == "__main__":
    unittest.main()
