"""Captures in the real window: opened at a step, and a recording that the disk refuses."""

import os
import subprocess
import tempfile
import unittest

from driver import Display, Program, program, verify
from small_scene import errors_of, gl_troubles, with_small_scene


def verified(capture):
    """How many steps of it."""
    return int(verify(capture).split("ok, ")[1].split(" ")[0])


class Captures(unittest.TestCase):
    def test_capture_opens_at_a_step(self):
        def record(run):
            subprocess.run([program(), "simulate", "builtin:duel", "--steps", "200", "--capture",
                            os.path.join(run.folder, "duel.cairn")], check=True, capture_output=True)

        with Program("duel.cairn", "--at", "130", prepare=record) as run:
            state = run.wait(lambda s: s["replay"] is not None, "the replay")
            self.assertTrue(state["paused"])
            self.assertEqual((state["step"], state["known_steps"]), (130, 200), "all of it is known")
            self.assertEqual((state["replay"]["step"], state["replay"]["steps"]), (130, 200))
            run.key("o")
            state = run.wait(lambda s: s["step"] == 131, "the next step")
            self.assertIsNone(state["replay"].get("divergence"))
            # What follows and what led there can be seen at once.
            x, y, width, height = state["widgets"]["timeline.track"]
            run.click_at(x + 0.9 * width, y + height / 2)
            run.wait(lambda s: s["step"] > 160 and not s["seeking"], "a later step")
            run.click_at(x + 0.65 * width, y + height / 2)
            run.wait(lambda s: 120 < s["step"] < 140 and not s["seeking"], "the step again")
            while run.state()["step"] != 131:
                run.key("o" if run.state()["step"] < 131 else "shift+o")
                run.frames(2)
            # What led there can be seen, too.
            run.key("shift+o")
            run.wait(lambda s: s["step"] == 130, "one step back")
            run.key("shift+o")
            run.wait(lambda s: s["step"] == 129, "another one")
            run.key("p")
            state = run.wait(lambda s: s["replay"] is None or s["replay"]["finished"], "the end")
            self.assertIsNone((state["last_replay"] or state["replay"]).get("divergence"))
            # It ends with the capture, and goes no step further.
            state = run.wait(lambda s: s["replay"] is None and s["paused"] and not s["seeking"], "the pause there")
            self.assertEqual(state["last_replay"]["compared"], 71)
            self.assertEqual((state["step"], run.frames(5)["step"]), (200, 200))

    def test_scene_is_recorded_from_its_first_step(self):
        with with_small_scene("--capture", "all.cairn") as run:
            run.key("space")
            run.wait(lambda s: s["bodies"] == 4 and s["step"] > 30, "a ball")
            run.key("p")
            step = run.wait(lambda s: s["paused"], "the pause")["step"]
            run.key("F9")
            run.wait(lambda s: s["recording"] is None, "the end of the recording")
            self.assertGreaterEqual(verified(run.path("all.cairn")), step)

    def test_recording_from_the_start_needs_a_scene_and_a_place(self):
        display = Display(640, 400)
        self.addCleanup(display.close)

        def refused(*arguments):
            result = subprocess.run([program(), *arguments], capture_output=True, text=True, timeout=100, check=False,
                                    env=dict(os.environ, DISPLAY=display.name, LIBGL_ALWAYS_SOFTWARE="1"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            return result.stderr
        with tempfile.TemporaryDirectory() as folder:
            capture = os.path.join(folder, "duel.cairn")
            subprocess.run([program(), "simulate", "builtin:duel", "--steps", "5", "--capture", capture], check=True,
                           capture_output=True)
            self.assertIn("is a capture itself", refused(capture, "--capture", os.path.join(folder, "other.cairn")))
            self.assertIn("duel.cairn: ", refused("duel", "--capture", os.path.join(capture, "x.cairn")))

    def test_every_scene_is_recorded_if_wished(self):
        with with_small_scene(size=(1000, 640)) as run:
            run.open_section("capture", "capture.always")
            run.click("capture.always")
            folder = os.path.join(run.folder, "data", "cairn", "captures")
            seen = set()
            for _ in range(3):
                run.key("r")
                state = run.wait(lambda s: s["recording"] and s["recording"]["path"] not in seen
                                 and s["recording"]["steps"] > 5, "a recording of its own")
                seen.add(state["recording"]["path"])
            run.key("p")
            run.wait(lambda s: s["paused"], "the pause")
            run.click("capture.stop")
            run.wait(lambda s: s["recording"] is None, "the end of the last one")
            self.assertEqual(set(os.listdir(folder)), {os.path.basename(path) for path in seen})
            for path in seen:
                self.assertGreater(verified(path), 5)

    def test_recording_is_a_mark_on_the_history_that_is_there(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 60, "some history")
            run.key("space")
            run.wait(lambda s: s["undo"] == "Throw a ball", "an edit")
            state = run.key("F9")
            state = run.wait(lambda s: s["recording"] and s["recording"]["steps"] > 20, "the recording")
            self.assertGreater(state["known_steps"], 80, "what was before is known")
            self.assertEqual(state["undo"], "Throw a ball")
            self.assertIn("timeline.recorded", state["widgets"])
            run.key("p")
            state = run.wait(lambda s: s["paused"], "the pause")
            path, known = state["recording"]["path"], state["known_steps"]
            run.key("F9")
            state = run.wait(lambda s: s["recording"] is None, "the end of the recording")
            self.assertIn("--at ", state["messages"][-1]["text"])
            self.assertEqual(verified(path), known)
            # And any step of before is had again.
            x, y, width, height = state["widgets"]["timeline.track"]
            run.click_at(x + 0.1 * width, y + height / 2)
            run.wait(lambda s: s["step"] < 60 and not s["seeking"], "a step from before the recording")
            self.assertEqual(errors_of(run.state()), [])

    def test_recording_that_cannot_be_written_is_told(self):
        with with_small_scene() as run:  # where the folder of captures would be, a file is
            os.makedirs(os.path.join(run.folder, "data", "cairn"), exist_ok=True)
            with open(os.path.join(run.folder, "data", "cairn", "captures"), "w", encoding="utf-8") as file:
                file.write("in the way")
            run.key("F9")
            state = run.wait(errors_of, "the error")
            self.assertIsNone(state["recording"])
            step = state["step"]
            run.wait(lambda s: s["step"] > step, "the world to go on")
            # Nor can the past be saved, which is still there when the way is free.
            run.key("p")
            known = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")["known_steps"]
            run.key("shift+F9")
            state = run.wait(lambda s: s["messages"][-1]["times"] == 2, "the same error again")
            self.assertEqual(state["known_steps"], known)
            os.remove(os.path.join(run.folder, "data", "cairn", "captures"))
            self.assertEqual(verified(run.saved_history()), known)
            # No folder is made of what may be mistyped, nor one called ~.
            run.open_section("capture", "capture.path")
            run.type_over("capture.path", "~/no such folder/session.cairn")
            run.click("capture.save_past")
            message = os.path.expanduser("~/no such folder") + ": there is no such folder"
            run.wait(lambda s: s["messages"][-1]["text"] == message, "that there is no such folder")
            self.assertFalse(os.path.exists(run.path("~")))

    def test_session_is_recorded_and_verifies_headless(self):
        with with_small_scene() as run:
            run.open_section("capture", "capture.path")
            run.type_over("capture.path", "session.cairn")
            run.click("capture.record")
            state = run.wait(lambda s: s["recording"] and s["recording"]["steps"] > 0, "the recording")
            capture = state["recording"]["path"]
            self.assertEqual(capture, run.path("data/cairn/captures/session.cairn"))
            # The name stays in the field: neither the history nor a recording replaces a capture unasked.
            run.key("shift+F9")
            run.wait(lambda s: "being recorded" in s["messages"][-1]["text"], "that it cannot be replaced now")
            run.key("F9")
            state = run.wait(lambda s: s["recording"] is None, "the end of the recording")
            with open(capture, "rb") as file:
                first = file.read()
            for button in ("capture.save_past", "capture.record"):
                run.click(button)
                run.click("question.cancel")
                with open(capture, "rb") as file:
                    self.assertEqual(file.read(), first)
            run.click("capture.record")
            run.click("question.replace")
            run.wait(lambda s: s["recording"] and s["recording"]["steps"] > 0, "another recording")

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
            verify(capture)

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


if __name__ == "__main__":
    unittest.main()
