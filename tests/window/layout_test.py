"""Tests of where panels are: at every scale, in every size of the window, and beside the world."""

import itertools
import os
import random
import unittest

from small_scene import gl_troubles, open_mesh, with_small_scene, write_tetrahedron


SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scenes")


def beside(a, b):
    """Whether two rectangles have nothing in common."""
    return (a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1])


class Layout(unittest.TestCase):
    def test_layout_at_every_scale(self):
        for scale, size in ((1.0, (1280, 720)), (2.0, (1280, 720))):
            with with_small_scene(size=size, scale=scale, paused=0) as run:
                state = run.frames(3)
                self.assertEqual(state["window"]["scale"], scale)
                widgets = state["widgets"]
                columns = {name: widgets[name] for name in ("column.left", "column.right", "column.tools")}
                holders = dict(columns, **{n: r for n, r in widgets.items() if n == "timeline"})
                if scale == 1.0:
                    for x, _, width, _ in columns.values():
                        self.assertLessEqual(width, size[0] / 4)
                inner = {n: r for n, r in widgets.items()
                         if n.split(".")[0] not in ("column", "pill", "note") and n not in holders}
                self.assertGreater(len(inner), 15)
                for name, (x, _, width, _) in inner.items():
                    self.assertTrue(any(cx <= x and x + width <= cx + cw for cx, _, cw, _ in holders.values()),
                                    f"{name} sticks out of its column at scale {scale}")
                for (a, ra), (b, rb) in itertools.chain(itertools.combinations(inner.items(), 2),
                                                        itertools.combinations(holders.items(), 2)):
                    self.assertTrue(beside(ra, rb), f"{a} and {b} overlap at scale {scale}")

    def test_drawer_and_columns_leave_each_other_room(self):
        for scale, size in ((1.0, (1280, 720)), (1.0, (1920, 1080)), (2.0, (1280, 720)), (2.0, (1920, 1080))):
            with with_small_scene(size=size, scale=scale, paused=0) as run:
                run.key("F2")
                state = run.frames(3)
                widgets = state["widgets"]
                self.assertIn("transport.help", widgets)
                help_right = widgets["transport.help"][0] + widgets["transport.help"][2]
                self.assertLessEqual(help_right, widgets["column.left.fold"][0], f"the row of buttons at scale {scale}")
                self.assertEqual(state["tight"], [], f"cut off at scale {scale} and {size}")
                areas = {n: widgets[n] for n in ("column.left", "column.right", "column.tools", "drawer", "timeline")
                         if n in widgets}
                self.assertIn("drawer", areas)
                for (a, ra), (b, rb) in itertools.combinations(areas.items(), 2):
                    self.assertTrue(beside(ra, rb), f"{a} and {b} overlap at scale {scale} and {size}: {ra} {rb}")
                for name, (x, y, width, height) in areas.items():
                    self.assertTrue(x >= 0 and y >= 0 and x + width <= size[0] and y + height <= size[1], name)
                for name, (x, y, width, height) in widgets.items():
                    if name.split(".")[0] in ("pill", "note") or name in areas:
                        continue
                    self.assertTrue(any(ax <= x and x + width <= ax + aw + 1 for ax, _, aw, _ in areas.values()),
                                    f"{name} sticks out at scale {scale} and {size}")

    def test_right_column_opens_for_a_selection_and_closes_with_it(self):
        with with_small_scene(size=(1280, 720), scale=1.0, paused=0) as run:
            state = run.frames()
            self.assertIn("column.right.unfold", state["widgets"])
            left, right = state["widgets"]["column.left"], state["widgets"]["column.right"]
            self.assertGreater(right[0] - left[0] - left[2], 0.6 * 1280, "room for the world")
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: "body.friction" in s["widgets"], "the body's panel")
            run.key("Escape")
            run.wait(lambda s: "column.right.unfold" in s["widgets"], "the column to close")
            # Opened by hand it stays.
            run.click("column.right.unfold")
            run.wait(lambda s: "section.layers" in s["widgets"], "the panels")
            run.click_at(*run.pickable("left")["at"])
            run.wait(lambda s: "body.friction" in s["widgets"], "the body's panel")
            run.key("Escape")
            self.assertIn("section.layers", run.frames(3)["widgets"])

    def test_a_narrow_window_shows_one_column(self):
        with with_small_scene(size=(800, 600), scale=1.0, paused=0) as run:
            self.assertIn("transport.pause", run.frames()["widgets"])
            run.click("column.right.unfold")
            state = run.wait(lambda s: "column.left.unfold" in s["widgets"], "the left column to give way")
            self.assertNotIn("transport.pause", state["widgets"])
            self.assertGreater(self.share_of_the_world(run, 800, 600), 0.6)
            run.click("column.left.unfold")
            run.wait(lambda s: "transport.pause" in s["widgets"] and "column.right.unfold" in s["widgets"], "the other")
            self.assertGreater(self.share_of_the_world(run, 800, 600), 0.6)

            # The lab takes the room of both, and gives it back.
            run.click_at(*run.pickable("right")["at"])
            run.wait(lambda s: s["selection"] and "column.left.unfold" in s["widgets"], "the selection's column")
            run.key("ctrl+l")
            state = run.wait(lambda s: "lab" in s["widgets"] and "column.left.unfold" in s["widgets"], "the lab alone")
            lab, tools = state["widgets"]["lab"], state["widgets"]["column.tools"]
            self.assertLessEqual(tools[0] + tools[2], lab[0])
            run.click("column.left.unfold")
            run.wait(lambda s: "lab" not in s["widgets"] and "transport.pause" in s["widgets"], "the left column")

            # What a tool asks for is on the left, whatever is selected.
            run.key("Escape")
            run.wait(lambda s: not s["selection"], "nothing selected")
            run.key("ctrl+a")
            run.wait(lambda s: s["selection"] and "column.left.unfold" in s["widgets"], "the selection's column")
            run.key("ctrl+j")
            run.wait(lambda s: "join.kind" in s["widgets"], "the tool's options")

    def share_of_the_world(self, run, width, height):
        """Of the window's area, what no panel covers."""
        widgets = run.frames(3)["widgets"]
        panels = [widgets[name] for name in ("column.left", "column.right", "column.tools", "timeline")]
        return 1.0 - sum(w * h for _, _, w, h in panels) / (width * height)

    def test_columns_fold_and_unfold(self):
        with with_small_scene() as run:
            run.click("column.right.unfold")  # closed until something is selected
            run.wait(lambda s: "column.right.fold" in s["widgets"], "the right column")
            for side in ("left", "right"):
                wide = run.state()["widgets"]["column." + side][2]
                run.click(f"column.{side}.fold")
                state = run.wait(lambda s: f"column.{side}.unfold" in s["widgets"], "the folded column")
                self.assertLess(state["widgets"]["column." + side][2], wide / 3)
                run.click(f"column.{side}.unfold")
                run.wait(lambda s: s["widgets"].get("column." + side, [0] * 4)[2] == wide, "the column")

    def test_scenes_are_framed_beside_the_panels(self):
        for size in ((1280, 720), (800, 600)):
            with with_small_scene(size=size, scale=1.0, paused=0) as run:
                for scene in ("duel", "seams", "rolling", "billiards", "bridge", "free_tops", "domino_run"):
                    state = self.opened(run, scene)
                    self.assertEqual(state["step"], 0)
                    self.all_in_view(state, scene)
                    # What is over at once opens in slow motion, and that ends with the scene.
                    self.assertAlmostEqual(state["time_scale"], 0.02 if scene == "duel" else 1.0, places=6)
                    if scene == "duel" and size[0] > 1000:
                        self.compare_both_values_of_a_switch(run)
                # Where a scene says that things will be, they are seen as well when they have come there.
                for scene, steps in (("ragdoll", 150), ("cradle", 60)):
                    self.opened(run, scene)
                    run.key("p")
                    run.wait(lambda s, steps=steps: s["step"] >= steps, "a while")
                    run.key("p")
                    self.all_in_view(run.wait(lambda s: s["paused"] and s["step"] == s["known_steps"], "the pause"),
                                     scene)

    def opened(self, run, scene):
        run.key("ctrl+shift+o")
        run.wait(lambda s: "files.name" in s["widgets"], "the dialog")
        run.frames(3)
        run.xdotool("type", "--delay", 5, os.path.join(SCENES, scene + ".json"))
        run.frames()
        run.key("Return")
        run.wait(lambda s: s["scene"]["file"].endswith(scene + ".json"), "the scene")
        return run.frames(4)

    def all_in_view(self, state, scene):
        left, right, timeline = (state["widgets"][name] for name in ("column.left", "column.right", "timeline"))
        for body in state["on_screen"]:
            self.assertIsNotNone(body["at"], (scene, body["name"]))
            x, y = body["at"]
            self.assertTrue(left[0] + left[2] < x < right[0] and 0 < y < timeline[1], (scene, body["name"], x, y))

    def compare_both_values_of_a_switch(self, run):
        run.key("o")
        run.wait(lambda s: s["step"] == 1 and s["known_steps"] == 1, "a step")
        run.click("scene.compare.continuous")
        # The other run is over within a frame or two: what it leaves is waited for, not the run.
        run.wait(lambda s: s["ghosts"] and s["ghosts"]["line"] == 0 and not s["settings"]["continuous"] and
                 not s["what_if"] and s["paused"] and s["step"] == 1, "the end of the other run")
        run.click("scene.continuous")
        run.wait(lambda s: s["settings"]["continuous"], "the switch")
        run.key("ctrl+z")  # what was switched is work that opening another scene would ask about
        run.wait(lambda s: not s["scene"]["unsaved"], "nothing to save")

    # Text at 200 % in the smallest window: nothing lies over each other or outside, and dialogs can be answered.
    def test_largest_text_fits_the_smallest_window(self):
        size = (800, 600)
        with with_small_scene(size=size, scale=2.0, paused=0) as run:

            def inside(state, name):
                x, y, width, height = state["widgets"][name]
                self.assertTrue(x >= 0 and y >= 0 and x + width <= size[0] and y + height <= size[1],
                                (name, state["widgets"][name]))

            state = run.wait(lambda s: s["paused"] and "pill.paused" in s["widgets"], "the pause")
            self.assertEqual(state["tight"], [])
            inside(state, "pill.paused")
            buttons = [r for name, r in state["widgets"].items()
                       if name.startswith("transport.") and name != "transport.speed" or name == "column.left.fold"]
            self.assertGreater(len(buttons), 7)
            for (x, y, width, height), other in itertools.combinations(buttons, 2):
                self.assertTrue(beside((x + 1, y + 1, width - 2, height - 2), other), "buttons lie over each other")
            run.key("ctrl+F1")
            state = run.wait(lambda s: "keys.close" in s["widgets"], "the keys")
            state = run.frames(3)
            for name in ("keys.search", "keys.changed_only", "keys.reset_all", "keys.close", "keys.pause.add"):
                inside(state, name)
            self.assertEqual(state["tight"], [])
            run.click("keys.close")
            run.wait(lambda s: "keys.close" not in s["widgets"], "no keys")
            # A name that is typed can be read, and what is asked about a mesh answered.
            run.key("ctrl+shift+s")
            run.wait(lambda s: "files.name" in s["widgets"], "the dialog of files")
            state = run.frames(3)
            self.assertGreater(state["widgets"]["files.name"][2], 500)
            for name in ("files.name", "files.accept", "files.cancel", "files.make"):
                inside(state, name)
            run.key("Escape")
            open_mesh(run, write_tetrahedron(run))
            for choice in ("hull", "decomposed", "fixed"):  # each with a text of its own
                run.click("mesh." + choice)
                state = run.frames(3)
                for name in ("mesh.up.y", "mesh.add", "mesh.cancel"):
                    self.assertIn(name, state["widgets"], choice)
                    inside(state, name)
                self.assertEqual(state["tight"], [])
            run.key("Escape")
            run.wait(lambda s: "mesh.add" not in s["widgets"], "no mesh")
            run.key("ctrl+o")
            run.wait(lambda s: s["view"]["browser"], "the browser")
            state = run.frames(3)
            self.assertEqual(state["tight"], [])
            state = run.wait(lambda s: "browser.small.recent" in s["widgets"], "its cards")
            self.assertLess(state["widgets"]["browser.small.recent"][2], size[0] / 2, "two cards beside each other")
            run.key("Escape")

    # Columns, tools, timeline, plots and what is written at the top edge, however little room there is.
    def test_no_part_hides_another_in_small_windows(self):
        for scale, size in ((2.0, (800, 600)), (1.0, (520, 400)), (1.0, (401, 333)), (1.0, (640, 480))):
            with with_small_scene(size=size, scale=scale, paused=20) as run:
                run.key("Escape")

                def parts_are_apart(what):
                    state = run.frames(3)
                    self.assertIn("timeline.track", state["widgets"], (what, scale, size))
                    self.assertIn("pill.paused", state["widgets"], (what, scale, size))
                    parts = {n: r for n, r in state["widgets"].items() if n in (
                        "column.left", "column.right", "column.tools", "timeline", "drawer") or n.startswith("pill.")}
                    for name, (x, y, width, height) in parts.items():
                        self.assertTrue(x >= 0 and y >= 0 and x + width <= size[0] and y + height <= size[1],
                                        (what, name, parts[name], scale, size))
                    for (a, ra), (b, rb) in itertools.combinations(parts.items(), 2):
                        self.assertTrue(beside(ra, rb), (what, a, ra, b, rb, scale, size))
                    self.assertEqual(state["tight"], [], (what, scale, size))
                    return state

                parts_are_apart("the left column")
                run.key("ctrl+a")
                run.wait(lambda s: "column.right.fold" in s["widgets"], "the right column")
                state = parts_are_apart("the right column")
                if "performance.step" in state["widgets"]:
                    step, fold = (state["widgets"][n] for n in ("performance.step", "column.right.fold"))
                    self.assertLessEqual(step[0] + step[2], fold[0])
                if size[1] > 400:
                    run.key("F2")
                    run.wait(lambda s: "drawer" in s["widgets"], "the plots")
                    parts_are_apart("plots")
                    run.key("F2")
                    run.wait(lambda s: "drawer" not in s["widgets"], "no plots")
                state = run.frames()
                if "tools.unfold" in state["widgets"]:
                    run.click("tools.unfold")
                    state = run.wait(lambda s: "tools.all" in s["widgets"], "the tools")
                    x, y, width, height = state["widgets"]["tools.all"]
                    self.assertTrue(x + width <= size[0] and y + height <= size[1], state["widgets"]["tools.all"])
                    state = run.frames(3)
                    for tool in ("select", "delete", "player"):
                        self.assertIn("tool." + tool, state["widgets"])
                run.click("tool.measure")
                run.wait(lambda s: s["tool"]["active"] == "measure" and "tools.all" not in s["widgets"], "the tool")
                if scale == 2.0:
                    self.assertIn("tools.unfold", run.frames()["widgets"])
                    run.key("ctrl+l")  # has all the room, above the timeline
                    run.wait(lambda s: "lab" in s["widgets"], "the lab")
                    widgets = run.frames(3)["widgets"]
                    self.assertFalse({"column.left", "column.tools", "pill.paused"} & set(widgets))
                    self.assertTrue(beside(widgets["lab"], widgets["timeline"]))

    def test_help_is_seen_as_a_whole(self):
        with with_small_scene(size=(1280, 720), scale=1.0, paused=0) as run:
            self.assertIn("pill.paused", run.frames()["widgets"])
            run.key("question")
            widgets = run.frames(3)["widgets"]
            x, y, width, height = widgets["help"]
            self.assertTrue(x >= 0 and y >= 0 and x + width <= 1280 and y + height <= 720, widgets["help"])
            end = widgets["help.end"]
            self.assertLess(end[1] + end[3], y + height, "what is below can only be seen by scrolling")
            self.assertNotIn("pill.paused", widgets, "in the midst of the keys")
            run.key("Escape")
            self.assertIn("pill.paused", run.frames()["widgets"])

    def test_notes_stay_between_the_columns(self):
        with with_small_scene(size=(1920, 1080), scale=2.0, paused=0) as run:
            run.key("F12")  # the note has the path of the picture, which fills its lines
            widgets = run.wait(lambda s: "note.0" in s["widgets"], "the note")["widgets"]
            left, note, right = (widgets[name] for name in ("column.left", "note.0", "column.right"))
            self.assertLessEqual(left[0] + left[2], note[0])
            self.assertLessEqual(note[0] + note[2], right[0])

    def test_resize(self):
        with with_small_scene(size=(900, 600)) as run:
            window = run.window()
            for width, height in ((520, 420), (880, 560), (401, 333)):
                run.xdotool("windowsize", window, width, height)
                state = run.wait(lambda s: (s["window"]["width"], s["window"]["height"]) == (width, height)
                                 and s["widgets"]["column.right"][0] < width, f"{width}x{height}")
                state = run.frames(3)
                for column in ("column.left", "column.right"):
                    x, y, w, h = state["widgets"][column]
                    self.assertTrue(0 <= x and 0 <= y and x + w <= width and y + h <= height, (column, width, height))
                self.assertEqual(gl_troubles(state), [])

    def test_dragging_at_the_window_leaves_no_trace(self):
        # One size after the other, without waiting for a picture of any.
        with with_small_scene(size=(900, 600)) as run:
            window, rng = run.window(), random.Random(5)
            scale = run.state()["window"]["scale"]
            for _ in range(20):
                for _ in range(3):
                    run.xdotool("windowsize", window, rng.randint(380, 1200), rng.randint(300, 700))
                state = run.frames(1)
                self.assertEqual(gl_troubles(state), [])
            self.assertEqual(state["window"]["scale"], scale)


if __name__ == "__main__":
    unittest.main()
