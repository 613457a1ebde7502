"""Tests of changing several bodies and joints in the panels, with real key presses and clicks."""

import json
import math
import os
import tempfile
import unittest

from driver import verify
from small_scene import SMALL, errors_of, with_scene, with_small_scene


def two_boxes(left, right):
    """The small scene with more said of its two boxes."""
    ground, *boxes = SMALL["bodies"]
    return SMALL | {"bodies": [ground, *({**one, **more} for one, more in zip(boxes, (left, right)))]}


class Editing(unittest.TestCase):
    # Of bodies that differ any number that is typed counts, also that of the one which is shown.
    def test_numbers_that_differ_take_any_that_is_typed(self):
        scene = two_boxes({"friction": 0.9, "linear_velocity": [0.125, 0, 0.25]}, {"friction": 0.5})
        scene["gravity"] = [0, 0, 0]
        with with_scene("differ.json", scene, paused=0) as run:
            run.click_at(*run.pickable("left")["at"])
            with run.held("shift"):
                run.click_at(*run.pickable("right")["at"])
            run.wait(lambda s: "body.friction.mixed" in s["widgets"], "two frictions")
            run.type_over("body.friction", "0.5")
            run.wait(lambda s: s["undo"] == "Change 2 bodies" and "body.friction.mixed" not in s["widgets"],
                     "the friction of the one for both")
            for axis, mixed in (("x", True), ("y", False), ("z", True)):
                self.assertEqual(f"body.linear_velocity.{axis}.mixed" in run.state()["widgets"], mixed, axis)
            run.type_over("body.linear_velocity.x", "0")
            state = run.wait(lambda s: "body.linear_velocity.x.mixed" not in s["widgets"], "one speed along X")
            self.assertIn("body.linear_velocity.z.mixed", state["widgets"], "the other axes stay")
            self.assertEqual(next(b for b in state["on_screen"] if b["name"] == "left")["linear_velocity"], [0, 0, 0.25])
            self.assertEqual(errors_of(state), [])

    # What is changed of groups and of locked axes is changed of all; the rest stays as each body has it.
    def test_groups_and_locks_of_several_change_bit_by_bit(self):
        scene = two_boxes({"group": 3, "mask": [0, 1, 3], "lock": ["x"]}, {"group": 5, "lock": ["rz"]})
        with with_scene("groups.json", scene, paused=0) as run:
            left, right = run.pickable("left"), run.pickable("right")
            run.click_at(*left["at"])
            with run.held("shift"):
                run.click_at(*right["at"])
            run.click("body.filter")
            run.wait(lambda s: "body.group.mixed" in s["widgets"] and "body.mask.2.mixed" in s["widgets"]
                     and "body.mask.1.mixed" not in s["widgets"], "what differs")
            run.click("body.mask.1")
            run.wait(lambda s: s["undo"] == "Change 2 bodies", "the change")
            run.key("Escape")
            run.click("body.locks")
            run.click("body.lock.y")
            run.frames(2)
            run.key("Escape")
            run.key("ctrl+s")
            run.wait(lambda s: not s["scene"]["unsaved"], "the file")
            with open(run.path("groups.json"), encoding="utf-8") as file:
                left, right = json.load(file)["bodies"][1:]
            self.assertEqual((left["group"], left["mask"], left["lock"]), (3, [0, 3], ["x", "y"]))
            self.assertEqual((right["group"], right["mask"], right["lock"]),
                             (5, [g for g in range(32) if g != 1], ["y", "rz"]))
            run.key("ctrl+z")
            run.key("ctrl+z")
            state = run.wait(lambda s: s["undo"] == "", "nothing left to undo")
            self.assertEqual(errors_of(state), [])
            verify(run.saved_history())

    # Where a joint holds its bodies, and along which axis, is seen and changed by numbers, in the world.
    def test_anchor_and_axis_of_a_joint_are_numbers(self):
        scene = SMALL | {"joints": [{"name": "pin", "type": "hinge", "a": "left", "b": "right", "anchor": [0, 0, 0.6],
                                     "axis": [0, 0, 1], "motor": {"speed": 0, "max_force": 1}}]}
        with with_scene("pin.json", scene, size=(1000, 900), paused=0) as run:
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: "joint.0" in s["widgets"], "the joint")
            run.click("joint.0")
            run.type_over("joint.anchor.z", "0.25")
            run.wait(lambda s: s["undo"] == "Move pin to right", "the new anchor")
            run.type_over("joint.axis.z", "0")
            run.wait(lambda s: any("a direction needs a number that is not 0" in e for e in errors_of(s)), "the reason")
            run.type_over("joint.axis.y", "1")
            run.type_over("joint.axis.z", "0")
            run.key("ctrl+s")
            run.wait(lambda s: not s["scene"]["unsaved"], "the file")
            with open(run.path("pin.json"), encoding="utf-8") as file:
                (joint,) = json.load(file)["joints"]
            half = math.sqrt(0.5)  # a quarter turn about X takes Z to Y
            for key, wanted in (("anchor_a", [1.2, 0, -0.35]), ("anchor_b", [-1.2, 0, -0.35]),
                                ("frame_a", [half, -half, 0, 0]), ("frame_b", [half, -half, 0, 0])):
                for number, there in zip(joint[key], wanted):
                    self.assertAlmostEqual(number, there, places=3, msg=key)
            for _ in range(3):
                run.key("ctrl+z")
            run.wait(lambda s: s["undo"] == "", "nothing left to undo")
            run.key("p")
            run.frames(3)
            verify(run.saved_history())

    # What a body cannot have has no field, and what a field shows is what is there.
    def test_fields_of_a_body_are_what_it_has(self):
        with with_small_scene(size=(1000, 700), paused=0) as run:
            run.click_at(500, 600)
            state = run.wait(lambda s: s["body"] and s["body"]["name"] == "ground" and "body.position.x" in s["widgets"],
                             "the ground")
            for row in ("linear_velocity", "angular_velocity"):
                self.assertNotIn(f"body.{row}.x", state["widgets"], "it never moves")
            run.click_at(*run.pickable("left")["at"])
            run.type_over("body.orientation.z", "12.4")
            run.wait(lambda s: s["undo"] == "Change left", "the angle")
            run.click("body.orientation.z")
            run.key("End")
            run.xdotool("type", "--delay", 20, "+1")
            run.frames()
            run.key("Return")

            def angle(state):
                left = next(b for b in state["on_screen"] if b["name"] == "left")
                return 2 * math.degrees(math.atan2(left["orientation"][3], left["orientation"][0]))
            run.wait(lambda s: abs(angle(s) - 13.4) < 0.01, "a degree more than there was")

    def test_join_tool_remembers_its_axis(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "settings.json")
            with with_small_scene(settings=path, paused=0) as run:
                run.key("ctrl+j")
                run.click("join.axis")
                run.click("join.axis.Y")
                run.quit()
            with open(path, encoding="utf-8") as file:
                settings = json.loads("".join(line for line in file if not line.startswith("//")))
            self.assertEqual(settings["tools"]["join"]["axis"], "y")

    # A file that has gone from the disk is written again, whether or not anything was built.
    def test_saving_writes_a_file_that_has_gone(self):
        with with_small_scene(paused=0) as run:
            os.remove(run.path("small.json"))
            run.key("ctrl+s")
            run.wait(lambda s: os.path.exists(run.path("small.json")), "the file")
            run.key("ctrl+s")
            state = run.wait(lambda s: any("Nothing was built" in m["text"] for m in s["messages"]), "no need to")
            self.assertEqual(errors_of(state), [])


if __name__ == "__main__":
    unittest.main()
