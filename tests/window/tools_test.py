"""Tests of selecting, copying and the tools, with real key presses and clicks."""

import glob
import math
import os
import subprocess
import unittest

from driver import Program, program
from small_scene import errors_of, gl_troubles, with_small_scene


def body(state, name):
    return next(b for b in state["on_screen"] if b["name"] == name)


EYE, TARGET, FIELD_OF_VIEW = (0, -9, 4), (0, 0, 1), 0.8  # of the scene's camera


def view_axes():
    forward = [b - a for a, b in zip(EYE, TARGET)]
    length = math.hypot(*forward)
    forward = [x / length for x in forward]
    return forward, (1, 0, 0), (0, -forward[2], forward[1])  # it looks along Y: forward, right, up


def metres_per_unit(point, window):
    forward, _, _ = view_axes()
    depth = sum((p - e) * f for p, e, f in zip(point, EYE, forward))
    return 2 * depth * math.tan(0.5 * FIELD_OF_VIEW) / window[1]


def on_screen(point, window):
    _, right, up = view_axes()
    unit = metres_per_unit(point, window)
    across, above = (sum((p - e) * a for p, e, a in zip(point, EYE, axis)) / unit for axis in (right, up))
    return 0.5 * window[0] + across, 0.5 * window[1] - above


class Tools(unittest.TestCase):
    def test_selection_is_a_set_that_is_copied_and_deleted_as_one(self):
        with with_small_scene() as run:
            run.key("p")
            left, right = run.pickable("left"), run.pickable("right")
            run.click_at(*left["at"])
            run.xdotool("keydown", "shift")
            state = run.click_at(*right["at"])
            self.assertEqual(state["selection"], sorted([left["index"], right["index"]]))
            self.assertEqual(state["selected"]["index"], right["index"])
            state = run.click_at(*right["at"])
            run.xdotool("keyup", "shift")
            self.assertEqual(state["selection"], [left["index"]])
            run.key("ctrl+a")
            state = run.wait(lambda s: len(s["selection"]) == 2, "both selected")

            # Duplicates stand beside what they were made from, and are what is selected then.
            run.key("ctrl+d")
            state = run.wait(lambda s: s["bodies"] == 5 and s["undo"] == "Duplicate 2 bodies", "two more")
            state = run.wait(lambda s: len(s["selection"]) == 2 and s["selection"][0] > right["index"], "the new ones")
            new = [b for b in state["on_screen"] if b["index"] in state["selection"]]
            self.assertEqual(sorted(b["name"] for b in new), ["left", "right"])
            for one in new:
                before = next(b for b in (left, right) if b["name"] == one["name"])
                self.assertGreater(one["position"][0], before["position"][0] + 3.5)
                self.assertAlmostEqual(one["position"][2], before["position"][2], places=4)
            run.key("Delete")
            run.wait(lambda s: s["bodies"] == 3 and s["undo"] == "Delete 2 bodies" and not s["selection"], "both gone")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == 5, "both back at once")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == 3, "no duplicates")

            # Cut here, pasted where the cursor is; each is one edit.
            run.click_at(*left["at"])
            run.key("ctrl+x")
            run.wait(lambda s: s["bodies"] == 2 and s["undo"] == "Cut left", "the cut")
            run.move(420, 390)
            run.key("ctrl+v")
            state = run.wait(lambda s: s["bodies"] == 3 and s["undo"] == "Paste left" and s["selection"], "the pasted")
            pasted = body(state, "left")
            self.assertLess(pasted["position"][1], -1, "nearer than it was")
            self.assertAlmostEqual(pasted["position"][2], 0.601, delta=0.02)
            for bodies in (2, 3):
                run.key("ctrl+z")
                run.wait(lambda s, bodies=bodies: s["bodies"] == bodies, f"{bodies} bodies")
            run.key("Escape")
            self.assertEqual(run.state()["selection"], [])
            self.assertEqual(errors_of(run.state()), [])

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

        with with_small_scene() as run:
            run.key("p")
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

    def test_frame_selects_and_spring_holds(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            left, right = run.pickable("left"), run.pickable("right")
            # A frame from beside both across both, begun on the ground.
            run.move(left["at"][0] - 60, left["at"][1] - 50)
            run.press()
            run.move(right["at"][0] + 50, right["at"][1] + 45)
            self.assertTrue(run.frames()["tool"]["framing"])
            state = run.release()
            self.assertEqual(state["selection"], sorted([left["index"], right["index"]]))
            self.assertFalse(state["grab"]["active"])
            # A click on the ground selects the ground; one into the void, or Esc, nothing.
            state = run.click_at(400, 400)
            self.assertEqual(state["selection"], [0])
            run.key("Escape")
            self.assertEqual(run.state()["selection"], [])

            # The spring takes one body along, and undoing puts it back.
            at = run.pickable("left")
            x, y = at["at"]
            run.move(x, y)
            run.press()
            run.move(x + 10, y - 10)
            run.wait(lambda s: s["grab"]["active"], "the grab")
            run.move(x + 20, y - 80)
            run.wait(lambda s: body(s, "left")["position"][2] > at["position"][2] + 0.4, "the body to rise")
            run.release()
            run.wait(lambda s: not s["grab"]["active"] and s["undo"] == "Drag left", "letting go")
            run.key("p")
            run.key("ctrl+z")
            state = run.wait(lambda s: abs(body(s, "left")["position"][2] - at["position"][2]) < 0.05, "the body back")
            self.assertEqual(errors_of(state), [])

    def test_gizmo_moves_and_turns(self):
        with with_small_scene() as run:
            run.key("p")
            before = run.pickable("left")
            # Chosen by the bar; a click selects, dragging the body moves it over the level.
            run.click("tool.move")
            self.assertEqual(run.state()["tool"]["active"], "move")
            x, y = before["at"]
            run.click_at(x, y)
            run.move(x, y)
            run.press()
            # The X arrow starts at the middle and runs to the right on the screen.
            run.release()
            self.assertEqual(run.state()["undo"], "", "a click moves nothing")
            run.move(x + 40, y + 1)
            run.press()
            run.move(x + 85, y + 1)
            state = run.wait(lambda s: s["tool"]["labels"], "the value")
            self.assertRegex(state["tool"]["labels"][0], r"^X \+[0-9.]+ m$")
            # Held comes a step before moved: the two are waited for together.
            run.wait(lambda s: body(s, "left")["type"] == "kinematic" and
                     body(s, "left")["position"][0] > before["position"][0] + 0.1, "the held body moved")
            run.xdotool("keydown", "ctrl")
            run.move(x + 86, y + 1)
            snapped = run.wait(lambda s: s["tool"]["labels"] and s["tool"]["labels"][0] in ("X +0.50 m", "X +1.00 m"),
                               "the snapped value")
            step = float(snapped["tool"]["labels"][0][3:7])
            run.release()
            run.xdotool("keyup", "ctrl")
            state = run.wait(lambda s: body(s, "left")["type"] == "dynamic" and s["undo"] == "Move left", "letting go")
            moved = body(state, "left")
            self.assertAlmostEqual(moved["position"][0], before["position"][0] + step, places=3)
            self.assertAlmostEqual(moved["position"][1], before["position"][1], places=4)
            self.assertAlmostEqual(moved["position"][2], before["position"][2], places=4)
            run.key("ctrl+z")
            state = run.wait(lambda s: s["undo"] == "", "one edit")
            self.assertAlmostEqual(body(state, "left")["position"][0], before["position"][0], places=4)
            self.assertEqual(body(state, "left")["type"], "dynamic")
            # Broken off by Esc, it was no edit.
            run.move(x + 40, y + 1)
            run.press()
            run.move(x + 85, y + 1)
            run.wait(lambda s: body(s, "left")["type"] == "kinematic" and s["undo"] == "Move left", "the held body")
            run.key("Escape")
            state = run.wait(lambda s: body(s, "left")["type"] == "dynamic", "the end of it")
            self.assertEqual((state["undo"], state["redo"], state["tool"]["active"]), ("", "", "move"))
            self.assertAlmostEqual(body(state, "left")["position"][0], before["position"][0], places=4)
            run.move(x + 120, y + 1)
            state = run.release()
            self.assertEqual(state["undo"], "")
            self.assertAlmostEqual(body(state, "left")["position"][0], before["position"][0], places=4)

            # Turned about Z with the key: the ring in front runs below the body's middle.
            run.key("u")
            self.assertEqual(run.state()["tool"]["active"], "turn")
            window = (run.state()["window"]["width"], run.state()["window"]["height"])
            unit = metres_per_unit(before["position"], window)
            front = [before["position"][0], before["position"][1] - 88 * 0.75 * unit, before["position"][2]]
            run.move(*on_screen(front, window))
            run.press()
            run.move(on_screen(front, window)[0] + 25, on_screen(front, window)[1])
            state = run.wait(lambda s: s["tool"]["labels"], "the angle")
            self.assertRegex(state["tool"]["labels"][0], r"^Z \+[0-9.]+°$")
            run.release()
            state = run.wait(lambda s: s["undo"] == "Rotate left", "the turn")
            w, tilt_x, tilt_y, z = body(state, "left")["orientation"]
            self.assertGreater(abs(z), 0.05)
            self.assertAlmostEqual(tilt_x, 0, places=4)
            self.assertAlmostEqual(tilt_y, 0, places=4)
            run.key("ctrl+z")
            run.wait(lambda s: abs(body(s, "left")["orientation"][3]) < 1e-4, "the turn undone")
            self.assertEqual(run.key("Escape")["tool"]["active"], "select")
            self.assertEqual(errors_of(run.state()), [])

    def test_throw_wand_and_blast(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("p")
            left = run.pickable("left")
            x, y = left["at"]
            run.key("l")
            run.move(x, y)
            run.press()
            run.move(x + 20, y + 60)
            state = run.wait(lambda s: len(s["tool"]["labels"]) == 2, "speed and range")
            self.assertRegex(state["tool"]["labels"][0], r"^[0-9.]+ m/s, 35°$")
            self.assertRegex(state["tool"]["labels"][1], r" m away$")
            run.xdotool("click", 4)
            run.wait(lambda s: s["tool"]["labels"] and s["tool"]["labels"][0].endswith(", 38°"), "a steeper throw")
            run.release()
            state = run.wait(lambda s: s["undo"] == "Throw left", "the throw")
            velocity = body(state, "left")["linear_velocity"]
            self.assertGreater(velocity[1], 3, "pulled nearer, it flies away")
            self.assertLess(velocity[0], -1, "pulled right, it flies left")
            self.assertGreater(velocity[2], 3)
            run.key("ctrl+z")
            run.wait(lambda s: abs(body(s, "left")["linear_velocity"][1]) < 1e-3, "the throw undone")
            # From the ground a new ball.
            run.move(400, 420)
            run.press()
            run.move(400, 470)
            run.release()
            run.wait(lambda s: s["bodies"] == 4 and s["undo"] == "Throw a ball", "a ball")
            run.key("ctrl+z")
            run.wait(lambda s: s["bodies"] == 3, "no ball")

            # A blast between both drives them apart.
            run.key("x")
            run.move(400, 330)
            state = run.wait(lambda s: s["tool"]["labels"], "radius and strength")
            self.assertEqual(state["tool"]["labels"][0], "4.0 m, 15 m/s")
            run.click_at(400, 330)
            state = run.wait(lambda s: s["undo"] == "Blast", "the blast")
            self.assertLess(body(state, "left")["linear_velocity"][0], -1)
            self.assertGreater(body(state, "right")["linear_velocity"][0], 1)
            run.key("ctrl+z")
            state = run.wait(lambda s: s["undo"] == "", "one edit")
            for name in ("left", "right"):
                self.assertAlmostEqual(body(state, name)["linear_velocity"][0], 0, places=3)

            # The wand pushes away for as long as the button is down.
            run.key("k")
            run.key("p")
            run.move(x, y)
            run.press()
            run.wait(lambda s: body(s, "left")["position"][1] > left["position"][1] + 0.5, "the push")
            run.release()
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["undo"] == "Push", "one edit")
            run.key("ctrl+z")
            state = run.wait(lambda s: abs(body(s, "left")["position"][1] - left["position"][1]) < 0.05, "it is back")
            # With Shift it pulls.
            run.key("p")
            run.xdotool("keydown", "shift")
            run.wait(lambda s: s["tool"]["labels"] == ["Pull 30 m/s²"], "the other way")
            run.press()
            run.wait(lambda s: body(s, "left")["position"][1] < left["position"][1] - 0.5, "the pull")
            run.release()
            run.xdotool("keyup", "shift")
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["undo"] == "Pull", "one edit")
            self.assertEqual(errors_of(state), [])
            self.assertEqual(gl_troubles(state), [])

    def test_insert_measure_and_delete(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("p")
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

    def test_player_moves_pushes_and_changes_shape(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.move(330, 420)
            run.key("y")
            state = run.wait(lambda s: s["player"] == "cube" and any(b["name"] == "player" for b in s["on_screen"]),
                             "the player")
            start = body(state, "player")["position"]
            self.assertIn("pill.player", state["widgets"])
            layers = state["view"]["layers"]
            eye = state["camera"]["eye"]

            def hold(key, condition, what):
                run.xdotool("keydown", key)
                run.wait(condition, what)
                run.xdotool("keyup", key)
                return run.wait(lambda s: max(map(abs, body(s, "player")["linear_velocity"])) < 0.1, "a stop")

            hold("Right", lambda s: body(s, "player")["position"][0] > start[0] + 0.4, "X")
            hold("e", lambda s: body(s, "player")["position"][2] > start[2] + 0.4, "Z")
            state = hold("q", lambda s: body(s, "player")["position"][2] < start[2] + 0.2, "down again")
            self.assertEqual(state["camera"]["eye"], eye, "the camera flew")
            # It pushes what is in its way. (On a slow machine it has come as far as the gap between the boxes.)
            state = hold("Left", lambda s: body(s, "player")["position"][0] < start[0] + 0.1, "back again")
            left = body(state, "left")["position"]
            state = hold("Up", lambda s: abs(body(s, "left")["position"][1] - left[1]) > 0.2
                         or abs(body(s, "right")["position"][1] - left[1]) > 0.2
                         or body(s, "player")["position"][1] > 3, "Y")
            self.assertTrue(any(abs(body(state, name)["position"][1] - left[1]) > 0.2 for name in ("left", "right")),
                            "nothing was pushed")
            self.assertEqual(state["undo"], "Move the player")

            for key, shape in (("2", "sphere"), ("3", "cone"), ("6", "diamond"), ("1", "cube")):
                run.key(key)
                state = run.wait(lambda s, shape=shape: s["player"] == shape and s["undo"] == "Turn into a " + shape,
                                 shape)
            self.assertEqual(state["view"]["layers"], layers, "a layer was switched")
            run.key("ctrl+z")
            state = run.wait(lambda s: s["redo"] == "Turn into a cube", "a diamond again")
            self.assertEqual(len([b for b in state["on_screen"] if b["name"] == "player"]), 1)
            run.key("y")
            state = run.wait(lambda s: s["player"] is None, "the end of it")
            self.assertNotEqual(run.key("1")["view"]["layers"], layers)
            self.assertEqual(errors_of(state), [])

    def test_join_tool_joins_edits_and_hangs_ropes(self):
        with with_small_scene(size=(1000, 900)) as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("p")
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
                self.assertIn(mark, run.state()["widgets"])
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

    def test_arrow_keys_drive_what_has_wheels(self):
        with Program("car") as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("y")
            run.wait(lambda s: s["player"] == "driver", "the wheel in one's hands")

            def ahead(state):
                return body(state, "chassis")["position"][0]

            state = run.wait(lambda s: abs(body(s, "chassis")["linear_velocity"][0]) < 0.05, "a stop by the brakes")
            start = ahead(state)
            run.xdotool("keydown", "Up")
            run.wait(lambda s: ahead(s) > start + 1.5, "forwards")
            run.xdotool("keyup", "Up")
            state = run.wait(lambda s: abs(body(s, "chassis")["linear_velocity"][0]) < 0.3, "a stop")
            there = ahead(state)
            run.xdotool("keydown", "Down")
            state = run.wait(lambda s: ahead(s) < there - 1, "backwards")
            run.xdotool("keyup", "Down")
            self.assertEqual(state["undo"], "Drive")
            self.assertEqual(errors_of(state), [])

    def test_several_bodies_are_changed_and_arranged_as_one(self):
        with with_small_scene() as run:
            run.key("p")
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
            run.xdotool("keydown", "shift")
            run.click_at(*right["at"])
            run.xdotool("keyup", "shift")
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

    # All that the mouse does in the world, without one: the crosshair goes to a body, selects it, drags it by Ctrl+Enter,
    # and the camera orbits and zooms.
    def test_world_is_pointed_at_by_keyboard(self):
        with with_small_scene() as run:
            run.key("p")
            run.wait(lambda s: s["paused"], "the pause")

            def aim(x, y):
                for _ in range(200):
                    at = run.frames(1)["mouse"]["at"]
                    by = (x - at[0], y - at[1])
                    if max(map(abs, by)) < 4:
                        return
                    axis = 0 if abs(by[0]) >= abs(by[1]) else 1
                    name = (("Left", "Right"), ("Up", "Down"))[axis][by[axis] > 0]
                    run.key(name if abs(by[axis]) > 6 else "shift+" + name)
                self.fail(f"the crosshair did not come to {x}, {y}")

            left, right = run.pickable("left"), run.pickable("right")
            run.key("Left")
            run.wait(lambda s: s["mouse"]["crosshair"], "the crosshair")
            aim(*left["at"])
            run.key("Return")
            state = run.wait(lambda s: s["selection"] == [left["index"]], "the left box selected")
            self.assertFalse(state["mouse"]["pressed"])
            aim(*right["at"])
            run.key("shift+Return")
            run.wait(lambda s: len(s["selection"]) == 2, "both selected")
            # A drag while the world runs: the button stays down until it is pressed again.
            run.key("Return")
            run.wait(lambda s: s["selection"] == [right["index"]], "the right box alone")
            run.key("p")
            run.key("ctrl+Return")
            run.wait(lambda s: s["mouse"]["pressed"], "the button held down")
            run.xdotool("keydown", "Up")
            run.wait(lambda s: s["grab"]["active"] and s["grab"]["target"][2] > 1.5, "the box pulled up")
            run.xdotool("keyup", "Up")
            run.key("Return")
            run.wait(lambda s: not s["grab"]["active"] and not s["mouse"]["pressed"], "the box let go")
            # The camera: about what is under the crosshair, and nearer to it.
            before = run.frames(2)
            run.xdotool("keydown", "semicolon")
            run.frames(1)
            run.key("Right")
            state = run.wait(lambda s: s["camera"]["eye"] != before["camera"]["eye"], "an orbit")
            self.assertEqual(state["mouse"]["at"], before["mouse"]["at"])
            run.xdotool("keyup", "semicolon")
            eye = run.frames(2)["camera"]["eye"]
            run.key("equal")
            run.wait(lambda s: s["camera"]["eye"][1] > eye[1] + 0.05, "the camera nearer")
            # The mouse takes over as soon as it moves.
            run.move(400, 200)
            state = run.wait(lambda s: not s["mouse"]["crosshair"], "the mouse again")
            self.assertEqual(errors_of(state), [])

    # Corners on the ground make an L of two convex parts; a crossing is refused; what was drawn can be taken back, and
    # the next one stands on a face of a box.
    def test_outline_is_extruded(self):
        window = (1000, 640)
        with with_small_scene(size=window) as run:
            run.key("p")
            run.wait(lambda s: s["paused"], "the pause")
            run.key("ctrl+e")
            run.wait(lambda s: s["tool"]["active"] == "extrude", "the tool")

            def corner(x, y, z=0):
                return run.click_at(*on_screen((x, y, z), window))

            def said(state, text):
                return any(text in m["text"] for m in state["messages"])

            for x, y in ((0, -2), (1, -2), (1, -3)):
                corner(x, y)
            state = run.wait(lambda s: len(s["tool"]["grips"]) == 3, "three corners")
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
            run.key("shift+F9")
            run.wait(lambda s: any(m["text"].startswith("Saved") for m in s["messages"]), "the capture")
            (capture,) = glob.glob(run.path("data/cairn/captures/*.cairn"))
            told = subprocess.run([program(), "verify", capture], capture_output=True, text=True, check=False)
            self.assertEqual(told.returncode, 0, told.stderr)


if __name__ == "__main__":
    unittest.main()
