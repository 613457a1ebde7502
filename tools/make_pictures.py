#!/usr/bin/env python3
"""Makes the pictures of README.md: make_pictures.py PROGRAM [NAME...], names being those below; all without one.

what_if   the animation: a capture is played, rewound, and played again without gravity, with ghosts of how it was
window    the window with its panels and some layers
lab       the collision lab
still     a scene as `cairn render` draws it

It drives the real window in a display that nobody sees (Xvfb, xdotool) as the tests do, and packs with ffmpeg. Every
frame waits for the step that it shows, so that a slow machine makes the same pictures.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "window"))
from driver import Program  # noqa: E402

IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 3_000_000  # of the animation
RATE = 15  # frames per second of the animation


def program(*words):
    subprocess.run([os.environ["CAIRN_PROGRAM"], *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def ffmpeg(*words, **options):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, words)], check=True, **options)


class Camera:
    """Takes pictures of a running window, each when it shows what it should."""

    def __init__(self, run, size, folder):
        self.run, self.size, self.folder = run, size, pathlib.Path(folder)
        self.count = 0

    def grab(self, path):
        self.run.frames(3)
        ffmpeg("-f", "x11grab", "-draw_mouse", "0", "-video_size", f"{self.size[0]}x{self.size[1]}", "-i",
               self.run.display.name, "-frames:v", "1", path, env=self.run.environment)

    def frame(self, repeated=1):
        """The next frame of a film, shown for `repeated` times its time."""
        first = self.folder / f"{self.count:04}.png"
        self.grab(first)
        for i in range(1, repeated):
            os.link(first, self.folder / f"{self.count + i:04}.png")
        self.count += repeated

    def film(self, path):
        for quality in (78, 65, 50, 35):
            ffmpeg("-framerate", RATE, "-i", self.folder / "%04d.png", "-c:v", "libwebp_anim", "-quality", quality,
                   "-compression_level", 6, "-loop", 0, path)
            if path.stat().st_size <= MOST_BYTES:
                return
        sys.exit(f"error: {path} has {path.stat().st_size} bytes, at most {MOST_BYTES} are wanted")


def drag_to(run, step, steps):
    """Moves the pressed handle of the timeline to a step."""
    x, y, width, height = run.state()["widgets"]["timeline.track"]
    run.move(x + 1 + step / steps * (width - 2), y + height / 2)
    return run.wait(lambda s: abs(s["step"] - step) <= 1 and not s["seeking"], f"step {step}")


def make_what_if(folder):
    size, steps, begin, end = (960, 540), 240, 16, 176
    capture = folder / "wall.cairn"
    program("simulate", "wall", "--steps", steps, "--set", "camera.eye=[12.5, -18.5, 6.5]", "--set",
            "camera.target=[-0.8, -2.5, 3.3]", "--capture", capture)
    with Program(str(capture), "--at", "0", "--quality", "high", size=size, scale=0.8, resolution=100) as run:
        camera = Camera(run, size, folder)
        run.click("column.left.fold")
        run.click("column.right.fold")
        x, y, width, height = run.state()["widgets"]["timeline.track"]

        def go(first, last, stride):
            for step in range(first, last + (1 if stride > 0 else -1), stride):
                drag_to(run, step, steps)
                camera.frame()

        # As it was, and back.
        run.move(x + 1, y + height / 2)
        run.press()
        go(0, end, 60 // RATE)
        go(end - 16, begin, -16)
        run.release()
        camera.frame(3)
        # What if there were no gravity?
        run.key("j")
        run.wait(lambda s: s["what_if"], "the what-if")
        run.click("column.left.unfold")
        run.wait(lambda s: "world.gravity.None" in s["widgets"], "the World panel")
        run.move(size[0] / 2, size[1] / 2)
        camera.frame(RATE // 2)
        run.click("world.gravity.None")
        run.wait(lambda s: s["gravity"] == [0, 0, 0], "no gravity")
        camera.frame(RATE * 2 // 3)
        run.click("column.left.fold")
        run.key("shift+j")
        run.wait(lambda s: s["what_if"] is None and s["step"] == steps, "the end of the what-if")
        x, y, width, height = run.state()["widgets"]["timeline.track"]  # the list of branches takes room from it
        run.move(x + 1 + begin / steps * (width - 2), y + height / 2)
        run.press()
        go(begin, end, 60 // RATE)
        run.release()
        camera.frame(RATE // 3)
        camera.film(IMAGES / "what_if.webp")


def make_window(folder):
    size = (1440, 810)
    capture = folder / "sandbox.cairn"
    program("simulate", "sandbox", "--steps", 240, "--set", "camera.eye=[9.5, -17.5, 8]", "--set", "camera.target=[-1.6, -1.2, 0.9]",
            "--capture", capture)
    with Program(str(capture), "--at", "84", "--quality", "high", size=size, scale=1.0, resolution=100) as run:
        run.click("column.right.fold")  # it shows how fast pictures are drawn here
        for layer in "15":
            run.key(layer)
        run.move(size[0] / 2, size[1] - 120)
        Camera(run, size, folder).grab(folder / "window.png")
        pack(folder / "window.png", IMAGES / "window.png", 1)


def make_lab(folder):
    program("lab", ROOT / "assets" / "lab" / "lessons.jsonl", "--line", 7, "--step", 19, "--size", "1200x700", "--out",
            folder / "lab.png")
    pack(folder / "lab.png", IMAGES / "lab.png", 1, ",crop=iw:620:0:0")  # without the room that longer texts have


def make_still(folder):
    path = folder / "still.png"
    program("render", "tumbling", "--step", 150, "--quality", "ultra", "--size", "1920x1080", "--out", path)
    pack(path, IMAGES / "still.png", 2)


def pack(source, target, shrink, filters=""):
    """Made smaller with smooth edges, and packed as PNG does without loss."""
    ffmpeg("-i", source, "-vf", f"scale=iw/{shrink}:-1:flags=lanczos{filters}", "-compression_level", 100, "-pred", "mixed", target)


MAKERS = {"what_if": make_what_if, "window": make_window, "lab": make_lab, "still": make_still}


def main():
    if len(sys.argv) < 2 or set(sys.argv[2:]) - set(MAKERS):
        sys.exit(__doc__)
    os.environ["CAIRN_PROGRAM"] = str(pathlib.Path(sys.argv[1]).resolve())
    for name in sys.argv[2:] or MAKERS:
        print(f"making: {name}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            MAKERS[name](pathlib.Path(folder))


if __name__ == "__main__":
    main()
