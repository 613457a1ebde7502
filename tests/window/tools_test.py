"""Tests of selecting and of the tools that move things, with real key presses and clicks."""

import unittest

from driver import Program
from small_scene import body, errors_of, gl_troubles, metres_per_unit, on_screen, with_small_scene


class Tools(unittest.TestCase):
    def test_selection_is_a_set_that_is_copied_and_deleted_as_one(self):
        with with_small_scene(paused=0) as run:
            left, right = run.pickable("left"), run.pickable("right")
            run.click_at(*left["at"])
            with run.held("shift"):
                state = run.click_at(*right["at"])
                self.assertEqual(state["selection"], sorted([left["index"], right["index"]]))
                self.assertEqual(state["selected"]["index"], right["index"])
                state = run.click_at(*right["at"])
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
                self.assertAlmostEqual(one["position"][2], before["position"][2], places=4)
                for other in (left, right):
                    self.assertGreater(max(abs(a - b) for a, b in zip(one["position"], other["position"])), 1.2)
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
        with with_small_scene(paused=0) as run:
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
            with run.held("ctrl"):
                run.move(x + 86, y + 1)
                snapped = run.wait(lambda s: s["tool"]["labels"][:1] in (["X +0.50 m"], ["X +1.00 m"]),
                                   "the snapped value")
                step = float(snapped["tool"]["labels"][0][3:7])
                run.release()
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
        with with_small_scene(paused=3) as run:
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
            with run.held("shift"):
                run.wait(lambda s: s["tool"]["labels"] == ["Pull 30 m/s²"], "the other way")
                run.press()
                run.wait(lambda s: body(s, "left")["position"][1] < left["position"][1] - 0.5, "the pull")
                run.release()
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["undo"] == "Pull", "one edit")
            self.assertEqual(errors_of(state), [])
            self.assertEqual(gl_troubles(state), [])

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
                with run.held(key):
                    run.wait(condition, what)
                return run.wait(lambda s: max(map(abs, body(s, "player")["linear_velocity"])) < 0.1, "a stop")

            hold("Right", lambda s: body(s, "player")["position"][0] > start[0] + 0.4, "X")
            hold("e", lambda s: body(s, "player")["position"][2] > start[2] + 0.4, "Z")
            state = hold("q", lambda s: body(s, "player")["position"][2] < start[2] + 0.2, "down again")
            self.assertEqual(state["camera"]["eye"], eye, "the camera flew")
            # It pushes what is in its way. (On a slow machine one hold takes it as far as the gap between the boxes.)
            left = body(state, "left")["position"]
            for _ in range(10):
                off = body(state, "player")["position"][0] - left[0]
                if abs(off) < 0.5:
                    break
                side = 1 if off > 0 else -1
                state = hold("Left" if off > 0 else "Right",
                             lambda s: side * (body(s, "player")["position"][0] - left[0]) < 0.4, "before the box")
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

    def test_arrow_keys_drive_what_has_wheels(self):
        with Program("car") as run:
            run.wait(lambda s: s["step"] > 2, "steps")
            run.key("y")
            run.wait(lambda s: s["player"] == "driver", "the wheel in one's hands")

            def ahead(state):
                return body(state, "chassis")["position"][0]

            state = run.wait(lambda s: abs(body(s, "chassis")["linear_velocity"][0]) < 0.05, "a stop by the brakes")
            start = ahead(state)
            with run.held("Up"):
                run.wait(lambda s: ahead(s) > start + 1.5, "forwards")
            state = run.wait(lambda s: abs(body(s, "chassis")["linear_velocity"][0]) < 0.3, "a stop")
            there = ahead(state)
            with run.held("Down"):
                state = run.wait(lambda s: ahead(s) < there - 1, "backwards")
            self.assertEqual(state["undo"], "Drive")
            self.assertEqual(errors_of(state), [])

    # All that the mouse does in the world, without one: the crosshair goes to a body, selects it, drags it by Ctrl+Enter,
    # and the camera orbits and zooms.
    def test_world_is_pointed_at_by_keyboard(self):
        with with_small_scene(paused=0) as run:

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
            with run.held("Up"):
                run.wait(lambda s: s["grab"]["active"] and s["grab"]["target"][2] > 1.5, "the box pulled up")
            run.key("Return")
            run.wait(lambda s: not s["grab"]["active"] and not s["mouse"]["pressed"], "the box let go")
            # The camera: about what is under the crosshair, and nearer to it.
            before = run.frames(2)
            with run.held("semicolon"):
                run.frames(1)
                run.key("Right")
                state = run.wait(lambda s: s["camera"]["eye"] != before["camera"]["eye"], "an orbit")
                self.assertEqual(state["mouse"]["at"], before["mouse"]["at"])
            eye = run.frames(2)["camera"]["eye"]
            run.key("equal")
            run.wait(lambda s: s["camera"]["eye"][1] > eye[1] + 0.05, "the camera nearer")
            # The mouse takes over as soon as it moves.
            run.move(400, 200)
            state = run.wait(lambda s: not s["mouse"]["crosshair"], "the mouse again")
            self.assertEqual(errors_of(state), [])


if __name__ == "__main__":
    unittest.main()
