"""Tests of finding things by the words that people have for them, with real key presses and clicks."""

import unittest

from small_scene import errors_of, with_small_scene


class Finding(unittest.TestCase):
    # What stands in a panel alone is found by what it is called, and shown, wherever the panel was.
    def test_palette_opens_panels_by_what_is_in_them(self):
        def find(words):
            run.key("ctrl+p")
            run.wait(lambda s: "palette.search" in s["widgets"], "the palette")
            run.xdotool("type", "--delay", 20, words)
            run.frames(3)
            return run.state()["palette"]["chosen"]

        with with_small_scene(size=(800, 520), paused=0) as run:
            for words, title, widget in (("quality", "Layers", "layers.quality"), ("video", "Film", "film.seconds"),
                                         ("prefab", "Spawn", "spawn.shape"), ("inspector", "Body", "body.lab"),
                                         ("hierarchy", "Bodies and joints", "outliner.filter"),
                                         ("volume", "Sound", "sound.volume"), ("assert", "Expectations", None)):
                self.assertEqual(find(words), title, words)
                run.key("Return")
                state = run.wait(lambda s, w=widget: not s["view"]["palette"] and (w is None or w in s["widgets"]),
                                 f"{words}: {widget}")
            for words, title in (("rewind", "Step back"), ("explode", "Blast"), ("iterations", "Substeps"),
                                 ("ruler", "Measure"), ("moon", "World")):
                self.assertEqual(find(words), title, words)
                run.key("Escape")
            self.assertEqual(errors_of(state), [])

    # Where there is room for one column, the keyboard goes into one that is shown.
    def test_keyboard_goes_into_a_column_that_is_shown(self):
        with with_small_scene(size=(640, 520), scale=1.0, paused=0) as run:
            run.click("column.right.unfold")
            run.wait(lambda s: "section.layers" in s["widgets"] and "section.spawn" not in s["widgets"],
                     "the right column alone")
            run.key("F6")
            run.wait(lambda s: "section.spawn" in s["widgets"] and s["view"]["keyboard"] == 1, "the left one")
            run.key("F6")
            run.wait(lambda s: "section.layers" in s["widgets"] and s["view"]["keyboard"] == 2, "the right one")


if __name__ == "__main__":
    unittest.main()
