"""Tests of inserting, joining, arranging and drawing bodies, with real key presses and clicks."""

import os
import unittest

from driver import verify
from small_scene import body, errors_of, on_screen, with_small_scene


class Building(unittest.TestCase):
    def test_duplicates_are_seen_and_have_room(self):
        with with_small_scene(size=(1000, 640), paused=20) as run:
            run.click_at(*run.pickable("right")["at"])
            state = run.wait(lambda s: len(s["selection"]) == 1, "a body")
            for count in range(1, 7):
                chosen = state["selection"]
                run.key("ctrl+d")
                state = run.wait(lambda s, n=count, c=chosen: s["bodies"] == 3 + n and s["selection"] not in ([], c),
                                 "the copy, selected")
                state = run.frames(3)
                new = next(b for b in state["on_screen"] if b["index"] == state["selection"][0])
                widgets, (x, y) = state["widgets"], new["at"]
                self.assertTrue(widgets["column.tools"][0] + widgets["column.tools"][2] < x < widgets["column.right"][0]
                                and 0 < y < widgets["timeline"][1], (count, new))
                for other in state["on_screen"]:
                    if other["index"] != new["index"]:
                        self.assertGreater(max(abs(a - b) for a, b in zip(new["position"], other["position"])), 1.2)
                self.assertAlmostEqual(new["position"][2], 0.6, delta=0.01)

    def test_text_from_an_editor_is_pasted(self):
        def to_clipboard(run, text):
            run.open_section("scenes", "scenes.search")
            run.type_over("scenes.search", text)
            run.click("scenes.search")
            run.key("ctrl+a")
            run.key("ctrl+c")
            run.key("Escape")
            run.move(400, 300)
            run.frames()

        with with_small_scene(paused=0) as run:
            to_clipboard(run, '[{"name":"pearl","shape":{"sphere":{"radius":0.2}},"repeat":{"count":[2,1,1],'
                              '"spacing":[1,0,0]}}]')
            run.key("ctrl+v")
            state = run.wait(lambda s: s["bodies"] == 5 and s["undo"] == "Paste 2 bodies", "two pearls")
            self.assertEqual({b["name"] for b in state["on_screen"][:2]}, {"pearl[0]", "pearl[1]"})
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == 3, "no pearls")

            # Ground under the brush, paused: it rises while the button is down, and is taken back at once.
            to_clipboard(run, '[{"name":"lawn","type":"static","shape":{"heightfield":{"heights":[[0,0,0],[0,0,0],'
                              '[0,0,0]],"spacing":2}}}]')
            run.key("ctrl+v")
            run.wait(lambda s: s["bodies"] == 4 and s["undo"] == "Paste lawn", "the lawn")

            def height(state):
                labels = state["tool"]["labels"]
                return float(labels[0].split("height ")[1].split(" ")[0]) if labels else None

            run.key("shift+b")
            self.assertEqual(height(run.wait(lambda s: height(s) is not None, "the ring")), 0.0)
            run.press()
            run.wait(lambda s: height(s) > 0.2 and s["undo"] == "Raise the ground", "the ground to rise")
            run.release()
            run.key("ctrl+z")
            run.wait(lambda s: height(s) == 0.0 and s["undo"] == "Paste lawn", "level ground")
            run.key("Escape")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == 3, "no lawn")

            to_clipboard(run, '[{"shape":{"sphere":{"radius":-1}}}]')
            run.key("ctrl+v")
            state = run.wait(errors_of, "the complaint")
            self.assertIn("clipboard:1:31: ", errors_of(state)[0])
            self.assertEqual(state["bodies"], 3)

    def test_insert_measure_and_delete(self):
        with with_small_scene(paused=3) as run:
            bodies = run.state()["bodies"]
            # The Place button takes the tool for one click.
            run.click("spawn.where")
            run.click("spawn.where.At the cursor")
            run.click("spawn.button")
            self.assertEqual(run.frames()["tool"]["active"], "place")
            run.click_at(400, 420)
            state = run.wait(lambda s: s["bodies"] == bodies + 1 and s["tool"]["active"] == "select", "the box")
            self.assertAlmostEqual(body(state, "box")["position"][2], 0.502, delta=0.01, msg="it stands on the ground")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies, "no box")

            # Painted: a row of them, undone as one; where there is no room, none.
            run.key("i")
            run.type_over("spawn.size", "0.4")
            left = run.pickable("left")
            run.move(330, 420)
            run.press()
            for x in range(340, 480, 10):
                run.move(x, 420)
            state = run.release()
            self.assertGreater(state["bodies"], bodies + 2)
            boxes = [b for b in state["on_screen"] if b["name"] == "box"]
            self.assertTrue(all(abs(b["position"][2] - 0.202) < 0.01 for b in boxes), boxes)
            self.assertEqual(run.state()["undo"], "Insert box")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies, "the row gone at once")
            run.type_over("spawn.size", "2.5")
            run.move(left["at"][0] + 25, left["at"][1] + 60)
            state = run.wait(lambda s: s["tool"]["labels"], "the warning")
            self.assertEqual(state["tool"]["labels"], ["No room: left"])
            state = run.click_at(left["at"][0] + 25, left["at"][1] + 60)
            self.assertEqual(state["bodies"], bodies)
            self.assertIn("No room here: left is in the way; Shift-click inserts anyway",
                          [m["text"] for m in state["messages"]])

            # Three sizes.
            run.key("Escape")
            run.click("spawn.by_axis")
            for axis, size in (("x", "0.3"), ("y", "0.4"), ("z", "0.2")):
                run.type_over("spawn.size_" + axis, size)
            run.click("spawn.button")
            run.click_at(400, 420)
            state = run.wait(lambda s: s["bodies"] == bodies + 1, "the small box")
            self.assertAlmostEqual(body(state, "box")["position"][2], 0.102, delta=0.005)
            # Kept, it stands in the list of shapes, and comes back as it is.
            run.click_at(*run.pickable("box")["at"])
            run.type_over("spawn.prototype_name", "brick")
            run.wait(lambda s: "spawn.forget" in s["widgets"], "the prototype, chosen")
            self.assertTrue(os.path.exists(run.path("data/cairn/prototypes/brick.json")))
            self.assertNotIn("spawn.density", run.state()["widgets"])
            run.move(440, 420)
            run.key("n")
            state = run.wait(lambda s: s["bodies"] == bodies + 2 and s["undo"] == "Spawn brick", "another one")
            self.assertAlmostEqual(state["on_screen"][0]["position"][2], 0.101, delta=0.005)
            # Several at once, beside each other, which one undo takes away; inserted by a click as well.
            run.type_over("spawn.count", "4")
            run.move(440, 440)
            run.key("n")
            state = run.wait(lambda s: s["bodies"] == bodies + 6 and s["undo"] == "Spawn 4 × brick", "four more")
            places = [b["position"] for b in state["on_screen"] if b["name"] == "box"][:4]
            self.assertEqual(len({(round(x, 2), round(y, 2)) for x, y, _ in places}), 4, places)
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies + 2, "none of the four")
            run.key("i")
            run.click_at(530, 430)
            run.wait(lambda s: s["bodies"] == bodies + 6 and s["undo"] == "Insert 4 × brick", "four by a click")
            run.key("Escape")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies + 2, "none of these")
            run.type_over("spawn.count", "1")
            run.key("ctrl+z")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == bodies, "none of them")
            run.click("spawn.forget")
            run.click("question.forget")
            run.wait(lambda s: "spawn.density" in s["widgets"], "the shapes again")
            self.assertFalse(os.path.exists(run.path("data/cairn/prototypes/brick.json")))

            # Three clicks: two distances and an angle.
            run.key("z")
            for x, y in ((330, 420), (400, 420), (400, 380)):
                run.click_at(x, y)
            run.move(400, 250)
            labels = run.frames()["tool"]["labels"]
            self.assertEqual(len(labels), 3)
            self.assertRegex(labels[0], r"^[0-9.]+ m$")
            self.assertRegex(labels[2], r"°$")
            self.assertGreater(float(labels[2][:-1]), 80)
            self.assertEqual(run.key("Escape")["tool"]["labels"], [])

            # One click each; the ground stays unless Shift says so.
            run.key("shift+Delete")
            self.assertEqual(run.state()["tool"]["active"], "delete")
            run.click_at(*left["at"])
            run.wait(lambda s: s["bodies"] == bodies - 1 and s["undo"] == "Delete left", "left deleted")
            run.click_at(400, 420)
            self.assertEqual(run.frames(3)["bodies"], bodies - 1)
            run.key("ctrl+z")
            state = run.wait(lambda s: s["bodies"] == bodies, "left is back")
            self.assertEqual(errors_of(state), [])

    def test_join_tool_joins_edits_and_hangs_ropes(self):
        with with_small_scene(size=(1000, 980), paused=3) as run:
            left, right = run.pickable("left"), run.pickable("right")
            self.assertEqual(run.key("ctrl+j")["tool"]["active"], "join")
            run.click_at(*left["at"])
            run.move(*right["at"])
            run.wait(lambda s: s["tool"]["labels"] == ["to right"], "the other end")
            run.press()
            run.release()
            state = run.wait(lambda s: s["joint_count"] == 1, "the joint")
            self.assertEqual(state["undo"], "Join left and right")
            self.assertEqual(state["selection"], [right["index"]])
            self.assertEqual([j["kind"] for j in state["joints"]], ["hinge"])

            # It is changed in the panel of its body.
            if "joint.0" not in run.state()["widgets"]:
                run.click("section.body")
            run.wait(lambda s: s["joints"][0]["open"], "its rows")
            for mark in ("joint.plot.force", "joint.plot.torque", "joint.plot.position"):
                _, _, width, height = run.state()["widgets"][mark]
                self.assertGreater(min(width, height), 20, mark)
            run.type_over("joint.name", "swing")
            run.wait(lambda s: s["undo"].startswith("Rename hinge to ") and s["undo"].endswith(" to swing"), "a name")
            run.key("ctrl+z")
            run.wait(lambda s: s["undo"] == "Join left and right", "no name")
            run.click("joint.limits")
            state = run.wait(lambda s: s["joints"][0]["limits"] and len(s["tool"]["grips"]) == 2, "limits")

            # They are dragged on their arc, and a drag is one edit.
            upper = state["joints"][0]["upper"]
            (x0, y0), (x1, y1) = state["tool"]["grips"]
            run.move(x1, y1)
            run.press()
            for share in (0.1, 0.2, 0.3, 0.4):
                run.move(x1 + share * (x0 - x1), y1 + share * (y0 - y1))
            run.release()
            state = run.wait(lambda s: s["joints"][0]["upper"] < upper - 0.05, "a smaller upper limit")
            self.assertEqual(state["undo"], "Drag a limit of a joint")
            run.key("ctrl+z")
            state = run.wait(lambda s: abs(s["joints"][0]["upper"] - upper) < 1e-5, "the old limit")
            self.assertTrue(state["joints"][0]["limits"])
            run.type_over("joint.lower", "-0.25")
            run.wait(lambda s: abs(s["joints"][0]["lower"] + 0.25) < 1e-6, "the lower limit")
            run.click("joint.motor")
            run.wait(lambda s: s["joints"][0]["motor"], "a motor")
            run.key("ctrl+z")
            run.wait(lambda s: not s["joints"][0]["motor"], "no motor")
            run.click("joint.delete")
            run.wait(lambda s: s["joint_count"] == 0, "no joint")
            run.key("ctrl+z")
            state = run.wait(lambda s: s["joint_count"] == 1, "the joint again")
            self.assertAlmostEqual(state["joints"][0]["lower"], -0.25, places=6)

            # Two bodies that are one, or do not move, are not joined.
            run.click_at(*left["at"])
            run.click_at(left["at"][0] + 3, left["at"][1])
            state = run.wait(lambda s: any("needs two bodies" in m["text"] for m in s["messages"]), "the reason")
            self.assertEqual(state["joint_count"], 1)

            # A rope from the one to the other is one edit.
            run.click("join.kind")
            run.click("join.kind.Rope of links")
            before = run.state()["bodies"]
            run.click_at(*left["at"])
            run.click_at(*right["at"])
            state = run.wait(lambda s: s["bodies"] > before + 4 and s["undo"] == "Hang a rope", "the rope")
            links = state["bodies"] - before
            run.wait(lambda s: s["joint_count"] == 1 + links + 1, "its joints")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == before and s["joint_count"] == 1, "no rope")
            self.assertEqual(errors_of(run.state()), [])

    def test_several_bodies_are_changed_and_arranged_as_one(self):
        with with_small_scene(paused=0) as run:
            left, right = run.pickable("left"), run.pickable("right")
            run.click_at(*left["at"])
            run.type_over("body.friction", "0.9")
            run.key("ctrl+a")
            run.wait(lambda s: "body.stack" in s["widgets"], "the buttons for several")
            self.assertNotIn("body.orientation.x", run.state()["widgets"])
            # A number that is not the same in all of them is not a number.
            self.assertIn("body.friction.mixed", run.state()["widgets"])
            self.assertNotIn("body.restitution.mixed", run.state()["widgets"])
            run.type_over("body.friction", "0.2")
            run.wait(lambda s: s["undo"] == "Change 2 bodies", "the change")
            run.wait(lambda s: "body.friction.mixed" not in s["widgets"], "one number")
            for one in (left, right):
                state = run.click_at(*one["at"])
                self.assertEqual(state["body"]["friction"], 0.2)
            run.key("ctrl+z")
            run.wait(lambda s: s["body"]["friction"] == 0.5, "the right one's own")
            self.assertEqual(run.click_at(*left["at"])["body"]["friction"], 0.9)

            # Stacked on the one that was selected last.
            with run.held("shift"):
                run.click_at(*right["at"])
            run.click("body.stack")
            state = run.wait(lambda s: s["undo"] == "Stack 2 bodies", "the stack")
            on_top, below = body(state, "left")["position"], body(state, "right")["position"]
            self.assertEqual(below, right["position"])
            self.assertAlmostEqual(on_top[0], below[0], places=4)
            self.assertAlmostEqual(on_top[2] - below[2], 1.201, places=3)
            run.key("ctrl+z")
            run.wait(lambda s: abs(body(s, "left")["position"][0] - left["position"][0]) < 1e-4, "it is back")
            run.click("body.align.x")
            state = run.wait(lambda s: s["undo"] == "Align 2 bodies", "the line")
            self.assertAlmostEqual(body(state, "left")["position"][0], right["position"][0], places=4)
            run.key("ctrl+z")
            state = run.wait(lambda s: abs(body(s, "left")["position"][0] - left["position"][0]) < 1e-4, "it is back")

            # Four of them, with equal gaps between the outermost two.
            run.key("ctrl+a")
            run.key("ctrl+d")
            run.wait(lambda s: s["bodies"] == 5, "two more")
            run.key("ctrl+a")
            run.wait(lambda s: len(s["selection"]) == 4, "all four")
            before = sorted(b["position"][0] for b in run.state()["on_screen"])
            self.assertGreater(abs(before[2] - before[1] - (before[1] - before[0])), 0.1, "gaps that differ")
            run.click("body.distribute.x")
            state = run.wait(lambda s: s["undo"] == "Distribute 4 bodies", "equal gaps")
            after = sorted(b["position"][0] for b in state["on_screen"])
            self.assertAlmostEqual(after[0], before[0], places=4)
            self.assertAlmostEqual(after[3], before[3], places=4)
            for i in range(3):
                self.assertAlmostEqual(after[i + 1] - after[i], (after[3] - after[0]) / 3, places=4)
            self.assertEqual(errors_of(state), [])

    # Corners on the ground make an L of two convex parts; a crossing is refused; what was drawn can be taken back, and
    # the next one stands on a face of a box.
    def test_outline_is_extruded(self):
        window = (1000, 640)
        with with_small_scene(size=window, paused=0) as run:
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: s["selected"], "the selection")
            run.key("ctrl+e")
            run.wait(lambda s: s["tool"]["active"] == "extrude", "the tool")

            def corner(x, y, z=0):
                return run.click_at(*on_screen((x, y, z), window))

            def said(state, text):
                return any(text in m["text"] for m in state["messages"])

            for x, y in ((0, -2), (1, -2), (1, -3)):
                corner(x, y)
            state = run.wait(lambda s: len(s["tool"]["grips"]) == 3, "three corners")
            for _ in range(4):
                state = run.key("BackSpace")
            self.assertEqual((state["tool"]["grips"], state["bodies"]), ([], 3), "no corner is left, and all bodies are")
            for x, y in ((0, -2), (1, -2), (1, -3)):
                corner(x, y)
            state = run.wait(lambda s: len(s["tool"]["grips"]) == 3, "three corners again")
            corner(0.5, -1.6)
            state = run.wait(lambda s: said(s, "would cross itself"), "the refusal")
            self.assertEqual(len(state["tool"]["grips"]), 3)
            corner(2, -3)
            corner(2, -1)
            run.key("BackSpace")
            run.wait(lambda s: len(s["tool"]["grips"]) == 4, "a corner taken back")
            corner(2, -1.5)
            corner(0, -1.5)
            run.key("Return")  # closes it
            run.wait(lambda s: any("Height" in text for text in s["tool"]["labels"]), "the height")
            run.key("Escape")
            run.wait(lambda s: not any("Height" in text for text in s["tool"]["labels"]), "open again")
            run.click_at(*on_screen((0, -2, 0), window))  # the first corner closes it, too
            run.wait(lambda s: any("Height" in text for text in s["tool"]["labels"]), "the height")
            run.type_over("tool.extrude_height", "0.4")
            run.move(*on_screen((1, -2, 0), window))
            run.key("Return")
            state = run.wait(lambda s: s["bodies"] == 4, "the solid")
            self.assertEqual(state["undo"], "Extrude an outline")
            run.key("Tab")
            solid = run.pickable("solid")
            run.click_at(*solid["at"])
            state = run.wait(lambda s: s["body"] and s["body"]["name"] == "solid", "it is selected")
            self.assertEqual(len(state["body"]["shapes"]), 2, "two convex parts")
            area = 2 * 1.5 - 1 * 1  # of the box about it without the corner that is missing
            self.assertAlmostEqual(state["body"]["mass"], 1000 * 0.4 * area, delta=20)
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == 3, "none")
            # On a face, the height by a drag.
            run.key("ctrl+e")
            run.wait(lambda s: s["tool"]["active"] == "extrude", "the tool")
            for x, y in ((-1.6, -0.4), (-0.8, -0.4), (-1.2, 0.4)):
                corner(x, y, 1.2)
            run.move(*on_screen((-1.6, -0.4, 1.2), window))
            run.press()
            run.wait(lambda s: any("Height" in text for text in s["tool"]["labels"]), "the height")
            at = run.state()["mouse"]["at"]
            run.move(at[0], at[1] - 80)
            run.frames(2)
            run.release()
            state = run.wait(lambda s: s["bodies"] == 4, "the second solid")
            run.key("Tab")
            solid = run.pickable("solid")
            self.assertGreater(solid["position"][2], 1.3, "it stands on the box")
            self.assertEqual(errors_of(state), ["No corner here: the outline would cross itself"])
            # Drawn or not, it is an edit like others, which replays.
            verify(run.saved_history())


if __name__ == "__main__":
    unittest.main()
