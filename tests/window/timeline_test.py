"""The timeline of the real window: any step of the past, the ways that part there, and saving it all."""

import unittest

from driver import rows_of_png, verify
from small_scene import errors_of, with_small_scene


class Timeline(unittest.TestCase):
    def go_to_share(self, run, share):
        before = run.frames(3)  # a step that was on its way when the world was paused has come by then
        x, y, width, height = before["widgets"]["timeline.track"]
        run.click_at(x + 1 + share * (width - 2), y + height / 2)
        # Each test goes to another step than it stands at: not to be seeking may be from before the click.
        run.wait(lambda s: s["step"] != before["step"] and not s["seeking"], "the step")
        return run.frames(2)

    def test_past_is_played_and_its_marks_are_found(self):
        with with_small_scene() as run:
            run.key("space")
            run.wait(lambda s: s["bodies"] == 4, "the ball")
            run.wait(lambda s: s["step"] > 150 and "strike" in s["timeline"]["marks"], "a while")
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
            known, last = state["known_steps"], state["hash"]
            marks = state["timeline"]["marks"]
            self.assertEqual(len(marks["command"]), 1, "the throw")
            self.assertTrue(all(step > marks["command"][0] for step in marks["strike"]), marks)
            # From mark to mark, backwards and on again.
            there = sorted({step for steps in marks.values() for step in steps if step < known})
            for step in there[:-4:-1]:
                run.key("comma")
                run.wait(lambda s, step=step: s["step"] == step and not s["seeking"], f"the mark at {step}")
            if len(there) > 1:
                run.key("period")
                run.wait(lambda s: s["step"] == there[max(len(there) - 2, 0)], "the next mark")
            # To the beginning by itself, and to the end again; the pause stays.
            run.click("timeline.play_back")
            run.wait(lambda s: s["timeline"]["playing"] == -1 or s["step"] == 0, "playing")
            state = run.wait(lambda s: s["step"] == 0 and s["timeline"]["playing"] == 0, "the beginning")
            self.assertTrue(state["paused"])
            self.assertEqual((state["bodies"], state["known_steps"]), (3, known))
            run.key("shift+period")
            run.wait(lambda s: 0 < s["step"] < known and s["timeline"]["playing"] == 1, "on the way")
            run.key("shift+period")
            run.wait(lambda s: s["timeline"]["playing"] == 0, "the stop")
            run.key("shift+period")
            state = run.wait(lambda s: s["step"] == known and s["timeline"]["playing"] == 0, "the end")
            self.assertEqual((state["hash"], state["lines"]), (last, 1))
            self.assertEqual(state["timeline"]["marks"], marks)
            self.assertEqual(errors_of(state), [])

    def test_notes_stay_under_what_is_chosen_from(self):
        with with_small_scene("--quality", "low", size=(1100, 640)) as run:  # notes fade while pictures are drawn
            run.wait(lambda s: s["step"] > 20, "some steps")
            run.key("p")
            run.wait(lambda s: s["paused"] and not any(w.startswith("note.") for w in s["widgets"]), "the pause")
            run.click("timeline.marks")
            choice = run.wait(lambda s: "timeline.commands" in s["widgets"], "the choice of marks")["widgets"]["timeline.commands"]

            def picture():
                path = run.screenshot("shift+F12")  # with the panels
                run.wait(lambda s: "note.0" in s["widgets"], "the note of it")
                return path

            def part(rows, x, y, width, height):
                return [row[int(x):int(x + width)] for row in rows[int(y):int(y + height)]]

            def change(x, y, width, height):
                rows = zip(part(bare, x, y, width, height), part(noted, x, y, width, height))
                return max(abs(a - b) for old, new in rows for p, q in zip(old, new) for a, b in zip(p, q))
            for _ in range(5):
                run.wait(lambda s: "note.0" not in s["widgets"], "the last note to fade")
                first = picture()
                note = run.state()["widgets"].get("note.0")
                second = picture()  # with the note of the first one, unless a slow machine let it fade
                bare, noted = list(rows_of_png(first)), list(rows_of_png(second))
                if note and change(note[0] + note[2] - 40, note[1], 40, note[3]) > 60:
                    break
            self.assertIsNotNone(note)
            self.assertTrue(note[0] < choice[0] < note[0] + note[2], (note, choice))
            self.assertTrue(min(note[1] + note[3], choice[1] + choice[3]) > max(note[1], choice[1]), (note, choice))
            self.assertLess(change(*choice), 20, "panels let a little through")
            self.assertGreater(change(note[0] + note[2] - 40, note[1], 40, note[3]), 60)

    # A ball is thrown at the boxes; what if it had been on the moon? From before the throw, the throw and all, with the
    # first way as ghosts and its curves beside the others.
    def test_what_if(self):
        with with_small_scene(size=(1100, 640)) as run:
            run.key("F2")
            run.wait(lambda s: s["step"] > 20 and s["plots"]["shown"], "some steps")
            run.key("j")
            run.wait(lambda s: any("nothing to replay" in m["text"] for m in s["messages"]), "the refusal")
            before = run.state()["step"]
            self.assertFalse(run.state()["paused"])
            run.move(550, 250)
            run.key("space")
            run.wait(lambda s: s["step"] > before + 60 and "command" in s["timeline"]["marks"], "a while after it")
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
            known, thrown, energy = state["known_steps"], state["timeline"]["marks"]["command"], state["plots"]["energy"]
            last = state["hash"]
            self.assertEqual(len(thrown), 1)
            self.assertEqual(state["plots"]["samples"], known + 1)
            self.go_to_share(run, 0.5 * thrown[0] / known)
            run.click("timeline.what_if")
            state = run.wait(lambda s: s["what_if"], "what if")
            begun = state["step"]
            self.assertTrue(0 < begun < thrown[0])
            self.assertEqual(state["what_if"], {"line": 0, "from": begun, "end": known})
            self.assertEqual(state["bodies"], 3)
            run.click("world.gravity.Moon")
            run.wait(lambda s: s["gravity"][2] == -1.62, "the moon")
            run.click("timeline.hurry")
            state = run.wait(lambda s: s["what_if"] is None and s["step"] == known, "the end")
            self.assertTrue(state["paused"])
            self.assertEqual((state["lines"], state["line"], state["bodies"]), (2, 1, 4))
            self.assertEqual(state["line_names"], ["Branch 1", "Gravity (0, 0, -1.62)"])
            self.assertEqual(state["timeline"]["marks"]["command"][-1], thrown[0], "the throw at its step")
            self.assertNotEqual(state["hash"], last)
            self.assertNotEqual(state["plots"]["energy"], energy)
            state = run.wait(lambda s: s["ghosts"]["bodies"] >= 1 and s["ghosts"]["step"] == s["step"], "the ghosts")
            self.assertEqual(state["ghosts"]["line"], 0)
            self.assertGreater(state["plots"]["other"], known - begun)
            # The plot as a table has both.
            run.click("plot.energy")
            run.click("plots.csv")
            state = run.wait(lambda s: any(m["text"].endswith(".csv") for m in s["messages"]), "the saved table")
            path = next(m["text"] for m in state["messages"] if m["text"].endswith(".csv"))[len("Saved "):]
            with open(path, encoding="utf-8") as file:
                rows = [line.split(",") for line in file.read().splitlines()]
            self.assertEqual(rows[0][4:], ["total_J", "other_kinetic_J", "other_potential_J", "other_total_J"])
            self.assertEqual(len(rows), known + 2)
            self.assertEqual(rows[begun + 1][4], rows[begun + 1][7])
            self.assertNotEqual(rows[-1][4], rows[-1][7])
            # A name of its own.
            run.click("timeline.line")
            run.wait(lambda s: "timeline.name" in s["widgets"], "the choice of ways")
            run.type_over("timeline.name", "on the moon")
            run.wait(lambda s: s["line_names"][1] == "on the moon", "the name")
            # Given up on the way, the world goes on by itself.
            self.go_to_share(run, 0.2)
            run.key("j")
            run.wait(lambda s: s["what_if"], "another what if")
            run.key("j")
            state = run.wait(lambda s: s["what_if"] is None, "none")
            self.assertEqual(state["known_steps"], known)
            self.assertEqual(errors_of(state), [])

    def test_past_is_seen_again_changed_and_saved(self):
        with with_small_scene() as run:
            run.key("space")
            thrown = run.wait(lambda s: s["bodies"] == 4, "the ball")["step"]
            # Ten steps before the middle it must have been thrown: where it is not, stepping on goes another way.
            run.wait(lambda s: s["step"] > max(100, 2 * thrown + 40), "a while")
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
            known, last = state["known_steps"], state["hash"]
            # Before the ball was thrown there was none; at the end all is as it was.
            state = self.go_to_share(run, 0.0)
            self.assertEqual((state["step"], state["bodies"]), (0, 3))
            state = self.go_to_share(run, 0.5)
            self.assertAlmostEqual(state["step"], known / 2, delta=2)
            self.assertEqual(state["known_steps"], known)
            middle, middle_hash = state["step"], state["hash"]
            run.xdotool("key", "--delay", 5, "--repeat", 10, "--repeat-delay", 5, "shift+o")
            run.wait(lambda s: s["step"] == middle - 10, "one step back for each")
            run.xdotool("key", "--delay", 5, "--repeat", 10, "--repeat-delay", 5, "o")
            state = run.wait(lambda s: s["step"] == middle, "the step again")
            self.assertEqual(state["hash"], middle_hash)
            self.assertEqual((state["lines"], state["known_steps"]), (1, known))
            state = self.go_to_share(run, 1.0)
            self.assertEqual((state["step"], state["hash"]), (known, last))
            # With another ball the world goes another way, and both ways are kept.
            self.go_to_share(run, 0.25)
            run.key("space")
            run.key("p")
            run.wait(lambda s: s["lines"] == 2 and s["known_steps"] > 0.4 * known, "the other way")
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
            self.assertEqual(state["line"], 1)
            other = state["hash"]
            run.click("timeline.line")
            run.wait(lambda s: "timeline.line.1" in s["widgets"], "the choice of ways")
            run.click("timeline.line.1")
            run.wait(lambda s: s["line"] == 0 and s["known_steps"] == known, "the first way")
            state = self.go_to_share(run, 1.0)
            self.assertEqual(state["hash"], last)
            # The second way as ghosts: there its ball is, and what has not been touched has none.
            run.click("timeline.line")
            run.wait(lambda s: "timeline.ghosts.2" in s["widgets"], "the choice of ways")
            run.click("timeline.ghosts.2")
            run.click_at(400, 100)  # closes the list
            state = run.wait(lambda s: s["ghosts"] and s["ghosts"]["bodies"] >= 1, "the ghosts")
            self.assertEqual(state["ghosts"]["line"], 1)
            self.assertLess(state["ghosts"]["bodies"], 5)
            self.go_to_share(run, 0.1)
            run.wait(lambda s: s["ghosts"]["bodies"] == 0, "none before the ways part")
            state = self.go_to_share(run, 0.35)
            run.wait(lambda s: s["ghosts"]["bodies"] >= 1 and s["ghosts"]["step"] == s["step"], "the same step")
            run.click("timeline.line")
            run.wait(lambda s: "timeline.line.2" in s["widgets"], "the choice of ways")
            run.click("timeline.line.2")
            state = run.wait(lambda s: s["line"] == 1 and not s["seeking"], "the second way")
            self.assertEqual(state["ghosts"]["line"], 0, "they change places")
            state = self.go_to_share(run, 1.0)
            self.assertEqual(state["hash"], other)
            # What nobody has recorded is saved all the same.
            verified = verify(run.saved_history())
            state = run.state()
            self.assertEqual(errors_of(state), [])
            self.assertIn(str(state["known_steps"]), verified)

    # The branches are a picture above the track: a row each, from where they part; a click takes one up.
    def test_branches_are_a_picture(self):
        with with_small_scene(size=(1000, 600)) as run:
            run.key("space")
            run.wait(lambda s: s["bodies"] == 4 and s["step"] > 80, "a while after the ball")
            run.key("p")
            state = run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
            known, before = state["known_steps"], state["widgets"]["timeline.track"]
            self.assertNotIn("timeline.branch.1", state["widgets"])
            for line, share in ((1, 0.25), (2, 0.5)):
                self.go_to_share(run, share)
                run.key("space")
                run.key("p")
                run.wait(lambda s, line=line: s["lines"] == line + 1 and s["line"] == line, "another branch")
                run.key("p")
                run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause")
                run.key("ctrl+Up")
                run.wait(lambda s, line=line: s["line"] != line and not s["seeking"], "the branch above")
                run.key("ctrl+Up")
                run.wait(lambda s: s["line"] == 0 and not s["seeking"], "the first branch")
            state = run.wait(lambda s: "timeline.branch.3" in s["widgets"], "the picture")
            rows = {i: state["widgets"][f"timeline.branch.{i}"] for i in (1, 2, 3)}
            self.assertEqual(sorted(rows, key=lambda i: rows[i][1]), [1, 3, 2], "what leaves last is nearest")
            track = state["widgets"]["timeline.track"]
            self.assertGreater(track[2], before[2] - 60, "the track keeps its room")
            self.assertLess(rows[2][1] + rows[2][3], track[1] + 3, "above the track")
            run.move(rows[2][0] + 150, rows[2][1] + rows[2][3] / 2)
            state = run.wait(lambda s: "Click to switch" in s["tip"], "what it is")
            self.assertIn("Leaves Branch 1 at", state["tip"])
            tip, strip = state["widgets"]["tip"], state["widgets"]["timeline"]
            self.assertLessEqual(tip[1] + tip[3], strip[1], "the tooltip covers nothing of the picture")
            run.click("timeline.branch.2")
            run.wait(lambda s: s["line"] == 1 and not s["seeking"], "the second branch")
            with run.held("shift"):
                run.click("timeline.branch.1")
                run.wait(lambda s: s["ghosts"] and s["ghosts"]["line"] == 0, "the first one as ghosts")
                run.click("timeline.branch.1")
                run.wait(lambda s: s["ghosts"] is None, "no ghosts")
            run.click("timeline.branch.1")
            state = run.wait(lambda s: s["line"] == 0 and s["known_steps"] == known, "the first branch")
            run.key("ctrl+Up")
            state = run.wait(lambda s: any("no branch beyond" in m["text"] for m in s["messages"]), "that it is the top")
            self.assertEqual(errors_of(state), [])


if __name__ == "__main__":
    unittest.main()
