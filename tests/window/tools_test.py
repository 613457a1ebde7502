"""Tests of selecting, copying and the tools, with real key presses and clicks."""

import unittest

from small_scene import errors_of, with_small_scene


def body(state, name):
    return next(b for b in state["on_screen"] if b["name"] == name)


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

            to_clipboard(run, '[{"shape":{"sphere":{"radius":-1}}}]')
            run.key("ctrl+v")
            state = run.wait(errors_of, "the complaint")
            self.assertIn("clipboard:1:31: ", errors_of(state)[0])
            self.assertEqual(state["bodies"], 3)


if __name__ == "__main__":
    unittest.main()
