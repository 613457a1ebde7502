"""Sound of the real window: OpenAL plays into a file, which must hold what was struck."""

import array
import os
import unittest

from driver import Program, write_scene
from small_scene import SMALL, errors_of


def falling(run):
    scene = dict(SMALL, name="Falling", bodies=[SMALL["bodies"][0], dict(SMALL["bodies"][1], position=[0, 0, 3])])
    write_scene(run.path("falling.json"), scene)


def into_file(run):
    falling(run)
    with open(run.path("alsoft.conf"), "w", encoding="utf-8") as file:
        file.write(f"[general]\ndrivers = wave\nfrequency = 44100\n[wave]\nfile = {run.path('heard.wav')}\n")
    run.environment["ALSOFT_CONF"] = run.path("alsoft.conf")


def loudest(path):
    """Largest absolute sample of a file that may still be written."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"data") + 8
    kind = int.from_bytes(data[20:22], "little")
    bits = int.from_bytes(data[34:36], "little")
    if bits == 32:
        samples = array.array("f")
        samples.frombytes(data[at:at + (len(data) - at) // 4 * 4])
        return max(map(abs, samples), default=0.0) if kind != 1 else max(map(abs, samples), default=0) / 2**31
    samples = array.array("h")
    samples.frombytes(data[at:at + (len(data) - at) // 2 * 2])
    return max(map(abs, samples), default=0) / 32768


class Sound(unittest.TestCase):
    def test_strikes_and_click_are_heard(self):
        with Program("falling.json", prepare=into_file, size=(800, 640)) as run:
            run.wait(lambda s: s["sound"]["works"] and s["sound"]["played"] >= 1, "the fall to be heard")
            state = run.wait(lambda s: s["step"] > 120, "the box to lie still")
            self.assertEqual(errors_of(state), [])
            played = state["sound"]["played"]
            self.assertLess(played, 8, "a box that lies makes no sound")
            # The click, and silence when it is off.
            run.key("c")
            run.wait(lambda s: s["sound"]["played"] == played + 1, "the click")
            run.key("m")
            run.wait(lambda s: not s["sound"]["on"], "sound off")
            run.key("c")
            run.key("r")
            state = run.wait(lambda s: s["step"] < 60, "the restart")
            state = run.wait(lambda s: s["step"] > 120, "the second fall")
            self.assertEqual(state["sound"]["played"], played + 1)
            # The panel: on again, and loud.
            run.open_section("sound", "sound.volume")
            run.click("sound.on")
            run.wait(lambda s: s["sound"]["on"], "sound on")
            run.type_over("sound.volume", "100")
            run.wait(lambda s: s["sound"]["volume"] == 1, "the volume")
            run.key("r")
            run.wait(lambda s: s["sound"]["played"] > played + 1, "the fall to be heard again")
            run.frames(10)
            self.assertGreater(loudest(run.path("heard.wav")), 0.01)

    def test_without_a_device(self):
        def deaf(run):
            falling(run)
            run.environment["ALSOFT_DRIVERS"] = "oss"
            run.environment["ALSA_CONFIG_PATH"] = os.devnull
        with Program("falling.json", prepare=deaf, size=(800, 640)) as run:
            state = run.wait(lambda s: s["step"] > 60, "a second")
            self.assertFalse(state["sound"]["works"])
            self.assertEqual(state["sound"]["trouble"], "no sound device")
            self.assertEqual(errors_of(state), [])
            run.key("c")
            run.open_section("sound", "sound.volume")
            run.frames(3)
            run.errors.seek(0)
            self.assertNotIn("ALSA", run.errors.read())


if __name__ == "__main__":
    unittest.main()
