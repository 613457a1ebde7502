"""Tests that work does not vanish: saving, opening, questions before a loss, and what is found after a crash."""

import json
import math
import os
import signal
import subprocess
import tempfile
import unittest

from driver import Program
from small_scene import SMALL, errors_of, with_small_scene


def title_of(run):
    return subprocess.run(["xdotool", "getwindowname", run.window()], env=run.environment, check=True,
                          capture_output=True, text=True).stdout.strip()


def build(run):
    """Adds a body, which is work."""
    run.key("p")
    before = run.state()["bodies"]
    run.move(400, 330)
    run.key("n")
    return run.wait(lambda s: s["bodies"] == before + 1 and s["scene"]["unsaved"], "a new body")


def own(run, name):
    return os.path.join(run.folder, "data", "cairn", "scenes", name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_name(run, text):
    run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
    run.frames(4)
    run.key("ctrl+a")
    run.xdotool("type", "--delay", 20, "--", text)
    run.frames(3)


class Documents(unittest.TestCase):
    def test_save_and_the_mark_of_unsaved_work(self):
        with with_small_scene() as run:
            path = run.path("small.json")
            with open(path, encoding="utf-8") as file:
                before = file.read()
            self.assertFalse(run.state()["scene"]["unsaved"])
            # Playing is no work: a thrown ball asks for nothing.
            run.move(400, 300)
            run.key("space")
            run.wait(lambda s: s["bodies"] == 4, "a ball")
            self.assertFalse(run.state()["scene"]["unsaved"])
            state = run.key("ctrl+s")
            self.assertTrue(any("Nothing was built" in m["text"] for m in state["messages"]))
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), before)
            build(run)
            run.frames()
            self.assertTrue(title_of(run).startswith("●"), title_of(run))
            run.key("ctrl+s")
            run.wait(lambda s: not s["scene"]["unsaved"], "saved")
            run.frames()
            self.assertEqual(title_of(run), "Two boxes – Cairn")
            self.assertEqual(len(read(path)["bodies"]), 5)
            # Undo goes back behind what was saved, redo to it.
            run.key("ctrl+z")
            run.wait(lambda s: s["scene"]["unsaved"], "unsaved after undo")
            run.key("ctrl+y")
            run.wait(lambda s: not s["scene"]["unsaved"], "saved after redo")
            # Restarting goes back to what was saved.
            run.key("r")
            run.wait(lambda s: s["step"] == 0 and s["bodies"] == 5, "the saved scene")
            self.assertEqual(errors_of(run.state()), [])

    def test_a_name_that_is_refused_stays_in_the_dialog(self):
        with with_small_scene() as run:
            build(run)
            run.key("ctrl+shift+s")
            write_name(run, "/proc/refused")
            run.key("Return")
            run.wait(lambda s: "files.problem" in s["widgets"], "the reason")
            state = run.frames(4)
            self.assertIn("files.name", state["widgets"])
            self.assertTrue(state["scene"]["unsaved"])
            run.key("Home")
            for _ in "/proc/":
                run.key("Delete")
            run.key("Return")
            run.wait(lambda s: s["scene"]["file"].endswith("refused.json") and not s["scene"]["unsaved"], "saved")
            self.assertEqual(len(read(run.path("refused.json"))["bodies"]), 4)

    def test_save_as_appends_its_ending_and_asks_before_it_replaces(self):
        with with_small_scene() as run:
            build(run)
            run.key("ctrl+shift+s")
            write_name(run, "mine")
            run.key("Return")
            run.wait(lambda s: s["scene"]["file"].endswith("mine.json") and not s["scene"]["unsaved"], "saved as mine")
            # A scene from a folder is saved beside it by default.
            path = run.path("mine.json")
            self.assertEqual(read(path)["name"], "mine")
            run.frames()
            self.assertEqual(title_of(run), "mine – Cairn")
            build(run)
            with open(path, encoding="utf-8") as file:
                before = file.read()
            run.key("ctrl+shift+s")
            write_name(run, "small")
            run.key("Return")
            state = run.wait(lambda s: s["question"], "a question")
            self.assertIn("small.json", state["question"])
            run.key("Escape")
            run.wait(lambda s: not s["question"], "no question")
            self.assertEqual(len(read(run.path("small.json"))["bodies"]), 3)
            run.key("ctrl+shift+s")
            write_name(run, "small")
            run.key("Return")
            run.click("question.replace")
            run.wait(lambda s: s["scene"]["file"].endswith("small.json") and not s["scene"]["unsaved"], "replaced")
            self.assertEqual(len(read(run.path("small.json"))["bodies"]), 5)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), before)

    def test_a_new_scene_is_saved_among_my_scenes_and_listed(self):
        with with_small_scene() as run:
            run.key("ctrl+n")
            state = run.wait(lambda s: s["scene"]["file"] == "" and s["bodies"] == 1, "a new scene")
            self.assertEqual(state["scene"]["name"], "New scene")
            self.assertLess(math.dist(state["camera"]["eye"], (0, 0, 0)), 20)  # the ground is a hundred metres wide
            build(run)
            run.key("ctrl+s")
            write_name(run, "first machine.json")
            run.key("Return")
            run.wait(lambda s: s["scene"]["name"] == "first machine" and not s["scene"]["unsaved"], "saved")
            self.assertEqual(len(read(own(run, "first machine.json"))["bodies"]), 2)
            run.key("ctrl+o")
            run.wait(lambda s: "browser.first machine" in s["widgets"], "the scene in the browser")

    def test_nothing_is_lost_unasked(self):
        with with_small_scene() as run:
            build(run)
            for key in ["ctrl+q", "ctrl+n", "r", "F5"]:
                run.key(key)
                state = run.wait(lambda s: s["question"], "a question for " + key)
                self.assertIn("Two boxes", state["question"])
                # Nothing behind the question takes keys or clicks.
                run.key("Delete")
                run.click_at(20, 20)
                self.assertTrue(run.state()["question"])
                run.key("Escape")
                state = run.wait(lambda s: not s["question"], "no question")
                self.assertEqual((state["bodies"], state["scene"]["unsaved"]), (4, True))
            # "Save", and then what was wanted.
            run.key("ctrl+n")
            run.wait(lambda s: s["question"], "a question")
            run.key("Return")
            run.wait(lambda s: s["scene"]["file"] == "", "the new scene")
            self.assertEqual(len(read(run.path("small.json"))["bodies"]), 4)
            build(run)
            run.xdotool("key", "ctrl+q")
            run.wait(lambda s: s["question"], "a question")
            run.key("Right")
            run.xdotool("key", "Return")
            self.assertEqual(run.process.wait(timeout=60), 0)
            self.assertEqual(os.listdir(os.path.join(run.folder, "state", "cairn", "unsaved")), [])

    def test_work_survives_a_crash(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "cairn", "unsaved")
            with with_small_scene(state=folder) as run:
                build(run)
                run.wait(lambda _: os.path.isdir(kept) and os.listdir(kept), "the autosaved file")
                path = run.path("small.json")
                run.process.send_signal(signal.SIGKILL)
                run.process.wait()
            with with_small_scene(state=folder) as run:
                state = run.wait(lambda s: s["question"], "the question")
                self.assertIn("Recover", state["question"])
                run.key("Return")
                state = run.wait(lambda s: s["bodies"] == 4, "the recovered body")
                self.assertTrue(state["scene"]["unsaved"])
                self.assertEqual(os.path.basename(state["scene"]["file"]), os.path.basename(path))
                self.assertEqual(errors_of(state), [])
                run.process.send_signal(signal.SIGKILL)
                run.process.wait()
            # Not lost by a second crash either; and what is discarded does not come again.
            with with_small_scene(state=folder) as run:
                run.wait(lambda s: s["question"], "the question")
                run.click("question.discard")
                run.wait(lambda s: not s["question"] and s["bodies"] == 3, "discarded")
                self.assertEqual(os.listdir(kept), [])

    def test_the_dialog_opens_by_typing_and_through_folders(self):
        def prepare(run):
            for name, text in [("small.json", SMALL), ("deep/one.json", dict(SMALL, name="One")),
                               ("deep/other.json", dict(SMALL, name="Other"))]:
                os.makedirs(os.path.dirname(run.path(name)), exist_ok=True)
                with open(run.path(name), "w", encoding="utf-8") as file:
                    json.dump(text, file)
        with Program("small.json", prepare=prepare) as run:
            run.key("ctrl+shift+o")
            run.click("files.entry.deep")
            run.wait(lambda s: "files.entry.one.json" in s["widgets"], "the folder's files")
            write_name(run, "oth")
            run.key("Return")
            run.wait(lambda s: s["scene"]["name"] == "Other", "the only match")
            run.key("ctrl+shift+o")
            write_name(run, run.path("deep/one.json"))
            run.key("Return")
            run.wait(lambda s: s["scene"]["name"] == "One", "the typed path")
            run.key("ctrl+shift+o")
            write_name(run, "nothing.json")
            run.key("Return")
            run.wait(lambda s: "files.problem" in s["widgets"], "what is wrong")
            run.click("files.recent.1") # 0 is the one that is open
            run.wait(lambda s: s["scene"]["name"] == "Other", "the recent file")
            run.key("ctrl+shift+o")
            run.wait(lambda s: "files" in s["widgets"], "the dialog")
            run.key("Escape")
            self.assertNotIn("files", run.frames(3)["widgets"])
            self.assertEqual(errors_of(run.state()), [])

    def test_comments_stay_where_they_are(self):
        text = json.dumps(SMALL, indent=1).replace('"name": "left"', '/* mine */ "name": "left"')
        def prepare(run):
            with open(run.path("small.json"), "w", encoding="utf-8") as file:
                file.write("// By hand\n" + text)
        with Program("small.json", prepare=prepare) as run:
            build(run)
            run.key("ctrl+s")
            run.wait(lambda s: not s["scene"]["unsaved"], "saved")
            with open(run.path("small.json"), encoding="utf-8") as file:
                saved = file.read()
            self.assertTrue(saved.startswith("// By hand\n"))
            self.assertIn('/* mine */ "name": "left"', saved)

    def test_the_floor_is_not_deleted_by_one_key(self):
        with with_small_scene(paused=0) as run:
            run.click_at(400, 480)  # the ground before the boxes
            run.wait(lambda s: s["body"] and s["body"]["name"] == "ground", "the ground selected")
            run.key("Delete")
            state = run.wait(lambda s: s["question"], "a question")
            self.assertIn("ground", state["question"])
            run.key("Escape")
            self.assertEqual(run.frames()["bodies"], 3)
            run.key("ctrl+x")
            run.wait(lambda s: s["question"], "a question before it is cut")
            run.key("Escape")
            run.key("Delete")
            run.wait(lambda s: s["question"], "a question")
            run.key("Return")
            run.wait(lambda s: s["bodies"] == 2, "deleted on purpose")


if __name__ == "__main__":
    unittest.main()
