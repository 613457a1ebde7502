"""The collision lab in the real window: opened on a picked pair, stepped to the end, compared, and told what it shows."""

import glob
import json
import os
import subprocess
import unittest

from driver import Program, program
from small_scene import errors_of, gl_troubles, with_small_scene

LINES = [
    {"a": {"shape": {"box": {"half_extents": [0.5, 0.4, 0.3]}}},
     "b": {"shape": {"diamond": {"scale": 0.6}}, "position": [0.5, 0.3, 0.3]}},
    {"a": {"shape": {"sphere": {"radius": 0.5}}},
     "b": {"shape": {"sphere": {"radius": 0.5}}, "position": [3, 0, 0]},
     "motion_b": {"linear": [-2, 0, 0]}, "duration": 2}]


class Lab(unittest.TestCase):
    def open_on_both(self, run):
        run.wait(lambda s: s["step"] > 30, "steps")
        run.key("ctrl+a")
        run.wait(lambda s: len(s["selection"]) == 2, "both boxes selected")
        run.key("ctrl+l")
        return run.wait(lambda s: s["lab"] and s["lab"]["steps"] > 0, "the lab")["lab"]

    def choose(self, run, field, item):
        run.click(field)
        run.wait(lambda s: f"{field}.{item}" in s["widgets"], f"the entry {item}")
        run.click(f"{field}.{item}")

    def choose_by_start(self, run, start):
        """Chooses the first algorithm whose title begins so, for which the list may have to be scrolled."""
        wanted = "lab.algorithm." + start
        run.click("lab.algorithm")
        state = run.wait(lambda s: any(name.startswith("lab.algorithm.") for name in s["widgets"]), "the list")
        x, y, width, height = next(at for name, at in state["widgets"].items() if name.startswith("lab.algorithm."))
        run.move(x + width / 2, y + height / 2)
        while not any(name.startswith(wanted) for name in state["widgets"]):
            before = set(state["widgets"])
            run.press(5)  # the wheel
            run.release(5)
            state = run.frames(4)
            self.assertNotEqual(set(state["widgets"]), before, f"the list holds no {start}")
        run.click(next(name for name in state["widgets"] if name.startswith(wanted)))

    def test_a_body_that_undo_brings_back_is_looked_at_again(self):
        with with_small_scene(size=(1000, 640)) as run:
            self.open_on_both(run)
            run.key("p")
            for _ in range(2):  # each time it comes back under another handle
                run.key("Escape")
                run.wait(lambda s: not s["selection"], "nothing selected")
                run.click_at(*run.pickable("right")["at"])
                run.wait(lambda s: len(s["selection"]) == 1, "one box")
                run.key("Delete")
                run.wait(lambda s: s["bodies"] == 2 and "gone" in s["lab"]["trouble"], "no pair")
                run.key("ctrl+z")
                state = run.wait(lambda s: s["bodies"] == 3 and s["lab"]["b"], "the pair")
                self.assertEqual({state["lab"]["a"], state["lab"]["b"]}, {"left", "right"})
                state = run.wait(lambda s: not s["lab"]["trouble"] and s["lab"]["steps"] > 0, "its steps")
            self.assertEqual(errors_of(state), [])

    def test_lab_opens_on_a_picked_pair_and_steps_to_the_end(self):
        with with_small_scene(size=(1000, 640)) as run:
            lab = self.open_on_both(run)
            self.assertEqual({lab["a"], lab["b"]}, {"left", "right"})
            self.assertEqual(lab["runs"][0]["algorithm"], "gjk_epa")
            self.assertIn("1.2 m apart", lab["runs"][0]["answer"])
            seen = [lab["runs"][0]["sentence"]]
            for step in range(2, lab["steps"] + 1):
                run.click("lab.step")
                state = run.wait(lambda s, step=step: s["lab"]["step"] == step, f"step {step}")
                seen.append(state["lab"]["runs"][0]["sentence"])
            self.assertEqual(len(set(seen)), lab["steps"], "every step has a sentence of its own")
            self.assertIn("separated", state["lab"]["runs"][0]["status"])
            # By key, by the scrubber and by playing.
            run.key("ctrl+Left")
            run.wait(lambda s: s["lab"]["step"] == lab["steps"] - 1, "one step back")
            x, y, width, height = state["widgets"]["lab.scrub"]
            run.click_at(x + 0.03 * width, y + height / 2)
            run.wait(lambda s: s["lab"]["step"] == 1, "the first step")
            run.click("lab.play")
            state = run.wait(lambda s: s["lab"]["step"] == lab["steps"] and not s["lab"]["playing"], "the end")
            self.assertEqual(gl_troubles(state), [])
            self.assertEqual(errors_of(state), [])
            run.click("lab.close")
            run.wait(lambda s: s["lab"] is None and "column.right" in s["widgets"], "the lab to close")

    def test_lab_has_a_button_and_lessons_have_titles(self):
        with with_small_scene(size=(1280, 720), scale=1.0) as run:
            run.click("column.right.unfold")
            run.click("body.lab")
            state = run.wait(lambda s: s["lab"] and s["lab"]["question"] == 1 and s["lab"]["steps"] > 0, "the lessons")
            self.assertIn("lab.title", state["widgets"])
            first = state["lab"]["runs"][0]["answer"]
            run.click("lab.question.next")
            run.wait(lambda s: s["lab"]["question"] == 2 and s["lab"]["runs"] and
                     s["lab"]["runs"][0]["answer"] != first, "the next lesson")
            run.click("lab.question.back")
            run.wait(lambda s: s["lab"]["question"] == 1, "the lesson before")
            run.click("lab.close")
            run.key("ctrl+a")
            run.wait(lambda s: len(s["selection"]) == 2, "both boxes selected")
            run.click("body.lab")
            state = run.wait(lambda s: s["lab"] and s["lab"]["a"], "the lab on both")
            self.assertEqual({state["lab"]["a"], state["lab"]["b"]}, {"left", "right"})

    def test_lab_follows_bodies_that_are_dragged(self):
        with with_small_scene(size=(1000, 640)) as run:
            before = self.open_on_both(run)
            body = run.pickable("left")
            run.move(*body["at"])
            run.press()
            run.move(body["at"][0] - 30, body["at"][1] - 60)
            state = run.wait(lambda s: s["lab"]["version"] > before["version"] + 10 and
                             s["lab"]["runs"][0]["answer"] != before["runs"][0]["answer"], "new answers")
            run.release()
            self.assertGreater(state["lab"]["steps"], 0)
            self.assertEqual(gl_troubles(state), [])

    def test_lab_goes_to_a_pair_of_its_own_and_back(self):
        with with_small_scene(size=(1000, 640)) as run:
            self.open_on_both(run)
            self.choose_by_start(run, "2D: ")
            before = run.wait(lambda s: s["lab"]["a"] not in ("left", "right") and s["lab"]["steps"] > 0, "polygons")
            self.assertNotIn("lab.beside", before["widgets"])
            self.assertNotIn("lab.preset", before["widgets"])
            after = run.wait(lambda s: s["step"] > before["step"] + 20, "time to pass")
            self.assertEqual(after["lab"]["version"], before["lab"]["version"], "nothing runs again by itself")
            # About one body: it brings its own. One about pairs runs on the pair that the lab was opened on.
            self.choose_by_start(run, "Article 7: ")
            state = run.wait(lambda s: len(s["lab"]["runs"]) == 2 and s["lab"]["runs"][0]["failed"], "its own pose")
            self.assertEqual(state["lab"]["trouble"], "")
            self.choose(run, "lab.algorithm", "GJK and EPA")
            state = run.wait(lambda s: s["lab"]["runs"][0]["algorithm"] == "gjk_epa", "the engine's")
            self.assertEqual({state["lab"]["a"], state["lab"]["b"]}, {"left", "right"})

    def test_lab_keeps_its_pair_in_a_restart_and_loses_it_with_the_scene(self):
        with with_small_scene(size=(1000, 640)) as run:
            self.open_on_both(run)
            before = run.wait(lambda s: s["step"] > 120, "steps")["step"]  # time to see the restart on a slow machine
            run.key("r")
            run.wait(lambda s: s["step"] < before, "the restart")
            state = run.wait(lambda s: s["step"] > 30, "steps")
            self.assertEqual(len(state["selection"]), 2, "what was selected still is")
            self.assertEqual({state["lab"]["a"], state["lab"]["b"]}, {"left", "right"})
            self.assertEqual(state["lab"]["trouble"], "")
            run.key("ctrl+o")
            run.wait(lambda s: s["view"]["browser"], "the browser")
            run.xdotool("type", "--delay", 20, "domino")
            run.wait(lambda s: s["browser"]["found"] < 5 and "browser.domino_run" in s["widgets"], "the search")
            run.key("Return")
            state = run.wait(lambda s: s["lab"]["trouble"], "a word about it")
            self.assertIn("One of the two bodies is gone", state["lab"]["trouble"])
            self.assertEqual(state["lab"]["runs"], [])

    def test_lab_shows_two_algorithms_side_by_side(self):
        with with_small_scene(size=(1000, 640)) as run:
            self.open_on_both(run)
            self.choose(run, "lab.beside", "Separating axes")
            state = run.wait(lambda s: len(s["lab"]["runs"]) == 2, "two runs")
            self.assertEqual([r["algorithm"] for r in state["lab"]["runs"]], ["gjk_epa", "sat"])
            self.assertEqual(state["lab"]["runs"][0]["answer"], state["lab"]["runs"][1]["answer"])
            for picture in ("lab.bodies", "lab.difference", "lab.bodies.2", "lab.difference.2"):
                self.assertIn(picture, state["widgets"])
            self.choose(run, "lab.algorithm", "Conservative advancement")
            run.wait(lambda s: s["lab"]["runs"][0]["algorithm"] == "advancement", "the advancement")
            self.assertEqual(gl_troubles(run.state()), [])

    def test_lab_measures_what_the_algorithms_take(self):
        with with_small_scene(size=(1000, 640)) as run:
            self.open_on_both(run)
            run.click("lab.compare")
            run.wait(lambda s: (s["lab"]["measured"] or 0) > 6 and "lab.growth" in s["widgets"], "some rows")
            run.click("lab.comparison.stop")
            state = run.wait(lambda s: not s["lab"]["measuring"], "the stop")
            run.click("lab.comparison.save")
            run.wait(lambda s: any("comparison" in m["text"] for m in s["messages"]), "the table")
            with open(glob.glob(run.path("data/cairn/lab/comparison*.csv"))[0], encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertGreater(len(lines), state["lab"]["measured"])
            run.click("lab.comparison.close")
            state = run.wait(lambda s: s["lab"]["measured"] is None and "lab.sentence.0" in s["widgets"], "the steps")
            self.assertEqual(gl_troubles(state), [])

    def test_lab_shows_what_articles_get_wrong(self):
        with with_small_scene(size=(1000, 640)) as run:
            run.wait(lambda s: s["step"] > 5, "steps")
            run.key("ctrl+l")  # with nothing selected: the lessons
            run.wait(lambda s: s["lab"] and s["lab"]["steps"] > 0, "the lessons")
            self.choose_by_start(run, "Article 3: ")
            run.wait(lambda s: "lab.preset" in s["widgets"], "the switch")
            run.click("lab.preset")
            state = run.wait(lambda s: len(s["lab"]["runs"]) == 2 and s["lab"]["runs"][0]["failed"],
                             "an article's version that fails, and the right one")
            self.assertFalse(state["lab"]["runs"][1]["failed"])
            self.assertTrue(state["lab"]["verdict"])
            self.assertEqual(gl_troubles(state), [])

    def test_lab_opens_on_a_contact(self):
        with with_small_scene(size=(1000, 640)) as run:
            run.wait(lambda s: s["step"] > 30, "steps")
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: s["selected"] is not None, "the selection")
            run.open_section("contacts", "contact.0")
            with run.held("ctrl"):
                run.click("contact.0")
            state = run.wait(lambda s: s["lab"] and s["lab"]["steps"] > 0, "the lab")
            self.assertEqual({state["lab"]["a"], state["lab"]["b"]}, {"ground", "left"})

    def test_lab_opens_in_a_capture_at_a_step(self):
        def record(run):
            subprocess.run([program(), "simulate", "builtin:duel", "--steps", "60", "--capture", run.path("duel.cairn")],
                           check=True, capture_output=True)

        with Program("duel.cairn", "--at", "20", size=(1000, 640), prepare=record) as run:
            run.wait(lambda s: s["replay"] is not None and s["step"] == 20, "the replay")
            run.key("ctrl+a")
            run.wait(lambda s: len(s["selection"]) == 2, "both bodies")
            run.key("ctrl+l")
            before = run.wait(lambda s: s["lab"] and s["lab"]["steps"] > 0, "the lab")
            run.key("o")
            state = run.wait(lambda s: s["step"] == 21 and s["lab"]["version"] > before["lab"]["version"],
                             "the next step in the lab, too")
            self.assertNotEqual(state["lab"]["runs"][0]["answer"], before["lab"]["runs"][0]["answer"])

    def test_lab_opens_on_a_file_of_questions(self):
        def write(run):
            with open(run.path("pairs.jsonl"), "w", encoding="utf-8") as file:
                file.write("\n".join(json.dumps(line) for line in LINES) + "\n")
        with Program("pairs.jsonl", size=(1000, 640), prepare=write) as run:
            state = run.wait(lambda s: s["lab"] and s["lab"]["steps"] > 0, "the lab")
            self.assertIn("deep", state["lab"]["runs"][0]["answer"])
            run.click("lab.question.next")
            run.wait(lambda s: "lab.question.back" in s["widgets"] and s["lab"]["question"] == 2, "the second question")
            run.wait(lambda s: s["lab"]["runs"] and "hit after 1 s" in s["lab"]["runs"][0]["answer"], "the impact")
            self.choose(run, "lab.algorithm", "GJK and EPA")
            run.wait(lambda s: s["lab"]["runs"] and "2 m apart" in s["lab"]["runs"][0]["answer"], "the distance")
            run.click("lab.save")
            state = run.wait(lambda s: any("Saved the steps" in m["text"] for m in s["messages"]), "the pictures")
            folder = glob.glob(run.path("data/cairn/lab/gjk_epa*"))[0]
            self.assertEqual(len(glob.glob(os.path.join(folder, "step_*.png"))), state["lab"]["steps"])
            self.choose(run, "lab.algorithm", "Separating axes")
            state = run.wait(lambda s: s["lab"]["trouble"], "a refusal")
            self.assertIn("polytopes", state["lab"]["trouble"])
            self.assertEqual(state["lab"]["runs"], [])


if __name__ == "__main__":
    unittest.main()
