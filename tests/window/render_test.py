"""What the window draws: debug layers, meanings of colours, quality."""

import time
import unittest

from driver import read_png
from small_scene import errors_of, gl_troubles, with_small_scene


class Rendering(unittest.TestCase):
    def test_layers_by_key_and_by_click(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["step"] > 30, "the boxes on the ground")
            run.key("p")
            before = run.frames()
            self.assertEqual([layer for layer, on in before["view"]["layers"].items() if on], ["zones", "labels"])
            self.assertEqual(before["drawn"], {"lines": 0, "points": 0, "labels": 0})
            box = 12  # edges
            for key, layer, lines, labels in (
                    ("8", "faces", 2 * 4, 0), ("0", "inertia", 2 * box, 0), ("shift+1", "islands", 2 * box, 0),
                    ("shift+4", "names", 0, 3)):
                self.assertTrue(run.key(key)["view"]["layers"][layer], layer)
                state = run.frames()
                self.assertEqual((state["drawn"]["lines"], state["drawn"]["labels"]), (lines, labels), layer)
                self.assertFalse(run.key(key)["view"]["layers"][layer], layer)
            # The tree is published only for those who ask, also while the world stands still: two leaves and their
            # parent, and the ground in a tree of its own.
            run.click("layers.tree")
            run.wait(lambda s: s["drawn"]["lines"] == 4 * box, "the boxes of the trees")
            run.click("layers.tree")
            run.wait(lambda s: s["drawn"]["lines"] == 0, "no boxes")
            self.assertTrue(run.key("shift+2")["view"]["layers"]["sleeping"])
            run.key("p")
            run.wait(lambda s: s["awake"] == 0 and s["drawn"]["lines"] == 2 * box, "boxes round the sleepers")
            run.key("shift+2")
            run.key("shift+3")
            run.move(400, 300)
            run.key("space")
            run.wait(lambda s: s["bodies"] == 4, "a thrown ball")
            self.assertEqual(gl_troubles(run.state()), [])
            self.assertEqual(errors_of(run.state()), [])

    def test_meanings_of_colours(self):
        with with_small_scene(size=(800, 640)) as run:
            run.wait(lambda s: s["step"] > 10, "steps")
            run.click("column.right.unfold")
            names = []
            for _ in range(9):
                state = run.key("v")
                names.append(state["view"]["colours"])
                ramp = names[-1] in ("speed", "friction", "elasticity", "density")
                cases = names[-1] in ("touching", "sleeping")
                if ramp or cases:
                    run.wait(lambda s: "layers.legend" in s["widgets"], "a legend")
                if names[-1] == "groups":
                    run.wait(lambda s: s["drawn"]["points"] > 0 and "layers.legend" in s["widgets"], "coloured contacts")
            self.assertEqual(names[-1], "palette")
            self.assertEqual(len(set(names)), 9)
            self.assertEqual(run.key("shift+v")["view"]["colours"], "density")
            self.assertEqual(run.key("t")["view"]["colours"], "touching")
            self.assertEqual(run.key("t")["view"]["colours"], "palette")
            self.assertEqual(gl_troubles(run.state()), [])


    def test_what_stands_still_is_not_drawn_again(self):
        with with_small_scene() as run:
            run.wait(lambda s: s["awake"] == 0, "rest")
            run.key("p")
            end = time.monotonic() + run.patience
            # What has come to rest fades first.
            while run.frames(1)["shown_frames"] != run.frames(10)["shown_frames"]:
                self.assertLess(time.monotonic(), end, "the window does not stand still")
            before = run.state()
            window = run.window()
            run.xdotool("windowunmap", window)
            run.xdotool("windowmap", window)
            after = run.wait(lambda s: s["shown_frames"] > before["shown_frames"], "the window shown again")
            self.assertGreater(after["frames"] - before["frames"], 0)
            run.key("8")
            after = run.wait(lambda s: s["drawn"]["lines"] == 2 * 4 and s["pictures"] > before["pictures"],
                             "the faces of the contacts")
            self.assertGreater(after["shown_frames"], before["shown_frames"])
            self.assertLessEqual(after["pictures"], after["shown_frames"])
            run.key("8")
            # Time goes on: the panels show it, the world stays as it is.
            run.move(400, 100)
            run.key("p")
            while run.frames(1)["pictures"] != run.frames(10)["pictures"]:
                self.assertLess(time.monotonic(), end, "the world does not stand still")
            start, before = time.monotonic(), run.state()
            after = run.wait(lambda s: s["shown_frames"] > before["shown_frames"] + 10, "steps in the panels")
            # Twenty times a second, without a graphics card and without inputs.
            self.assertLessEqual(after["shown_frames"] - before["shown_frames"], (time.monotonic() - start) / 0.05 + 1)
            self.assertGreater(after["step"], before["step"])
            self.assertEqual(after["pictures"], before["pictures"])
            self.assertEqual(gl_troubles(run.state()), [])

    def test_quality(self):
        with with_small_scene(resolution=100) as run:
            state = run.frames()
            self.assertTrue(state["software_driver"])
            self.assertEqual((state["view"]["quality"], state["view"]["shadow_cascades"]), ("low", 1))
            low = state["draw_calls"]
            run.click("layers.occlusion")
            run.wait(lambda s: s["view"]["quality"] == "custom" and s["draw_calls"] > low, "a quality of one's own")
            run.click("layers.occlusion")
            run.wait(lambda s: s["view"]["quality"] == "low" and s["draw_calls"] == low, "the quality as it was")
            run.click("layers.quality")
            run.click("layers.quality.Medium")
            state = run.wait(lambda s: s["view"]["quality"] == "medium", "the quality that was chosen")
            self.assertEqual((state["view"]["shadow_map"], state["view"]["shadow_cascades"]), (2048, 2))
            run.wait(lambda s: s["draw_calls"] > low, "two shadow maps")
            self.assertEqual(gl_troubles(run.state()), [])

    def test_resolution(self):
        with with_small_scene(resolution=100, paused=0) as run:
            whole = run.screenshot()
            run.type_over("layers.resolution", "50")
            state = run.wait(lambda s: s["view"]["resolution"] == 50 and s["pictures"] > 1, "fewer pixels")
            self.assertEqual(state["view"]["quality"], "custom")
            fewer = run.screenshot()
            self.assertEqual(read_png(fewer)[:2], read_png(whole)[:2])
            self.assertNotEqual(read_png(fewer)[2], read_png(whole)[2])
            self.assertEqual(gl_troubles(run.state()), [])
        with with_small_scene(resolution=33) as run:
            self.assertEqual(run.state()["view"]["resolution"], 33)

    def test_quality_of_the_command_line(self):
        with with_small_scene("--quality", "ultra", size=(640, 400), resolution=100) as run:
            state = run.frames()
            self.assertEqual((state["view"]["quality"], state["view"]["shadow_cascades"]), ("ultra", 4))
            self.assertEqual(gl_troubles(state), [])


if __name__ == "__main__":
    unittest.main()
