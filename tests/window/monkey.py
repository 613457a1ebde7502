#!/usr/bin/env python3
"""Uses the window at random: clicks, drags, wheel, keys and typed text, as a seed says.

    CAIRN_PROGRAM=build/release/cairn tests/window/monkey.py --seconds 600 --seed 1

The program has to live through it without an error of OpenGL, a number that is none, or a word from a sanitizer. What was
done is printed when it does not; the same seed does the same things, though how the program answers depends on time.
"""

import argparse
import math
import random
import subprocess
import sys
import time

from driver import Program

SIZE = (1000, 640)
LETTERS = [chr(c) for c in range(ord("a"), ord("z") + 1)] + [str(d) for d in range(10)]
KEYS = (LETTERS + ["F1", "F2", "F3", "F5", "F9", "F10", "F12", "space", "Delete", "BackSpace", "Escape", "Return", "Tab", "Home", "End",
                   "Up", "Down", "Left", "Right", "bracketleft", "bracketright", "question"]
        + ["ctrl+" + c for c in "acdvxzypofs"] + ["ctrl+shift+z"]
        + ["ctrl+l", "ctrl+Left", "ctrl+Right", "comma", "period", "shift+comma", "shift+period", "shift+o", "shift+j", "shift+F9"])
TEXTS = ["1", "-3", "0.5", "1e9", "nan", "box", "100000", "", "tower", "../..", "%s%n", "ü"]


class Monkey:
    def __init__(self, run, seed):
        self.run = run
        self.random = random.Random(seed)
        self.done = []
        self.hand = subprocess.Popen(["xdotool", "-"], env=run.environment, stdin=subprocess.PIPE, text=True)
        self.widgets = {}

    def do(self, *words):
        line = " ".join(map(str, words))
        self.done.append(line)
        self.hand.stdin.write(line + "\n")
        self.hand.stdin.flush()

    def click(self, *words):
        """xdotool waits 100 ms after each click by default: what is done would lag far behind."""
        self.do("click", "--delay", 20, *words)

    def place(self):
        """Half of the time something that can be used, else anywhere."""
        if self.widgets and self.random.random() < 0.6:
            x, y, width, height = self.widgets[self.random.choice(sorted(self.widgets))]
            return round(x + self.random.random() * width), round(y + self.random.random() * height)
        return self.random.randrange(SIZE[0]), self.random.randrange(SIZE[1])

    def act(self):
        kind = self.random.random()
        x, y = self.place()
        self.do("mousemove", x, y)
        if kind < 0.40:
            self.click(self.random.choice([1, 1, 1, 1, 2, 3]))
        elif kind < 0.58:
            button = self.random.choice([1, 1, 2, 3])
            self.do("mousedown", button)
            for _ in range(self.random.randrange(1, 6)):
                self.do("mousemove", *self.place())
                if self.random.random() < 0.2:
                    self.do("key", self.random.choice(KEYS))
            self.do("mouseup", button)
        elif kind < 0.66:
            self.click("--repeat", self.random.randrange(1, 6), self.random.choice([4, 5]))
        elif kind < 0.92:
            self.do("key", self.random.choice(KEYS))
        else:
            self.click(1)
            text = self.random.choice(TEXTS)
            if text:
                self.do("type", "--delay", 5, "--", text)
            self.do("key", self.random.choice(["Return", "Tab", "Escape"]))
        if self.random.random() < 0.05:
            shift = self.random.choice(["shift", "ctrl"])
            self.do("keydown", shift)
            self.click(1)
            self.do("keyup", shift)

    def look(self):
        """Whether all is well, and what there is to use now."""
        if self.run.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.run.process.returncode}")
        state = self.run.state()
        if state["gl_errors"]:
            raise AssertionError(f"OpenGL: {state['gl_messages']}")
        for name in ("kinetic_energy", "max_penetration"):
            if not isinstance(state[name], (int, float)) or not math.isfinite(state[name]):
                raise AssertionError(f"{name} is {state[name]}")
        self.widgets = state["widgets"]
        return state

    def rest(self):
        self.hand.stdin.close()
        self.hand.wait()


def go(seconds, seed, scene=()):
    with Program(*scene, size=SIZE) as run:
        monkey = Monkey(run, seed)
        try:
            end = time.monotonic() + seconds
            frames, moved_on = 0, time.monotonic()
            while time.monotonic() < end:
                for _ in range(5):
                    monkey.act()
                    time.sleep(0.02)  # most of what is done shall meet a frame of its own
                state = monkey.look()
                if state["frames"] != frames:
                    frames, moved_on = state["frames"], time.monotonic()
                if time.monotonic() - moved_on > run.patience:
                    raise AssertionError("the window stands still")
            monkey.rest()
            for key in ("ctrl", "shift"):
                run.xdotool("keyup", key)
            run.frames(5)
            run.process.terminate()
            code = run.process.wait(run.patience)
            run.errors.seek(0)
            words = run.errors.read()
            if code not in (0, -15) or "Sanitizer" in words or "runtime error" in words or "GL:" in words:
                raise AssertionError(f"the program ended with {code}: {words}")
            return len(monkey.done)
        except BaseException:
            run.errors.seek(0)
            print(run.errors.read()[-6000:], file=sys.stderr)
            print("The last that was done:\n" + "\n".join(monkey.done[-60:]), file=sys.stderr)
            raise


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("scene", nargs="*")
    arguments = parser.parse_args()
    count = go(arguments.seconds, arguments.seed, arguments.scene)
    print(f"seed {arguments.seed}: {count} things done in {arguments.seconds:.0f} s, and all is well")


if __name__ == "__main__":
    main()
