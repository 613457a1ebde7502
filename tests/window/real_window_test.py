"""Tests of the real window: each starts the built program in a virtual display and uses it as a person would."""

import itertools
import json
import os
import subprocess
import tempfile
import unittest

from driver import Display, Program, program, read_png, write_scene
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
        write_scene(path, with_far_heap(side))
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
        with with_small_scene(paused=4) as run:
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
            self.assertEqual(run.quit(), 0)

    def test_mouse_moves_the_camera(self):
        with with_small_scene(paused=0) as run:
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
            with run.held("d"):
                run.wait(lambda s: s["camera"]["eye"] != nearer, "the flight")

    def test_select_edit_and_delete(self):
        with with_small_scene(paused=3) as run:
            body = run.pickable("left")
            state = run.click_at(*body["at"])
            self.assertEqual(state["selected"], {"index": body["index"], "generation": body["generation"]})
            self.assertEqual(state["bodies"], 3)
            with open(os.path.join(SCENES, "scene.schema.json"), encoding="utf-8") as file:
                described = json.load(file)["$defs"]["body"]["properties"]
            for key in ("mass", "friction", "gravity_scale", "can_sleep"):
                run.point_at("body." + key)
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
        with with_small_scene(paused=0) as run:
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
            run.wait(lambda s: s["bodies"] == bodies and s["selection"] == [body["index"]], "the body back, and selected")

            # Fields take what people calculate, and say what they do not take.
            run.type_over("world.gravity.z", "-2*(3+1)")
            run.wait(lambda s: s["gravity"][2] == -8, "what that comes to")
            run.type_over("world.gravity.z", "-9,81")
            state = run.wait(errors_of, "the refusal")
            self.assertIn('"-9,81" is not a number: write 1.5, not 1,5; it stays -8', errors_of(state)[0])
            self.assertEqual(state["gravity"][2], -8)
            run.key("ctrl+z")

            gravity = run.state()["gravity"]
            run.click("world.gravity.Moon")
            run.wait(lambda s: s["gravity"] != gravity and s["undo"] == "Change Gravity", "the moon")
            run.key("ctrl+z")
            state = run.wait(lambda s: s["gravity"] == gravity, "the earth")
            self.assertEqual(len(errors_of(state)), 1)

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
                with run.held("1"):
                    run.frames()

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


if __name__ == "__main__":
    unittest.main()
