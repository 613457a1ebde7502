"""Captures in the real window: opened at a step, and a recording that the disk refuses."""

import glob
import os
import subprocess
import tempfile
import unittest

from driver import Display, Program, program
from small_scene import errors_of, with_small_scene


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

    def verified(self, path):
        result = subprocess.run([program(), "verify", path], capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return int(result.stdout.split("ok, ")[1].split(" ")[0])

    def test_scene_is_recorded_from_its_first_step(self):
        with with_small_scene("--capture", "all.cairn") as run:
            run.key("space")
            run.wait(lambda s: s["bodies"] == 4 and s["step"] > 30, "a ball")
            run.key("p")
            step = run.wait(lambda s: s["paused"], "the pause")["step"]
            run.key("F9")
            run.wait(lambda s: s["recording"] is None, "the end of the recording")
            self.assertGreaterEqual(self.verified(run.path("all.cairn")), step)

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
                self.assertGreater(self.verified(path), 5)

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
            self.assertEqual(self.verified(path), known)
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
            run.key("shift+F9")
            saved = os.path.join(run.folder, "data", "cairn", "captures", "*.cairn")
            run.wait(lambda s: glob.glob(saved), "the capture")
            self.assertEqual(self.verified(glob.glob(saved)[0]), known)


if __name__ == "__main__":
    unittest.main()
