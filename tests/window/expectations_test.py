"""What a scene expects, in the real window: seen, clicked, made from here on, and written to the file."""

import json
import re
import unittest

from driver import Program
from small_scene import SMALL, errors_of, gl_troubles


def with_expectations(*expect, zones=()):
    scene = SMALL | {"zones": list(zones), "expect": list(expect)}

    def prepare(run):
        with open(run.path("small.json"), "w", encoding="utf-8") as file:
            file.write("// a comment that stays\n" + json.dumps(scene))
    return Program("small.json", prepare=prepare, size=(1200, 900))


def statuses(state):
    return [e["status"] for e in state["expectations"]]


class Expectations(unittest.TestCase):
    def test_expectations_are_listed_and_lead_to_their_step(self):
        zone = {"name": "goal", "half_extents": [1, 1, 1], "position": [1.2, 0, 1]}
        with with_expectations({"body": "left", "upright": 0.1, "always": 30},
                               {"body": "right", "height": {"most": 0.1}, "by": 40, "why": "it should sink"},
                               {"body": "right", "within": "goal", "always": 5000}, zones=[zone]) as run:
            self.assertEqual([z["name"] for z in run.state()["zones"]], ["goal"])
            run.wait(lambda s: s["step"] > 60, "a while")
            run.key("p")
            state = run.wait(lambda s: s["paused"], "the pause")
            self.assertEqual(statuses(state), ["met", "failed", "open"])
            self.assertEqual([e["step"] for e in state["expectations"][:2]], [30, 40])
            run.open_section("expectations", "expectations.2")
            run.click("expectations.2")
            state = run.wait(lambda s: s["step"] == 40 and not s["seeking"], "where it failed")
            self.assertEqual(state["body"]["name"], "right", "and the body that it failed for")
            # One less, and back again by a restart of the file.
            run.click("expectations.1.drop")
            state = run.wait(lambda s: len(s["expectations"]) == 2, "one less")
            self.assertEqual(statuses(state), ["failed", "open"])
            self.assertEqual(errors_of(state), [])
            self.assertEqual(gl_troubles(state), [])

    def test_more_is_expected_of_the_selection_and_written(self):
        with with_expectations({"body": "left", "upright": 0.1, "always": 30}) as run:
            run.wait(lambda s: s["step"] > 5, "steps")
            run.key("p")
            run.wait(lambda s: s["paused"], "the pause")
            run.click_at(*run.pickable("left")["at"])
            run.open_section("expectations", "expectations.place")
            run.type_over("expectations.seconds", "0.5")
            run.click("expectations.place")
            state = run.wait(lambda s: len(s["expectations"]) == 2, "the expectation")
            now = state["step"]
            self.assertEqual(state["expectations"][1]["what"],
                             f'"left" is within "place 1" always from step {now + 1} to {now + 30}')
            self.assertEqual([z["name"] for z in state["zones"]], ["place 1"])
            with run.held("shift"):
                run.click_at(*run.pickable("right")["at"])
            run.click("expectations.no_touch")
            state = run.wait(lambda s: len(s["expectations"]) == 3, "another one")
            self.assertIn('"left" is never in touch with "right" from step', state["expectations"][2]["what"])
            # They rest at this step: what is expected is that they do from the next one on.
            run.click("expectations.rest")
            state = run.wait(lambda s: len(s["expectations"]) == 4, "of both")
            self.assertTrue(state["expectations"][3]["what"].endswith(
                f"at rest between steps {now + 1} and {now + 30}"), state["expectations"][3])
            run.click("expectations.4.drop")
            run.wait(lambda s: len(s["expectations"]) == 3, "one less")
            run.click("expectations.write")
            state = run.wait(lambda s: any("Added 2 expectations" in m["text"] for m in s["messages"]), "the file")
            with open(run.path("small.json"), encoding="utf-8") as file:
                text = file.read()
            self.assertTrue(text.startswith("// a comment that stays\n"))
            written = json.loads(re.sub(r"^//.*\n", "", text))
            self.assertEqual(len(written["expect"]), 3)
            self.assertEqual(written["zones"][0]["name"], "place 1")
            run.key("p")
            state = run.wait(lambda s: s["step"] > now + 40, "their end")
            self.assertEqual(statuses(state), ["met", "met", "met"])
            self.assertEqual(errors_of(state), [])

    def test_plots_and_lengths_are_expected(self):
        with with_expectations() as run:
            run.wait(lambda s: s["step"] > 20, "steps")
            run.key("p")
            run.wait(lambda s: s["paused"], "the pause")
            # A length between two bodies.
            left, right = run.pickable("left"), run.pickable("right")
            run.key("z")
            run.click_at(*left["at"])
            run.click_at(*right["at"])
            run.click("measure.expect")
            state = run.wait(lambda s: len(s["expectations"]) == 1, "the length")
            self.assertIn('the distance of "left" from "right" is from', state["expectations"][0]["what"])
            run.key("F2")
            run.click("plot.penetration")
            run.type_over("plots.threshold", "20")
            run.click("plots.expect")
            state = run.wait(lambda s: len(s["expectations"]) == 2, "the threshold")
            self.assertIn("the penetration is at most 0.02 m always from", state["expectations"][1]["what"])
            self.assertEqual(errors_of(state), [])


if __name__ == "__main__":
    unittest.main()
