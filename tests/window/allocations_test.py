"""Once a scene is at rest, and while a thousand bodies move, the program's own code allocates nothing for a picture."""

import os
import struct
import subprocess
import tempfile
import time
import unittest

from driver import Program, program, write_scene
from small_scene import SMALL, errors_of

KEPT, DEPTH = 64, 12
HEAD = struct.Struct(f"<QQ{KEPT * DEPTH}Q{KEPT}QQ")

# A box of a thousand balls that nothing stops: they never rest.
MOVING = {
    "cairn": 1, "name": "A thousand", "gravity": [0, 0, 0], "camera": {"eye": [0, -30, 14], "target": [0, 0, 4]},
    "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 0.2}}, "position": [-9, -9, 1], "restitution": 1,
                "friction": 0, "linear_velocity": [0.5, 0.3, 0.2],
                "repeat": {"count": [10, 10, 10], "spacing": [2, 2, 2]}}]}

# What can be seen beside the columns' usual sections.
SECTIONS = ("scenes", "spawn", "world", "body", "contacts", "capture", "film", "layers", "sound", "stats")


class Allocations(unittest.TestCase):
    def counts(self, run):
        """(ours, panels, libraries) for each picture so far, and where the last of ours were."""
        with open(run.path("allocations"), "rb") as file:
            head = HEAD.unpack(file.read(HEAD.size))
            pictures = min(head[0], 1 << 16)
            data = file.read(12 * pictures)
        places = [head[2 + i * DEPTH:2 + (i + 1) * DEPTH] for i in range(KEPT)]
        pictures_of = head[2 + KEPT * DEPTH:2 + KEPT * DEPTH + KEPT]
        return [struct.unpack_from("<3I", data, 12 * i) for i in range(pictures)], head[1], list(zip(pictures_of, places))

    def where(self, start, places):
        """The functions that asked, for people."""
        lines = set()
        for place in places:
            addresses = [hex(a - start - 1) for a in place if a > start and a - start < 1 << 30]
            names = subprocess.run(["addr2line", "-Cfe", program(), *addresses], capture_output=True, text=True,
                                   check=False).stdout.splitlines()[::2]
            lines.add(" < ".join(n.replace("cairn::ui::", "").split("(")[0] for n in names)[:900])
        return "\n".join(sorted(lines))

    def run_of(self, scene, *arguments, **options):
        def prepare(run):
            write_scene(run.path("scene.json"), scene)
            run.environment["LD_PRELOAD"] = os.environ["CAIRN_ALLOCATION_COUNTER"]
            run.environment["CAIRN_ALLOCATIONS"] = run.path("allocations")
        # A window in which all sections have room; few pixels matter to a processor that draws.
        return Program("scene.json", *arguments, prepare=prepare, size=(1100, 900), scale=0.5, **options)

    def expect_none(self, run, what, pictures=20, again=True):
        run.environment.pop("LD_PRELOAD", None)  # not in the clicks
        dropped = run.frames(4)["dropped_seconds"]
        first = len(self.counts(run)[0])
        end = time.monotonic() + run.patience
        while True:
            counts, start, places = self.counts(run)
            seen = [(i, c) for i, c in enumerate(counts) if i >= first]
            if len(seen) >= pictures:
                break
            self.assertLess(time.monotonic(), end, f"too few pictures: {what}")
            time.sleep(0.1)
        ours = [i for i, c in seen if c[0] > 0]
        if ours and again and run.state()["dropped_seconds"] > dropped:
            # The machine was too busy for the world. The window says so, and keeps the place of what it says.
            return self.expect_none(run, what, pictures, again=False)
        told = f"{what}: {sum(c[1] for _, c in seen)} by the panels' library, {sum(c[2] for _, c in seen)} by the others"
        if os.environ.get("CAIRN_TOLD"):
            print(told, "and", sum(c[0] for _, c in seen), "of ours, in", len(seen), "pictures", flush=True)
        self.assertEqual(ours, [], f"{told}; the program itself allocated in {len(ours)} of {len(seen)} pictures:\n" +
                         self.where(start, [p for i, p in places if i in ours]))

    def open_all(self, run):
        for section in SECTIONS:
            state = run.frames(2)
            if f"section.{section}" not in state["widgets"]:
                continue
            before = set(state["widgets"])
            run.click(f"section.{section}")
            if len(run.frames(2)["widgets"]) < len(before):
                run.click(f"section.{section}")  # it was open
        self.point_at_nothing(run)

    def point_at_nothing(self, run):
        """On the edge of a column: no tooltip, and no body that passes below the cursor."""
        x, y, _, height = run.state()["widgets"]["column.left"]
        run.move(x + 2, y + height - 3)

    def test_a_world_at_rest_allocates_nothing_for_a_picture(self):
        with tempfile.TemporaryDirectory() as folder, \
                self.run_of(SMALL, settings=os.path.join(folder, "settings.json")) as run:
            run.environment.pop("LD_PRELOAD", None)
            run.click("tour.never")
            left = run.pickable("left")
            run.click_at(*left["at"])
            run.wait(lambda s: s["awake"] == 0, "rest")
            self.open_all(run)
            self.expect_none(run, "at rest")
            run.key("F2")
            run.wait(lambda s: s["plots"]["shown"], "the plots")
            self.expect_none(run, "plots")
            run.key("p")
            self.expect_none(run, "paused")
            self.assertEqual(errors_of(run.state()), [])

    def set_in_motion(self, run):
        run.key("p")
        step = run.state()["step"]
        run.wait(lambda s: not s["paused"] and s["step"] > step + 5 and s["awake"] == 1000, "motion")

    def test_a_thousand_moving_bodies_allocate_nothing_for_a_picture(self):
        with self.run_of(MOVING) as run:
            run.environment.pop("LD_PRELOAD", None)
            run.wait(lambda s: s["step"] > 60 and s["awake"] == 1000, "motion")
            # A window that stands still is quick at hand: it is drawn only when something changes.
            run.key("p")
            self.open_all(run)
            self.set_in_motion(run)
            self.expect_none(run, "in motion")
            run.key("p")
            for layer, shown in run.state()["view"]["layers"].items():
                if not shown:
                    run.click(f"layers.{layer}")
            self.point_at_nothing(run)
            run.wait(lambda s: all(s["view"]["layers"].values()), "all layers")
            self.set_in_motion(run)
            self.expect_none(run, "all layers", 5)
            self.assertEqual(errors_of(run.state()), [])

    def test_an_allocation_would_be_counted(self):
        with self.run_of(SMALL) as run:
            run.environment.pop("LD_PRELOAD", None)
            first = len(self.counts(run)[0])
            run.key("space")  # a new body: its name, its look
            run.wait(lambda s: s["bodies"] == 4, "the ball")
            counts, start, places = self.counts(run)
            ours = [i for i, c in enumerate(counts) if i >= first and c[0] > 0]
            self.assertGreater(len(ours), 0)
            # What the new body is: its edit, and its mark on the timeline or its place among the instances. Which of them
            # has a name of its own depends on what the compiler has put into another function.
            where = self.where(start, [p for i, p in places if i in ours])
            self.assertRegex(where, r"(throw_ball|TimelineMarks::add|InstanceBatch::build).* < .*run_window")


if __name__ == "__main__":
    unittest.main()
