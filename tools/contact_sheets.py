#!/usr/bin/env python3
"""Contact sheets of the scenes as the real window opens them: contact_sheets.py PROGRAM OUT [NAME...]

For each size of window (1920x1080 and 800x600) a picture of every shipped scene, or of those named, three quarters of
a second after it was opened, and sheets of twelve with the scenes in the order of their names. To look at: what the
panels cut off, what stands in the way of what, what text does not fit.

It drives the real window in a display that nobody sees (Xvfb, xdotool) as the tests do, and packs with ffmpeg.
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "window"))
from driver import Program  # noqa: E402

SIZES = ((1920, 1080), (800, 600))
STEPS = 45  # or as far as a scene comes that begins paused or in slow motion
COLUMNS, ROWS = 3, 4


def ffmpeg(*words, **options):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, words)], check=True, **options)


def take(scene, size, path):
    with Program(str(scene), "--quality", "low", size=size, scale=1, resolution=100) as run:
        run.wait(lambda s: s["step"] >= STEPS or s["paused"] or s["time_scale"] < 1, f"{STEPS} steps")
        run.frames(10)  # until what is said about the scene has come up
        ffmpeg("-f", "x11grab", "-draw_mouse", "0", "-video_size", f"{size[0]}x{size[1]}", "-i", run.display.name,
               "-frames:v", "1", path, env=run.environment)
        tight = run.state().get("tight")
        if tight:
            print(f"{path.name}: no room for {tight}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    os.environ["CAIRN_PROGRAM"] = str(pathlib.Path(sys.argv[1]).resolve())
    out = pathlib.Path(sys.argv[2]).resolve()
    scenes = sorted(path for path in (ROOT / "scenes").glob("*.json") if path.name != "scene.schema.json")
    if sys.argv[3:]:
        scenes = [path for path in scenes if path.stem in sys.argv[3:]]
    for size in SIZES:
        folder = out / f"{size[0]}x{size[1]}"
        folder.mkdir(parents=True, exist_ok=True)
        pictures = []
        for scene in scenes:
            pictures.append(folder / f"{scene.stem}.png")
            take(scene, size, pictures[-1])
        of_sheet = COLUMNS * ROWS
        for i in range(0, len(pictures), of_sheet):
            listed = folder / "sheet.txt"
            listed.write_text("".join(f"file '{path}'\n" for path in pictures[i:i + of_sheet]), encoding="utf-8")
            ffmpeg("-f", "concat", "-safe", 0, "-i", listed, "-vf",
                   f"scale=800:-1,tile={COLUMNS}x{ROWS}:padding=6", "-frames:v", 1,
                   out / f"{folder.name}-{i // of_sheet + 1}.png")
            listed.unlink()


if __name__ == "__main__":
    main()
