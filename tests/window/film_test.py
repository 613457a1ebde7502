"""Films of the last seconds, made by the real window."""

import glob
import json
import os
import shutil
import subprocess
import unittest

from driver import Program, read_png, write_scene
from small_scene import SMALL, errors_of


def falling(run, **values):
    scene = dict(SMALL, name="Falling", bodies=[SMALL["bodies"][0], dict(SMALL["bodies"][1], position=[0, 0, 4])],
                 **values)
    write_scene(run.path("falling.json"), scene)


def without_ffmpeg(run):
    os.symlink(shutil.which("xdotool"), run.path("xdotool"))
    run.environment["PATH"] = run.folder


def falling_without_ffmpeg(run):
    falling(run)
    without_ffmpeg(run)


def hovering_without_ffmpeg(run):
    falling(run, gravity=[0, 0, 0])
    without_ffmpeg(run)


def paused_steps(run):
    """Pauses after most of a second. Returns how many steps there are."""
    run.wait(lambda s: s["step"] > 50, "most of a second")
    run.key("p")
    return run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")["step"]


class FilmOfThePast(unittest.TestCase):
    def choose(self, run, seconds, rate):
        run.open_section("film", "film.rate")
        run.type_over("film.seconds", str(seconds))
        run.type_over("film.rate", str(rate))
        run.click("film.size")
        run.wait(lambda s: "film.size.640 × 360" in s["widgets"], "the choices")
        run.click("film.size.640 × 360")
        run.wait(lambda s: "film.size.640 × 360" not in s["widgets"], "the choice")

    def test_film_becomes_pictures_where_there_is_no_ffmpeg(self):
        with Program("falling.json", prepare=falling_without_ffmpeg) as run:
            steps = paused_steps(run)
            self.choose(run, steps / 60, 4)  # all of it
            run.key("ctrl+a")
            run.key("F10")
            run.key("Escape")  # the film does not depend on what is selected while it is made
            state = run.wait(lambda s: s["film"]["made"] == 1, "the film")
            self.assertEqual(errors_of(state), [])
            self.assertTrue(any("ffmpeg was not found" in m["text"] for m in state["messages"]))
            files = sorted(glob.glob(os.path.join(state["film"]["path"], "*.png")))
            self.assertEqual(len(files), steps * 4 // 60 + 1)  # four a second, and the beginning
            first, last = read_png(files[0]), read_png(files[-1])
            self.assertEqual(first[:2], (640, 360))
            self.assertNotEqual(first, last)  # it fell
            # What is given up leaves nothing.
            run.type_over("film.rate", "240")
            run.key("F10")
            run.wait(lambda s: s["film"]["running"], "the next film")
            run.key("F10")
            state = run.wait(lambda s: not s["film"]["running"], "its end")
            if state["film"]["made"] == 1:  # else it was faster than the key
                self.assertEqual(len(os.listdir(os.path.dirname(state["film"]["path"]))), 1)

    def test_film_shows_the_ghosts_that_the_view_shows(self):
        with Program("falling.json", prepare=hovering_without_ffmpeg) as run:
            known = paused_steps(run)
            # From the middle on as on the moon: the box falls, and its ghost hovers to the end, however late that is.
            x, y, width, height = run.state()["widgets"]["timeline.track"]
            run.click_at(x + 0.5 * width, y + height / 2)
            run.wait(lambda s: not s["seeking"] and 0 < s["step"] < known, "the middle")
            run.key("j")
            fork = run.wait(lambda s: s["what_if"], "what if")["step"]
            run.click("world.gravity.Moon")
            run.wait(lambda s: s["gravity"][2] == -1.62, "the moon")
            run.key("shift+j")
            run.wait(lambda s: s["what_if"] is None and s["step"] == known, "the end")
            run.wait(lambda s: s["ghosts"] and s["ghosts"]["bodies"] == 1, "the ghost")
            every = 15  # steps a picture: few of them, since a slow machine has come far
            self.choose(run, known / 60, 60 // every)

            def film(number):
                run.key("F10")
                state = run.wait(lambda s: s["film"]["made"] == number, "the film")
                self.assertEqual(errors_of(state), [])
                return [read_png(name) for name in sorted(glob.glob(os.path.join(state["film"]["path"], "*.png")))]
            with_ghosts = film(1)
            run.click("timeline.line")
            run.wait(lambda s: "timeline.ghosts.1" in s["widgets"], "the choice of ways")
            run.click("timeline.ghosts.1")
            run.key("Escape")
            run.wait(lambda s: not s["ghosts"], "no ghosts")
            without = film(2)
            self.assertEqual(len(with_ghosts), len(without))
            self.assertEqual(len(without), known // every + 1)
            differ = [every * i for i, pair in enumerate(zip(with_ghosts, without)) if pair[0] != pair[1]]
            self.assertTrue(differ)
            self.assertTrue(all(step > fork for step in differ), f"{differ} of the ways that part at {fork}")
            self.assertEqual(differ[-1], known // every * every, "they stay to the end")

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "needs ffmpeg")
    def test_film_is_a_video_that_plays(self):
        with Program("falling.json", prepare=falling) as run:
            run.wait(lambda s: s["step"] > 40, "a while")
            self.choose(run, 0.4, 30)
            run.click("film.make")
            state = run.wait(lambda s: s["film"]["made"] == 1, "the film")
            self.assertEqual(errors_of(state), [])
            told = subprocess.run(
                ["ffprobe", "-v", "error", "-count_frames", "-of", "json", "-show_entries",
                 "stream=width,height,nb_read_frames,codec_name", state["film"]["path"]],
                capture_output=True, text=True, check=True)
            stream = json.loads(told.stdout)["streams"][0]
            self.assertEqual((stream["codec_name"], stream["width"], stream["height"]), ("h264", 640, 360))
            self.assertEqual(int(stream["nb_read_frames"]), 13)


if __name__ == "__main__":
    unittest.main()
