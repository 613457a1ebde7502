"""Captures in the real window: opened at a step, and a recording that the disk refuses."""

import os
import subprocess
import unittest

from driver import Program, program
from small_scene import errors_of, with_small_scene


class Captures(unittest.TestCase):
    def test_capture_opens_at_a_step(self):
        def record(run):
            subprocess.run([program(), "simulate", "duel", "--steps", "200", "--capture",
                            os.path.join(run.folder, "duel.cairn")], check=True, capture_output=True)

        with Program("duel.cairn", "--at", "130", prepare=record) as run:
            state = run.wait(lambda s: s["replay"] is not None, "the replay")
            self.assertTrue(state["paused"])
            self.assertEqual((state["step"], state["known_steps"]), (130, 130))
            self.assertEqual((state["replay"]["step"], state["replay"]["steps"]), (130, 200))
            run.key("o")
            state = run.wait(lambda s: s["step"] == 131, "the next step")
            self.assertIsNone(state["replay"].get("divergence"))
            # What led there can be seen, too.
            run.key("shift+o")
            run.wait(lambda s: s["step"] == 130, "one step back")
            run.key("shift+o")
            run.wait(lambda s: s["step"] == 129, "another one")
            run.key("p")
            state = run.wait(lambda s: s["replay"] is None or s["replay"]["finished"], "the end")
            self.assertIsNone((state["last_replay"] or state["replay"]).get("divergence"))

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


if __name__ == "__main__":
    unittest.main()
