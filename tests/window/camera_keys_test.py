"""Keys that move the camera, in the real window."""

import unittest

from small_scene import with_small_scene


class CameraKeys(unittest.TestCase):
    def test_a_letter_of_a_command_does_not_fly_when_ctrl_is_let_go_first(self):
        with with_small_scene(paused=0) as run:
            eye = run.wait(lambda s: s["paused"], "the pause")["camera"]["eye"]
            run.xdotool("keydown", "ctrl", "keydown", "e", "keyup", "ctrl")
            run.wait(lambda s: s["tool"]["active"] == "extrude", "the tool")
            self.assertEqual(run.frames(5)["camera"]["eye"], eye)
            run.xdotool("keyup", "e")
            self.assertEqual(run.frames()["camera"]["eye"], eye)
            run.xdotool("keydown", "e")  # alone it flies up
            run.wait(lambda s: s["camera"]["eye"][2] > eye[2] + 0.1, "the camera to rise")
            run.xdotool("keyup", "e")

    def test_framing_with_nothing_selected_frames_all_and_says_so(self):
        with with_small_scene(paused=0) as run:
            run.xdotool("keydown", "w")
            run.wait(lambda s: not all(b["pickable"] for b in s["on_screen"]), "the bodies out of view")
            run.xdotool("keyup", "w")
            state = run.key("f")
            self.assertIn("Nothing is selected: the view shows all that moves", [m["text"] for m in state["messages"]])
            run.wait(lambda s: all(b["pickable"] for b in s["on_screen"]), "both bodies")


if __name__ == "__main__":
    unittest.main()
