"""Tests of what is seen and saved of the motion of bodies, with real key presses and clicks."""

import csv
import glob
import unittest

from small_scene import SMALL, errors_of, with_scene


class Motion(unittest.TestCase):
    # Curves of the bodies that are selected, and a table of every step since the start, however late it is asked for.
    def test_motion_of_two_bodies_is_shown_and_saved(self):
        ground, left, right = SMALL["bodies"]
        scene = SMALL | {"bodies": [ground, left | {"position": [-1.2, 0, 3]}, right | {"linear_velocity": [0, 0, 4]}]}
        with with_scene("fall.json", scene, size=(1000, 800), paused=70) as run:
            run.key("shift+F2")
            run.wait(lambda s: any(m["text"].startswith("Select the bodies") for m in s["messages"]), "what is missing")
            run.key("ctrl+a")
            run.wait(lambda s: len(s["selection"]) == 2, "both")
            run.open_section("motion", "motion.save")
            state = run.wait(lambda s: {"motion.speed", "motion.height"} <= set(s["widgets"]), "the curves")
            steps = state["step"]
            run.click("motion.save")
            state = run.wait(lambda s: any(m["text"].startswith("Saved ") for m in s["messages"]), "the table")
            (path,) = glob.glob(run.path("data/cairn/plots/*motion*.csv"))
            with open(path, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual({row["name"] for row in rows}, {"left", "right"})
            self.assertEqual([int(row["step"]) for row in rows if row["name"] == "left"], list(range(steps + 1)))
            of_right = [row for row in rows if row["name"] == "right"]
            self.assertEqual(float(of_right[0]["vz"]), 4)
            self.assertAlmostEqual(float(of_right[12]["vz"]), 4 - 9.81 * 0.2, delta=0.01)
            for body in state["on_screen"]:
                last = [row for row in rows if row["name"] == body["name"]][-1]
                self.assertEqual([float(last[axis]) for axis in "xyz"], body["position"])
            self.assertEqual(errors_of(state), [])

            # A restart keeps them selected.
            shown = state["body"]["name"]
            run.key("r")
            state = run.wait(lambda s: s["step"] < steps and "motion.speed" in s["widgets"], "the start")
            self.assertEqual((len(state["selection"]), state["body"]["name"]), (2, shown))


if __name__ == "__main__":
    unittest.main()
