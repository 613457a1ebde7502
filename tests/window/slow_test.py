"""A world whose steps take long: the window goes on, and everything that is asked of the world is done at once."""

import json
import subprocess
import time
import unittest

from driver import Program, program, write_scene


def slow_tumbler(run):
    """4000 cubes in a drum that turns, at as many substeps as there can be: many times the usual cost of a step."""
    subprocess.run([program(), "bench", "bench/tumbler", "--write", run.folder], env=run.environment, check=True,
                   stdout=subprocess.DEVNULL)
    with open(run.path("tumbler.json"), encoding="utf-8") as file:
        scene = json.load(file)
    scene.setdefault("step", {}).update({"substeps": 64, "max_substeps": 64, "hz": 120})
    write_scene(run.path("slow.json"), scene)


class SlowWorld(unittest.TestCase):
    def test_window_answers_while_steps_take_long(self):
        with Program("slow.json", "--threads", "1", "--quality", "low", size=(480, 320), scale=0.5,
                     prepare=slow_tumbler) as run:
            # Steps take longer than pictures, and the window says by how much.
            run.wait(lambda s: s["step"] >= 2 and "pill.slow" in s["widgets"], "two steps and a word about the pace")
            run.wait(lambda s: s["pace"] < 0.5, "the world to fall behind")

            # Pause: the world stands, and not only when its step has come to an end.
            run.xdotool("key", "p")
            state = run.wait(lambda s: s["paused"], "the pause")
            step = state["step"]
            self.assertEqual(run.frames(10)["step"], step)

            # Delete and undo, in a world that runs.
            run.click_at(240, 160)  # the drum
            run.wait(lambda s: s["selected"] is not None, "the selection")
            bodies = run.state()["bodies"]
            run.xdotool("key", "p")
            run.wait(lambda s: not s["paused"], "the world to go on")
            run.xdotool("key", "Delete")
            run.wait(lambda s: s["bodies"] == bodies - 1, "the deletion")
            run.xdotool("key", "ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies, "the undo")
            step = run.state()["step"]
            run.wait(lambda s: s["step"] > step, "the next step")

            # Quit in the midst of a step.
            run.xdotool("key", "ctrl+q")
            end = time.monotonic() + run.patience
            while run.process.poll() is None and time.monotonic() < end:
                time.sleep(0.02)
            self.assertEqual(run.process.poll(), 0)


if __name__ == "__main__":
    unittest.main()
